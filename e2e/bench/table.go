package main

import (
	"fmt"
	"time"
)

// table prints measurements as they come and remembers whether one passed its
// limit.
type table struct{ passed bool }

func (t *table) size(bytes int64) {
	fmt.Printf("hookd, stripped: %.2f MB (at most 6)%s\n", float64(bytes)/1e6, t.mark(bytes <= maxBinary))
}

// against compares one measurement with another.
func (t *table) against(what, base string, baseTime, ours time.Duration, limit float64) {
	ratio := float64(ours) / float64(baseTime)
	fmt.Printf("%s: %.2f ms, %.2f × %s at %.2f ms (at most %.1f ×)%s\n",
		what, ms(ours), ratio, base, ms(baseTime), limit, t.mark(ratio <= limit))
}

// line prints what was measured, and whether that is within its limit.
func (t *table) line(within bool, format string, values ...any) {
	fmt.Printf(format+"%s\n", append(values, t.mark(within))...)
}

func (t *table) mark(within bool) string {
	if within {
		return ""
	}
	t.passed = true
	return "  PASSED THE LIMIT"
}

func (t *table) verdict() error {
	if t.passed {
		return errPassed
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

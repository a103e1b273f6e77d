package wall

import (
	"fmt"
	"time"
)

// DefaultMaxWait is how far away a reset may be that baton waits for, where
// nobody says otherwise.
const DefaultMaxWait = 6 * time.Hour

// How long after a reset a wait ends: a time that was read from prose has lost
// its seconds.
const (
	marginExact = 5 * time.Second
	marginRead  = 60 * time.Second
)

// Until is when a wait for the limit to reset ends.
func (l Limit) Until() time.Time {
	if l.Exact {
		return l.ResetAt.Add(marginExact)
	}
	return l.ResetAt.Add(marginRead)
}

// Waiting is a wait for an agent's limit to reset. It follows the wall clock: a
// machine that slept meanwhile goes on at once.
type Waiting struct {
	Agent string
	Until time.Time
}

// How often a wait looks at the clock, and how often it says that it goes on.
const (
	lookEach     = 15 * time.Second
	lookTerminal = time.Second
	sayEach      = 10 * time.Minute
)

// Look is what to do at one look at the clock.
type Look struct {
	// Over ends the wait.
	Over bool
	// Say: the line is due.
	Say bool
	// Again is how long until the next look.
	Again time.Duration
}

// Look looks at the clock; said is when the line was last shown, zero before the
// first time. A terminal has the line written again at every look.
func (w Waiting) Look(now, said time.Time, terminal bool) Look {
	left := w.Until.Sub(now)
	if left <= 0 {
		return Look{Over: true}
	}
	each := lookEach
	if terminal {
		each = lookTerminal
	}
	since := now.Sub(said)
	return Look{
		Say:   terminal || said.IsZero() || since >= sayEach || since < 0,
		Again: min(left, each),
	}
}

// Line tells who is waited for and how long.
func (w Waiting) Line(now time.Time, zone *time.Location) string {
	return fmt.Sprintf("waiting for %s until %s", w.Agent, WhenLeft(w.Until, now, zone))
}

// Interrupted tells how to go on after a wait that a signal ended.
func (w Waiting) Interrupted() string {
	return fmt.Sprintf("interrupted while waiting for %s; 'baton handoff --to %s' goes on", w.Agent, w.Agent)
}

// When writes a time as the zone's clock shows it, with the date where that is
// another one than now.
func When(at, now time.Time, zone *time.Location) string {
	at, now = at.In(zone), now.In(zone)
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}

// WhenLeft writes a time and how long it is until then.
func WhenLeft(at, now time.Time, zone *time.Location) string {
	return fmt.Sprintf("%s (%s left)", When(at, now, zone), Left(at.Sub(now)))
}

// Left writes a duration in its two greatest units.
func Left(d time.Duration) string {
	d = max(d, 0)
	seconds := int((d + time.Second - 1) / time.Second)
	switch minutes := seconds / 60; {
	case minutes >= 24*60:
		return units(minutes/60/24, "d", minutes/60%24, "h")
	case minutes >= 60:
		return units(minutes/60, "h", minutes%60, "min")
	case minutes > 0:
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d s", seconds)
}

func units(great int, name string, small int, smaller string) string {
	if small == 0 {
		return fmt.Sprintf("%d %s", great, name)
	}
	return fmt.Sprintf("%d %s %d %s", great, name, small, smaller)
}

package exchange

import (
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/text"
)

// prefix begins every line that the exchange says of itself.
const prefix = "[session-exchange] "

// tightLine is the length to which fixed lines are cut where the whole answer
// would still be too long, in code points.
const tightLine = 240

// briefing is what one hook has to say: fixed lines, and rows that may go where
// the answer would be too long.
type briefing struct {
	cut   text.Cutter
	parts []part
}

// kind says whether and when a part may go.
type kind int

const (
	fixed kind = iota
	presenceRow
	handoffRow
)

// part is some lines that stay or go together.
type part struct {
	kind  kind
	lines []string
}

func (b *briefing) say(format string, args ...any) {
	b.add(fixed, prefix+fmt.Sprintf(format, args...))
}

func (b *briefing) add(k kind, lines ...string) {
	capped := make([]string, len(lines))
	for i, line := range lines {
		capped[i] = b.cut.Line(line)
	}
	b.parts = append(b.parts, part{kind: k, lines: capped})
}

// lines returns everything within budget UTF-16 units. Presence rows go first,
// the last ones before the others, then handoff rows, the oldest first; what
// went is counted in a last line.
func (b *briefing) lines(budget int) []string {
	if size(b.parts) <= budget {
		return flat(b.parts)
	}
	kept := slices.Clone(b.parts)
	gone := map[kind]int{}
	for _, k := range []kind{presenceRow, handoffRow} {
		for size(kept)+units(b.dropped(gone, k)) > budget {
			last := lastOf(kept, k)
			if last < 0 {
				break
			}
			kept = slices.Delete(kept, last, last+1)
			gone[k]++
		}
	}
	if gone[presenceRow]+gone[handoffRow] > 0 {
		kept = append(kept, part{lines: []string{b.dropped(gone, fixed)}})
	}
	return b.tighten(kept, budget)
}

// dropped is the last line of an answer from which rows went. next is the kind
// of which one more may go, so that the line is not shorter then.
func (b *briefing) dropped(gone map[kind]int, next kind) string {
	sessions, handoffs := gone[presenceRow], gone[handoffRow]
	switch next {
	case presenceRow:
		sessions++
	case handoffRow:
		handoffs++
	}
	return fmt.Sprintf("%s%d session(s) and %d handoff(s) more than fit here: see `exchange show` and `exchange handoff list`",
		prefix, sessions, handoffs)
}

// tighten cuts fixed lines shorter, then leaves out the last ones, where even
// they are too long together.
func (b *briefing) tighten(parts []part, budget int) []string {
	lines := flat(parts)
	if units(lines...) <= budget {
		return lines
	}
	for i := range lines {
		lines[i] = b.cut.Cap(lines[i], tightLine)
	}
	for n := len(lines); n > 0; n-- {
		more := fmt.Sprintf("%s%d line(s) more than fit here: see `exchange show`", prefix, len(lines)-n)
		switch {
		case n == len(lines) && units(lines...) <= budget:
			return lines
		case n < len(lines) && units(append(slices.Clone(lines[:n]), more)...) <= budget:
			return append(lines[:n], more)
		}
	}
	return nil
}

func lastOf(parts []part, k kind) int {
	for i, p := range slices.Backward(parts) {
		if p.kind == k {
			return i
		}
	}
	return -1
}

func flat(parts []part) []string {
	var lines []string
	for _, p := range parts {
		lines = append(lines, p.lines...)
	}
	return lines
}

func size(parts []part) int { return units(flat(parts)...) }

// units counts the UTF-16 units of lines joined by newlines, with one to spare.
func units(lines ...string) int {
	n := 0
	for _, line := range lines {
		n += text.UTF16(line) + 1
	}
	return n
}

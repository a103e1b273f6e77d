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
	// about is the id of the handoff or session that the row is for.
	about string
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

// handoffs adds a row for each.
func (b *briefing) handoffs(r rendering, items []Filed) {
	for _, item := range items {
		b.add(handoffRow, fmt.Sprintf("- %s (%s) from %s, to %s: %s%s",
			item.ID, item.Status(), r.sender(item.Handoff), r.scope(item.To), r.preview(item.Handoff), r.age(item.Created)))
		b.parts[len(b.parts)-1].about = item.ID
	}
}

// survivors returns the handoffs whose rows lines says within that budget.
func (b *briefing) survivors(budget int) []string { return b.kept(handoffRow, budget) }

// kept returns what the rows of a kind are about that lines says within that budget.
func (b *briefing) kept(k kind, budget int) []string {
	kept, _ := b.fit(budget)
	var ids []string
	for _, p := range kept {
		if p.kind == k && len(p.lines) > 0 {
			ids = append(ids, p.about)
		}
	}
	return ids
}

// lines returns everything within budget UTF-16 units. Presence rows go first,
// the last ones before the others, then handoff rows, the oldest first; what
// went is counted in a last line.
func (b *briefing) lines(budget int) []string {
	kept, gone := b.fit(budget)
	if size(kept) <= budget && len(gone) == 0 {
		return flat(kept)
	}
	return b.tighten(kept, gone, budget)
}

// fit empties the rows that go, and counts them. Where fixed lines alone are too
// long, no row is left.
func (b *briefing) fit(budget int) (kept []part, gone map[kind]int) {
	kept, gone = slices.Clone(b.parts), map[kind]int{}
	left := size(kept)
	if left <= budget {
		return kept, gone
	}
	for _, k := range []kind{presenceRow, handoffRow} {
		for i, p := range slices.Backward(kept) {
			if left+units(b.dropped(gone, k)) <= budget {
				break
			}
			if p.kind == k {
				left -= units(p.lines...)
				kept[i].lines = nil
				gone[k]++
			}
		}
	}
	return kept, gone
}

// dropped is the last line of an answer from which something went. next is the
// kind of which one more may go, so that the line is not shorter then.
func (b *briefing) dropped(gone map[kind]int, next kind) string {
	sessions, handoffs := gone[presenceRow], gone[handoffRow]
	switch next {
	case presenceRow:
		sessions++
	case handoffRow:
		handoffs++
	}
	lines := ""
	if gone[fixed] > 0 {
		lines = fmt.Sprintf("%d line(s), ", gone[fixed])
	}
	return fmt.Sprintf("%s%s%d session(s) and %d handoff(s) more than fit here: see `exchange show` and `exchange handoff list`",
		prefix, lines, sessions, handoffs)
}

// tighten cuts fixed lines shorter, then leaves out the last ones, where even
// they are too long together.
func (b *briefing) tighten(parts []part, gone map[kind]int, budget int) []string {
	lines := flat(parts)
	if all := b.first(len(lines), lines, gone); units(all...) <= budget {
		return all
	}
	for i := range lines {
		lines[i] = b.cut.Cap(lines[i], tightLine)
	}
	for n := len(lines); n >= 0; n-- {
		if some := b.first(n, lines, gone); units(some...) <= budget {
			return some
		}
	}
	return nil
}

// first returns the first n lines, and a last one that counts what went.
func (b *briefing) first(n int, lines []string, gone map[kind]int) []string {
	gone[fixed] = len(lines) - n
	kept := slices.Clone(lines[:n])
	if gone[presenceRow]+gone[handoffRow]+gone[fixed] > 0 {
		kept = append(kept, b.dropped(gone, fixed))
	}
	return kept
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

package agent

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
)

const (
	// shownLimit bounds a line for the person, in code points.
	shownLimit = 500

	// shownOutput is how many lines of a tool's output are shown.
	shownOutput = 5
)

// Screen hands on what a person is shown of an event of a JSON protocol, line by
// line, cleaned and cut; with Stderr on the error stream. It is an iterator. The
// tag serves for a colour.
func (e *Event) Screen(yield func(Line) bool) {
	s := screen{e: e, yield: yield}
	for i := range e.parts {
		if !s.part(&e.parts[i]) {
			return
		}
	}
	s.output()
}

// screen shows the parts of one event.
type screen struct {
	e     *Event
	yield func(Line) bool
	// last are the last lines of a tool's output, as a ring, and count is how
	// many there were.
	last  [shownOutput]string
	count int
}

func (s *screen) part(p *part) bool {
	if p.tag == TagOut {
		return p.lines(s.e.cut, func(line string) bool {
			s.last[s.count%shownOutput] = line
			s.count++
			return true
		})
	}
	before := ""
	switch p.tag {
	case TagSession, TagThink, TagAPI:
		return s.output()
	case TagTool:
		if p.ends && p.fine {
			return s.output()
		}
		if p.ends {
			before = "  "
		}
	case TagEdit, TagRetry, TagNote, TagError:
		before = string(p.tag) + ": "
	case TagResult:
		before = "-- "
	case TagStderr:
		if strings.TrimSpace(p.text) == waitsForInput {
			return true
		}
	case TagStdout, TagAgent, TagOut:
	}
	return s.output() && p.lines(s.e.cut, func(line string) bool { return s.line(p.tag, before+line) })
}

// waitsForInput is what codex says at each start without a terminal.
const waitsForInput = "Reading additional input from stdin..."

// output shows the end of a tool's output.
func (s *screen) output() bool {
	first := max(0, s.count-shownOutput)
	if first > 0 && !s.line(TagOut, fmt.Sprintf("  … %d more lines", first)) {
		return false
	}
	for i := first; i < s.count; i++ {
		if !s.line(TagOut, "  "+s.last[i%shownOutput]) {
			return false
		}
	}
	s.count = 0
	return true
}

func (s *screen) line(tag Tag, said string) bool {
	return s.yield(Line{tag, s.e.cut.cutter.Clip(beginning(said), shownLimit)})
}

// beginning is a cleaned line, or as much of a very long one as can be shown.
func beginning(said string) string {
	const enough = 8 << 10
	if len(said) > enough {
		if head := Shown(said[:whole(said, enough)]); utf8.RuneCountInString(head) > shownLimit+margin {
			return head
		}
	}
	return Shown(said)
}

// Shown cleans a line for a terminal: no escape sequences and no control
// characters but TAB, none that turns the order of the text around, and no
// line end of any kind.
func Shown(line string) string {
	if strings.IndexFunc(line, obeyed) < 0 {
		return line
	}
	return strings.Map(func(r rune) rune {
		if obeyed(r) {
			return -1
		}
		return r
	}, text.WithoutSequences(line))
}

// obeyed reports what a terminal does not show but obeys.
func obeyed(r rune) bool {
	switch {
	case r == '\t':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	}
	return unicode.IsControl(r) || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || r == 0x2028 || r == 0x2029
}

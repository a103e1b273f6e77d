package logs

import (
	"fmt"

	"github.com/changeover/changeover/domain/text"
)

// What stays of a line that is too long, in characters.
const (
	longestKept = 2000
	keptHead    = 1500
	keptTail    = 300
)

// cutRoom is how many bytes of each end of a line are looked at to cut it: enough
// for the characters that stay and for the clusters at the cuts. Where clusters begin
// is told wrong from within one, but only up to its end.
const cutRoom = pickSize

// short is a line that lost its middle.
type short struct {
	text  string
	chars int
	// lost is how many characters went.
	lost int
}

// shorten returns the short form of a line. ok is false for one that is not too
// long.
func (p *picker) shorten(l *line, cutter text.Cutter) (s short, ok bool, err error) {
	if l.size <= longestKept {
		return short{}, false, nil
	}
	chars, err := p.chars(l)
	if err != nil || chars <= longestKept {
		return short{}, false, err
	}
	start, err := p.head(l, cutRoom)
	if err != nil {
		return short{}, false, err
	}
	head := cutter.Head(string(start), keptHead)
	end, err := p.tail(l, cutRoom)
	if err != nil {
		return short{}, false, err
	}
	tail := cutter.Tail(string(end), keptTail)
	kept := count(head) + count(tail)
	s.lost = chars - kept
	marker := fmt.Sprintf(" [… %d chars elided …] ", s.lost)
	s.text = head + marker + tail
	s.chars = kept + count(marker)
	return s, true, nil
}

package phrase

import (
	"bytes"
	"unicode/utf8"
)

// ClientError is the phrase of a hit that a structured client reported as its
// verdict.
const ClientError = "client error"

// Strength says how sure it is that a hit tells of a wall.
type Strength int

// The strengths. A weak hit may be prose or code about a wall.
const (
	Weak Strength = iota + 1
	Strong
)

// String returns the strength in one word.
func (s Strength) String() string {
	switch s {
	case Weak:
		return "weak"
	case Strong:
		return "strong"
	}
	return "none"
}

// Hit is what a line says of a wall.
type Hit struct {
	Phrase   string
	Strength Strength
}

// What of a long line counts: in characters, and before that in bytes, so that a
// line of any length is read in bounded memory.
const (
	counted = 4000
	// LongestLine is the length in bytes past which only the first and the last
	// LineEnds bytes of a line are looked at.
	LongestLine = 64 << 10
	LineEnds    = 32 << 10
)

// Hit reads one line of commands.log, without its line end. A line of an agent's
// stream is read as the log holds it, with its tag or without.
func (l List) Hit(line string) (Hit, bool) {
	folded, found, ok := l.read([]byte(line), nil)
	switch {
	case !ok:
		return Hit{}, false
	case found.phrase == clientError:
		return Hit{Phrase: ClientError, Strength: Strong}, true
	}
	return Hit{Phrase: l.texts[found.phrase], Strength: strength(folded, found)}, true
}

// Is reports that a line of commands.log is a hit of any strength. scratch may be
// kept from call to call, to save room; nil will do.
func (l List) Is(line []byte, scratch *[]byte) bool {
	_, _, ok := l.read(line, scratch)
	return ok
}

// clientError stands for a phrase where an [error] line is the hit.
const clientError = -1

// read looks at one line. folded is what was searched for phrases; it holds until
// the next use of scratch.
func (l List) read(line []byte, scratch *[]byte) (folded []byte, found match, ok bool) {
	switch tagOf(line) {
	case errorTag:
		return nil, match{phrase: clientError}, true
	case otherTag:
		return nil, match{}, false
	}
	if len(l.folded) == 0 {
		return nil, match{}, false
	}
	shown := Shown(ends(line), nil)
	shown = bytes.TrimSuffix(shown, []byte("\r"))
	switch tagOf(shown) {
	case errorTag:
		return nil, match{phrase: clientError}, true
	case otherTag:
		return nil, match{}, false
	case streamTag:
		shown = shown[len("[stdout] "):]
	}
	var own []byte
	if scratch == nil {
		scratch = &own
	}
	folded = (*scratch)[:0]
	head, tail := counting(shown)
	folded = appendFolded(folded, head)
	if tail != nil {
		folded = append(folded, 0) // no phrase goes on behind it
		folded = appendFolded(folded, tail)
	}
	*scratch = folded
	found, ok = l.longest(folded, nil)
	if !ok || searchResult(folded) || aboutDetection(folded) {
		return nil, match{}, false
	}
	return folded, found, true
}

// ends returns a line, or of a very long one both ends with a zero byte between.
func ends(line []byte) []byte {
	if len(line) <= LongestLine {
		return line
	}
	return Ends(line[:LineEnds], line[len(line)-LineEnds:])
}

// Ends joins the first and the last LineEnds bytes of a line longer than
// LongestLine to a line that is read like it.
func Ends(head, tail []byte) []byte {
	joined := make([]byte, 0, len(head)+1+len(tail))
	joined = append(joined, head...)
	joined = append(joined, 0)
	return append(joined, tail...)
}

// counting returns the characters of a line that count: all of them as its head, or
// the first and the last.
func counting(line []byte) (head, tail []byte) {
	if len(line) <= counted || utf8.RuneCount(line) <= counted {
		return line, nil
	}
	from, to := 0, len(line)
	for range counted / 2 {
		_, size := utf8.DecodeRune(line[from:])
		from += size
		_, size = utf8.DecodeLastRune(line[:to])
		to -= size
	}
	return line[:from], line[to:]
}

// tag is what a line of the log says of where it comes from.
type tag int

const (
	noTag     tag = iota
	streamTag     // of an agent's plain output
	errorTag      // of a structured client's verdict
	otherTag      // of everything else that is no hit
)

// tagOf returns the tag at the beginning of a line.
func tagOf(line []byte) tag {
	if len(line) == 0 || line[0] != '[' {
		return noTag
	}
	end := bytes.IndexByte(line[:min(len(line), len("[relay-baton] "))], ' ')
	if end < 0 {
		return noTag
	}
	switch string(line[:end]) {
	case "[stdout]", "[stderr]":
		return streamTag
	case "[error]":
		return errorTag
	case "[session]", "[agent]", "[think]", "[tool]", "[out]", "[edit]", "[retry]", "[note]", "[api]", "[result]", "[relay-baton]":
		return otherTag
	}
	return noTag
}

package logs

import (
	"bytes"

	"github.com/changeover/changeover/domain/baton/phrase"
)

// line is one line of a log.
type line struct {
	// number counts from 1; from is where the line begins, and size its length in
	// bytes without its end.
	number int
	from   int64
	size   int
	kind   kind
	// stands is how many lines the line stands for.
	stands int
}

// scanner reads a log line by line.
type scanner struct {
	classifier
	marks [marksOfBlock]places
	// recalled holds what the lines are, where they were read before.
	recalled *memory
}

// places are offsets in a block, in order, and how many of them were passed.
type places struct {
	at     []int
	passed int
}

// What makes a line matter: it may hold a phrase or a failure, or it holds a control
// sequence, in which a phrase may be hidden, of one of the two forms.
const (
	wordMarks = iota
	escapeMarks
	controlMarks
	marksOfBlock
)

func newScanner(phrases phrase.List) *scanner {
	return &scanner{classifier: newClassifier(phrases)}
}

// mark is the byte-order mark that a log may begin with.
const mark = "\ufeff"

// each calls visit for every line of a log. What visit is given holds until it
// returns.
func (s *scanner) each(src Source, visit func(*line) error) error {
	blocks := newBlocks(src)
	current := line{number: 1}
	for {
		block, err := blocks.next()
		if err != nil || len(block.text) == 0 {
			return err
		}
		if block.long > 0 {
			err = s.longLine(&current, block, visit)
		} else {
			err = s.lines(&current, block.text, visit)
		}
		if err != nil {
			return err
		}
	}
}

// lines goes through a block of whole lines.
func (s *scanner) lines(current *line, text []byte, visit func(*line) error) error {
	if s.recalled == nil {
		s.look(text)
	}
	for start := 0; start < len(text); {
		end := bytes.IndexByte(text[start:], '\n')
		if end < 0 {
			end = len(text) - start
		}
		of := text[start : start+end]
		s.tell(current, of, start+end)
		current.size = end
		if err := visit(current); err != nil {
			return err
		}
		current.advance()
		start += end + 1
	}
	return nil
}

// tell fills in what a line is. end is where it ends in its block, -1 for a line by
// itself.
func (s *scanner) tell(current *line, text []byte, end int) {
	if s.recalled != nil {
		current.kind, current.stands = s.recalled.recall(current.number)
		return
	}
	marked := false
	if current.number == 1 {
		text, marked = bytes.CutPrefix(text, []byte(mark))
	}
	current.kind, current.stands = 0, 1
	if end < 0 || s.matters(end) || structural(text) {
		current.kind, current.stands = s.kind(text)
	}
	if marked && current.kind&(markerLine|noticeLine) != 0 {
		current.kind, current.stands = 0, 1 // none of ours: a mark is not what we write
	}
}

// longLine goes over a line of which a block holds both ends.
func (s *scanner) longLine(current *line, block block, visit func(*line) error) error {
	s.tell(current, block.text, -1)
	current.size = block.long
	if err := visit(current); err != nil {
		return err
	}
	current.advance()
	return nil
}

// advance goes on to where the next line begins.
func (l *line) advance() {
	l.number++
	l.from += int64(l.size) + 1
}

// look finds the places of a block at which lines may matter.
func (s *scanner) look(text []byte) {
	for i := range s.marks {
		s.marks[i] = places{at: s.marks[i].at[:0]}
	}
	if s.words.stride > 0 {
		s.marks[wordMarks].at = s.words.find(text, s.marks[wordMarks].at)
	}
	s.marks[escapeMarks].at = escapes(text, s.marks[escapeMarks].at, 0x1b)
	s.marks[controlMarks].at = escapes(text, s.marks[controlMarks].at, 0xc2)
}

// escapes appends a place in each line that holds a control sequence with a byte
// which begins some.
func escapes(text []byte, at []int, first byte) []int {
	for from := 0; from < len(text); {
		found := bytes.IndexByte(text[from:], first)
		if found < 0 {
			return at
		}
		from += found
		if !phrase.Escapes(text[from:min(from+2, len(text))]) {
			from++
			continue
		}
		at = append(at, from)
		end := bytes.IndexByte(text[from:], '\n')
		if end < 0 {
			return at
		}
		from += end + 1
	}
	return at
}

// matters reports that the line which ends there may matter. Lines are asked for in
// order.
func (s *scanner) matters(end int) bool {
	found := s.words.stride == 0
	for i := range s.marks {
		marks := &s.marks[i]
		for marks.passed < len(marks.at) && marks.at[marks.passed] < end {
			found = true
			marks.passed++
		}
	}
	return found
}

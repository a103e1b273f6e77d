package logs

import (
	"bytes"
	"errors"
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/text"
)

// errEnough ends a reading early.
var errEnough = errors.New("no more lines are needed")

// texts calls visit for every line of a log with its text; for a line too long to be
// held, with both its ends joined. It may end with errEnough.
func texts(src Source, visit func(l *line, text []byte) error) error {
	blocks := newBlocks(src)
	current := line{number: 1}
	for {
		block, err := blocks.next()
		if err != nil || len(block.text) == 0 {
			return err
		}
		for rest := block.text; len(rest) > 0; {
			text, after, _ := bytes.Cut(rest, []byte("\n"))
			current.size = len(text)
			if block.long > 0 {
				text, after, current.size = rest, nil, block.long
			}
			if err := visit(&current, text); err != nil {
				if errors.Is(err, errEnough) {
					return nil
				}
				return err
			}
			current.advance()
			rest = after
		}
	}
}

// Find returns the number of the line that has this text, with a tag before it or
// without; a line too long to be held is found with its tag alone. was is the number
// that the line once had: a compression only ever moves lines up, so that of several
// the last one up to there is meant.
func Find(src Source, text string, was int) (number int, ok bool, err error) {
	wanted := []byte(text)
	size := len(wanted)
	if size > blockSize {
		wanted = phrase.Ends(wanted[:phrase.LineEnds], wanted[size-phrase.LineEnds:])
	}
	err = texts(src, func(l *line, text []byte) error {
		if number > 0 && l.number > was {
			return errEnough
		}
		if bytes.HasSuffix(text, wanted) && l.size-size == tagged(text, len(wanted)) || l.size == size && bytes.Equal(text, wanted) {
			number = l.number
		}
		return nil
	})
	return number, number > 0 && err == nil, err
}

// tagged returns the length of the tag of a line of which a text of that length is
// the rest, -1 where the rest is another.
func tagged(line []byte, rest int) int {
	before := len(line) - rest
	if tag, _ := Cut(string(line[:max(before, 0)])); tag != "" && before == len(tag.Line("")) {
		return before
	}
	return -1
}

// Ends are the first and the last line of a run of lines.
type Ends struct{ First, Last string }

// RunEnds reads the ends of elided runs from the log as it was, each clipped to so
// many characters. The runs are in order.
func RunEnds(raw Source, runs []compact.Elision, cutter text.Cutter, most int) ([]Ends, error) {
	ends := make([]Ends, len(runs))
	at := 0
	err := texts(raw, func(l *line, text []byte) error {
		for at < len(runs) && runs[at].To < l.number {
			at++
		}
		if at == len(runs) {
			return errEnough
		}
		if l.number == runs[at].From {
			ends[at].First = clip(text, cutter, most)
		}
		if l.number == runs[at].To {
			ends[at].Last = clip(text, cutter, most)
		}
		return nil
	})
	return ends, err
}

// clip returns a line as it can be shown.
func clip(line []byte, cutter text.Cutter, most int) string {
	return cutter.Clip(shown(line), most)
}

// shown returns a line without control characters, with single spaces.
func shown(line []byte) string {
	if len(line) > phrase.LineEnds {
		line = line[:phrase.LineEnds]
	}
	return text.Readable(strings.Join(strings.Fields(text.WithoutSequences(string(line))), " "))
}

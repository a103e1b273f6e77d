package logs

import (
	"io"
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/text"
)

// output is where the short form of a log goes, and how long it is so far.
type output struct {
	dst          io.Writer
	lines, chars int
	bytes        int64
}

// emitter puts the short form of a log together: lines that stay, and one marker for
// each run of lines that go. A copy of it goes on from the same place.
type emitter struct {
	output
	loss   *compact.LogLoss
	picker *picker
	class  *classifier
	cutter text.Cutter
	// whole is the line that is never shortened, 0 for none.
	whole int
	run   run
	// changed: the result is not the log as it was.
	changed bool
}

// run is lines on end that go.
type run struct {
	first, last line
	// lines counts them, stands the lines that they stand for.
	lines, stands int
}

// drop lets a line go.
func (e *emitter) drop(l *line) {
	if e.run.lines == 0 {
		e.run.first = *l
	}
	e.run.last = *l
	e.run.lines++
	e.run.stands += l.stands
}

// keep lets a line stay.
func (e *emitter) keep(l *line) error {
	if err := e.closeRun(); err != nil {
		return err
	}
	return e.line(l)
}

// closeRun writes the marker of a run. A single line that is not longer than its
// marker stays.
func (e *emitter) closeRun() error {
	gone := e.run
	e.run = run{}
	if gone.lines == 0 {
		return nil
	}
	marker := Elided(gone.stands)
	again := gone.lines == 1 && gone.first.kind&markerLine != 0
	if gone.lines == 1 && !again {
		chars, err := e.picker.chars(&gone.first)
		if err != nil {
			return err
		}
		if chars <= count(marker) {
			return e.line(&gone.first)
		}
	}
	e.changed = e.changed || !again
	e.loss.AddElision(compact.Elision{From: gone.first.number, To: gone.last.number, Count: gone.stands})
	return e.text(marker, count(marker))
}

// line writes a line that stays, without its middle where it is too long. One that
// would then be read as another kind of line, or that is the last hit, stays whole.
func (e *emitter) line(l *line) error {
	if l.number != e.whole {
		s, long, err := e.picker.shorten(l, e.cutter)
		if err != nil {
			return err
		}
		if long {
			if e.readAs(l, s.text) == l.kind {
				e.changed = true
				e.loss.AddShortening(compact.Shortening{Line: l.number, Chars: s.lost})
				return e.text(s.text, s.chars)
			}
		}
	}
	if err := e.begin(); err != nil {
		return err
	}
	chars, err := e.picker.copyTo(e.dst, l)
	e.chars += chars
	e.bytes += int64(l.size)
	return err
}

// readAs returns the kind of a line with another text.
func (e *emitter) readAs(l *line, text string) kind {
	if l.number == 1 {
		text = strings.TrimPrefix(text, mark)
	}
	k, _ := e.class.kind([]byte(text))
	return k
}

// text writes a line of our own.
func (e *emitter) text(s string, chars int) error {
	if err := e.begin(); err != nil {
		return err
	}
	e.chars += chars
	e.bytes += int64(len(s))
	_, err := io.WriteString(e.dst, s)
	return err
}

// begin ends the line before.
func (e *emitter) begin() error {
	e.lines++
	if e.lines == 1 {
		return nil
	}
	return e.end()
}

func (e *emitter) end() error {
	e.chars++
	e.bytes++
	_, err := io.WriteString(e.dst, "\n")
	return err
}

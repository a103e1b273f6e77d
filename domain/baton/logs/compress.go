package logs

import (
	"bufio"
	"io"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/text"
)

// Tail is how many lines at the end of a log stay where the budget does not matter.
const Tail = 200

// tails are the lengths that are tried against the budget, longest first.
var tails = [...]int{Tail, 100, 50, 25}

const (
	// around is how many lines before and behind a line of interest stay.
	around = 2
	// Of more hits than mostHits only the first and the last have lines around them.
	mostHits  = 200
	firstHits = 20
	lastHits  = 50
)

// Compressor writes the short form of a log.
type Compressor struct {
	Phrases phrase.List
	Cutter  text.Cutter
	// Surveyed, where it is set, is told what the log comes to before anything is
	// written.
	Surveyed func(Survey)
}

// Result is what the short form of a log comes to.
type Result struct {
	// Before is the log as it was.
	Before Survey
	// Tail is how many lines at the end stayed for being the last.
	Tail int
	// Weight is the length of the short form, in the unit of Before.Chars.
	Weight int
	// Changed: the short form is not the log as it was.
	Changed bool
	// Loss says what went. Its Raw is left empty.
	Loss compact.LogLoss
}

// Compress writes the short form of a log to dst, with that many lines at its end.
// The log is read twice, in bounded memory, and must stay as it is meanwhile.
func (c Compressor) Compress(dst io.Writer, src Source, tail int) (Result, error) {
	return c.compress(dst, src, tail, func(*tailEnd) (int, error) { return tail, nil })
}

// Fit does the same with the longest of the tails of 200, 100, 50 and 25 lines whose
// result is at most twice as long as the profile allows for the end of the log; with
// 25 where none is.
func (c Compressor) Fit(dst io.Writer, src Source, profile compact.Profile) (Result, error) {
	return c.compress(dst, src, Tail, func(rest *tailEnd) (int, error) {
		for _, tail := range tails[:len(tails)-1] {
			chars, err := rest.measure(tail)
			if err != nil || chars <= 2*profile.MaxLogTailChars {
				return tail, err
			}
		}
		return tails[len(tails)-1], nil
	})
}

// compress holds back the last lines, longest of them, until choose has said how many
// are the tail.
func (c Compressor) compress(dst io.Writer, src Source, longest int, choose func(*tailEnd) (int, error)) (Result, error) {
	scan := newScanner(c.Phrases)
	var lines memory
	before, err := scan.survey(src, &lines)
	if err != nil {
		return Result{}, err
	}
	if !lines.full {
		scan.recalled = &lines
	}
	if c.Surveyed != nil {
		c.Surveyed(before)
	}
	result := Result{Before: before}
	out := bufio.NewWriter(dst)
	end := tailEnd{emitter: emitter{
		output: output{dst: out}, loss: &result.Loss, picker: newPicker(src), cutter: c.Cutter,
		class: &scan.classifier, whole: before.LastHit.Line,
	}, ended: before.ended}
	w := windows{hits: before.Hits, settle: end.settle, from: before.Lines - before.Notices - longest}
	if err := scan.each(src, w.next); err != nil {
		return Result{}, err
	}
	if err := w.flush(); err != nil {
		return Result{}, err
	}
	if result.Tail, err = choose(&end); err != nil {
		return Result{}, err
	}
	if err := end.write(result.Tail); err != nil {
		return Result{}, err
	}
	if err := out.Flush(); err != nil {
		return Result{}, err
	}
	result.finish(&end.emitter, inChars(src))
	return result, nil
}

// finish fills in what is known at the end.
func (r *Result) finish(e *emitter, counted bool) {
	r.Weight = e.chars
	if !counted {
		r.Weight = int(e.bytes)
	}
	r.Changed = e.changed
	r.Loss.LinesBefore, r.Loss.CharsBefore = r.Before.Lines, r.Before.Chars
	r.Loss.LinesAfter, r.Loss.CharsAfter = e.lines, r.Weight
}

package logs

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/text"
)

// Digest is what a handoff takes from the log.
type Digest struct {
	// Errors are the known errors, oldest first.
	Errors []string
	// ExitCodes are those of the newest runs, oldest first.
	ExitCodes []int
	// Tail is the end of the log, from the beginning of a line.
	Tail string
}

const (
	// errorChars is the length of a known error at most, in characters.
	errorChars = 240
	// bulletChars is what a known error takes up beside its text, in a list.
	bulletChars = len("- \n")
	// mostExits is how many exit codes are kept.
	mostExits = 1000
)

// Digester reads a log for a handoff.
type Digester struct {
	Phrases phrase.List
	Cutter  text.Cutter
}

// Digest reads a log within the budgets for its tail and for known errors.
func (d Digester) Digest(src Source, budget compact.Profile) (Digest, error) {
	scan := newScanner(d.Phrases)
	reading := reading{
		Digester: d, picker: newPicker(src), errors: newest{most: budget.MaxErrorChars},
		clip: min(errorChars, budget.MaxErrorChars-bulletChars),
	}
	if err := scan.each(src, reading.next); err != nil {
		return Digest{}, err
	}
	reading.close()
	tail, err := d.tail(src, budget.MaxLogTailChars)
	return Digest{Errors: reading.errors.texts, ExitCodes: reading.exits, Tail: tail}, err
}

// tail returns the last characters of a log, from the beginning of a line; of a last
// line that is too long, its end.
func (d Digester) tail(src Source, most int) (string, error) {
	size := int(min(src.Size(), int64(most)*utf8.UTFMax+1))
	end := make([]byte, size)
	if err := readAt(src, end, src.Size()-int64(size)); err != nil {
		return "", err
	}
	whole := int64(size) == src.Size()
	if whole && utf8.RuneCount(end) <= most {
		return string(end), nil
	}
	from := len(end)
	for range most {
		_, size := utf8.DecodeLastRune(end[:from])
		from -= size
	}
	if from > 0 && end[from-1] == '\n' {
		return string(end[from:]), nil
	}
	if at := bytes.IndexByte(end[from:], '\n') + 1; at > 0 && from+at < len(end) {
		return string(end[from+at:]), nil
	}
	for from > 0 && !utf8.RuneStart(end[0]) {
		end, from = end[1:], from-1
	}
	return d.Cutter.Tail(string(end), most), nil
}

// reading is where the reading of a log for its digest is.
type reading struct {
	Digester
	picker *picker
	errors newest
	// clip is the length of one known error.
	clip  int
	exits []int
	// before is the line before the next one.
	before line
	// hit is a hit of which the line behind it is still to come: its phrase, and
	// the lines up to it.
	hit, around string
	// verdict is the text of a block of [error] lines that may go on.
	verdict string
}

// next takes the next line.
func (r *reading) next(l *line) error {
	if l.kind&noticeLine != 0 {
		return nil
	}
	if r.hit != "" {
		text, err := r.text(l)
		if err != nil {
			return err
		}
		r.around = joined(r.around, text)
		r.close()
	}
	if l.kind&errorLine == 0 {
		r.close()
	}
	if l.kind != 0 {
		if err := r.note(l); err != nil {
			return err
		}
	}
	r.before = *l
	return nil
}

// note takes a line of interest.
func (r *reading) note(l *line) error {
	head, err := r.picker.head(l, pickAhead)
	if err != nil {
		return err
	}
	line := strings.TrimPrefix(string(head), mark)
	if code, ok := IsExit(line); ok && l.kind&exitLine != 0 {
		r.exits = append(r.exits[max(0, len(r.exits)+1-mostExits):], code)
	}
	if l.kind&failureLine != 0 {
		r.errors.add(clip(head, r.Cutter, r.clip))
	}
	if l.kind&errorLine != 0 {
		_, said := Cut(line)
		if utf8.RuneCountInString(r.verdict) <= errorChars {
			r.verdict = strings.TrimSpace(r.verdict + " " + shown([]byte(said)))
		}
		return nil
	}
	if l.kind&hitLine == 0 {
		return nil
	}
	return r.noteHit(l)
}

// noteHit takes a line with a phrase.
func (r *reading) noteHit(l *line) error {
	whole, err := r.whole(l)
	if err != nil {
		return err
	}
	hit, ok := r.Phrases.Hit(whole)
	if !ok {
		return nil
	}
	before, err := r.text(&r.before)
	if err != nil {
		return err
	}
	r.hit, r.around = hit.Phrase, joined(before, shown([]byte(whole)))
	return nil
}

// whole returns a line, or of a very long one both ends.
func (r *reading) whole(l *line) (string, error) {
	if l.size <= phrase.LongestLine {
		text, err := r.picker.bytes(l.from, l.size)
		return string(text), err
	}
	head, err := r.picker.head(l, phrase.LineEnds)
	if err != nil {
		return "", err
	}
	head = bytes.Clone(head)
	tail, err := r.picker.tail(l, phrase.LineEnds)
	return string(phrase.Ends(head, tail)), err
}

// text returns a line as it can be shown; nothing for a line that is only ours.
func (r *reading) text(l *line) (string, error) {
	if l.number == 0 || l.kind&markerLine != 0 {
		return "", nil
	}
	head, err := r.picker.head(l, pickAhead)
	return shown(head), err
}

// close notes what no further line belongs to.
func (r *reading) close() {
	if r.hit != "" {
		r.errors.add(r.Cutter.Clip(r.hit+": "+r.around, r.clip))
	}
	if r.verdict != "" {
		r.errors.add(r.Cutter.Clip(r.verdict, r.clip))
	}
	r.hit, r.around, r.verdict = "", "", ""
}

// joined puts the lines around a hit together.
func joined(before, after string) string {
	switch {
	case before == "":
		return after
	case after == "":
		return before
	}
	return before + " | " + after
}

// newest holds the last texts of a list, each once, within a length.
type newest struct {
	most, chars int
	texts       []string
}

// add puts a text at the end.
func (n *newest) add(text string) {
	if text == "" {
		return
	}
	if at := slices.Index(n.texts, text); at >= 0 {
		n.remove(at)
	}
	n.texts = append(n.texts, text)
	n.chars += count(text) + bulletChars
	for n.chars > n.most && len(n.texts) > 0 {
		n.remove(0)
	}
}

func (n *newest) remove(at int) {
	n.chars -= count(n.texts[at]) + bulletChars
	n.texts = slices.Delete(n.texts, at, at+1)
}

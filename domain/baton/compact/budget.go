package compact

import (
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
)

// Marker stands where a text was cut to its budget.
const Marker = "[truncated by relay-baton: section budget exceeded]"

// Chars returns the length of a text as every budget counts it: in code points.
func Chars(s string) int { return utf8.RuneCountInString(s) }

// Fits reports that a text has at most limit characters. It does not count a
// text which is too short for more.
func Fits(s string, limit int) bool { return len(s) <= limit || Chars(s) <= limit }

// Head returns a text that fits as it is; else its beginning with the marker
// behind it, together at most limit characters.
func Head(cutter text.Cutter, body string, limit int) (result string, cut bool) {
	if Fits(body, limit) {
		return body, false
	}
	room := limit - Chars(Marker) - 1
	if room < 1 {
		return cutter.Head(Marker, limit), true
	}
	return cutter.Head(body, room) + "\n" + Marker, true
}

// Tail returns a text that fits as it is; else its end with the marker before
// it, together at most limit characters.
func Tail(cutter text.Cutter, body string, limit int) (result string, cut bool) {
	if Fits(body, limit) {
		return body, false
	}
	room := limit - Chars(Marker) - 1
	if room < 1 {
		return cutter.Head(Marker, limit), true
	}
	return Marker + "\n" + cutter.Tail(body, room), true
}

// Used is what one section of a document takes up.
type Used struct {
	Section string
	Chars   int
	Cut     bool
}

// Budget fits the sections of a document to their limits and keeps account of
// them.
type Budget struct {
	cutter text.Cutter
	used   []Used
}

// NewBudget returns a budget that nothing was taken from yet.
func NewBudget(cutter text.Cutter) *Budget { return &Budget{cutter: cutter} }

// Head fits a section like the func Head.
func (b *Budget) Head(section, body string, limit int) string {
	return b.note(section)(Head(b.cutter, body, limit))
}

// Tail fits a section like the func Tail.
func (b *Budget) Tail(section, body string, limit int) string {
	return b.note(section)(Tail(b.cutter, body, limit))
}

func (b *Budget) note(section string) func(string, bool) string {
	return func(result string, cut bool) string {
		b.used = append(b.used, Used{Section: section, Chars: Chars(result), Cut: cut})
		return result
	}
}

// Used returns what each section takes up, in the order in which they were
// fitted.
func (b *Budget) Used() []Used { return append([]Used(nil), b.used...) }

// Total returns what all sections take up together.
func (b *Budget) Total() int {
	total := 0
	for _, used := range b.used {
		total += used.Chars
	}
	return total
}

// Cut reports that a section was cut.
func (b *Budget) Cut() bool {
	for _, used := range b.used {
		if used.Cut {
			return true
		}
	}
	return false
}

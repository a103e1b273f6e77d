package compact

import (
	"strings"
	"unicode"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/text"
)

const (
	// compactTitle heads compact-state.md, currentTitle state.md.
	compactTitle = "# Compact State"
	currentTitle = "# Current State"
	// longLine is how many characters a line keeps when nothing else is left to
	// go.
	longLine = 200
)

// StateCompactor makes a state.md short: what was said several times is said
// once, and of what a section holds too much of, the least useful goes.
type StateCompactor struct {
	cutter text.Cutter
	limit  int
}

// NewStateCompactor returns a compactor whose results have at most limit
// characters, unless Goal and Next Step alone have more.
func NewStateCompactor(cutter text.Cutter, limit int) StateCompactor {
	return StateCompactor{cutter: cutter, limit: limit}
}

// Compact returns the text of compact-state.md for a state.md.
func (c StateCompactor) Compact(raw string) string {
	body, _ := markdown.Read(raw)
	result, _ := c.compact(body, compactTitle)
	return result
}

// Restate returns what state.md becomes, with LF line ends, whatever its size.
func (c StateCompactor) Restate(raw string) string {
	body, _ := markdown.Read(raw)
	result, _ := c.compact(body, currentTitle)
	return result
}

// InPlace returns what a cycle writes over a state.md: the compact text in the
// form that the file has, and what it lost. A file that is blank, or that would
// not get smaller, is to be left alone: changed is false, and result is the file.
func (c StateCompactor) InPlace(raw string) (result string, loss *StateLoss, changed bool) {
	body, form := markdown.Read(raw)
	if strings.TrimSpace(body) == "" {
		return raw, nil, false
	}
	short, lost := c.compact(body, currentTitle)
	written := form.Write(short)
	before, after := Chars(raw), Chars(written)
	if Chars(short) >= Chars(body) || after >= before {
		return raw, nil, false
	}
	return written, &StateLoss{CharsBefore: before, CharsAfter: after, Sections: lost}, true
}

// compact applies all rules to a text with LF line ends.
func (c StateCompactor) compact(body, title string) (string, []SectionLoss) {
	doc := readState(body)
	losses := stateLosses{}
	before := map[Section]int{}
	for _, s := range sections {
		before[s] = len(doc.items[s])
	}
	doc.tidy(losses)
	c.fit(doc, title, losses)
	var lost []SectionLoss
	for _, s := range sections {
		if s == Notes && !doc.stands(s) && before[s] == 0 {
			continue
		}
		lost = append(lost, SectionLoss{
			Section: s, ItemsBefore: before[s], ItemsAfter: len(doc.items[s]), Lost: losses.of(s),
		})
	}
	return doc.write(title), lost
}

// fit removes one item at a time until the text has at most limit characters,
// and clips long lines where that is not enough.
func (c StateCompactor) fit(doc StateDoc, title string, losses stateLosses) {
	for _, s := range []Section{Notes, Done, Decisions, Risks, Remaining, InProgress} {
		for len(doc.items[s]) > 0 {
			if doc.chars(title) <= c.limit {
				return
			}
			doc.remove(s, s == Remaining, Cut, losses)
		}
	}
	if doc.chars(title) <= c.limit {
		return
	}
	for _, s := range sections {
		for n := range doc.items[s] {
			c.clip(&doc.items[s][n], func(at int) { losses.note(s, Cut, 1, Span{From: at, To: at}) })
		}
		doc.dedupe(s, Cut, losses) // two that differed behind the cut are equal now
	}
}

// clip shortens the long lines of an item, and reports where they stood. A line
// that would then open or close another fence than before stays.
func (c StateCompactor) clip(item *Item, clipped func(at int)) {
	for n := range item.lines {
		line := &item.lines[n]
		if Fits(line.text, longLine) {
			continue
		}
		short := c.cutter.Clip(strings.TrimRightFunc(line.text, unicode.IsSpace), longLine)
		var fences markdown.Fences
		if !line.fenced && fences.Next(short) || strings.TrimLeft(short, " `~") == "…" {
			continue
		}
		item.size += Chars(short) - Chars(line.text)
		line.text = short
		clipped(line.at)
	}
}

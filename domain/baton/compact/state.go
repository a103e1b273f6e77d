package compact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// StateDoc is what a state.md says, by section. A section that the file has
// several times is read as one.
type StateDoc struct {
	items  map[Section][]Item
	elided map[Section]int
}

// ReadState reads a state.md of any form.
func ReadState(raw string) StateDoc {
	body, _ := markdown.Read(raw)
	return readState(body)
}

// readState reads a text with LF line ends.
func readState(body string) StateDoc {
	r := stateReader{
		doc:     StateDoc{items: map[Section][]Item{}, elided: map[Section]int{}},
		section: Notes,
	}
	at := 0
	for line := range strings.SplitSeq(strings.TrimSuffix(valid(body), "\n"), "\n") {
		at++
		r.line(itemLine{text: line, at: at, fenced: r.fences.Next(line)})
	}
	if r.fences.Open() {
		// Whatever follows the item in the result must not read as part of it.
		r.item.add(itemLine{text: r.fences.Closing(), at: at, fenced: true}, true)
	}
	r.flush()
	return r.doc
}

// valid returns a text in which each byte that is no part of a character
// became U+FFFD, as it is counted.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// Items returns the items of a section, in the order of the file.
func (d StateDoc) Items(s Section) []Item { return slices.Clone(d.items[s]) }

// Elided returns how many items of a section earlier compactions removed.
func (d StateDoc) Elided(s Section) int { return d.elided[s] }

// Filled reports that a section says something.
func (d StateDoc) Filled(s Section) bool {
	return slices.ContainsFunc(d.items[s], func(i Item) bool { return i.key() != "" })
}

// stateReader reads the lines of a state.md one by one.
type stateReader struct {
	doc     StateDoc
	fences  markdown.Fences
	section Section // whose heading was last
	item    *Item   // that further lines belong to; nil for none
	target  Section // that the item belongs to
	gap     bool    // a blank line came after the last line of the item
}

func (r *stateReader) line(line itemLine) {
	if line.fenced {
		r.attach(line)
		return
	}
	switch level, heading := markdown.Heading(line.text); {
	case level == 1:
		r.flush()
		return
	case level == 2:
		r.flush()
		r.section = sectionOf(heading)
		return
	case level > 2:
		r.begin(r.section, line, true)
		return
	}
	_, _, indent, bullet := markdown.Bullet(line.text)
	switch {
	case strings.TrimSpace(line.text) == "":
		r.gap = true
	case indent > 1:
		r.attach(line)
	case bullet:
		r.bullet(line)
	case r.item != nil && !r.gap:
		r.attach(line)
	default:
		r.begin(r.section, line, true)
	}
}

// bullet begins an item, in the section that its label names.
func (r *stateReader) bullet(line itemLine) {
	target := cmp.Or(unlabel(&line.text), r.section)
	if n, ok := readElided(line.text); ok {
		r.flush()
		r.doc.elided[target] = min(r.doc.elided[target]+n, mostElided)
		return
	}
	r.begin(target, line, false)
}

// unlabel takes the labels off a bullet and returns the section that the first
// one names; none for a bullet without. A label that stands alone stays, for
// there would be nothing left, and then counts.
func unlabel(line *string) Section {
	whole := strings.TrimRightFunc(*line, unicode.IsSpace)
	_, rest, _, _ := markdown.Bullet(whole)
	boxed, _, isBoxed := markdown.Checkbox(strings.TrimSpace(rest))
	payload := strings.TrimSpace(boxed)
	lead := whole[:len(whole)-len(payload)]
	var target Section
	for {
		s, rest, ok := label(payload)
		if !ok {
			break
		}
		if rest == "" {
			target = s
			break
		}
		target = cmp.Or(target, s)
		payload = rest
		// A checkbox behind the label would be read as the bullet's the next time.
		if text, _, ok := markdown.Checkbox(rest); ok && !isBoxed {
			payload, isBoxed = strings.TrimSpace(text), true
			lead += rest[:len(rest)-len(payload)]
		}
	}
	if target != "" {
		*line = lead + payload
	}
	return target
}

// begin makes a line the first one of an item.
func (r *stateReader) begin(target Section, line itemLine, apart bool) {
	r.flush()
	r.item, r.target = &Item{apart: apart}, target
	r.item.add(line, true)
}

// attach makes a line part of the item that it follows. Where it follows none,
// it goes to the last item of its section, as it would be read there, or is an
// item of its own.
func (r *stateReader) attach(line itemLine) {
	near := r.item != nil
	if !near {
		r.reopen()
	}
	r.item.add(line, near)
	r.gap = false
}

// reopen takes the last item of the section up again.
func (r *stateReader) reopen() {
	r.item, r.target = &Item{}, r.section
	if items := r.doc.items[r.section]; len(items) > 0 {
		last := len(items) - 1
		*r.item = items[last]
		r.doc.items[r.section] = items[:last]
	}
}

// flush puts the item into its section.
func (r *stateReader) flush() {
	if r.item != nil {
		r.doc.items[r.target] = append(r.doc.items[r.target], *r.item)
	}
	r.item, r.gap = nil, false
}

const (
	elidedLead = "- ("
	elidedTail = " earlier items elided)"
	// mostElided has the most digits that are read back.
	mostElided = 1e18 - 1
)

// elidedLine counts the items that a section lost.
func elidedLine(n int) string { return elidedLead + strconv.Itoa(n) + elidedTail }

// readElided reads such a line, whatever its bullet.
func readElided(line string) (int, bool) {
	digits, ok := strings.CutSuffix(markdown.Payload(line), elidedTail)
	digits, open := strings.CutPrefix(digits, "(")
	if !ok || !open || len(digits) > len("999999999999999999") || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

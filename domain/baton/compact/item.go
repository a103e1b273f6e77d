package compact

import (
	"strings"
	"unicode"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// itemLine is one line of an item, and where it stands in the file.
type itemLine struct {
	text   string
	at     int
	fenced bool
}

// Item is one thing that a section says: a bullet with the lines below it, a
// paragraph, or a fenced block.
type Item struct {
	lines []itemLine
	spans []Span
	// apart: a blank line must stand before it, or it would read as part of what
	// it follows.
	apart bool
	// size is the length in characters, the ends of the lines included.
	size int
}

// Text returns the item as it is written.
func (i Item) Text() string {
	texts := make([]string, len(i.lines))
	for n, line := range i.lines {
		texts[n] = line.text
	}
	return strings.Join(texts, "\n")
}

// First returns the first line without bullet and checkbox.
func (i Item) First() string { return markdown.Payload(i.lines[0].text) }

// add appends a line. near tells that only blank lines stand between it and the
// item's last line.
func (i *Item) add(line itemLine, near bool) {
	i.lines = append(i.lines, line)
	i.size += Chars(line.text) + 1
	if near && len(i.spans) > 0 {
		i.spans[len(i.spans)-1].To = line.at
		return
	}
	i.spans = append(i.spans, Span{From: line.at, To: line.at})
}

// key is what two items are compared by.
func (i Item) key() string {
	texts := make([]string, len(i.lines))
	for n, line := range i.lines {
		texts[n] = line.text
	}
	texts[0] = i.unlabelled()
	return fold(strings.Join(texts, "\n"))
}

// firstKey is what the first lines of two items are compared by.
func (i Item) firstKey() string { return fold(i.unlabelled()) }

// unlabelled returns the first line without bullet, checkbox and label. A label
// that stands alone is left on its line by the reader.
func (i Item) unlabelled() string {
	payload := i.First()
	if _, rest, ok := label(payload); ok {
		return rest
	}
	return payload
}

// fold collapses white space, folds case and removes the marks that end a
// sentence.
func fold(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.TrimRight(strings.Map(foldRune, s), " .;!")
}

// foldRune returns the least of all the letters that differ in case alone.
func foldRune(r rune) rune {
	if r < unicode.MaxASCII {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if 'A' <= least && least <= 'Z' { // such as the Kelvin sign
		return least + 'a' - 'A'
	}
	return least
}

// label reads the section that a bullet's text names before all else.
func label(payload string) (s Section, rest string, ok bool) {
	for _, s := range []Section{Done, InProgress} {
		n := len(s) + 1
		if len(payload) >= n && payload[n-1] == ':' && strings.EqualFold(payload[:n-1], string(s)) {
			return s, strings.TrimSpace(payload[n:]), true
		}
	}
	return "", payload, false
}

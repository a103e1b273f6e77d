package plan

import (
	"strings"
	"unicode"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// Real reports that a line says something: it is more than its bullet, is no
// placeholder in brackets and no "TODO".
func Real(line string) bool {
	text := payload(line)
	switch strings.ToLower(text) {
	case "", "todo", "tbd", "n/a", "...", "…":
		return false
	}
	return !wholly(text, '(', ')') && !wholly(text, '<', '>') && !ruled(line)
}

// payload returns a line without heading marks, bullet or number, and checkbox.
func payload(line string) string {
	if level, heading := markdown.Heading(line); level > 0 {
		line = heading
	}
	return markdown.Payload(line)
}

// says reports that a line of a section is real. The bars of a fenced block say
// nothing by themselves.
func says(line markdown.Line) bool {
	if line.Fenced {
		trimmed := strings.TrimSpace(line.Text)
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			return false
		}
	}
	return Real(line.Text)
}

// anySays reports that one of the lines is real.
func anySays(lines []markdown.Line) bool {
	for _, line := range lines {
		if says(line) {
			return true
		}
	}
	return false
}

// wholly reports that one pair of brackets encloses the whole text.
func wholly(text string, open, end rune) bool {
	depth := 0
	for i, r := range text {
		switch r {
		case open:
			depth++
		case end:
			depth--
		}
		if depth <= 0 {
			return i > 0 && r == end && depth == 0 && i+1 == len(text)
		}
	}
	return false
}

// ruled reports a line across the page: nothing but three or more dashes,
// asterisks or underscores.
func ruled(line string) bool {
	marks := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, line)
	return len(marks) >= 3 && strings.Trim(marks, marks[:1]) == "" && strings.IndexByte("-*_", marks[0]) >= 0
}

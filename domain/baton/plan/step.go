package plan

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// Step is one real item of the section Steps.
type Step struct {
	// N counts the steps from 1, whatever number the text shows.
	N int
	// Text is its first line, without bullet and checkbox.
	Text string
	// Whole is all of its lines.
	Whole string
}

// readSteps reads the section Steps.
func readSteps(body []markdown.Line) []Step {
	var steps []Step
	for _, it := range items(body) {
		if !it.bullet || !Real(it.lines[0]) {
			continue
		}
		steps = append(steps, Step{N: len(steps) + 1, Text: payload(it.lines[0]), Whole: strings.Join(it.lines, "\n")})
	}
	return steps
}

// key is what two steps are compared by: the text without bullet, checkbox and
// label, white space collapsed, case folded, without the mark that ends it.
func (s Step) key() string {
	_, rest, _ := strings.Cut(s.Whole, "\n")
	text := strings.Join(strings.Fields(unlabelled(s.Text)+" "+rest), " ")
	return strings.TrimRight(strings.ToLower(strings.ToUpper(text)), " .;!")
}

// unlabelled takes a label off that names a section of state.md.
func unlabelled(text string) string {
	for _, label := range []string{"Done:", "In Progress:"} {
		if len(text) >= len(label) && strings.EqualFold(text[:len(label)], label) {
			return strings.TrimSpace(text[len(label):])
		}
	}
	return text
}

// item is a top-level bullet with the lines that belong to it, or what stands
// in a section beside them: a paragraph or a fenced block.
type item struct {
	lines  []string
	bullet bool
}

// real reports that the item says something.
func (it item) real() bool {
	for _, line := range it.lines {
		if Real(line) {
			return true
		}
	}
	return false
}

// items splits the body of a section.
func items(body []markdown.Line) []item {
	var list []item
	top := topIndent(body)
	open, gap := false, false // an item takes lines; a blank one came after its last
	for _, line := range body {
		level, _ := markdown.Heading(line.Text)
		_, _, indent, bullet := markdown.Bullet(line.Text)
		switch {
		case !line.Fenced && (level > 0 || ruled(line.Text)):
			open = false
			continue
		case !line.Fenced && strings.TrimSpace(line.Text) == "":
			gap = true
			continue
		case !line.Fenced && bullet && indent <= top:
			list = append(list, item{lines: []string{line.Text}, bullet: true})
		case open && (line.Fenced || !gap || indent > 1):
			last := &list[len(list)-1]
			last.lines = append(last.lines, line.Text)
		default:
			list = append(list, item{lines: []string{line.Text}})
		}
		open, gap = true, false
	}
	return list
}

// topIndent returns how far the top-level items of a section are indented at
// most: one space, or as far as the first one, unless that is code.
func topIndent(body []markdown.Line) int {
	for _, line := range body {
		if _, _, indent, ok := markdown.Bullet(line.Text); ok && !line.Fenced && indent <= 3 {
			return max(indent, 1)
		}
	}
	return 1
}

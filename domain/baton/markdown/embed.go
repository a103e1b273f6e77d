package markdown

import (
	"strings"
	"unicode"
)

// deepest is the level of the smallest heading there is.
const deepest = 6

// Clean returns a text with LF line ends, as valid UTF-8, without control
// characters other than tabs and without byte-order marks before it.
func Clean(raw string) string {
	body, _ := Read(strings.ToValidUTF8(raw, "\uFFFD"))
	body = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, body)
	return strings.TrimLeft(body, mark)
}

// Embed returns a text as it may stand inside a section of another: clean, its
// headings lowered by that many levels, every fenced block closed, and outside
// of them one blank line for several. There is no blank line around it.
func Embed(raw string, levels int) string {
	var out []string
	var fences Fences
	blank := false
	for line := range strings.SplitSeq(strings.Trim(Clean(raw), "\n"), "\n") {
		if len(out) == 0 { // with the lines before it gone it would begin the text
			line = strings.TrimLeft(line, mark)
		}
		fenced := fences.Next(line)
		if !fenced {
			line = lowered(line, levels)
			if strings.TrimSpace(line) == "" {
				blank = true
				continue
			}
		}
		if blank && len(out) > 0 {
			out = append(out, "")
		}
		blank = false
		out = append(out, line)
	}
	if fences.Open() {
		out = append(out, fences.Closing())
	}
	return strings.Join(out, "\n")
}

// lowered gives a heading more marks, as far as there are levels.
func lowered(line string, levels int) string {
	level, _ := Heading(line)
	if level == 0 {
		return line
	}
	return strings.Repeat("#", min(levels, deepest-level)) + strings.TrimLeft(line, " ")
}

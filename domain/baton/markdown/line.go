package markdown

import "strings"

// Line is one line of a text with LF line ends.
type Line struct {
	Text string
	// Fenced: the line stands in a fenced block, or opens or closes one.
	Fenced bool
}

// Fences follows fenced code blocks through the lines of a text.
type Fences struct {
	kind  byte
	width int
}

// Open reports that the last line stood inside a block which is not closed yet.
func (f *Fences) Open() bool { return f.width > 0 }

// Closing returns the line that would close the open block; empty where none is
// open.
func (f *Fences) Closing() string { return strings.Repeat(string(f.kind), f.width) }

// Next takes the next line, and reports that it belongs to a fenced block: of
// three or more backticks or tildes, indented by up to three spaces, closed by a
// fence of the same kind that is at least as long.
func (f *Fences) Next(line string) bool {
	kind, width, rest := fence(line)
	if f.width > 0 {
		if kind == f.kind && width >= f.width && strings.TrimSpace(rest) == "" {
			f.width = 0
		}
		return true
	}
	if width == 0 || kind == '`' && strings.Contains(rest, "`") {
		return false
	}
	f.kind, f.width = kind, width
	return true
}

// fence reads the fence that a line may be; width 0 where it is none. rest is
// what follows it.
func fence(line string) (kind byte, width int, rest string) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 || trimmed == "" || trimmed[0] != '`' && trimmed[0] != '~' {
		return 0, 0, ""
	}
	rest = strings.TrimLeft(trimmed, trimmed[:1])
	if width = len(trimmed) - len(rest); width < 3 {
		return 0, 0, ""
	}
	return trimmed[0], width, rest
}

// Lines splits a text at its line ends. The end of the last line does not begin
// another one, and an empty text has no line.
func Lines(body string) []Line {
	if body == "" {
		return nil
	}
	var fences Fences
	var lines []Line
	for text := range strings.SplitSeq(strings.TrimSuffix(body, "\n"), "\n") {
		lines = append(lines, Line{Text: text, Fenced: fences.Next(text)})
	}
	return lines
}

// LongestFence returns how many backticks the longest run at the beginning of a
// line of the text has, so that a fence around it can be longer.
func LongestFence(body string) int {
	longest := 0
	for line := range strings.SplitSeq(body, "\n") {
		trimmed := strings.TrimLeft(line, " \t>")
		longest = max(longest, len(trimmed)-len(strings.TrimLeft(trimmed, "`")))
	}
	return longest
}

// Fence returns the text in a fenced block of that language, whose fence is
// longer than any inside.
func Fence(language, body string) string {
	bar := strings.Repeat("`", max(3, LongestFence(body)+1))
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	return bar + language + "\n" + body + bar
}

package compact

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// File makes a markdown file smaller. Outside fenced code it strips white space
// at line ends, leaves one of several blank lines and one of several identical
// lines on end. What is fenced stays byte for byte, and each line keeps its own
// end. The result ends with exactly one line end; an empty text stays one.
func File(raw string) string {
	if raw == "" {
		return ""
	}
	_, form := markdown.Read(raw)
	mark := markdown.Form{Mark: form.Mark}.Write("")
	body := strings.TrimPrefix(raw, mark)
	var out strings.Builder
	var fences markdown.Fences
	last, lastEnd, comparable := "", "", false // the line before, where it stood outside a fence
	for body != "" {
		line, end := cutLine(&body)
		fenced := fences.Next(line)
		if !fenced {
			line = strings.TrimRightFunc(line, unicode.IsSpace)
			if comparable && line == last {
				continue
			}
		}
		if line == "" && lastEnd == "\r" && end == "\n" {
			end = "\r" // the two would read as one line end
		}
		out.WriteString(line + end)
		last, lastEnd, comparable = line, end, !fenced
	}
	content := strings.TrimRight(out.String(), "\r\n")
	ends := out.String()[len(content):]
	_, end := cutLine(&ends)
	return mark + content + cmp.Or(end, form.End)
}

// cutLine takes the first line off a text, whatever ends it.
func cutLine(rest *string) (line, end string) {
	at := strings.IndexAny(*rest, "\r\n")
	if at < 0 {
		line, *rest = *rest, ""
		return line, ""
	}
	after := at + 1
	if strings.HasPrefix((*rest)[at:], "\r\n") {
		after++
	}
	line, end = (*rest)[:at], (*rest)[at:after]
	*rest = (*rest)[after:]
	return line, end
}

// Package markdown reads the few shapes of markdown that baton's documents are
// made of: line ends, fences, headings and list items. It is no renderer.
package markdown

import "strings"

// mark is the byte-order mark that some editors write first.
const mark = "\uFEFF"

// Form is how a file was written, as far as it does not matter for what it says.
type Form struct {
	// Mark: the file begins with a byte-order mark.
	Mark bool
	// End is the line end that most lines have.
	End string
}

// Read returns a text with LF as its only line end and without a byte-order
// mark, and the form that a rewrite is to keep. A lone CR ends a line too.
func Read(raw string) (string, Form) {
	body, marked := strings.CutPrefix(raw, mark)
	crlf := strings.Count(body, "\r\n")
	lf := strings.Count(body, "\n") - crlf
	cr := strings.Count(body, "\r") - crlf
	form := Form{Mark: marked, End: "\n"}
	switch {
	case crlf > lf && crlf >= cr:
		form.End = "\r\n"
	case cr > lf:
		form.End = "\r"
	}
	return strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\r", "\n"), form
}

// Write gives a text with LF line ends the form again.
func (f Form) Write(body string) string {
	if f.End != "\n" && f.End != "" {
		body = strings.ReplaceAll(body, "\n", f.End)
	}
	if f.Mark {
		body = mark + body
	}
	return body
}

package relay

import "strings"

// fence is a line that begins or ends fenced code.
type fence struct {
	mark   byte
	length int
	info   string
	// indent is how far it is set in, quoted that it stands in a quotation.
	indent int
	quoted bool
	// listed: it stands in an item of a list, which the fence's code cannot outlast.
	listed bool
}

// fenceOf reads a fence as CommonMark has it: at least three backticks or tildes,
// set in by at most three columns, unless an item of a list or a quotation holds
// them.
func fenceOf(line string) (fence, bool) {
	var f fence
	text := line
	for {
		within := strings.TrimLeft(text, " \t")
		f.indent += columns(text[:len(text)-len(within)])
		text = within
		n := containerLength(text)
		if n == 0 {
			break
		}
		f.quoted = f.quoted || text[0] == '>'
		f.listed = f.listed || text[0] != '>'
		f.indent += n
		text = text[n:]
	}
	if text == "" || text[0] != '`' && text[0] != '~' {
		return fence{}, false
	}
	rest := strings.TrimLeft(text, text[:1])
	f.mark, f.length, f.info = text[0], len(text)-len(rest), strings.TrimSpace(rest)
	f.listed = f.listed || !f.quoted && f.indent > deepest
	return f, f.length >= 3
}

// deepest is how far a fence may be set in that stands in nothing.
const deepest = 3

// containerLength returns the length of what begins a quotation or an item of a
// list, 0 where a text begins with neither.
func containerLength(text string) int {
	if strings.HasPrefix(text, ">") {
		return 1
	}
	marker := strings.TrimLeft(text, "0123456789")
	digits := len(text) - len(marker)
	if marker == "" || digits > 9 || digits > 0 && !strings.ContainsRune(".)", rune(marker[0])) || digits == 0 && !strings.ContainsRune("-*+", rune(marker[0])) {
		return 0
	}
	if len(marker) < 2 || marker[1] != ' ' && marker[1] != '\t' {
		return 0
	}
	return digits + 1
}

// columns is how wide blanks are.
func columns(blanks string) int { return len(blanks) + 3*strings.Count(blanks, "\t") }

func (f fence) opens() bool { return f.mark == '~' || !strings.Contains(f.info, "`") }

func (f fence) closes(open fence) bool {
	return f.mark == open.mark && f.length >= open.length && f.info == "" && f.indent <= open.indent+deepest
}

// isLeft reports a line that stands outside of what holds an open fence, which ends
// there, closed or not. Items of a list are taken for two columns wide: few writers
// count them.
func (f fence) isLeft(line string) bool {
	within := strings.TrimLeft(line, " \t")
	if f.quoted {
		return !strings.HasPrefix(within, ">")
	}
	return f.listed && within != "" && columns(line[:len(line)-len(within)]) < 2
}

package board

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/changeover/changeover/domain/text"
)

// ellipsis ends what was cut.
const ellipsis = "…"

// longestCluster is the number of bytes of one character that are shown: marks
// can be stacked without end.
const longestCluster = 64

// tab is how many spaces stand for one.
const tab = "    "

// clean makes one printable line of a text.
func clean(s string) string {
	if simple(s) {
		return s
	}
	s = text.WithoutSequences(s)
	s = strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\v', '\f', 0x85, 0x2028, 0x2029, 0xa0:
			return ' '
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
	s = text.Printable(strings.ReplaceAll(s, "\t", tab))
	if r, _ := utf8.DecodeRuneInString(s); unicode.IsMark(r) {
		return "◌" + s // a mark would sit on whatever stands before it
	}
	return s
}

// simple reports printable ASCII, which needs no care. Most text is that.
func simple(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Width is the number of cells that a text takes, cleaned.
func Width(s string) int { return width(clean(s)) }

func width(s string) int {
	n := 0
	for s != "" {
		_, w, size := cluster(s)
		n += w
		s = s[size:]
	}
	return n
}

// cluster returns the first character of s as it is shown, its cells, and its
// length in s.
func cluster(s string) (shown string, cells, size int) {
	shown, cells = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	size = max(len(shown), 1)
	if len(shown) > longestCluster {
		shown = strings.ToValidUTF8(shown[:longestCluster], "")
		cells = ansi.StringWidth(shown)
	}
	return shown, cells, size
}

// take returns the longest beginning of a clean text that takes at most so many
// cells, its cells and what is left of it.
func take(s string, cells int) (head string, used int, rest string) {
	if simple(s[:min(len(s), max(0, cells)+1)]) {
		used = min(len(s), max(0, cells))
		return s[:used], used, s[used:]
	}
	var b strings.Builder
	for s != "" {
		shown, w, size := cluster(s)
		if used+w > cells {
			break
		}
		b.WriteString(shown)
		used += w
		s = s[size:]
	}
	return b.String(), used, s
}

// row is a line that is clean and takes exactly the cells that it was made for.
type row []Span

// fit cuts or fills a line to so many cells.
func fit(line Line, cells int) row {
	out := cut(line, cells)
	if out.stands(cells) {
		return out
	}
	// Characters of neighbouring pieces join to one: each is shown as a mark of its own.
	simple := make(Line, len(line))
	for i, span := range line {
		simple[i] = Span{Text: strings.Map(simpler, clean(span.Text)), Style: span.Style}
	}
	return cut(simple, cells)
}

// stands reports that a row takes so many cells wherever it stands.
func (r row) stands(cells int) bool {
	var b strings.Builder
	for _, span := range r {
		b.WriteString(span.Text)
	}
	return ansi.StringWidth("|"+b.String()+"|") == cells+2
}

func simpler(r rune) rune {
	if r < utf8.RuneSelf || unicode.IsSymbol(r) && ansi.StringWidth(string(r)) == 1 {
		return r
	}
	return '?'
}

func cut(line Line, cells int) row {
	if cells < 1 {
		return nil
	}
	var out row
	left, last := cells, Plain
	for i, span := range line {
		s := clean(span.Text)
		head, used, rest := take(s, left)
		if rest != "" || used == left && anyText(line[i+1:]) {
			return append(out, cutShort(s, span.Style, left, cells, &out)...)
		}
		if head != "" {
			out = append(out, Span{Text: head, Style: span.Style})
			last = span.Style
		}
		left -= used
	}
	if left > 0 {
		if last != Highlight {
			last = Plain
		}
		out = append(out, Span{Text: strings.Repeat(" ", left), Style: last})
	}
	return out
}

// cutShort ends a row in the middle of s with an ellipsis.
func cutShort(s string, style Style, left, cells int, before *row) row {
	if left < 1 { // the ellipsis takes the place of what stands there
		prior := shorten(*before, cells-1)
		*before = prior
		return row{{Text: ellipsis, Style: style}}
	}
	head, used, _ := take(s, left-1)
	return row{{Text: head + ellipsis + strings.Repeat(" ", left-1-used), Style: style}}
}

// shorten cuts a row to so many cells, filling what half a wide character leaves.
func shorten(r row, cells int) row {
	var out row
	for _, span := range r {
		head, used, rest := take(span.Text, cells)
		cells -= used
		if rest != "" {
			return append(out, Span{Text: head + strings.Repeat(" ", cells), Style: span.Style})
		}
		out = append(out, Span{Text: head, Style: span.Style})
	}
	return out
}

func anyText(spans []Span) bool {
	for _, span := range spans {
		if width(clean(span.Text)) > 0 {
			return true
		}
	}
	return false
}

// wrap breaks a line into rows of so many cells, at spaces where it can.
func wrap(line Line, cells int) []Line {
	var out []Line
	var current Line
	left := cells
	for _, span := range line {
		s := clean(span.Text)
		for s != "" {
			head, used, rest := take(s, left)
			if rest == "" {
				current = append(current, Span{Text: head, Style: span.Style})
				left -= used
				break
			}
			if at := strings.LastIndexByte(head, ' '); at > 0 && rest[0] != ' ' {
				rest = head[at+1:] + rest
				head = head[:at]
			} else if used == 0 && left == cells { // one character is wider than the row
				_, _, size := cluster(s)
				rest = s[size:]
			}
			current = append(current, Span{Text: head, Style: span.Style})
			out = append(out, current)
			current, left, s = nil, cells, strings.TrimPrefix(rest, " ")
		}
	}
	if len(current) > 0 || len(out) == 0 {
		out = append(out, current)
	}
	return out
}

// Block makes lines of a text of several, each in the same style. Lines are kept
// as they are; a panel cuts or wraps them.
func Block(style Style, s string) []Line {
	var out []Line
	for _, line := range text.Lines(text.WithoutSequences(strings.TrimRight(s, "\r\n"))) {
		out = append(out, Styled(style, line))
	}
	return out
}

// Pad cuts or fills a text to so many cells, for columns.
func Pad(s string, cells int) string {
	var b strings.Builder
	for _, span := range fit(Text(s), cells) {
		b.WriteString(span.Text)
	}
	return b.String()
}

// Package text shows text that somebody else wrote: nothing that a terminal
// would obey, cut to a length, and what was cut is counted.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LineLimit is the greatest length of a line that is shown, in code points.
const LineLimit = 1000

// QuoteLimit is the greatest length of a value quoted in a problem, in code
// points before escaping.
const QuoteLimit = 80

// longestCluster is the length in code points past which a grapheme cluster
// may be cut.
const longestCluster = 64

// Printable drops every code point that is not a letter, mark, number,
// punctuation, symbol or U+0020.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
}

// Readable drops what a terminal obeys: control characters, ends of lines and what
// turns the order of the text around. Unlike Printable it keeps what joins several
// code points to one character.
func Readable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) || endsLine(r) {
			return -1
		}
		return r
	}, s)
}

// Hidden returns the code points that Printable would drop, each once, in
// order of first appearance.
func Hidden(s string) []rune {
	var hidden []rune
	seen := map[rune]bool{}
	for _, r := range s {
		if !unicode.IsPrint(r) && !seen[r] {
			seen[r] = true
			hidden = append(hidden, r)
		}
	}
	return hidden
}

// Cutter cuts text between grapheme clusters.
type Cutter struct {
	next func(string) int
}

// NewCutter takes a func that returns the length in bytes of the first
// grapheme cluster of a text that is not empty.
func NewCutter(next func(string) int) Cutter { return Cutter{next: next} }

// Cap returns s where it has at most n code points; else its first n, fewer
// where the n-th lies inside a grapheme cluster, followed by the number of code
// points that went.
func (c Cutter) Cap(s string, n int) string {
	if len(s) <= n {
		return s
	}
	total := utf8.RuneCountInString(s)
	if total <= n {
		return s
	}
	kept, head := c.head(s, n)
	return fmt.Sprintf("%s +%d more chars", head, total-kept)
}

// head returns the longest beginning of at most n code points and its length
// in code points.
func (c Cutter) head(s string, n int) (kept int, head string) {
	end := 0
	for end < len(s) {
		size := c.next(s[end:])
		if size <= 0 {
			size = 1
		}
		points := utf8.RuneCountInString(s[end : end+size])
		if kept+points > n {
			if points > longestCluster {
				piece := firstPoints(s[end:], n-kept)
				return n, s[:end] + piece
			}
			break
		}
		kept += points
		end += size
	}
	return kept, s[:end]
}

func firstPoints(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Line caps a whole line, the count of what went included, at LineLimit.
func (c Cutter) Line(s string) string { return c.within(s, LineLimit) }

// within cuts s so that the result, its suffix included, has at most n code
// points.
func (c Cutter) within(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	const suffix = len(" + more chars") + len("1234567890")
	return c.Cap(s, n-suffix)
}

// Quote escapes a value for a problem line: no control character survives, and
// at most QuoteLimit code points of it are shown.
func Quote(s string) string {
	if utf8.RuneCountInString(s) <= QuoteLimit {
		return strconv.Quote(s)
	}
	head := firstPoints(s, QuoteLimit)
	rest := utf8.RuneCountInString(s) - QuoteLimit
	return fmt.Sprintf("%s +%d more chars", strconv.Quote(head), rest)
}

// Single quotes like Quote, between single quotation marks.
func Single(s string) string {
	quoted := Quote(s)
	end := strings.LastIndexByte(quoted, '"')
	inner := strings.ReplaceAll(quoted[1:end], `\"`, `"`)
	return "'" + inner + "'" + quoted[end+1:]
}

// List joins the first n items, and counts the rest.
func List(items []string, n int) string {
	if len(items) <= n {
		return strings.Join(items, ", ")
	}
	shown := append([]string{}, items[:n]...)
	shown = append(shown, fmt.Sprintf("+%d more", len(items)-n))
	return strings.Join(shown, ", ")
}

// UTF16 returns the length of s in UTF-16 units.
func UTF16(s string) int {
	units := 0
	for _, r := range s {
		if r > 0xffff {
			units++
		}
		units++
	}
	return units
}

// FirstLine returns s up to its first line end: LF, CR, VT, FF, FS, GS, RS,
// NEL, LS or PS.
func FirstLine(s string) string {
	end := strings.IndexFunc(s, endsLine)
	if end < 0 {
		return s
	}
	return s[:end]
}

// Lines splits s at all its line ends; CR and LF together are one.
func Lines(s string) []string {
	var lines []string
	for rest := strings.ReplaceAll(s, "\r\n", "\n"); ; {
		end := strings.IndexFunc(rest, endsLine)
		if end < 0 {
			return append(lines, rest)
		}
		lines = append(lines, rest[:end])
		_, size := utf8.DecodeRuneInString(rest[end:])
		rest = rest[end+size:]
	}
}

func endsLine(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

package relay

import (
	"strings"

	"github.com/changeover/changeover/domain/text"
)

// plain makes one short line of what somebody else wrote, without anything that a
// terminal obeys. limit is in code points.
func plain(s string, limit int) string {
	line := text.Printable(strings.Join(text.Lines(s), " "))
	if runes := []rune(line); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return line
}

// The lengths of what is shown, in code points: the beginning of a text, and the
// reason that another program or the other side gave.
const (
	firstLength  = 60
	reasonLength = 200
)

// first returns the beginning of a text.
func first(s string) string { return plain(text.FirstLine(s), firstLength) }

// plainLines makes lines that are safe to show of some.
func plainLines(lines []string) []string {
	var shown []string
	for _, line := range lines {
		for _, part := range text.Lines(line) {
			shown = append(shown, plain(part, text.LineLimit))
		}
	}
	return shown
}

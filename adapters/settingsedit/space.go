package settingsedit

import (
	"bytes"
	"slices"
	"strings"
)

// kind is what a piece of the space between values is.
type kind int

const (
	blanks kind = iota
	lineEnd
	comment
)

type piece struct {
	kind kind
	text []byte
}

// split takes the space between two values apart. The line end behind a comment
// is a piece of its own.
func split(space []byte) []piece {
	var pieces []piece
	for len(space) > 0 {
		p := piece{kind: blanks}
		n := 1
		switch {
		case space[0] == '\n':
			p.kind = lineEnd
		case bytes.HasPrefix(space, []byte("//")):
			p.kind = comment
			if n = bytes.IndexByte(space, '\n'); n < 0 {
				n = len(space)
			}
			n = len(bytes.TrimSuffix(space[:n], []byte("\r")))
		case bytes.HasPrefix(space, []byte("/*")):
			p.kind = comment
			if n = bytes.Index(space[2:], []byte("*/")) + 4; n < 4 {
				n = len(space)
			}
		}
		p.text = space[:n]
		pieces = append(pieces, p)
		space = space[n:]
	}
	return pieces
}

// withLineFeeds returns a text of the same length in which carriage returns that stand
// alone are line feeds: they end a line, and a comment with it, for those who read
// settings, but not for the parser here.
func withLineFeeds(text []byte) []byte {
	lines := slices.Clone(text)
	for i, c := range lines {
		if c == '\r' && (i+1 == len(lines) || lines[i+1] != '\n') {
			lines[i] = '\n'
		}
	}
	return lines
}

// lineEndOf returns which piece is the first line end, -1 where none is.
func lineEndOf(pieces []piece) int {
	for i, p := range pieces {
		if p.kind == lineEnd {
			return i
		}
	}
	return -1
}

func hasLineEnd(space []byte) bool { return lineEndOf(split(space)) >= 0 }

// restOfLine returns how far the comments go that stand at the beginning of a
// space, before its first line end.
func restOfLine(space []byte) int {
	at, end := 0, 0
	for _, p := range split(space) {
		if p.kind == lineEnd {
			break
		}
		at += len(p.text)
		if p.kind == comment {
			end = at
		}
	}
	return end
}

func isBlank(space []byte) bool { return len(bytes.TrimLeft(space, " \t\r\n")) == 0 }

func isOneOf(c byte, set string) bool { return strings.IndexByte(set, c) >= 0 }

package main

import (
	"slices"
	"strings"
)

// style is how a cell looks.
type style struct {
	fore, back                     string // empty: the picture's own
	bold, faint, italic, underline bool
}

// cell is one character of a screen.
type cell struct {
	char  rune
	style style
}

// textOf is what stands on a line.
func textOf(line []cell) []rune {
	var text []rune
	for _, c := range line {
		text = append(text, c.char)
	}
	return text
}

// blank reports a line with nothing on it.
func blank(line []cell) bool {
	return !slices.ContainsFunc(line, func(c cell) bool { return c.char != ' ' || c.style.back != "" })
}

// mostBlank is how many empty lines in a row a picture keeps.
const mostBlank = 3

// condensed is a screen without the empty lines above and below it, and without
// most of those of a wide gap.
func condensed(screen [][]cell) [][]cell {
	var kept [][]cell
	gap := 0
	for _, line := range screen {
		switch {
		case !blank(line):
			gap = 0
		case len(kept) == 0 || gap == mostBlank:
			continue
		default:
			gap++
		}
		kept = append(kept, line)
	}
	return kept[:len(kept)-gap]
}

// isRule reports a line that is drawn from edge to edge.
func isRule(line []cell) bool {
	return len(line) > 0 && !slices.ContainsFunc(line, func(c cell) bool { return c.char != '─' })
}

// renamed is a line on which one text stands for another that is no shorter.
// What stands behind the next gap stays where it is.
func renamed(line []cell, from, to string) []cell {
	for {
		text := textOf(line)
		before, _, found := strings.Cut(string(text), from)
		if !found {
			return line
		}
		begin := len([]rune(before))
		end := begin + len([]rune(from))
		var name []cell
		for _, r := range to {
			name = append(name, cell{char: r, style: line[begin].style})
		}
		gap := end
		for gap < len(text) && (text[gap] != ' ' || gap+1 < len(text) && text[gap+1] != ' ') {
			gap++
		}
		line = slices.Concat(line[:begin], name, line[end:gap], blanks(line, gap, end-begin-len(name)), line[gap:])
	}
}

// blanks are that many, with the looks of a place.
func blanks(line []cell, at, n int) []cell {
	looks := style{}
	if at < len(line) {
		looks = line[at].style
	}
	return slices.Repeat([]cell{{char: ' ', style: looks}}, max(n, 0))
}

// Package ledger reads the markdown ledgers in which sessions left work for
// each other before there was an exchange: one section of a file, one block of
// text per entry. It never fails on what people write; what it does not take
// for an entry is part of the block above it.
package ledger

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
)

var (
	// ErrNotUTF8 reports a ledger that is not text.
	ErrNotUTF8 = errors.New("it is not valid UTF-8")

	// ErrNoSection reports that no heading begins with the section's name.
	ErrNoSection = errors.New("no heading begins with the name of the section")

	// ErrNoEntry reports a section with text and without an entry: it may have
	// been rewritten in a form that is not understood.
	ErrNoEntry = errors.New("the section holds text and no entry")
)

// maxRank is how many number signs a heading may have.
const maxRank = 6

// Parse reads the entries of a section, in order. A section that is entirely
// blank has none, and that is no error. Errors: ErrNotUTF8, ErrNoSection,
// ErrNoEntry.
func Parse(document, section string, fold Fold) ([]Entry, error) {
	if !utf8.ValidString(document) {
		return nil, ErrNotUTF8
	}
	bodies := candidates(linesOf(document), fold.Label(section), fold)
	if len(bodies) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoSection, text.Quote(section))
	}
	blank := true
	for _, body := range bodies {
		if blocks := blocksOf(body); len(blocks) > 0 {
			entries := make([]Entry, len(blocks))
			for i, block := range blocks {
				entries[i] = parseEntry(block)
			}
			return entries, nil
		}
		for _, line := range body {
			blank = blank && isBlank(line)
		}
	}
	if !blank {
		return nil, fmt.Errorf("%w: %s", ErrNoEntry, text.Quote(section))
	}
	return nil, nil
}

// linesOf splits at line feeds. A byte order mark and carriage returns at the end of
// a line, of which tools that add line ends leave several, are not part of what
// anybody wrote.
func linesOf(document string) []string {
	lines := strings.Split(strings.TrimPrefix(document, "\ufeff"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "\r")
	}
	return lines
}

// candidates returns the bodies of the sections whose normalised title begins
// with a name: each runs to the next heading of the same or a higher rank.
func candidates(lines []string, name string, fold Fold) [][]string {
	type open struct{ rank, begin, number int }
	var bodies [][]string
	var running []open // of growing rank
	finish := func(rank, end int) {
		for len(running) > 0 && running[len(running)-1].rank >= rank {
			last := running[len(running)-1]
			bodies[last.number] = lines[last.begin:end]
			running = running[:len(running)-1]
		}
	}
	for i, line := range lines {
		rank, title := heading(line)
		if rank == 0 {
			continue
		}
		finish(rank, i)
		if strings.HasPrefix(fold.Label(title), name) {
			running = append(running, open{rank, i + 1, len(bodies)})
			bodies = append(bodies, nil)
		}
	}
	finish(0, len(lines))
	return bodies
}

// heading returns rank and title of a heading; rank 0 where the line is none.
func heading(line string) (rank int, title string) {
	title = strings.TrimLeft(line, "#")
	rank = len(line) - len(title)
	first, _ := utf8.DecodeRuneInString(title)
	if rank < 1 || rank > maxRank || !unicode.IsSpace(first) {
		return 0, ""
	}
	return rank, title
}

// blocksOf cuts the body of a section into the texts of its entries.
func blocksOf(body []string) []string {
	var blocks []string
	begin := -1
	finish := func(end int) {
		if begin >= 0 {
			blocks = append(blocks, strings.Trim(strings.Join(body[begin:end], "\n"), "\n"))
		}
		begin = -1
	}
	for i, line := range body {
		switch {
		case isEntryLine(line):
			finish(i)
			begin = i
		case strings.HasPrefix(line, "## "):
			finish(i)
		}
	}
	finish(len(body))
	return blocks
}

// isEntryLine reports a line that begins an entry of either shape.
func isEntryLine(line string) bool {
	rest, bold := strings.CutPrefix(line, "**")
	if !bold {
		return false
	}
	if strings.HasPrefix(rest, "[") {
		return true
	}
	rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
	return strings.HasPrefix(rest, toRight) || strings.HasPrefix(rest, toLeft)
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

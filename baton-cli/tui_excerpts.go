package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/logs"
)

// How many lines are shown where there is room for all: of changed files, of an
// excerpt of a text, of the log.
const (
	shownChanges = 30
	shownLines   = 20
	shownLog     = 40
	// printed is how many lines of an excerpt stand in a frame that is printed.
	printed = 10
	// unending is from which height on a frame is printed, and not shown on a screen.
	unending = 1 << 12
)

// scarce says whether room may be scarce: what is printed is as high as it is.
func (p panels) scarce() bool { return p.size.Height < unending }

// most is how many lines of an excerpt are shown.
func (p panels) most(lines int) int {
	if !p.scarce() {
		return printed
	}
	return lines
}

// log is the end of the log.
func (p panels) log() board.Panel {
	panel := p.tail("Log", baton.LogFile, p.Log, shownLog)
	for i, line := range panel.Lines {
		if len(line) == 1 && p.Log.Fault == nil {
			panel.Lines[i] = tagged(line[0].Text)
		}
	}
	return panel
}

// errors is the end of what agents noted of errors.
func (p panels) errors() board.Panel { return p.tail("Errors", baton.ErrorsFile, p.Errors, shownLines) }

// tail is the end of a text.
func (p panels) tail(title, name string, part baton.Part[baton.Excerpt], lines int) board.Panel {
	panel := board.Panel{Title: title + ": the end of " + name, Tail: p.scarce(), Right: true, Empty: "empty"}
	if part.Fault != nil {
		return unreadable(panel, part.Fault)
	}
	if !part.Value.There {
		panel.Empty = "there is no " + name
	}
	last := slices.DeleteFunc(slices.Clone(part.Value.Lines), func(line string) bool { return strings.TrimSpace(line) == "" })
	last = last[max(0, len(last)-p.most(lines)):]
	panel.Lines = board.Texts(last)
	return panel
}

// compact is the beginning of the compact state, without its title and its empty
// sections.
func (p panels) compact() board.Panel {
	panel := board.Panel{Title: "Compact state", Flex: p.scarce(), Right: true, Empty: "empty"}
	if p.Compact.Fault != nil {
		return unreadable(panel, p.Compact.Fault)
	}
	var kept []board.Line
	heading := ""
	for _, line := range p.Compact.Value.Lines {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "## "):
			heading = strings.TrimPrefix(line, "## ")
		case heading != "":
			kept = append(kept, board.Styled(board.Accent, heading), board.Text(line))
			heading = ""
		default:
			kept = append(kept, board.Text(line))
		}
	}
	most := p.most(shownLines)
	if more := len(kept) - most; more > 0 {
		kept = append(kept[:most], board.Styled(board.Dim, fmt.Sprintf("and %d more lines", more)))
	}
	panel.Lines = kept
	return panel
}

// tagged is a line of the log in the style of what it tells.
func tagged(line string) board.Line {
	tag, _ := logs.Cut(line)
	switch tag {
	case logs.ErrorTag:
		return board.Styled(board.Bad, line)
	case logs.RetryTag, logs.APITag:
		return board.Styled(board.Warn, line)
	case logs.OutTag, logs.NoteTag, logs.ThinkTag:
		return board.Styled(board.Dim, line)
	case logs.EditTag:
		return board.Styled(board.Good, line)
	case logs.ToolTag, logs.BatonTag:
		return board.Styled(board.Accent, line)
	}
	return board.Text(line)
}

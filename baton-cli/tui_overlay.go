package main

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/domain/baton"
)

// overlay stands over the panels until a key takes it away.
type overlay struct {
	title string
	// key is the one that it came by.
	key   string
	lines []board.Line
}

func (o *overlay) panel() board.Panel {
	return board.Panel{Title: o.title, Style: board.Accent, Lines: o.lines, Wrap: true}
}

func (o *overlay) add(line ...board.Line) { o.lines = append(o.lines, line...) }

// forecast is what execute would do.
func forecast(f baton.Forecast) *overlay {
	o := &overlay{title: "What 'baton execute' would do now (nothing is done)", key: "e"}
	if f.Refused != nil {
		o.add(board.Styled(board.Bad, fmt.Sprintf("It would be refused, with exit code %d:", baton.ExitCode(f.Refused))))
		o.add(board.Block(board.Plain, f.Refused.Error())...)
		if advice := baton.Advice(f.Refused); advice != "" {
			o.add(board.Text(advice))
		}
	}
	for _, notice := range f.Notices {
		o.add(board.Styled(board.Warn, notice))
	}
	if f.Refused == nil {
		o.add(
			board.Fact("plan", fmt.Sprintf("%s, %s, %d of %d chars", f.Plan, baton.Counted(f.Report.Steps, "step"), f.Report.Chars, f.Report.Limit)),
			board.Fact("diet", f.Profile),
			board.Fact("executor", f.Executor),
			board.FactIn(board.Accent, "starts", f.Agent+": "+commandLine(f)),
			board.Fact("at a limit", atALimit(f)),
			board.Fact("context", watched(f)),
			board.Fact("session", "becomes executing, in the mode plan-execute"),
		)
	}
	return o
}

// commandLine is what would be started, as the log would show it.
func commandLine(f baton.Forecast) string {
	via := ""
	if f.Stdin {
		via = " on stdin"
	}
	return fmt.Sprintf("%s <prompt %d chars%s>", strings.Join(f.Command, " "), f.PromptChars, via)
}

func atALimit(f baton.Forecast) string {
	if f.Next == "" {
		return "nobody goes on"
	}
	return f.Next + " goes on, from a handoff"
}

func watched(f baton.Forecast) string {
	if f.Watched {
		return "is watched, and compressed where it gets too heavy"
	}
	return "is not watched"
}

// handedOff is what came of a handoff that was not plainly written.
func handedOff(done baton.HandedOff, err error) *overlay {
	o := &overlay{title: "Handoff", key: "h"}
	o.add(board.Text(wrote(done)))
	for _, notice := range done.Notices {
		o.add(board.Styled(board.Warn, notice))
	}
	if err != nil {
		o.add(board.Block(board.Bad, err.Error())...)
		if advice := baton.Advice(err); advice != "" {
			o.add(board.Text(advice))
		}
	}
	return o
}

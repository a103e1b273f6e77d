package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// answerLimit is the most that one answer says, in UTF-16 units: of more than
// about 10,000 the client shows the model only a beginning.
const answerLimit = 8000

// answerer is one tool's part of an answer.
type answerer interface {
	// Answer returns the lines that the tool has to say to an event, within
	// budget UTF-16 units. handled tells whether another tool handles it.
	Answer(e session.Event, cwd string, handled bool, budget int) []string
}

// parts are the tools that answer, in their order.
type parts struct {
	Exchange answerer
	Log      logger
}

// said runs the parts one after the other and returns what they say.
func said(e session.Event, cwd string, p parts) []string {
	lines := guarded(&e, "session-exchange", func() []string {
		return p.Exchange.Answer(e, cwd, false, answerLimit)
	})
	p.Log.answered(e, cwd, lines)
	return lines
}

// document puts what is said into the one JSON document of an answer; nothing
// where nothing is said.
func document(e session.Event, lines []string) []byte {
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	if len(lines) == 0 {
		return nil
	}
	said := strings.Join(lines, "\n")
	if !e.TakesContext() {
		return jsondoc.Line(jsondoc.Object{{Key: "systemMessage", Value: said}})
	}
	return jsondoc.Line(jsondoc.Object{{Key: "hookSpecificOutput", Value: jsondoc.Object{
		{Key: "hookEventName", Value: e.Name},
		{Key: "additionalContext", Value: said},
	}}})
}

// guarded runs one part. What breaks it becomes one line of that part, and the
// other parts are answered all the same.
func guarded(e *session.Event, tool string, part func() []string) (lines []string) {
	defer func() {
		if fault := recover(); fault != nil {
			lines = []string{fmt.Sprintf("[%s] internal fault (%.200s) at %.80s: nothing more is said; the session is unaffected",
				tool, text.Printable(fmt.Sprint(fault)), text.Printable(e.Name))}
		}
	}()
	return part()
}

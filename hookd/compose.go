package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// answerLimit is the most that one answer says, in UTF-16 units: of more than
// about 10,000 the client shows the model only a beginning.
const answerLimit = 8000

// answerer is the exchange's part of an answer.
type answerer interface {
	// Answer returns the lines that it has to say to an event, within budget
	// UTF-16 units. handled tells whether another tool handles it.
	Answer(e session.Event, cwd string, handled bool, budget int) []string
}

// relayer is relay's part of an answer.
type relayer interface {
	// Answer returns what relay has to say, and whether it handles such
	// events. argument is how the program was called.
	Answer(e session.Event, argument string) (r relay.Reply, handled bool, err error)

	// Woken gives what the session is woken with out of this process's hands,
	// written or not. After an error the session must not be woken.
	Woken(r relay.Reply, written bool) error
}

// parts are the tools that answer, in their order.
type parts struct {
	Relay    relayer
	Exchange answerer
	Log      logger
}

// answer is what the tools say together.
type answer struct {
	event    session.Event
	relay    relay.Reply
	exchange []string
}

// answered runs the parts one after the other. Where relay blocks a prompt or
// wakes the session, the exchange is silent.
func (p parts) answered(e session.Event, argument, cwd string) answer {
	a := answer{event: e}
	handled := false
	faults := guarded(e.Name, "relay", func() []string {
		var err error
		if a.relay, handled, err = p.Relay.Answer(e, argument); err != nil {
			return []string{"[relay] " + text.Printable(err.Error())}
		}
		return nil
	})
	a.relay.Lines = append(a.relay.Lines, faults...)
	if !a.relay.Block && a.relay.Wake == "" && argument != sessionPending {
		a.exchange = guarded(e.Name, "session-exchange", func() []string {
			return p.Exchange.Answer(e, cwd, handled || len(faults) > 0, answerLimit-text.UTF16(a.relay.Context)-2)
		})
	}
	p.Log.answered(e, cwd, a)
	return a
}

// woken writes the text that a session is woken with, and tells whether the client
// may act on it.
func (p parts) woken(a answer, fd int) bool {
	var err error
	faults := guarded(a.event.Name, "relay", func() []string {
		err = p.Relay.Woken(a.relay, write(fd, []byte(a.relay.Wake+"\n")))
		return nil
	})
	return err == nil && len(faults) == 0
}

// document puts everything into the one JSON document of an answer; nothing
// where nothing is said.
func (a answer) document() []byte {
	exchange := slices.DeleteFunc(slices.Clone(a.exchange), func(line string) bool { return line == "" })
	var doc, specific jsondoc.Object
	person := a.relay.Lines
	if a.relay.Block {
		doc.Add("decision", "block")
		doc.AddText("reason", a.relay.Reason)
		specific.Add("suppressOriginalPrompt", true)
	}
	var model []string
	if a.event.TakesContext() {
		if a.relay.Context != "" {
			model = append(model, a.relay.Context)
		}
		if len(exchange) > 0 {
			model = append(model, strings.Join(exchange, "\n"))
		}
	} else {
		person = append(slices.Clone(person), exchange...)
	}
	doc.AddText("systemMessage", strings.Join(person, "\n"))
	specific.AddText("additionalContext", strings.Join(model, "\n\n"))
	if a.event.Name == session.SessionStart {
		specific.AddTexts("watchPaths", a.relay.Watch)
	}
	if len(specific) > 0 {
		doc.Add("hookSpecificOutput", append(jsondoc.Object{{Key: "hookEventName", Value: a.event.Name}}, specific...))
	}
	if len(doc) == 0 {
		return nil
	}
	return jsondoc.Line(doc)
}

// guarded runs one part. What breaks it becomes one line of that part, and the
// other parts are answered all the same.
func guarded(event, tool string, part func() []string) (lines []string) {
	defer func() {
		if fault := recover(); fault != nil {
			lines = []string{fmt.Sprintf("[%s] internal fault (%.200s) at %.80s: nothing more is said; the session is unaffected",
				tool, text.Printable(fmt.Sprint(fault)), text.Printable(event))}
		}
	}()
	return part()
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// answerLimit is the most that one answer says, in UTF-16 units: of more than
// about 10,000 the client shows the model only a beginning.
const answerLimit = 8000

// exchangeTool is what the exchange calls itself in a line about a fault.
const exchangeTool = "session-exchange"

// answerer is the exchange's part of an answer.
type answerer interface {
	// Answer returns what it has to say to an event, within budget UTF-16 units.
	// handled tells whether another tool handles it.
	Answer(e session.Event, cwd string, handled bool, budget int) exchange.Reply

	// HandedOver takes its text out of this process's hands, written or not. After
	// an error the session must not be woken.
	HandedOver(r exchange.Reply, written bool) error
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
	exchange exchange.Reply
}

// wakes reports that the session is to be woken by one of the tools: a file that
// changed is one tool's.
func (a answer) wakes() bool { return a.relay.Wake != "" || a.exchange.Wake != "" }

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
		faults := guarded(e.Name, exchangeTool, func() []string {
			a.exchange = p.Exchange.Answer(e, cwd, handled || len(faults) > 0, answerLimit-text.UTF16(a.relay.Context)-2)
			return nil
		})
		a.exchange.Lines = append(a.exchange.Lines, faults...)
	}
	p.Log.answered(e, cwd, a)
	return a
}

// woken writes the text that a session is woken with, and tells whether the client
// may act on it.
func (p parts) woken(a answer, fd int) bool {
	var err error
	tool, hand := "relay", func() error { return p.Relay.Woken(a.relay, write(fd, []byte(a.relay.Wake+"\n"))) }
	if a.relay.Wake == "" {
		tool, hand = exchangeTool, func() error { return p.Exchange.HandedOver(a.exchange, write(fd, []byte(a.exchange.Wake+"\n"))) }
	}
	faults := guarded(a.event.Name, tool, func() []string {
		err = hand()
		return nil
	})
	return err == nil && len(faults) == 0
}

// said writes an answer. Handoffs that did not get out are new again.
func (p parts) said(a answer, doc []byte, fd int) {
	written := write(fd, append(doc, '\n'))
	guarded(a.event.Name, exchangeTool, func() []string {
		_ = p.Exchange.HandedOver(a.exchange, written) // there is nobody left to tell
		return nil
	})
}

// document puts everything into the one JSON document of an answer; nothing
// where nothing is said.
func (a answer) document() []byte {
	lines := slices.DeleteFunc(slices.Clone(a.exchange.Lines), func(line string) bool { return line == "" })
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
		if len(lines) > 0 {
			model = append(model, strings.Join(lines, "\n"))
		}
	} else {
		person = append(slices.Clone(person), lines...)
	}
	doc.AddText("systemMessage", strings.Join(person, "\n"))
	specific.AddText("additionalContext", strings.Join(model, "\n\n"))
	if a.event.Name == session.SessionStart {
		specific.AddTexts("watchPaths", slices.Concat(a.relay.Watch, a.exchange.Watch))
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

package relay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// stopGrace is how long an agent may take over the request to stop.
const stopGrace = 5 * time.Second

// Run drives a new link until it stops. When ctx is done, the agent that runs is
// asked to end; when hurry is done, it is made to.
func (h Headless) Run(ctx, hurry context.Context, link string) (Result, error) {
	s, err := h.state(link)
	if err != nil {
		return Result{}, err
	}
	give, err := h.seize(s)
	if err != nil {
		return Result{}, err
	}
	defer give()
	return h.drive(ctx, hurry, link, "")
}

// Continue takes a link up where its last run stopped: it answers its pauses, and
// shows a side that waits for its person the same again, or words of the
// person's.
func (h Headless) Continue(ctx, hurry context.Context, link, words string) (Result, error) {
	if err := h.byPerson("relay run --continue"); err != nil {
		return Result{}, err
	}
	s, err := h.state(link)
	if err != nil {
		return Result{}, err
	}
	if !s.Headless() {
		return Result{}, refuse(SayRunNotOurs)
	}
	if s.Phase == IsDone {
		return Result{Stand: StandDone, Lines: []string{CatalogueOf(s.Lang(Planner)).Say(SayDone, s.Summary())}}, nil
	}
	give, err := h.seize(s)
	if err != nil {
		return Result{}, err
	}
	defer give()
	if err := h.prepare(link); err != nil {
		return Result{}, err
	}
	if s, err = h.state(link); err != nil {
		return Result{}, err
	}
	_, _, waits := s.waits()
	switch {
	case words != "" && !waits:
		return Result{}, refuse(SayRunNoWords)
	case waits && words == "":
		err = h.again(link)
	case len(s.Pauses()) > 0:
		_, err = h.Resume(Speaker{Party: s.Party(Planner), Person: true})
	}
	if err != nil {
		return Result{}, err
	}
	return h.drive(ctx, hurry, link, words)
}

// drive takes turns until the link stops.
func (h Headless) drive(ctx, hurry context.Context, link, words string) (Result, error) {
	for {
		if err := h.deliver(link); err != nil {
			return Result{}, err
		}
		s, err := h.state(link)
		if err != nil {
			return Result{}, err
		}
		if r, stopped := s.halted(); stopped {
			return r, nil
		}
		select {
		case <-ctx.Done():
			return s.result(StandPaused, SayRunStopped), nil
		default:
		}
		if err := h.holds(s); err != nil {
			return Result{}, err
		}
		t, ok, err := h.next(s, words)
		if err != nil {
			return Result{}, err
		}
		if !ok {
			if s, err = h.state(link); err != nil {
				return Result{}, err
			}
			if r, stopped := s.halted(); stopped {
				return r, nil
			}
			return s.result(StandPaused, SayRunWaits, s.WhoseTurn()), nil
		}
		words = ""
		r, stopped, err := h.take(ctx, hurry, link, t)
		if err != nil || stopped {
			return r, err
		}
	}
}

// halted tells how a link stands that does not go on by itself.
func (s State) halted() (Result, bool) {
	c := CatalogueOf(s.Lang(Planner))
	pauses := s.Pauses()
	switch {
	case s.Phase == IsDone:
		return s.result(StandDone, SayDone, s.Summary()), true
	case !s.Open():
		return s.result(StandFailed, SayUnlinked), true
	case len(pauses) > 0:
		r := s.result(StandPaused, SayRunPaused, c.Why(pauses[0].Event))
		if held := s.Held(pauses[0]); held != "" {
			r.Lines = append(r.Lines, "  "+first(held))
		}
		return r, true
	}
	return Result{}, false
}

func (s State) result(stand Stand, m Message, values ...any) Result {
	return Result{Stand: stand, Lines: []string{CatalogueOf(s.Lang(Planner)).Say(m, values...)}}
}

// headlessTurn is one turn of an agent: a delivery, or words of the person's.
type headlessTurn struct {
	role  Role
	id    string
	words string
	box   Box
	// text is the prompt without the role's.
	text string
}

// next claims what is to be shown next.
func (h Headless) next(s State, words string) (headlessTurn, bool, error) {
	if words != "" {
		role := s.WhoseTurn()
		return headlessTurn{role: role, id: fmt.Sprintf("words-%d", s.Next(role)), words: words, text: words}, true, nil
	}
	for _, role := range []Role{Planner, Builder} {
		c, ok, err := h.Claim(Member{Link: s.Link, Role: role})
		if err != nil {
			return headlessTurn{}, false, err
		}
		if !ok {
			continue
		}
		return headlessTurn{
			role: role, id: fmt.Sprintf("%s-%d-%d", c.From, c.Seq, c.Copy), box: c.box,
			text: c.Prompt(CatalogueOf(s.Lang(role))),
		}, true, nil
	}
	return headlessTurn{}, false, nil
}

// take runs one turn and deals with what it said. stopped: the run is over.
func (h Headless) take(ctx, hurry context.Context, link string, t headlessTurn) (r Result, stopped bool, err error) {
	s, err := h.state(link)
	if err != nil {
		return r, false, err
	}
	c := CatalogueOf(s.Lang(Planner))
	h.Tell(c.Say(SayRunRound, Bar(s.Round(), s.Allowed()), s.Round(), s.Allowed(), t.role, s.Party(t.role).Label()))
	run := &agentRun{Headless: h, link: link, turn: t, withPrompt: s.PromptDue(t.role) || s.Conversation(t.role) == ""}
	message, failure := run.turnOf(ctx, hurry, s)
	if failure == nil {
		return r, false, h.said(link, t, message)
	}
	if s, err = h.ended(run, failure); err != nil {
		return r, true, errors.Join(failure, err)
	}
	switch {
	case errors.Is(failure, errInterrupted):
		return s.result(StandPaused, SayRunStopped), true, nil
	case errors.Is(failure, errSilent):
		return run.silent(s), true, nil
	}
	return s.result(StandFailed, SayRunFailed, t.role, s.Party(t.role).Label(), text.Printable(text.FirstLine(failure.Error()))), true, nil
}

// said records what a turn ended with, and sends what is to be sent.
func (h Headless) said(link string, t headlessTurn, message string) error {
	s, d, err := h.decide(link, t.role, func(s State) (Decision, error) {
		return s.Record(t.role, Turn{Prompt: t.id, Message: message}), nil
	})
	if err != nil {
		return err
	}
	_, notices, err := h.dispatch(link, t.role)
	for _, n := range slices.Concat(d.Notices, notices) {
		if n.Message != SayPausedWhy && n.Message != SayDone { // told when the run stops
			h.Tell(CatalogueOf(s.Lang(Planner)).Say(n.Message, n.Values...))
		}
	}
	return err
}

// ended notes a turn that did not count: what it was given is free again where it
// never got it, and waits for the person where it did.
func (h Headless) ended(run *agentRun, failure error) (State, error) {
	t := run.turn
	if t.words == "" && !run.began {
		if err := h.Store.Release(run.link, t.role, t.box); err != nil && !errors.Is(err, ErrTaken) {
			return State{}, err
		}
		return h.state(run.link)
	}
	s, _, err := h.decide(run.link, t.role, func(s State) (Decision, error) {
		if _, open := s.openTurn(t.role); !open {
			return Decision{}, nil
		}
		return s.Gone(t.role, Clean(text.FirstLine(failure.Error()))), nil
	})
	return s, err
}

// errInterrupted reports a turn that the person cut.
var errInterrupted = errors.New("interrupted")

// agentRun is one run of an agent. Its reader's goroutine writes the fields
// below turn; they are read when the run is over.
type agentRun struct {
	Headless
	link string
	turn headlessTurn
	// withPrompt: the role's prompt stands before the text.
	withPrompt bool

	began bool
	fault error
	// retry is what the agent said last, where that was that it tries again.
	retry string
	alarm port.Alarm
	abort context.CancelCauseFunc
}

// turnOf runs the agent and returns its final message, or why there is none.
func (r *agentRun) turnOf(ctx, hurry context.Context, s State) (string, error) {
	t, role := r.turn, r.turn.role
	client, err := agent.ByName(s.Party(role).Name)
	if err != nil {
		return "", err
	}
	prompt := t.text
	if r.withPrompt {
		prompt = CatalogueOf(s.Lang(role)).RolePrompt(role, false) + "\n\n" + prompt
	}
	command := client.Command(agent.Turn{
		Prompt: prompt, Conversation: s.Conversation(role), Writes: role == Builder,
	}, s.Party(role).Cwd, r.Environ)
	alive, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	r.abort = abort
	defer r.listen()()
	reader := client.Reader(r.report).Under(command.Dir)
	errs := &lastLine{show: func(line string) { r.Show(role, line) }}
	command.Stdout, command.Stderr = reader, errs
	run, err := r.Agents.Start(command)
	if err != nil {
		return "", err
	}
	ending, err := run.Wait(alive)
	if err != nil && alive.Err() != nil {
		ending, err = run.End(hurry, client.Stop(), stopGrace)
	}
	verdict := reader.End()
	errs.end()
	switch {
	case r.fault != nil:
		return "", r.fault
	case verdict.Answered && (ending.Forced || ending.Status() == 0):
		return verdict.Message, nil
	case errors.Is(context.Cause(alive), errSilent):
		return "", errSilent
	case ctx.Err() != nil:
		return "", errInterrupted
	case verdict.Failure != "":
		return "", errors.New(verdict.Failure)
	case errs.last != "":
		return "", fmt.Errorf("exit status %d: %s", ending.Status(), errs.last)
	}
	return "", errors.Join(fmt.Errorf("exit status %d without an answer", ending.Status()), err)
}

// report handles what the agent says while it runs.
func (r *agentRun) report(e agent.Report) {
	r.heard(e)
	for _, line := range e.Lines {
		r.Show(r.turn.role, line)
	}
	if r.fault != nil {
		return
	}
	_, _, err := r.decide(r.link, r.turn.role, func(s State) (Decision, error) { return r.noted(s, e), nil })
	if err != nil {
		r.fault = err
		r.abort(err)
		return
	}
	r.began = r.began || e.Began
}

// noted is what a report of the agent's means for the link.
func (r *agentRun) noted(s State, e agent.Report) Decision {
	var d Decision
	role, box := r.turn.role, r.turn.box
	if c := e.Conversation; c != s.Conversation(role) && IsID(c) && !strings.HasPrefix(c, "-") {
		d.do(Event{Kind: Conversed, Detail: c})
	}
	if e.Began && !r.began && r.turn.words == "" {
		d.do(Event{
			Kind: Shown, From: box.From, Delivery: box.Seq, Copy: box.Copy, Prompt: r.turn.id, WithPrompt: r.withPrompt,
		})
	}
	if e.Compacted && !s.PromptDue(role) {
		d.do(Event{Kind: Forgot, Reason: Compacted})
	}
	return d
}

// waitsForInput is what codex says at each start without a terminal.
const waitsForInput = "Reading additional input from stdin..."

// lastLine shows the lines of an error stream, and keeps the last one.
type lastLine struct {
	show func(string)
	last string

	mu      sync.Mutex
	pending []byte
}

// errorLimit bounds a line of an error stream, in bytes.
const errorLimit = 64 << 10

// Write implements io.Writer.
func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range p {
		if b == '\n' || len(l.pending) == errorLimit {
			l.line()
		}
		if b != '\n' {
			l.pending = append(l.pending, b)
		}
	}
	return len(p), nil
}

func (l *lastLine) line() {
	line := text.Printable(strings.TrimSpace(strings.ToValidUTF8(string(l.pending), "\uFFFD")))
	l.pending = l.pending[:0]
	if line == "" || line == waitsForInput {
		return
	}
	l.last = line
	l.show(line)
}

// end takes what is left without a line end.
func (l *lastLine) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line()
}

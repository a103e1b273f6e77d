package relay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

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
	// text is the prompt without the role's, which stands before it where withPrompt
	// is set.
	text       string
	withPrompt bool
}

// assignment is what is asked of the agent that takes a turn.
func (s State) assignment(t headlessTurn) Assignment {
	prompt := t.text
	if t.withPrompt {
		prompt = CatalogueOf(s.Lang(t.role)).RolePrompt(t.role, false) + "\n\n" + prompt
	}
	p := s.Party(t.role)
	return Assignment{Role: t.role, Agent: p.Name, Dir: p.Cwd, Conversation: s.Conversation(t.role), Prompt: prompt}
}

// noted is what a sign of the agent's means for the link. began: it has given one
// that the turn is under way.
func (t headlessTurn) noted(s State, g Sign, began bool) Decision {
	var d Decision
	if c := g.Conversation; c != s.Conversation(t.role) && IsID(c) && !strings.HasPrefix(c, "-") {
		d.do(Event{Kind: Conversed, Detail: c})
	}
	if g.Began && !began && t.words == "" {
		d.do(Event{
			Kind: Shown, From: t.box.From, Delivery: t.box.Seq, Copy: t.box.Copy, Prompt: t.id, WithPrompt: t.withPrompt,
		})
	}
	if g.Compacted && !s.PromptDue(t.role) {
		d.do(Event{Kind: Forgot, Reason: Compacted})
	}
	return d
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
	t.withPrompt = s.PromptDue(t.role) || s.Conversation(t.role) == ""
	began := false
	message, failure := h.Turn(ctx, hurry, s.assignment(t), func(g Sign) error {
		_, _, err := h.decide(link, t.role, func(s State) (Decision, error) { return t.noted(s, g, began), nil })
		began = began || g.Began && err == nil
		return err
	})
	if failure == nil {
		return r, false, h.said(link, t, message)
	}
	if s, err = h.ended(link, t, began, failure); err != nil {
		return r, true, errors.Join(failure, err)
	}
	var silent *SilentError
	switch {
	case errors.Is(failure, ErrInterrupted):
		return s.result(StandPaused, SayRunStopped), true, nil
	case errors.As(failure, &silent):
		return s.silent(t.role, silent), true, nil
	}
	return s.result(StandFailed, SayRunFailed, t.role, s.Party(t.role).Label(), plain(text.FirstLine(failure.Error()), reasonLength)), true, nil
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
func (h Headless) ended(link string, t headlessTurn, began bool, failure error) (State, error) {
	if t.words == "" && !began {
		if err := h.Store.Release(link, t.role, t.box); err != nil && !errors.Is(err, ErrTaken) {
			return State{}, err
		}
		return h.state(link)
	}
	s, _, err := h.decide(link, t.role, func(s State) (Decision, error) {
		if _, open := s.openTurn(t.role); !open {
			return Decision{}, nil
		}
		return s.Gone(t.role, plain(text.FirstLine(failure.Error()), reasonLength)), nil
	})
	return s, err
}

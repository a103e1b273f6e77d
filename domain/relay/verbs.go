package relay

import (
	"errors"
	"fmt"
)

// Outcome is what a verb says to the person.
type Outcome struct {
	Link    string
	Notices []Notice
	Lang    string
}

// Lines words it.
func (r Outcome) Lines() []string { return worded(r.Notices, r.Lang) }

func outcome(link, lang string, m Message, values ...any) Outcome {
	return Outcome{Link: link, Lang: lang, Notices: []Notice{{m, values}}}
}

// linked returns the link of a session.
func (o Operator) linked(id string) (Member, State, error) {
	m, err := o.member(id)
	if err != nil {
		return m, State{}, err
	}
	if m.Link == "" {
		return m, State{}, refuse(SayNotLinked)
	}
	s, err := o.state(m.Link)
	if errors.Is(err, ErrNoLink) {
		return m, s, refuse(SayNotLinked)
	}
	return m, s, err
}

// Goal starts the work.
func (o Operator) Goal(self Speaker, text string, restart bool) (Outcome, error) {
	m, s, err := o.linked(self.Session)
	if err != nil {
		return Outcome{}, err
	}
	if !self.Person {
		return Outcome{}, refuse(SayNotAPerson, o.slash(self.Session)+" goal <text>", fmt.Sprintf("relay goal --session %s <text>", self.Session))
	}
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) { return s.SetGoal(m.Role, text, restart) })
	if err != nil {
		return Outcome{}, err
	}
	return outcome(m.Link, s.Lang(m.Role), SayGoalSet), o.deliver(m.Link)
}

// Pause stops a link.
func (o Operator) Pause(self Speaker) (Outcome, error) {
	m, s, err := o.linked(self.Session)
	if err != nil {
		return Outcome{}, err
	}
	done := false
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		done = s.Phase == IsDone
		return s.Pause()
	})
	switch {
	case errors.Is(err, ErrNothing) && done:
		return outcome(m.Link, s.Lang(m.Role), SayNothingToPause), nil
	case errors.Is(err, ErrNothing):
		return outcome(m.Link, s.Lang(m.Role), SayAlreadyPaused, s.goesOn()), nil
	}
	return outcome(m.Link, s.Lang(m.Role), SayPausedNow, s.goesOn()), err
}

// Resume answers every pause, and sends what was held.
func (o Operator) Resume(self Speaker) (Outcome, error) {
	m, s, err := o.linked(self.Session)
	if err != nil {
		return Outcome{}, err
	}
	if !self.Person {
		return Outcome{}, refuse(SayNotAPerson, o.slash(self.Session)+" resume", fmt.Sprintf("relay resume --session %s", self.Session))
	}
	lang := s.Lang(m.Role)
	for range maxTries {
		if s, err = o.state(m.Link); err != nil {
			return Outcome{}, err
		}
		peers := map[Role]Peer{Planner: o.peer(s, Planner), Builder: o.peer(s, Builder)}
		decisions, err := s.Resume(peers, o.slash(s.Wanted))
		if errors.Is(err, ErrNothing) {
			return outcome(m.Link, lang, SayNotPaused), o.deliver(m.Link)
		}
		if err != nil {
			return Outcome{}, err
		}
		err = o.resume(s, decisions)
		if errors.Is(err, ErrTaken) {
			continue
		}
		if err != nil {
			return Outcome{}, err
		}
		return o.resumed(m, lang)
	}
	return Outcome{}, ErrTaken
}

// resume writes what a resumption decided, the builder's part first: the pauses
// are answered last, so that a crash in between leaves them standing.
func (o Operator) resume(s State, decisions map[Role]Decision) error {
	for _, role := range []Role{Builder, Planner} {
		if err := o.write(s.Link, role, s.Number(role, decisions[role].Events, o.Clock.Now())); err != nil {
			return err
		}
	}
	return nil
}

func (o Operator) resumed(m Member, lang string) (Outcome, error) {
	r := outcome(m.Link, lang, SayResumed)
	for _, role := range []Role{Planner, Builder} {
		_, notices, err := o.dispatch(m.Link, role)
		if err != nil {
			return r, err
		}
		r.Notices = append(r.Notices, notices...)
	}
	return r, o.deliver(m.Link)
}

// Unlink ends a link.
func (o Operator) Unlink(self Speaker) (Outcome, error) {
	m, s, err := o.linked(self.Session)
	if err != nil {
		return Outcome{}, err
	}
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) { return s.Unlink() })
	if err != nil {
		return Outcome{}, err
	}
	if s.Phase == Asking {
		err = o.Store.DropAsk(s.Wanted, m.Link)
	}
	return outcome(m.Link, s.Lang(m.Role), SayUnlinked), err
}

// repaired reads a link whose deliveries are where they belong. What cannot be
// repaired now is no reason not to show the link, and the next hook says why.
func (o Operator) repaired(link string) (State, error) {
	s, err := o.state(link)
	if err != nil || s.Headless() { // a run does so itself
		return s, err
	}
	_ = o.redeliver(link)
	return o.state(link)
}

// Watch notes that the other side has gone, where it has. Whoever looks at a
// link calls it.
func (o Operator) Watch(m Member) (State, error) {
	s, err := o.repaired(m.Link)
	if err != nil || !s.Accepted() || !s.Open() || s.Phase == IsDone {
		return s, err
	}
	for _, role := range []Role{Planner, Builder} {
		// An attached session is there, whatever process it was last seen in.
		if role == m.Role && o.attached(m.Session) {
			continue
		}
		gone := o.peer(s, role)
		if !gone.Gone {
			continue
		}
		s, _, err = o.decide(m.Link, role, func(s State) (Decision, error) { return s.Gone(role, gone.Why), nil })
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

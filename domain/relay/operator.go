package relay

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// Operator runs links: it reads a link's logs, lets the state decide, writes
// what was decided and puts deliveries down.
type Operator struct {
	Store     Store
	Clock     port.Clock
	Random    port.Random
	Sessions  port.SessionRegistry
	Processes port.ProcessTree
	Machine   port.Machine
	Env       port.Environment
	Defaults  Defaults
}

// Defaults are the terms that a person has set for every link.
type Defaults interface {
	// Terms returns them, and an error that names the file where it cannot be
	// used.
	Terms() (Terms, error)
}

// maxTries bounds how often a decision is made anew because somebody else wrote
// first.
const maxTries = 100

// state reads a link.
func (o Operator) state(link string) (State, error) {
	log, err := o.Store.Log(link)
	if err != nil {
		return State{}, err
	}
	s := Fold(log)
	if s.Asker == "" {
		return State{}, fmt.Errorf("the log of link %s has no beginning: %w", link, ErrUnusable)
	}
	return s, nil
}

// decide makes a decision about a side of a link and writes it down. Where
// somebody else wrote first, it is made anew on what stands there then.
func (o Operator) decide(link string, role Role, make func(State) (Decision, error)) (State, Decision, error) {
	for range maxTries {
		s, err := o.state(link)
		if err != nil {
			return s, Decision{}, err
		}
		d, err := make(s)
		if err != nil || len(d.Events) == 0 {
			return s, d, err
		}
		err = o.write(link, role, s.Number(role, d.Events, o.Clock.Now()))
		if errors.Is(err, ErrTaken) {
			continue
		}
		if err != nil {
			return s, d, err
		}
		s, err = o.state(link)
		return s, d, err
	}
	return State{}, Decision{}, fmt.Errorf("link %s: others kept writing first: try again", link)
}

func (o Operator) write(link string, role Role, events []Event) error {
	for _, e := range events {
		if err := o.Store.Append(link, role, e); err != nil {
			return err
		}
	}
	return nil
}

// deliver lays down what was sent and lies nowhere, puts back what was claimed and
// is not going to be shown, clears away what does not count any more, and rings
// where nobody is attached.
func (o Operator) deliver(link string) error {
	return o.deliverAnd(link, o.Store.Ring)
}

// stillness is how long a bell is left alone by those who only look.
const stillness = 5 * time.Second

// redeliver is deliver for those who only look, which they may do many times a
// second.
func (o Operator) redeliver(link string) error {
	return o.deliverAnd(link, func(session string) error { return o.Store.Remind(session, o.Clock.Now(), stillness) })
}

func (o Operator) deliverAnd(link string, ring func(session string) error) error {
	s, err := o.state(link)
	if err != nil || !s.Open() {
		return err
	}
	if err := o.askAgain(s); err != nil {
		return err
	}
	for _, role := range []Role{Planner, Builder} {
		if err := o.free(s, role); err != nil {
			return err
		}
		if err := o.sweep(s, role); err != nil {
			return err
		}
		for _, d := range s.Missing(role) {
			if err := o.Store.Put(d); err != nil {
				return err
			}
		}
	}
	s, err = o.state(link)
	if err != nil {
		return err
	}
	for _, role := range []Role{Planner, Builder} {
		if len(s.Claimable(role)) == 0 || o.attached(s.Party(role).Session) {
			continue
		}
		if err := ring(s.Party(role).Session); err != nil {
			return err
		}
	}
	return nil
}

// askAgain puts a request before the session that was asked, whose asker died before
// it did.
func (o Operator) askAgain(s State) error {
	if s.Phase != Asking {
		return nil
	}
	asks, err := o.Store.Asks(s.Wanted)
	if err == nil && !slices.Contains(asks, s.Link) {
		return o.Store.PutAsk(s.Wanted, s.Link)
	}
	return nil // that session's own status says what cannot be read
}

// sweep takes away what waits for a side and will never be claimed: what a
// correction or another goal stands in for, and what was laid down a second time
// by somebody who looked before it was claimed.
func (o Operator) sweep(s State, to Role) error {
	for _, box := range s.Litter(to) {
		if err := o.Store.Withdraw(s.Link, to, box); err != nil && !errors.Is(err, ErrTaken) {
			return err
		}
	}
	return nil
}

// attached reports that a session's mod runs a live process of ours.
func (o Operator) attached(session string) bool {
	a, err := o.Store.Attachment(session)
	return err == nil && o.lives(a.PID, a.Start)
}

// Lives reports a process that has not ended.
func (o Operator) Lives(a Attachment) bool { return o.lives(a.PID, a.Start) }

// lives reports a process by its number and start.
func (o Operator) lives(pid int, start string) bool {
	if pid == 0 || !o.Processes.Alive(pid) {
		return false
	}
	began, err := o.Processes.Started(pid)
	return err != nil || start == "" || began.Token == start
}

// peer tells whether a side's session is there.
func (o Operator) peer(s State, role Role) Peer {
	p := s.Party(role)
	switch {
	case !s.Joined(role), p.PID == 0:
		return Peer{}
	case s.HasLeft(role):
		return Peer{Gone: true, Why: string(GoneEnded)}
	case !o.lives(p.PID, p.Start):
		return Peer{Gone: true, Why: string(GoneProcess)}
	}
	return Peer{}
}

// dispatch sends what is ready on a side, and says what the person should know.
func (o Operator) dispatch(link string, role Role) (State, []Notice, error) {
	var notices []Notice
	for {
		s, d, err := o.decide(link, role, func(s State) (Decision, error) {
			return s.Dispatch(role, o.peer(s, role.Other())), nil
		})
		if err != nil {
			return s, nil, err
		}
		if len(d.Events) == 0 {
			return s, notices, o.deliver(link)
		}
		notices = append(notices, d.Notices...)
		for _, e := range d.Events {
			switch e.Kind {
			case Paused:
				notices = append(notices, Notice{SayPausedWhy, []any{CatalogueOf(s.Lang(role)).Why(e)}})
			case Ended:
				notices = append(notices, Notice{SayDone, []any{plain(e.Summary, reasonLength)}})
			}
		}
	}
}

// registry reads and judges the session registry.
func (o Operator) registry() (session.Registry, error) {
	listing, err := o.Sessions.Sessions()
	return session.Judge(listing, o.Processes, o.Machine.Self(), o.Machine.PidDomain()), err
}

// member returns what is known of a session; zero where nothing is.
func (o Operator) member(id string) (Member, error) {
	m, err := o.Store.Member(id)
	if errors.Is(err, ErrNoSession) {
		return Member{Session: id}, nil
	}
	return m, err
}

// worded puts notices into the words of a language.
func worded(notices []Notice, lang string) []string {
	c := CatalogueOf(lang)
	lines := make([]string, 0, len(notices))
	for _, n := range notices {
		lines = append(lines, c.Say(n.Message, n.Values...))
	}
	return lines
}

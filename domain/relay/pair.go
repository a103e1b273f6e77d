package relay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// The lengths of a link's id and of its nonce, in random bytes.
const (
	linkBytes  = 8
	nonceBytes = 16
)

// Pair asks another session for a link in the role given, or accepts its
// request for the complementary one.
func (o Operator) Pair(self Speaker, role Role, peer string, t Terms) (Outcome, error) {
	registry, err := o.registry()
	if err != nil {
		return Outcome{}, err
	}
	row, err := registry.Named(peer)
	if err != nil {
		return Outcome{}, err
	}
	if row.SessionID == self.Session {
		return Outcome{}, refuse(SayOneself)
	}
	if !IsID(row.SessionID) {
		return Outcome{}, fmt.Errorf("%s is no session's id", text.Quote(row.SessionID))
	}
	if again, err := o.askedAlready(self, role, row); err != nil || again.Link != "" {
		return again, err
	}
	if err := o.unlinked(self.Session); err != nil {
		return Outcome{}, err
	}
	requests, _ := o.Requests(self.Session) // what cannot be read stands in the way of nothing; status says why
	for _, request := range requests {
		if request.From.Session != row.SessionID {
			continue
		}
		if request.Role != role {
			return Outcome{}, refuse(SayWrongRole, role, fmt.Sprintf("%s %s", request.Role, request.From.Session))
		}
		return o.accept(self, request, t)
	}
	return o.ask(self, role, row, t)
}

// askedAlready answers whoever asks the same session once more.
func (o Operator) askedAlready(self Speaker, role Role, row session.Row) (Outcome, error) {
	m, err := o.member(self.Session)
	if err != nil || m.Link == "" || m.Role != role {
		return Outcome{}, err
	}
	s, err := o.state(m.Link)
	if err == nil && s.Phase == Asking && s.Asker == role && s.Wanted == row.SessionID {
		return o.requested(m.Link, s.Lang(role), role, self, row), o.deliver(m.Link)
	}
	return Outcome{}, nil // whoever asks whether it is free says what is wrong with its link
}

// requested says how the other side accepts.
func (o Operator) requested(link, lang string, role Role, self Speaker, row session.Row) Outcome {
	accept := fmt.Sprintf("%s %s %s", o.slash(row.SessionID), role.Other(), self.Session)
	return outcome(link, lang, SayRequested, partyOf(row).Label(), role.Other(), accept)
}

// unlinked refuses a session that has a link.
func (o Operator) unlinked(id string) error {
	m, err := o.member(id)
	if err != nil {
		return err
	}
	return o.isFree(m)
}

// isFree refuses a member whose link has not ended.
func (o Operator) isFree(m Member) error {
	if m.Link == "" {
		return nil
	}
	s, err := o.state(m.Link)
	if errors.Is(err, ErrNoLink) {
		return nil
	}
	if err != nil {
		return err
	}
	if !s.Open() {
		return nil
	}
	with := s.Party(m.Role.Other()).Label()
	if with == "" {
		with = s.Wanted
	}
	return refuse(SayAlreadyLinked, with)
}

func (o Operator) ask(self Speaker, role Role, row session.Row, t Terms) (Outcome, error) {
	link, err := o.Random.Hex(linkBytes)
	if err != nil {
		return Outcome{}, err
	}
	nonce, err := o.Random.Hex(nonceBytes)
	if err != nil {
		return Outcome{}, err
	}
	e := Ask(nonce, self.Party, partyOf(row), t)
	e.At = o.Clock.Now()
	if err := o.Store.Append(link, role, e); err != nil {
		return Outcome{}, err
	}
	if err := o.enrol(self.Party, link, role); err != nil {
		return Outcome{}, errors.Join(err, o.takeBack(link, role, row.SessionID))
	}
	if err := o.Store.PutAsk(row.SessionID, link); err != nil {
		return Outcome{}, err
	}
	crossed, err := o.crossed(self, role, link, row.SessionID, t)
	if err != nil || crossed.Link != "" {
		return crossed, err
	}
	if m, err := o.member(self.Session); err != nil || m.Link != link { // the other side settled for both
		return outcome(m.Link, t.Lang, SayAccepted, partyOf(row).Label()), err
	}
	return o.requested(link, t.Lang, role, self, row), nil
}

func (o Operator) memberOf(p Party, link string, role Role) Member {
	return Member{Session: p.Session, Link: link, Role: role, PID: p.PID, Start: p.Start}
}

// enrol gives a session a link, and notes where it runs.
func (o Operator) enrol(p Party, link string, role Role) error {
	if err := o.give(o.memberOf(p, link, role)); err != nil || p.PID == 0 {
		return err
	}
	return o.Store.PutProcess(p.Session, Attachment{PID: p.PID, Start: p.Start})
}

// give makes a link that of a session, unless it has another one by now: of two
// commands at the same moment one is refused.
func (o Operator) give(now Member) error {
	for range maxTries {
		m, err := o.member(now.Session)
		if err != nil || m.Link == now.Link {
			return err
		}
		if m.Link == "" {
			err = o.Store.AddMember(now)
		} else if err = o.isFree(m); err == nil {
			err = o.Store.ReplaceMember(now, m.Link)
		}
		if !errors.Is(err, ErrTaken) {
			return err
		}
	}
	return ErrTaken
}

// crossed settles two sessions that ask each other at the same moment. Whoever
// sees both requests settles for both: of complementary ones the link with the
// smaller id stands, of two for the same role the own one is taken back.
func (o Operator) crossed(self Speaker, role Role, own, peer string, t Terms) (Outcome, error) {
	requests, _ := o.Requests(self.Session) // as above
	for _, request := range requests {
		switch {
		case request.From.Session != peer:
		case request.Role != role:
			if err := o.takeBack(own, role, peer); err != nil {
				return Outcome{}, err
			}
			return Outcome{}, refuse(SaySameRole, request.From.Label(), role)
		case self.Person && request.Link < own:
			if err := o.takeBack(own, role, peer); err != nil {
				return Outcome{}, err
			}
			return o.accept(self, request, t)
		case self.Person:
			return o.acceptFor(self, role, own, request, t)
		}
	}
	return Outcome{}, nil
}

// takeBack ends a request that a session was asked with.
func (o Operator) takeBack(link string, role Role, asked string) error {
	_, _, err := o.decide(link, role, func(s State) (Decision, error) {
		if !s.Open() {
			return Decision{}, nil
		}
		return s.Unlink()
	})
	return errors.Join(err, o.Store.DropAsk(asked, link))
}

// acceptFor joins the session behind a crossed request to the own link: it has
// asked for that very pairing.
func (o Operator) acceptFor(self Speaker, role Role, own string, crossed Request, t Terms) (Outcome, error) {
	theirs, err := o.state(crossed.Link)
	if err != nil {
		return Outcome{}, err
	}
	if err := o.takeBack(crossed.Link, crossed.Role, self.Session); err != nil {
		return Outcome{}, err
	}
	peer := Speaker{Party: crossed.From, Person: true}
	request := Request{Link: own, Role: role.Other(), From: self.Party, Lang: t.Lang, slash: o.slash(crossed.From.Session)}
	if _, err := o.accept(peer, request, theirs.Terms(role.Other())); err != nil {
		return Outcome{}, err
	}
	return outcome(own, t.Lang, SayAccepted, crossed.From.Label()), nil
}

// Accept answers the request of a session, or the only one there is.
func (o Operator) Accept(self Speaker, peer string, t Terms) (Outcome, error) {
	if err := o.unlinked(self.Session); err != nil {
		return Outcome{}, err
	}
	request, err := o.request(self.Session, peer)
	if err != nil {
		return Outcome{}, err
	}
	return o.accept(self, request, t)
}

func (o Operator) request(id, peer string) (Request, error) {
	requests, err := o.Requests(id)
	if peer == "" && err != nil {
		return Request{}, err // nobody knows which is meant
	}
	if peer != "" {
		requests = slices.DeleteFunc(requests, func(r Request) bool {
			return r.From.Session != peer && r.From.Name != peer && (len(peer) < 4 || len(r.From.Session) < len(peer) || r.From.Session[:len(peer)] != peer)
		})
	}
	switch len(requests) {
	case 0:
		return Request{}, cmp.Or(err, refuse(SayNotAsked))
	case 1:
		return requests[0], nil
	}
	several := &session.AmbiguousError{Name: peer}
	for _, r := range requests {
		several.Candidates = append(several.Candidates, session.Row{SessionID: r.From.Session, Name: r.From.Name})
	}
	return Request{}, several
}

func (o Operator) accept(self Speaker, request Request, t Terms) (Outcome, error) {
	if !self.Person {
		return Outcome{}, refuse(SayNotAPerson, request.Command(), fmt.Sprintf("relay accept --session %s", self.Session))
	}
	if !o.lives(request.From.PID, request.From.Start) {
		return Outcome{}, refuse(SayPeerGone, request.From.Label())
	}
	var role Role
	_, _, err := o.decide(request.Link, request.Role, func(s State) (Decision, error) {
		var d Decision
		var err error
		role, d, err = s.Accept(self.Party, t)
		if s.Open() && s.Joined(role) && s.Party(role).Session == self.Session { // two sessions crossed, and both settle
			return Decision{}, nil
		}
		return d, err
	})
	if err != nil {
		return Outcome{}, err
	}
	if err := o.enrol(self.Party, request.Link, role); err != nil {
		var refused *RefusedError
		if errors.As(err, &refused) { // it has another link: nobody would take what this one brings
			err = errors.Join(err, o.takeBack(request.Link, request.Role, self.Session))
		}
		return Outcome{}, err
	}
	if err := o.Store.DropAsk(self.Session, request.Link); err != nil {
		return Outcome{}, err
	}
	return outcome(request.Link, t.Lang, SayAccepted, request.From.Label()), nil
}

// Decline refuses the request of a session, or the only one there is.
func (o Operator) Decline(self Speaker, peer string) (Outcome, error) {
	request, err := o.request(self.Session, peer)
	if err != nil {
		return Outcome{}, err
	}
	_, _, err = o.decide(request.Link, request.Role, func(s State) (Decision, error) {
		_, d, err := s.Decline(self.Session)
		for i := range d.Events {
			d.Events[i].Party = self.Party // so that the asker is told a name
		}
		return d, err
	})
	if err != nil {
		return Outcome{}, err
	}
	return outcome(request.Link, request.Lang, SayDeclined), o.Store.DropAsk(self.Session, request.Link)
}

package relay

import (
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

// Speaker is the session that a command speaks for.
type Speaker struct {
	Party
	// Person: the command may give consent; false in what a session's tools
	// started.
	Person bool
}

// Speak finds the session that a command speaks for: the one named, else the
// one that the environment names, else the only one of a directory.
func (o Operator) Speak(named, cwd string) (Speaker, error) {
	registry, err := o.registry()
	if err != nil {
		return Speaker{}, fmt.Errorf("the session registry could not be read: %w", err)
	}
	person := o.Env.Lookup("CLAUDE_CODE_CHILD_SESSION") == ""
	if named == "" {
		named = o.Env.Lookup("CLAUDE_CODE_SESSION_ID")
	}
	if named != "" {
		row, err := registry.Named(named)
		return Speaker{Party: partyOf(row), Person: person}, err
	}
	rows := registry.In(cwd)
	if len(rows) != 1 {
		return Speaker{}, fmt.Errorf("%d live sessions work in %s: name one with --session <id>; relay sessions lists them", len(rows), cwd)
	}
	return Speaker{Party: partyOf(rows[0]), Person: person}, nil
}

func partyOf(row session.Row) Party {
	return Party{Session: row.SessionID, Name: row.Name, Cwd: row.Cwd, PID: row.PID, Start: row.ProcStart}
}

// Live returns the sessions that can be paired: same directory first.
func (o Operator) Live(cwd string) ([]session.Row, error) {
	registry, err := o.registry()
	rows := registry.Peers(false)
	slices.SortStableFunc(rows, func(a, b session.Row) int {
		switch near := a.Cwd == cwd; {
		case near == (b.Cwd == cwd):
			return 0
		case near:
			return -1
		}
		return 1
	})
	return rows, err
}

// Request is a link that a session was asked for and has not answered.
type Request struct {
	Link string
	Role Role
	From Party
	Lang string
}

// The two names of the slash command: the mod's own, and the one that a hook
// answers where no mod runs.
const (
	ownCommand  = "/relay"
	fullCommand = "/changeover:relay"
)

// Line tells the person of it, with the command that accepts.
func (r Request) Line() string { return r.line(ownCommand) }

func (r Request) line(slash string) string {
	c := CatalogueOf(r.Lang)
	return text.Printable(c.Say(SayIncoming, r.From.Label(), r.From.Session, r.From.Cwd, r.Role, r.command(slash), slash+" decline"))
}

// Command is what accepts the request.
func (r Request) Command() string { return r.command(ownCommand) }

func (r Request) command(slash string) string {
	return fmt.Sprintf("%s %s %s", slash, r.Role, r.From.Session)
}

// Requests returns the links that a session was asked for and has not answered,
// or was killed while it answered.
func (o Operator) Requests(id string) ([]Request, error) {
	links, err := o.Store.Asks(id)
	if len(links) == 0 {
		return nil, err
	}
	m, memberErr := o.member(id)
	err = errors.Join(err, memberErr)
	var requests []Request
	for _, link := range links {
		s, stateErr := o.state(link)
		if stateErr != nil {
			err = errors.Join(err, stateErr)
			continue
		}
		role := s.Asker.Other()
		half := s.Open() && s.Joined(role) && s.Party(role).Session == id && m.Link != link
		if s.Phase == Asking && s.Wanted == id || half {
			requests = append(requests, Request{Link: link, Role: s.Asker.Other(), From: s.Party(s.Asker), Lang: s.Lang(s.Asker)})
		}
	}
	return requests, err
}

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
	if err := o.unlinked(self.Session); err != nil {
		return Outcome{}, err
	}
	requests, err := o.Requests(self.Session)
	if err != nil {
		return Outcome{}, err
	}
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

// unlinked refuses a session that has a link.
func (o Operator) unlinked(id string) error {
	m, err := o.member(id)
	if err != nil || m.Link == "" {
		return err
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
	e := Ask(nonce, self.Party, row.SessionID, t)
	e.At = o.Clock.Now()
	if err := o.Store.Append(link, role, e); err != nil {
		return Outcome{}, err
	}
	if err := o.Store.PutMember(o.memberOf(self.Party, link, role)); err != nil {
		return Outcome{}, err
	}
	if err := o.Store.PutAsk(row.SessionID, link); err != nil {
		return Outcome{}, err
	}
	crossed, err := o.crossed(self, role, link, row.SessionID, t)
	if err != nil || crossed.Link != "" {
		return crossed, err
	}
	if m, err := o.member(self.Session); err != nil || m.Link != link { // the other side settled for both
		return outcome(m.Link, t.Lang, SayAccepted, row.Label()), err
	}
	return outcome(link, t.Lang, SayRequested, row.Label(), role.Other(), fmt.Sprintf("/relay %s %s", role.Other(), self.Session)), nil
}

func (o Operator) memberOf(p Party, link string, role Role) Member {
	return Member{Session: p.Session, Link: link, Role: role, PID: p.PID, Start: p.Start}
}

// crossed settles two sessions that ask each other at the same moment. Whoever
// sees both requests settles for both: of complementary ones the link with the
// smaller id stands, of two for the same role the own one is taken back.
func (o Operator) crossed(self Speaker, role Role, own, peer string, t Terms) (Outcome, error) {
	requests, err := o.Requests(self.Session)
	if err != nil {
		return Outcome{}, err
	}
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
	request := Request{Link: own, Role: role.Other(), From: self.Party, Lang: t.Lang}
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
	if err != nil {
		return Request{}, err
	}
	if peer != "" {
		requests = slices.DeleteFunc(requests, func(r Request) bool {
			return r.From.Session != peer && r.From.Name != peer && (len(peer) < 4 || len(r.From.Session) < len(peer) || r.From.Session[:len(peer)] != peer)
		})
	}
	switch len(requests) {
	case 0:
		return Request{}, refuse(SayNotAsked)
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
	if err := o.Store.PutMember(o.memberOf(self.Party, request.Link, role)); err != nil {
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
		return Outcome{}, refuse(SayNotAPerson, "/relay goal <text>", fmt.Sprintf("relay goal --session %s <text>", self.Session))
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
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) { return s.Pause() })
	if errors.Is(err, ErrNothing) {
		return outcome(m.Link, s.Lang(m.Role), SayAlreadyPaused), nil
	}
	return outcome(m.Link, s.Lang(m.Role), SayPausedNow), err
}

// Resume answers every pause, and sends what was held.
func (o Operator) Resume(self Speaker) (Outcome, error) {
	m, s, err := o.linked(self.Session)
	if err != nil {
		return Outcome{}, err
	}
	if !self.Person {
		return Outcome{}, refuse(SayNotAPerson, "/relay resume", fmt.Sprintf("relay resume --session %s", self.Session))
	}
	lang := s.Lang(m.Role)
	for range maxTries {
		if s, err = o.state(m.Link); err != nil {
			return Outcome{}, err
		}
		peers := map[Role]Peer{Planner: o.peer(s, Planner), Builder: o.peer(s, Builder)}
		decisions, err := s.Resume(peers)
		if errors.Is(err, ErrNothing) {
			return outcome(m.Link, lang, SayNotPaused), nil
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

// Watch notes that the other side has gone, where it has. Whoever looks at a
// link calls it.
func (o Operator) Watch(m Member) (State, error) {
	s, err := o.state(m.Link)
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

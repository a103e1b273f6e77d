package relay

import (
	"errors"
	"fmt"
	"slices"
)

// RefusedError is a request that cannot be met, in words that say what to type
// instead.
type RefusedError struct{ Notice Notice }

// Error names the message; a catalogue words it.
func (e *RefusedError) Error() string { return fmt.Sprintf("refused: %s", e.Notice.Message) }

func refuse(m Message, values ...any) error { return &RefusedError{Notice{m, values}} }

// ErrNothing reports a request that is met already.
var ErrNothing = errors.New("nothing to do")

// Terms are what a side brings into a link.
type Terms struct {
	MaxRounds int
	Lang      string
}

// Ask begins a link from a session to another. The asker's role is that of the
// log that the event is written to.
func Ask(nonce string, self, peer Party, t Terms) Event {
	e := Event{
		Kind: Asked, Seq: 1, Party: self, Peer: peer.Session, Detail: peer.Name, Nonce: nonce, MaxRounds: t.MaxRounds, Lang: t.Lang,
	}
	return e.bounded()
}

// Accept joins a link as the session that was asked.
func (s State) Accept(self Party, t Terms) (Role, Decision, error) {
	role := s.Asker.Other()
	switch {
	case self.Session == s.Party(s.Asker).Session:
		return role, Decision{}, refuse(SayOneself)
	case s.Wanted != self.Session:
		return role, Decision{}, refuse(SayNotAsked)
	case !s.Open(), s.Joined(role):
		return role, Decision{}, refuse(SayAlreadyAnswered)
	}
	return role, did(Event{Kind: Accepted, Party: self, Nonce: s.Nonce, MaxRounds: t.MaxRounds, Lang: t.Lang}), nil
}

// Decline refuses a link as the session that was asked.
func (s State) Decline(session string) (Role, Decision, error) {
	role := s.Asker.Other()
	switch {
	case s.Wanted != session:
		return role, Decision{}, refuse(SayNotAsked)
	case !s.Open(), s.Joined(role):
		return role, Decision{}, refuse(SayAlreadyAnswered)
	}
	return role, did(Event{Kind: Declined}), nil
}

// SetGoal starts the work with a person's words.
func (s State) SetGoal(role Role, text string, restart bool) (Decision, error) {
	text = Clean(text)
	switch {
	case !s.Open():
		return Decision{}, refuse(SayNotLinked)
	case role != Planner:
		return Decision{}, refuse(SayGoalElsewhere, s.Label(Planner))
	case text == "":
		return Decision{}, refuse(SayGoalEmpty)
	case len(text) > MaxText:
		return Decision{}, refuse(SayTooLarge)
	case s.epoch() != 0 && s.Phase != IsDone && !restart:
		return Decision{}, refuse(SayGoalRunning)
	}
	e := Event{Kind: GoalSet, Text: text, Digest: Digest(text)}
	if s.epoch() != 0 { // what the work before it waited for is over
		for _, p := range s.Pauses() {
			e.Answered = append(e.Answered, p.Ref)
		}
	}
	return did(e), nil
}

// Pause stops the link at a person's word. A running turn is not cut. Work that is done
// has nothing to stop.
func (s State) Pause() (Decision, error) {
	if !s.Open() {
		return Decision{}, refuse(SayNotLinked)
	}
	if s.Phase == IsDone || len(s.Pauses()) > 0 {
		return Decision{}, ErrNothing
	}
	return did(Event{Kind: Paused, Reason: ByPerson}), nil
}

// Resume answers every pause there is. While a side's session is not there nothing
// can go on. slash is how the command is typed in the session that was asked.
func (s State) Resume(peer map[Role]Peer, slash string) (map[Role]Decision, error) {
	if !s.Open() {
		return nil, refuse(SayNotLinked)
	}
	pauses := s.Pauses()
	if len(pauses) == 0 {
		return nil, ErrNothing
	}
	for _, role := range []Role{Planner, Builder} {
		if s.Joined(role) && peer[role].Gone {
			return nil, refuse(SayBringBack, s.Party(role).Label(), s.Party(role).Session)
		}
	}
	if !s.Accepted() {
		return nil, refuse(SayNotAccepted, fmt.Sprintf("%s %s %s", slash, s.Asker.Other(), s.Party(s.Asker).Session))
	}
	decisions := map[Role]Decision{}
	var refs []Ref
	for _, p := range pauses {
		refs = append(refs, p.Ref)
		if t, ok := s.interrupted(p); ok {
			d := decisions[p.Role]
			d.do(Event{Kind: Again, From: t.From, Delivery: t.Seq, Copy: t.Copy + 1})
			decisions[p.Role] = d
		}
	}
	d := decisions[Planner]
	d.Events = slices.Concat(d.Events, []Event{{Kind: Resumed, Answered: refs}})
	decisions[Planner] = d
	return decisions, nil
}

// interrupted returns the delivery that a pause names: it was shown in a turn
// that died with its process, or refused. Not one whose answer is held.
func (s State) interrupted(p Pause) (Tracked, bool) {
	t, ok := s.Find(p.Role, p.From, p.Delivery, p.Copy)
	switch {
	case !ok:
		return t, false
	case p.Reason == NotTaken:
		return t, t.Receipt == WasRefuse
	}
	return t, p.Reason == TurnDied && t.Receipt == WasShown && !s.holdsAnswer(p.Role, t.Delivery)
}

// holdsAnswer reports that a side's block of a turn which was shown a delivery is
// held.
func (s State) holdsAnswer(role Role, d Delivery) bool {
	return slices.ContainsFunc(s.Pauses(), func(p Pause) bool {
		return p.Role == role && p.Of != 0 && s.shownBefore(role, d, p.Of)
	})
}

// Gone notes that a side's session is not there any more. A turn that had been
// shown a delivery died with it.
func (s State) Gone(role Role, why string) Decision {
	if !s.Open() || s.Phase == IsDone || !s.Joined(role) {
		return Decision{}
	}
	e := Event{Kind: Paused, Reason: PeerGone, Detail: why}
	if t, ok := s.openTurn(role); ok {
		e.Reason, e.From, e.Delivery, e.Copy = TurnDied, t.From, t.Seq, t.Copy
	}
	if s.isPausedBy(role, e) {
		return Decision{}
	}
	return did(e)
}

// openTurn returns the delivery that a side's model was shown last, where no
// end of that turn is recorded.
func (s State) openTurn(role Role) (Tracked, bool) {
	for _, e := range slices.Backward(s.sides[role].shown) {
		t, ok := s.Find(role, e.From, e.Delivery, e.Copy)
		if !ok || t.Receipt != WasShown {
			return Tracked{}, false
		}
		ended := slices.ContainsFunc(s.sides[role].records, func(r record) bool { return r.Seq > e.Seq })
		return t, !ended && s.sides[role].lost.Seq < e.Seq
	}
	return Tracked{}, false
}

// Unlink ends the link from either side.
func (s State) Unlink() (Decision, error) {
	if !s.Open() {
		return Decision{}, refuse(SayNotLinked)
	}
	return did(Event{Kind: Unlinked}), nil
}

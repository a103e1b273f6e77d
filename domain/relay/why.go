package relay

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/session"
)

// Thing is a kind of what decides about deliveries.
type Thing string

// The things.
const (
	SessionThing  Thing = "session"
	WayThing      Thing = "transport"
	RequestThing  Thing = "request"
	LinkThing     Thing = "link"
	TurnThing     Thing = "turn"
	DeliveryThing Thing = "delivery"
	GateThing     Thing = "gate"
)

// Finding is one thing and the rule that decided about it.
type Finding struct {
	Thing Thing
	// Name says which of several; empty where there is one.
	Name  string
	Cause Cause
	// Problem is what is wrong; empty where the rule is no fault.
	Problem string

	values []string
}

// Says is the rule in words.
func (f Finding) Says() string {
	r, _ := readingOf(f.Cause)
	return filled(r.Says, f.values)
}

// Do is what to do about it; empty where there is nothing.
func (f Finding) Do() string {
	r, _ := readingOf(f.Cause)
	return filled(r.Do, f.values)
}

// WhyReport says why nothing came to a session or went from it.
type WhyReport struct {
	Session  string
	Label    string
	Findings []Finding
	Problems []string
}

// inquiry is one question on its way to an answer.
type inquiry struct {
	o      Operator
	report WhyReport
	member Member
	state  State
	values []string
}

// Heard tells whether relay has ever heard of a session.
func (o Operator) Heard(id string) (bool, error) {
	_, err := o.Store.Member(id)
	if errors.Is(err, ErrNoSession) {
		return false, nil
	}
	return err == nil, err
}

// Why tells what became of everything that could have come to a session or gone
// from it. checkup is how deliveries reach it; nil where it does not run. Nothing is
// written: who is gone is only told.
func (o Operator) Why(row session.Row, checkup *Checkup, off Switches) WhyReport {
	q := &inquiry{o: o, report: WhyReport{Session: row.SessionID, Label: row.Label()}}
	q.values = []string{"id", row.SessionID}
	if checkup == nil {
		q.add(SessionThing, "", SelfLeft)
	} else {
		q.way(*checkup, off)
	}
	q.requests()
	var err error
	if q.member, err = o.member(row.SessionID); err != nil {
		q.fault(LinkThing, err)
		return q.report
	}
	if q.member.Link == "" {
		q.add(LinkThing, "", NoLink)
		return q.report
	}
	s, err := o.state(q.member.Link)
	if errors.Is(err, ErrNoLink) {
		q.add(LinkThing, "", NoLink)
		return q.report
	}
	if err != nil {
		q.fault(LinkThing, err)
		return q.report
	}
	q.state = s.Judged(o.lives)
	q.link()
	for _, role := range []Role{q.member.Role, q.member.Role.Other()} {
		q.turn(role)
		q.gate(role)
	}
	q.deliveries()
	return q.report
}

func (q *inquiry) add(thing Thing, name string, cause Cause, values ...string) {
	q.report.Findings = append(q.report.Findings, Finding{
		Thing: thing, Name: name, Cause: cause, values: append(slices.Clone(values), q.values...),
	})
}

// fault adds what could not be looked at.
func (q *inquiry) fault(thing Thing, err error) {
	q.add(thing, "", LookFailed, "why", err.Error())
	q.report.Findings[len(q.report.Findings)-1].Problem = err.Error()
	q.report.Problems = append(q.report.Problems, err.Error())
}

// way says how deliveries reach the session.
func (q *inquiry) way(c Checkup, off Switches) {
	if off.NoHooks != "" {
		q.add(WayThing, "", SilentHooksOff, "file", off.NoHooks)
	}
	switch {
	case c.Apart:
		q.add(WayThing, "", SilentApart, "dir", c.StateDir)
	case c.Transport == ByMod:
		q.add(WayThing, "", ByAttach)
	case c.Transport == NoWay && off.NoHooks == "":
		q.add(WayThing, "", SilentUnseen)
	case c.Transport == NoWay:
	case off.NoMods:
		q.add(WayThing, "", SilentModsOff)
	case c.wasAttached:
		q.add(WayThing, "", SilentDetached)
	default:
		q.add(WayThing, "", SilentUnloaded)
	}
	for _, fault := range c.Unknown {
		q.add(WayThing, "", NotKnown, "why", fault)
	}
}

// requests are the links that the session was asked for.
func (q *inquiry) requests() {
	requests, err := q.o.Requests(q.report.Session)
	if err != nil {
		q.fault(RequestThing, err)
	}
	for _, r := range requests {
		q.add(RequestThing, r.From.Label(), AskedOfUs, "peer", r.From.Label(), "role", string(r.Role), "accept", r.Command())
	}
}

// link says how the link stands.
func (q *inquiry) link() {
	s, role := q.state, q.member.Role
	peer := s.Party(role.Other())
	q.values = append(q.values,
		"peer", s.Label(role.Other()), "peerid", peer.Session, "planner", s.Party(Planner).Session,
		"round", fmt.Sprint(s.Round()), "allowed", fmt.Sprint(s.Allowed()), "summary", first(s.Summary()))
	switch s.Phase {
	case Asking:
		q.add(LinkThing, "", AskingThem, "accept", q.o.slash(s.Wanted)+" "+string(role.Other())+" "+q.report.Session)
	case IsDeclined:
		q.add(LinkThing, "", WasDeclined)
		return
	case IsUnlinked:
		q.add(LinkThing, "", WasUnlinked)
		return
	case Linked:
		q.add(LinkThing, "", NoGoal)
	case IsDone:
		q.add(LinkThing, "", WorkDone)
		return
	case Running:
	}
	if gone := q.o.peer(s, role.Other()); gone.Gone {
		q.add(LinkThing, "", PeerLeft, "why", CatalogueOf("").Say(Message(gone.Why)))
	}
	for _, p := range s.Pauses() {
		held := ""
		if text := s.Held(p); text != "" {
			held = "; it holds: " + first(text)
		}
		for _, known := range pauseCauses {
			if known.reason == p.Reason {
				q.add(LinkThing, "", known.cause, "held", held)
			}
		}
	}
}

// gate says what was kept from a side's model.
func (q *inquiry) gate(role Role) {
	d := q.state.sides[role]
	name := string(role)
	for _, e := range d.refused {
		if e.Prompt != "" {
			q.add(GateThing, name, KeptOut, "time", stamp(e.At), "why", CatalogueOf("").Why(e))
		}
	}
	for _, e := range d.absorbed {
		q.add(GateThing, name, KeptDouble, "time", stamp(e.At))
	}
	for _, e := range d.alikes {
		q.add(GateThing, name, KeptLookAlike, "time", stamp(e.At))
	}
}

// deliveries says how far each delivery of the present goal has come.
func (q *inquiry) deliveries() {
	s := q.state
	for _, t := range s.all() {
		name := fmt.Sprintf("round %d, %s → %s", t.Round, t.From, t.To)
		if t.IsGoal() {
			name = "the goal"
		}
		values := []string{"peer", s.Label(t.To), "sent", stamp(t.Event.At), "why", "", "time", ""}
		if shown, ok := s.shownAt(t); ok {
			values[7] = stamp(shown)
		}
		cause := map[Receipt]Cause{
			Queued: IsQueued, Taken: IsTaken, WasShown: IsShown, Answered: IsAnswered, WasBack: IsWithdrawn,
			WasRefuse: IsRefused, Unknown: IsUnknown,
		}[t.Receipt]
		if cause == IsRefused {
			values[5] = q.refusal(t)
		}
		if cause == IsQueued && len(s.Pauses()) > 0 {
			values[5] = ": the link is paused"
		}
		q.add(DeliveryThing, name, cause, values...)
	}
}

// refusal is why a delivery did not enter.
func (q *inquiry) refusal(t Tracked) string {
	for _, e := range slices.Backward(q.state.sides[t.To].refused) {
		if e.isOf(t.Delivery) {
			return CatalogueOf("").Why(e)
		}
	}
	return "not known"
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Faulty reports a problem.
func (r WhyReport) Faulty() bool { return len(r.Problems) > 0 }

// next is what helps against the cause that explains most.
func (r WhyReport) next() string {
	best, rank := "", len(Readings())
	for _, f := range r.Findings {
		if _, at := readingOf(f.Cause); at < rank && strings.TrimSpace(f.Do()) != "" {
			best, rank = f.Do(), at
		}
	}
	if best == "" {
		return "relay status --session " + r.Session
	}
	return best
}

// LastBlock returns when a text was last kept from a session's model at its gate: a
// delivery that does not count, one that came twice, or what only looks like one. Of
// a session without a link nothing is noted.
func (o Operator) LastBlock(id string) (at time.Time, found bool, err error) {
	m, err := o.member(id)
	if err != nil || m.Link == "" {
		return at, false, err
	}
	s, err := o.state(m.Link)
	if errors.Is(err, ErrNoLink) {
		return at, false, nil
	}
	if err != nil {
		return at, false, err
	}
	d := s.sides[m.Role]
	for _, e := range slices.Concat(d.refused, d.absorbed, d.alikes) {
		if e.Prompt != "" && e.At.After(at) {
			at, found = e.At, true
		}
	}
	return at, found, nil
}

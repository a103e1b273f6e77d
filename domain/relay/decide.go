package relay

import (
	"slices"
	"time"
)

// Notice is a short line for the person.
type Notice struct {
	Message Message
	Values  []any
}

// Decision is what is to be written and said. Events are of one side, in order,
// without numbers and times: whoever writes them gives them those.
type Decision struct {
	Events  []Event
	Notices []Notice
}

func (d *Decision) do(e Event)                   { d.Events = append(d.Events, e) }
func (d *Decision) say(m Message, values ...any) { d.Notices = append(d.Notices, Notice{m, values}) }
func did(events ...Event) Decision               { return Decision{Events: events} }

// Number gives the events of a decision their numbers and the time.
func (s State) Number(role Role, events []Event, at time.Time) []Event {
	numbered := slices.Clone(events)
	for i := range numbered {
		numbered[i].Seq, numbered[i].At = s.Next(role)+i, at
	}
	return numbered
}

// Turn is what the client tells of a turn's end.
type Turn struct {
	// Prompt is the client's id of the prompt that the turn answered.
	Prompt string
	// Message is the final message, whole.
	Message string
	// SubagentsRun: the turn's subagents still work, so its block waits.
	SubagentsRun bool
}

// Record notes a turn's end. A turn that is recorded already is not recorded
// again, whoever else reports it.
func (s State) Record(role Role, t Turn) Decision {
	if !s.Open() || !s.sides[role].joined {
		return Decision{}
	}
	a := ReadAnswer(t.Message)
	text := Clean(a.Handoff)
	e := Event{
		Kind: Recorded, Prompt: t.Prompt, Text: text, Digest: Digest(t.Message), Left: a.Left, Unclosed: a.Unclosed,
		Waiting: t.SubagentsRun,
	}
	if role == Planner && a.HasDone {
		e.HasDone, e.Summary = true, Clean(a.Done)
	}
	if s.recorded(role, e) {
		return Decision{}
	}
	d := did(e)
	switch {
	case a.Unclosed:
		d.say(SayUnclosed)
	case a.Left > 0 && text != "":
		d.say(SaySeveral, a.Left)
	}
	if e.HasDone && text != "" {
		d.say(SayDoneWins)
	}
	return d
}

// recorded reports that the same turn's end stands in the log: the last record
// of that prompt says the same, with its subagents as they are now.
func (s State) recorded(role Role, e Event) bool {
	return slices.ContainsFunc(s.sides[role].records, func(r record) bool {
		return r.Prompt == e.Prompt && r.Digest == e.Digest && r.Waiting == e.Waiting
	})
}

// Peer is what is known of the other side's session.
type Peer struct {
	// Gone: its process has ended, or its person went to another conversation.
	Gone bool
	// Why says how that is known.
	Why string
}

// Dispatch decides what becomes of the latest record that nothing has dealt
// with.
func (s State) Dispatch(role Role, peer Peer) Decision {
	if s.Phase != Linked && s.Phase != Running && s.Phase != Asking {
		return Decision{}
	}
	r, released, ok := s.ready(role)
	if !ok {
		return Decision{}
	}
	if r.HasDone {
		return did(Event{Kind: Ended, Of: r.Seq, Summary: r.Summary})
	}
	if correction, ok := s.correction(role, r); ok {
		return did(correction)
	}
	return s.send(role, r, released, peer)
}

// ready returns the record to deal with: one that was held and is free again,
// else the latest one with something to say. While a later turn's subagents
// run, everything waits.
func (s State) ready(role Role) (r record, released, ok bool) {
	d := s.sides[role]
	for _, p := range d.pauses {
		if p.Of != 0 && s.answered(Ref{role, p.Seq}) && !d.dealtAfter(p) {
			return d.recordOf(p.Of), true, true
		}
	}
	if n := len(d.records); n > 0 && d.records[n-1].Waiting && !d.records[n-1].used {
		return record{}, false, false
	}
	for _, r := range slices.Backward(d.records) {
		if !r.used && (r.Text != "" || r.HasDone) {
			return r, false, true
		}
	}
	return record{}, false, false
}

// dealtAfter reports that a held record was sent, held again or set aside after
// its pause.
func (d *side) dealtAfter(p Event) bool {
	for _, x := range d.sent {
		if x.Of == p.Of && x.Seq > p.Seq {
			return true
		}
	}
	for _, x := range d.pauses {
		if x.Of == p.Of && x.Seq > p.Seq {
			return true
		}
	}
	return d.last.Kind == SetAside && d.last.Of == p.Of || d.superseded(p.Of)
}

// superseded reports that a later record was sent or ended the work, so that
// the held one is history.
func (d *side) superseded(of int) bool {
	if d.ended != nil && d.ended.Of > of {
		return true
	}
	return slices.ContainsFunc(d.sent, func(x sent) bool { return x.Of > of })
}

// correction recognises another block of the turn whose block went last: a hook
// refused the turn's first end.
func (s State) correction(role Role, r record) (Event, bool) {
	d := s.sides[role]
	if len(d.sent) == 0 || r.Prompt == "" {
		return Event{}, false
	}
	last := d.sent[len(d.sent)-1]
	before := d.recordOf(last.Of)
	if last.Kind != Sent || before.Prompt != r.Prompt || before.Seq >= r.Seq || last.Text == r.Text {
		return Event{}, false
	}
	return Event{
		Kind: Sent, Of: r.Seq, Round: last.Round, Answers: last.Answers, Corrects: true, Text: r.Text, Digest: Digest(r.Text),
	}, true
}

func (s State) send(role Role, r record, released bool, peer Peer) Decision {
	hold := func(reason Reason, detail string) Decision {
		return did(Event{Kind: Paused, Of: r.Seq, Reason: reason, Detail: detail})
	}
	answers, round, ok := s.turnOf(role)
	switch {
	case len(r.Text) > MaxText:
		return hold(TooLarge, "")
	case !s.Accepted():
		return hold(NotAccepted, "")
	case len(s.Pauses()) > 0:
		return hold(ByPerson, "")
	case !ok:
		d := did(Event{Kind: SetAside, Of: r.Seq})
		d.say(SayAside)
		return d
	case !released && s.echoes(role, r.Text):
		return hold(Echo, "")
	case role == Planner && round > s.Allowed():
		return hold(AtLimit, "")
	case peer.Gone:
		return hold(PeerGone, peer.Why)
	}
	return did(Event{Kind: Sent, Of: r.Seq, Round: round, Answers: answers, Text: r.Text, Digest: Digest(r.Text)})
}

// turnOf returns the round that a block of a side belongs to and the delivery
// that it answers; not ok where it is not this side's turn.
func (s State) turnOf(role Role) (answers, round int, ok bool) {
	if role == Builder {
		step, ok := s.unansweredStep(true)
		return step.Seq, step.Round, ok
	}
	if _, waiting := s.unansweredStep(false); waiting || s.epoch() == 0 {
		return 0, 0, false
	}
	for _, t := range s.incoming(Planner) {
		if t.From == Builder && (t.Receipt == WasShown || t.Receipt == Answered) {
			answers = t.Seq
		}
	}
	return answers, s.Round() + 1, true
}

// unansweredStep returns the planner's last step of the present goal that the
// builder has not answered; shown: only one that its model was shown.
func (s State) unansweredStep(shown bool) (Delivery, bool) {
	var found Delivery
	ok := false
	for _, t := range s.incoming(Builder) {
		if t.Receipt == Answered || t.Receipt == WasBack || s.epochAt(t.Seq) != s.epoch() {
			continue
		}
		if !shown || t.Receipt == WasShown {
			found, ok = t.Delivery, true
		}
	}
	return found, ok
}

// echoes reports a text equal to the last one that this side sent or received
// since the goal.
func (s State) echoes(role Role, text string) bool {
	digest := Digest(text)
	last := ""
	for _, d := range s.sides[role].sent {
		if d.Kind == Sent && d.epoch == s.epoch() {
			last = d.Digest
		}
	}
	received := ""
	for _, t := range s.incoming(role) {
		if !t.IsGoal() && (t.Receipt == WasShown || t.Receipt == Answered) && s.inEpoch(t) {
			received = t.Digest
		}
	}
	return digest == last || digest == received
}

// inEpoch reports that a delivery belongs to the present goal.
func (s State) inEpoch(t Tracked) bool {
	if t.From == Builder {
		return s.epochAt(t.Event.Answers) == s.epoch()
	}
	return s.epochAt(t.Seq) == s.epoch()
}

// Lose notes a turn that ended without counting: interrupted, refused, or by an
// error of the model's service.
func (s State) Lose(role Role, reason Reason) Decision {
	d := s.sides[role]
	if !s.Open() || !d.joined {
		return Decision{}
	}
	if d.last.Kind == TurnLost && d.last.Reason == reason {
		return Decision{}
	}
	return did(Event{Kind: TurnLost, Reason: reason})
}

// Superseded returns the delivery that a correction stands in for, where it may
// still lie untaken.
func (s State) Superseded(role Role, correction Event) (Delivery, bool) {
	var before Delivery
	ok := false
	for _, t := range s.Deliveries(role) {
		if t.Seq < correction.Seq && t.Round == correction.Round && !t.IsGoal() && t.Receipt == Queued {
			before, ok = t.Delivery, true
		}
	}
	return before, ok
}

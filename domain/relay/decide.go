package relay

import (
	"slices"
	"time"
	"unicode/utf8"
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
		numbered[i] = numbered[i].bounded()
	}
	return numbered
}

// longestName bounds what clients and others name things, in bytes.
const longestName = 4 << 10

// bounded cuts what comes from outside: an event that is too large to be read would
// be the end of its link.
func (e Event) bounded() Event {
	for _, name := range []*string{&e.Prompt, &e.Detail, &e.Peer, &e.Party.Name, &e.Party.Cwd} {
		*name = head(*name, longestName)
	}
	return e
}

// Turn is what the client tells of a turn's end.
type Turn struct {
	// Prompt is the client's id of the prompt that the turn answered.
	Prompt string
	// Message is the final message, whole.
	Message string
	// Read fetches the message where the client did not tell it, and reports
	// whether it could; nil where it did.
	Read func() (message string, ok bool)
	// SubagentsRun: the turn's subagents still work, so its block waits.
	SubagentsRun bool
}

// longestKept and longestSummary bound what is kept of a block that is too large
// to go, and of a summary, in bytes.
const (
	longestKept    = 2 * MaxText
	longestSummary = 64 << 10
)

// Record notes a turn's end. A turn that is recorded already is not recorded
// again, whoever else reports it.
func (s State) Record(role Role, t Turn) Decision {
	if !s.Open() || !s.sides[role].joined {
		return Decision{}
	}
	a := ReadAnswer(t.Message)
	e := Event{
		Kind: Recorded, Prompt: t.Prompt, Text: head(Clean(a.Handoff), longestKept), Digest: Digest(t.Message),
		Left: a.Left, Unclosed: a.Unclosed, Waiting: t.SubagentsRun,
	}
	if role == Planner && a.HasDone {
		e.HasDone, e.Summary = true, head(Clean(a.Done), longestSummary)
	}
	if role == Planner && a.DoneUnclosed {
		e.Unclosed, e.Text = true, ""
	}
	if s.recorded(role, e) {
		return Decision{}
	}
	d := did(e)
	switch {
	case a.Unclosed:
		d.say(SayUnclosed, "<handoff>")
	case e.Unclosed:
		d.say(SayUnclosed, "<done>")
	case e.HasDone && e.Text != "":
		d.say(SayDoneWins)
	case a.Left > 0:
		d.say(SaySeveral, a.Left)
	}
	return d
}

// head returns the beginning of a text, whole characters of it.
func head(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// Unread pauses a link whose turn ended with words that nobody could read.
func (s State) Unread(role Role, prompt string) Decision {
	if s.Phase != Running || slices.ContainsFunc(s.sides[role].pauses, func(p Event) bool {
		return p.Reason == NotRead && p.Prompt == prompt
	}) {
		return Decision{}
	}
	return did(Event{Kind: Paused, Reason: NotRead, Prompt: prompt})
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

// Dispatch decides what becomes of one record that nothing has dealt with. It is
// asked again until it decides nothing.
func (s State) Dispatch(role Role, peer Peer) Decision {
	if s.Phase != Linked && s.Phase != Running && s.Phase != Asking {
		return Decision{}
	}
	r, held, ok := s.ready(role)
	switch {
	case !ok:
		return Decision{}
	case r.HasDone:
		return did(Event{Kind: Ended, Of: r.Seq, Answers: s.lastReport(r), Summary: r.Summary})
	case s.overtaken(role, held):
		return setAside(r)
	}
	e, ok := s.fit(role, r)
	switch {
	case !ok:
		return setAside(r)
	case e.Corrects && s.isLastSent(role, e):
		return Decision{}
	}
	if reason, detail := s.stop(role, e, held.Reason, peer); reason != "" {
		return did(Event{Kind: Paused, Of: r.Seq, Reason: reason, Detail: detail})
	}
	return did(e)
}

func setAside(r record) Decision {
	d := did(Event{Kind: SetAside, Of: r.Seq})
	d.say(SayAside)
	return d
}

// ready returns the record to deal with: one whose pause was answered, with that
// pause, else the latest one with something to say. While a later turn's
// subagents run, everything waits.
func (s State) ready(role Role) (r record, held Event, ok bool) {
	d := s.sides[role]
	for _, p := range d.pauses {
		if s.released(role, p) {
			return d.recordOf(p.Of), p, true
		}
	}
	if n := len(d.records); n > 0 && d.records[n-1].Waiting && !d.records[n-1].used {
		return record{}, Event{}, false
	}
	var prompts []string
	for _, r := range slices.Backward(d.records) {
		switch {
		case r.used, role == Planner && r.Seq < s.epoch():
			return record{}, Event{}, false
		case r.void:
			continue
		case !r.Waiting && slices.Contains(prompts, r.Prompt): // not the turn's final message
			continue
		case r.Text != "", r.HasDone && s.epoch() != 0:
			return r, Event{}, true
		case r.Prompt != "":
			prompts = append(prompts, r.Prompt)
		}
	}
	return record{}, Event{}, false
}

// released reports that a pause held a record and was answered, and that the
// record was not dealt with since. A later block of the same turn replaces it.
func (s State) released(role Role, p Event) bool {
	d := s.sides[role]
	if p.Of == 0 || !s.answered(Ref{role, p.Seq}) || role == Planner && p.Seq < s.epoch() {
		return false
	}
	since := func(e Event) bool { return e.Of == p.Of && e.Seq > p.Seq }
	of := d.recordOf(p.Of)
	return !slices.ContainsFunc(d.pauses, since) && !slices.ContainsFunc(d.asides, since) &&
		!slices.ContainsFunc(d.sent, func(x sent) bool { return since(x.Event) }) &&
		!slices.ContainsFunc(d.records, func(r record) bool {
			return r.Seq > of.Seq && r.Prompt != "" && r.Prompt == of.Prompt && !r.void && r.Text != ""
		})
}

// overtaken reports that another block went after a pause which held one.
func (s State) overtaken(role Role, held Event) bool {
	return held.Seq != 0 && slices.ContainsFunc(s.sides[role].sent, func(x sent) bool {
		return x.Kind == Sent && x.Seq > held.Seq
	})
}

// fit returns the delivery that a record makes; not ok where it is not this
// side's turn. Another block of the turn whose block went last corrects that
// one: a hook refused the turn's first end.
func (s State) fit(role Role, r record) (Event, bool) {
	d := s.sides[role]
	e := Event{Kind: Sent, Of: r.Seq, Text: r.Text, Digest: Digest(r.Text)}
	if n := len(d.sent); n > 0 && r.Prompt != "" {
		last := d.sent[n-1]
		before := d.recordOf(last.Of)
		if last.Kind == Sent && last.epoch == s.epoch() && before.Prompt == r.Prompt && before.Seq < r.Seq {
			e.Round, e.Answers, e.Corrects = last.Round, last.Answers, true
			return e, true
		}
	}
	var ok bool
	e.Answers, e.Round, ok = s.turnOf(role, r)
	return e, ok
}

// isLastSent reports that a correction says what it would correct.
func (s State) isLastSent(role Role, e Event) bool {
	d := s.sides[role]
	return d.sent[len(d.sent)-1].Digest == e.Digest
}

// stop returns why a delivery may not go now; empty where it may. held is why it
// was held before.
func (s State) stop(role Role, e Event, held Reason, peer Peer) (reason Reason, detail string) {
	switch {
	case len(e.Text) > MaxText:
		return TooLarge, ""
	case !s.Accepted():
		return NotAccepted, ""
	case len(s.Pauses()) > 0:
		return ByPerson, ""
	case held != Echo && s.echoes(role, e.Digest):
		return Echo, ""
	case role == Planner && e.Round > s.Allowed():
		return AtLimit, ""
	case peer.Gone:
		return PeerGone, peer.Why
	}
	return "", ""
}

// turnOf returns the round that a record belongs to and the delivery that it
// answers; not ok where it is not this side's turn.
func (s State) turnOf(role Role, r record) (answers, round int, ok bool) {
	if role == Builder {
		step, ok := s.unansweredStep(true)
		return step.Seq, step.Round, ok && s.shownBefore(Builder, step, r.Seq)
	}
	goal := Delivery{From: Person, To: Planner, Seq: s.epoch()}
	if _, waiting := s.unansweredStep(false); waiting || !s.shownBefore(Planner, goal, r.Seq) {
		return 0, 0, false
	}
	return s.lastReport(r), s.Round() + 1, true
}

// lastReport returns the number of the last report of the present goal that the
// planner was shown before it wrote a record; 0 for none.
func (s State) lastReport(r record) (seq int) {
	for _, t := range s.incoming(Planner) {
		if t.From == Builder && s.inEpoch(t) && s.shownBefore(Planner, t.Delivery, r.Seq) {
			seq = t.Seq
		}
	}
	return seq
}

// shownBefore reports that a side was shown a delivery before it wrote an event.
func (s State) shownBefore(to Role, d Delivery, seq int) bool {
	return slices.ContainsFunc(s.sides[to].shown, func(e Event) bool {
		return e.From == d.From && e.Delivery == d.Seq && e.Seq < seq
	})
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

// echoes reports the digest of a text equal to the last one that this side sent or received
// since the goal.
func (s State) echoes(role Role, digest string) bool {
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
	if t.IsGoal() {
		return t.Seq == s.epoch()
	}
	if t.From == Builder {
		return s.epochAt(t.Event.Answers) == s.epoch()
	}
	return s.epochAt(t.Seq) == s.epoch()
}

// Lose notes a turn that ended without counting: interrupted, refused, or by an
// error of the model's service.
func (s State) Lose(role Role, reason Reason) Decision {
	d := s.sides[role]
	if !s.Open() || !d.joined || d.lost.Seq != 0 && d.lost.Seq == d.events && d.lost.Reason == reason {
		return Decision{}
	}
	return did(Event{Kind: TurnLost, Reason: reason})
}

package relay

import (
	"cmp"
	"slices"
)

// Phase is how far a link has come.
type Phase string

// The phases of a link.
const (
	Asking     Phase = "asking"
	Linked     Phase = "linked"
	Running    Phase = "running"
	IsDone     Phase = "done"
	IsDeclined Phase = "declined"
	IsUnlinked Phase = "unlinked"
)

// DefaultMaxRounds is how many rounds a link has without a word about it.
const DefaultMaxRounds = 10

// State is what the events of a link amount to. It does not depend on the order
// in which the two logs are read.
type State struct {
	Link  string
	Phase Phase
	// Asker is the role of the side that asked.
	Asker Role
	// Wanted is the session that was asked.
	Wanted string
	Nonce  string

	wantedName string

	sides map[Role]*side
	goals []goal
	boxes map[Role][]Box
	// lives tells of the process that holds a box; nil where it is not asked.
	lives func(pid int, start string) bool
	// tracked are the deliveries of each side, which nearly everything asks for.
	tracked map[Role][]Tracked
}

// goal begins an epoch: rounds and the echo memory start anew.
type goal struct {
	seq    int
	text   string
	digest string
}

// side is what one log amounts to.
type side struct {
	role      Role
	events    int
	party     Party
	former    []string
	joined    bool
	maxRounds int
	lang      string
	left      bool

	records   []record
	sent      []sent
	sentAt    map[int]int // place by number
	shown     []Event
	refused   []Event
	pauses    []Event
	resumed   []Ref
	dropped   []Ref
	again     []Event
	offered   []Event
	absorbed  []Event
	alikes    []Event
	told      int
	asides    []Event
	aside     int
	promptDue bool
	ended     *Event
	lost      Event

	conversation string
}

// record is what a turn's end said, and what became of it.
type record struct {
	Event
	// used: some event has dealt with it. void: its turn did not count.
	used, void bool
}

// sent is a delivery by its sender's log. epoch is the goal it belongs to.
type sent struct {
	Event
	epoch int
}

// Fold works a link's state out of its logs.
func Fold(log Log) State {
	s := State{Link: log.Link, Phase: Asking, sides: map[Role]*side{}, boxes: log.Boxes}
	for _, role := range []Role{Planner, Builder} {
		s.sides[role] = &side{role: role, promptDue: true, sentAt: map[int]int{}}
	}
	for _, role := range []Role{Planner, Builder} {
		for _, e := range log.Events[role] {
			s.apply(role, e)
		}
	}
	s.settle()
	s.track()
	return s
}

func (s *State) apply(role Role, e Event) {
	d := s.sides[role]
	d.events = max(d.events, e.Seq)
	switch e.Kind {
	case Asked:
		s.Asker, s.Wanted, s.wantedName, s.Nonce = role, e.Peer, e.Detail, e.Nonce
		d.join(e)
	case Accepted:
		d.join(e)
	case Moved:
		// Another id means an empty context: the model knows no role there.
		if e.Party.Session != d.party.Session {
			d.promptDue, d.former = true, append(d.former, d.party.Session)
		}
		d.party, d.left = e.Party, false
	case Left:
		d.left = true
	case GoalSet:
		s.goals = append(s.goals, goal{seq: e.Seq, text: e.Text, digest: e.Digest})
		d.dropped, d.aside = append(d.dropped, e.Answered...), 0
		d.send(sent{Event: e, epoch: e.Seq})
	case Recorded:
		d.records = append(d.records, record{Event: e})
	case TurnLost:
		d.lose(e)
	case Sent:
		d.use(e.Of)
		d.send(sent{Event: e, epoch: s.epochOf(role, e)})
	case SetAside:
		d.use(e.Of)
		d.asides, d.aside = append(d.asides, e), e.Of
	case Paused:
		d.use(e.Of)
		d.pauses = append(d.pauses, e)
		// The client may not have kept what it was told in the turn that died.
		d.promptDue = d.promptDue || e.Reason == TurnDied && d.wasGiven(e)
	case Ended:
		d.use(e.Of)
		d.ended = &e
	case Shown:
		d.shown = append(d.shown, e)
		d.promptDue = d.promptDue && !e.WithPrompt
	case Forgot:
		d.promptDue = true
	case Refused:
		d.refused = append(d.refused, e)
		d.promptDue = d.promptDue || e.Reason == Dropped && d.wasGiven(e)
	case Resumed:
		d.resumed = append(d.resumed, e.Answered...)
	case Again:
		d.again = append(d.again, e)
	case Offered:
		d.offered = append(d.offered, e)
	case Absorbed:
		d.absorbed = append(d.absorbed, e)
	case LookedAlike:
		d.alikes = append(d.alikes, e)
	case Told:
		d.told = max(d.told, e.Of)
	case Conversed:
		d.conversation = e.Detail
	case Declined:
		d.party = e.Party
	case Unlinked:
	}
	switch {
	case e.Kind == Unlinked:
		s.Phase = IsUnlinked
	case e.Kind == Declined && s.Phase != IsUnlinked:
		s.Phase = IsDeclined
	}
}

func (d *side) send(x sent) {
	d.sentAt[x.Seq] = len(d.sent)
	d.sent = append(d.sent, x)
}

func (d *side) join(e Event) {
	d.party, d.joined, d.maxRounds, d.lang = e.Party, true, e.MaxRounds, e.Lang
}

// wasGiven reports that the role was told beside a delivery.
func (d *side) wasGiven(e Event) bool {
	return slices.ContainsFunc(d.shown, func(x Event) bool {
		return x.WithPrompt && x.From == e.From && x.Delivery == e.Delivery && x.Copy == e.Copy
	})
}

// use notes that a record was dealt with. A block replaces the one set aside.
func (d *side) use(of int) {
	if of != 0 {
		d.aside = 0
	}
	for i := range d.records {
		if d.records[i].Seq == of {
			d.records[i].used = true
		}
	}
}

// lose voids what a turn recorded that did not count. A record that waits for
// subagents is of an earlier turn.
func (d *side) lose(e Event) {
	d.lost = e
	for i := range d.records {
		d.records[i].void = d.records[i].void || !d.records[i].Waiting
	}
}

// epochOf returns the goal that a delivery belongs to: the planner's by its own
// log, the builder's by the step that it answers.
func (s *State) epochOf(role Role, e Event) int {
	if role == Planner {
		return s.epochAt(e.Seq)
	}
	return s.epochAt(e.Answers)
}

// epochAt returns the number of the last goal before a number of the planner's
// log.
func (s *State) epochAt(seq int) int {
	epoch := 0
	for _, g := range s.goals {
		if g.seq < seq {
			epoch = g.seq
		}
	}
	return epoch
}

func (s *State) settle() {
	// Who was asked may go on under another id before it answers.
	if d := s.sides[s.Asker.Other()]; !d.joined && d.party.Session != "" {
		s.Wanted, s.wantedName = d.party.Session, d.party.Name
	}
	if s.Phase == IsUnlinked || s.Phase == IsDeclined {
		return
	}
	ended := s.sides[Planner].ended
	switch {
	case ended != nil && s.epochAt(ended.Seq) == s.epoch():
		s.Phase = IsDone
	case !s.sides[Planner].joined || !s.sides[Builder].joined:
		s.Phase = Asking
	case len(s.goals) == 0:
		s.Phase = Linked
	default:
		s.Phase = Running
	}
}

// epoch is the number of the present goal; 0 before there is one.
func (s *State) epoch() int {
	if len(s.goals) == 0 {
		return 0
	}
	return s.goals[len(s.goals)-1].seq
}

// Goal returns the present goal; empty before there is one.
func (s State) Goal() string {
	if len(s.goals) == 0 {
		return ""
	}
	return s.goals[len(s.goals)-1].text
}

// Accepted reports that both sides are in.
func (s State) Accepted() bool { return s.sides[Planner].joined && s.sides[Builder].joined }

// Open reports a link that is neither declined nor ended by unlink.
func (s State) Open() bool { return s.Phase != IsDeclined && s.Phase != IsUnlinked }

// Party returns a side's session; zero before it joined.
func (s State) Party(r Role) Party { return s.sides[r].party }

// Was reports a session that went on under another id.
func (s State) Was(r Role, session string) bool {
	d := s.sides[r]
	return d.party.Session != session && slices.Contains(d.former, session)
}

// Label returns how a person knows a side: also the one that was asked and has
// not answered.
func (s State) Label(r Role) string {
	if !s.sides[r].joined {
		return Party{Session: s.Wanted, Name: s.wantedName}.Label()
	}
	return s.sides[r].party.Label()
}

// Joined reports that a side is in.
func (s State) Joined(r Role) bool { return s.sides[r].joined }

// HasLeft reports that a side's session said goodbye.
func (s State) HasLeft(r Role) bool { return s.sides[r].left }

// Terms returns what a side brought into the link.
func (s State) Terms(r Role) Terms {
	return Terms{MaxRounds: s.sides[r].maxRounds, Lang: s.sides[r].lang}
}

// Lang returns the language of a side.
func (s State) Lang(r Role) string { return s.sides[r].lang }

// Next returns the number of the next event of a side.
func (s State) Next(r Role) int { return s.sides[r].events + 1 }

// Summary returns what the planner wrote when the goal was met.
func (s State) Summary() string {
	if s.Phase != IsDone {
		return ""
	}
	return s.sides[Planner].ended.Summary
}

// Round returns how many rounds the planner has opened since the goal.
func (s State) Round() int {
	round := 0
	for _, d := range s.steps() {
		round = max(round, d.Round)
	}
	return round
}

// steps are the planner's deliveries of the present goal.
func (s State) steps() []sent {
	var steps []sent
	for _, d := range s.sides[Planner].sent {
		if d.Kind == Sent && d.epoch == s.epoch() {
			steps = append(steps, d)
		}
	}
	return steps
}

// Allowed returns how many rounds may be opened: the smaller of both sides'
// limits, and as many again for each limit that was lifted.
func (s State) Allowed() int {
	base := 0
	for _, d := range s.sides {
		if d.joined && d.maxRounds > 0 && (base == 0 || d.maxRounds < base) {
			base = d.maxRounds
		}
	}
	base = cmp.Or(base, DefaultMaxRounds)
	grants := 0
	for _, p := range s.sides[Planner].pauses {
		if p.Reason == AtLimit && s.epochAt(p.Seq) == s.epoch() && s.answered(Ref{Planner, p.Seq}) {
			grants++
		}
	}
	return base * (1 + grants)
}

func (s State) answered(ref Ref) bool {
	return slices.Contains(s.sides[Planner].resumed, ref) || slices.Contains(s.sides[Builder].resumed, ref)
}

func (d *side) recordOf(seq int) record {
	for _, r := range d.records {
		if r.Seq == seq {
			return r
		}
	}
	return record{}
}

// Aside returns a side's block that was not sent because it was not its turn,
// until another one replaces it; empty where there is none.
func (s State) Aside(r Role) string { return s.sides[r].recordOf(s.sides[r].aside).Text }

// PromptDue reports that a side's model does not know its role.
func (s State) PromptDue(r Role) bool { return s.sides[r].promptDue }

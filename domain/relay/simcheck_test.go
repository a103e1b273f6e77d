package relay_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/relay"
)

// fatalf fails with both logs.
func (s *sim) fatalf(format string, values ...any) {
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		for _, e := range s.store.events[sideKey{s.theLink, role}] {
			s.t.Logf("%s %d %s %s", role, e.Seq, e.Kind, strings.TrimSpace(fmt.Sprintf("%s %q of %d round %d answers %d delivery %d-%d %v %s %v",
				e.Prompt, e.Text, e.Of, e.Round, e.Answers, e.Delivery, e.Copy, e.Waiting, e.Reason, e.Answered)))
		}
		s.t.Logf("%s boxes %v", role, s.store.shelves[sideKey{s.theLink, role}])
	}
	s.t.Fatalf(format, values...)
}

// wrote is told of each event by the process that wrote it.
func (s *sim) wrote(by string, role relay.Role, e relay.Event) {
	if e.Kind != relay.Sent && e.Kind != relay.Ended {
		return
	}
	switch by {
	case "stop", "turn", "resume", "gate": // a turn's end, a person's word, or the next hook of that session
	case "start resume", "start clear":
	default:
		s.fatalf("%s sends %q for the %s", by, e.Text, role)
	}
}

// checkEntered checks what has just entered a model.
func (s *sim) checkEntered(d *sideSim, prompt, context string, delivery bool) {
	state := s.fold()
	if strings.Contains(prompt+context, state.Nonce) {
		s.fatalf("the nonce enters with %q", prompt)
	}
	if strings.Contains(prompt, "FORGED") { // somebody was asked
		s.fatalf("%q enters the %s", prompt, d.role)
	}
	if !delivery {
		if context != "" {
			s.fatalf("a typed prompt comes with %q", context)
		}
		return
	}
	text := deliveredText(prompt)
	if !d.knows && context == "" {
		s.fatalf("%q enters the %s, which does not know its role", text, d.role)
	}
	d.knows = true
	d.entered = append(d.entered, text)
	s.checkOnce(d, state)
}

// deliveredText takes the envelope of a wake away.
func deliveredText(prompt string) string {
	text, woken := strings.CutPrefix(prompt, wakeBegin)
	if woken {
		text = strings.TrimSuffix(text, "\n</system-reminder>")
	}
	return strings.TrimSpace(text)
}

var wakeBegin, _, _ = strings.Cut(wake("Delivery from changeover:\n", "\x00"), "\x00")

// checkOnce checks that no delivery entered more often than a person ordered.
func (s *sim) checkOnce(d *sideSim, state relay.State) {
	allowed, seen := map[string]int{}, map[string]int{}
	c := relay.CatalogueOf(state.Lang(d.role))
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		for _, t := range state.Deliveries(role) {
			if t.To == d.role {
				allowed[strings.TrimSpace(t.Prompt(c))] += 1 + t.Copy
			}
		}
	}
	for _, text := range d.entered {
		if seen[text]++; seen[text] > allowed[text] {
			s.fatalf("the %s was shown %q %d times, %d of them ordered", d.role, text, seen[text], allowed[text])
		}
	}
}

// checkRecorded checks that a turn's end is in the log once.
func (s *sim) checkRecorded(d *sideSim, turn relay.Turn) {
	n := 0
	for _, e := range s.events(d.role) {
		if e.Kind == relay.Recorded && e.Prompt == turn.Prompt && e.Digest == relay.Digest(turn.Message) && e.Waiting == turn.SubagentsRun {
			n++
		}
	}
	if n != 1 {
		s.fatalf("%q is recorded %d times", turn.Message, n)
	}
}

// checkStep checks the logs after each step.
func (s *sim) checkStep() {
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		shown := map[relay.Box]int{}
		for i, e := range s.events(role) {
			if e.Seq != i+1 {
				s.fatalf("event %d of the %s has the number %d", i+1, role, e.Seq)
			}
			if e.Kind == relay.Shown {
				key := relay.Box{From: e.From, Seq: e.Delivery, Copy: e.Copy}
				if shown[key]++; shown[key] > 1 {
					s.fatalf("the %s notes twice that it was shown %v", role, key)
				}
			}
		}
	}
	s.checkRounds()
}

// checkRounds checks that only the planner raises the round, by one, after an
// answer; and that each step has at most one report.
func (s *sim) checkRounds() {
	steps := map[int]int{} // the round of each step
	answered := map[int]bool{}
	for _, e := range s.events(relay.Builder) {
		if e.Kind == relay.Sent && !e.Corrects {
			if answered[e.Answers] {
				s.fatalf("step %d has two reports", e.Answers)
			}
			answered[e.Answers] = true
		}
	}
	round, answer := 0, true
	for _, e := range s.events(relay.Planner) {
		switch {
		case e.Kind == relay.GoalSet:
			round, answer = 0, true
		case e.Kind == relay.Sent && e.Corrects:
			if e.Round != round {
				s.fatalf("round %d is corrected in round %d", e.Round, round)
			}
			answer = answer || answered[e.Seq]
		case e.Kind == relay.Sent:
			if e.Round != round+1 || !answer {
				s.fatalf("round %d follows %d, answered %v", e.Round, round, answer)
			}
			round, answer = e.Round, answered[e.Seq]
		default:
			continue
		}
		steps[e.Seq] = e.Round
	}
	for _, e := range s.events(relay.Builder) {
		if e.Kind == relay.Sent && (steps[e.Answers] != e.Round || e.Round == 0) {
			s.fatalf("a report of round %d answers a step of round %d", e.Round, steps[e.Answers])
		}
	}
	if state := s.fold(); state.Round() > state.Allowed() {
		s.fatalf("round %d of %d", state.Round(), state.Allowed())
	}
}

// checkEnd checks, when all is at rest, that nothing was lost and that the work
// can go on.
func (s *sim) checkEnd() {
	state := s.fold()
	for _, d := range s.both() {
		s.checkFates(d, state)
		for _, t := range state.Deliveries(d.role) {
			over := state.Phase == relay.IsDone
			if s.isOld(d.role, t) {
				continue
			}
			if t.Receipt == relay.Taken || t.Receipt == relay.WasRefuse || t.Receipt == relay.Queued && !over {
				s.fatalf("%q of the %s rests %s", t.Text, d.role, t.Receipt)
			}
		}
	}
	if state.Phase == relay.Running {
		s.checkGoesOn(state)
	}
}

// isOld reports a delivery of a goal that another one has replaced.
func (s *sim) isOld(role relay.Role, t relay.Tracked) bool {
	goal := 0
	for _, e := range s.events(relay.Planner) {
		if e.Kind == relay.GoalSet {
			goal = e.Seq
		}
	}
	if role == relay.Builder {
		return t.Event.Answers < goal
	}
	return t.Seq < goal
}

// checkFates checks what became of everything that a side's turns said.
func (s *sim) checkFates(d *sideSim, state relay.State) {
	events := s.events(d.role)
	dealt := func(seq int) bool {
		return slices.ContainsFunc(events, func(e relay.Event) bool {
			return e.Of == seq && (e.Kind == relay.Sent || e.Kind == relay.SetAside || e.Kind == relay.Ended)
		})
	}
	lastDealt, lastLost, goal, done := 0, 0, 0, false
	for _, e := range events {
		switch e.Kind {
		case relay.Sent, relay.SetAside, relay.Ended, relay.Paused:
			lastDealt = max(lastDealt, e.Of)
		case relay.TurnLost:
			lastLost = e.Seq
		case relay.GoalSet:
			goal = e.Seq
		}
		done = done || e.Kind == relay.Ended
	}
	for i, e := range events {
		if e.Kind != relay.Recorded || e.Text == "" || dealt(e.Seq) {
			continue
		}
		sameTurn := slices.ContainsFunc(events[i+1:], func(x relay.Event) bool {
			return x.Kind == relay.Recorded && x.Prompt == e.Prompt && (x.Text != "" || !e.Waiting)
		})
		restarted := goal > e.Seq || d.role == relay.Builder && s.goals() > 1
		switch {
		case e.Seq < lastDealt && !s.wasHeld(events, e.Seq), e.Seq < lastLost && !e.Waiting, sameTurn, restarted, done, state.Phase == relay.IsDone:
		case s.saidAgain(events, e):
		default:
			s.fatalf("the %s said %q, and nothing became of it", d.role, e.Text)
		}
	}
}

// wasHeld reports that a pause held a record.
func (s *sim) wasHeld(events []relay.Event, seq int) bool {
	return slices.ContainsFunc(events, func(e relay.Event) bool { return e.Kind == relay.Paused && e.Of == seq })
}

// saidAgain reports a block that is, word for word, the one its turn has sent.
func (s *sim) saidAgain(events []relay.Event, e relay.Event) bool {
	return slices.ContainsFunc(events, func(x relay.Event) bool { return x.Kind == relay.Sent && x.Text == e.Text && x.Seq < e.Seq })
}

func (s *sim) goals() int {
	n := 0
	for _, e := range s.events(relay.Planner) {
		if e.Kind == relay.GoalSet {
			n++
		}
	}
	return n
}

// checkGoesOn plays a round to see that nothing is stuck.
func (s *sim) checkGoesOn(state relay.State) {
	planner, builder := s.sides[relay.Planner], s.sides[relay.Builder]
	if state.WhoseTurn() == relay.Planner {
		s.handOff(planner, builder)
	}
	s.handOff(builder, planner)
	s.handOff(planner, builder)
}

// handOff has one side send something and the other receive it.
func (s *sim) handOff(from, to *sideSim) {
	text := s.mark()
	s.run(s.gate(from, "typed "+text, false)...)
	s.say(from, block(text))
	for range 3 {
		if len(s.fold().Pauses()) > 0 { // the limit
			s.run(job{name: "resume", does: func(o relay.Operator) { _, _ = o.Resume(s.planner.speaker()) }})
		}
	}
	to.ringing = true
	s.run(s.bell(to)...)
	if len(to.queue) == 0 {
		s.fatalf("what the %s hands off does not arrive: %v, aside %q", from.role, s.fold().Pauses(), s.fold().Aside(from.role))
	}
	s.run(s.gate(to, to.queue[0], true)...)
	if got := to.entered[len(to.entered)-1]; !strings.HasSuffix(got, text) {
		s.fatalf("%q arrives, not %q", got, text)
	}
	s.say(to, "I wait.")
}

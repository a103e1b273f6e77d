//go:build clients

package clients_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const relayGoal = "give the harbour a tide table"

// script has two models carry a goal through that many rounds.
func (w *relayWorld) scriptRounds(planner, builder *relaySession, rounds int) {
	planner.whenTold(relayGoal, "I begin.\n<handoff>step 1: draw the pier</handoff>")
	for n := 1; n <= rounds; n++ {
		builder.whenTold(round(n, "planner", step(n)), "Done so.\n<handoff>"+report(n)+"</handoff>")
		if n < rounds {
			planner.whenTold(round(n, "builder", report(n)), "Good.\n<handoff>"+step(n+1)+"</handoff>")
		}
	}
	planner.whenTold(round(rounds, "builder", report(rounds)), "All good.\n<done>the tide table stands</done>")
}

func step(n int) string   { return fmt.Sprintf("step %d: draw the pier", n) }
func report(n int) string { return fmt.Sprintf("report %d: the pier is drawn & <tested>", n) }

func TestRelay_ThreeRoundsToDone(t *testing.T) {
	w := newRelayWorld(t)
	planner := w.startRelay("planner", relayStart{repo: "a"})
	builder := w.startRelay("builder", relayStart{repo: "b"})
	w.scriptRounds(planner, builder, 3)
	w.pairUp(planner, builder, "")
	planner.goal(relayGoal)
	planner.see("▰▰▰▱▱▱▱▱▱▱ 3/10 · done")
	builder.see("▰▰▰▱▱▱▱▱▱▱ 3/10 · done")
	w.wantThreeRounds(planner, builder)
}

// wantThreeRounds fails the test unless each side's model read what belongs to
// three rounds once, and nothing else.
func (w *relayWorld) wantThreeRounds(planner, builder *relaySession) {
	w.t.Helper()
	planner.wantCount("# relay: planner", 1)
	planner.wantCount("# relay: builder", 0)
	builder.wantCount("# relay: builder", 1)
	builder.wantCount("# relay: planner", 0)
	planner.wantCount(relayGoal, 1)
	builder.wantCount(relayGoal, 0)
	for n := 1; n <= 3; n++ {
		builder.wantCount(round(n, "planner", step(n)), 1)
		planner.wantCount(round(n, "builder", report(n)), 1)
	}
	planner.wantDeliveries(3)
	builder.wantDeliveries(3)
	planner.wantTurns(4)
	builder.wantTurns(3)
	planner.wantPrompts(relayGoal, round(1, "builder", report(1)), round(2, "builder", report(2)), round(3, "builder", report(3)))
	builder.wantPrompts(round(1, "planner", step(1)), round(2, "planner", step(2)), round(3, "planner", step(3)))
	w.wantNoSecrets()
}

// wantTurns fails the test unless the model was asked that often.
func (s *relaySession) wantTurns(want int) {
	s.t.Helper()
	if got := len(s.server.Turns()); got != want {
		s.t.Errorf("%s: the model was asked %d times, want %d\n%s", s.label, got, want, s.conversation())
	}
}

// wantPrompts fails the test unless these were the user's turns. Where mods are
// off, each is what an automatic event carries.
func (s *relaySession) wantPrompts(want ...string) {
	s.t.Helper()
	got := s.prompts()
	matches := func(got, want string) bool {
		return got == want || s.off && strings.Contains(got, "<task-notification>") && strings.Contains(got, want)
	}
	if !slices.EqualFunc(got, want, matches) {
		s.t.Errorf("%s: the user's turns are %q, want %q\n%s", s.label, got, want, s.conversation())
	}
}

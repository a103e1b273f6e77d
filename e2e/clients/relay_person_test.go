//go:build clients

package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const draft = "half a thought about gulls"

// eachTransport runs a test with the mod in the builder, and without.
func eachTransport(t *testing.T, test func(t *testing.T, off bool)) {
	t.Run("mod bridge", func(t *testing.T) { test(t, false) })
	t.Run("hook transport", func(t *testing.T) { test(t, true) })
}

func TestRelayPerson_KeepsADraftWhileADeliveryArrives(t *testing.T) {
	eachTransport(t, func(t *testing.T, off bool) {
		w := newRelayWorld(t)
		planner := w.startRelay("planner", relayStart{repo: "a"})
		builder := w.startRelay("builder", relayStart{repo: "b", modsOff: off})
		release := planner.whenToldHeld(relayGoal, "<handoff>"+step(1)+"</handoff>")
		w.scriptRounds(planner, builder, 1)
		w.pairUp(planner, builder, "")
		planner.goal(relayGoal)
		planner.told(relayGoal)
		builder.typed(draft)
		release()
		planner.see("▰▱▱▱▱▱▱▱▱▱ 1/10 · done")
		builder.wantDraft(draft)
		builder.wantCount(draft, 0)

		builder.keys("\r")
		builder.idleAfter(builder.told(draft))
		builder.wantCount(draft, 1)
		builder.wantCount(round(1, "planner", step(1)), 1)
		builder.wantTurns(2)
		planner.wantDeliveries(1)
	})
}

func TestRelayPerson_SpeaksWhileTheStepIsWorkedOn(t *testing.T) {
	eachTransport(t, func(t *testing.T, off bool) {
		w := newRelayWorld(t)
		planner := w.startRelay("planner", relayStart{repo: "a"})
		builder := w.startRelay("builder", relayStart{repo: "b", modsOff: off})
		release := builder.whenToldHeld(round(1, "planner", step(1)), "<handoff>"+report(1)+"</handoff>")
		w.scriptRounds(planner, builder, 2)
		aside := builder.whenToldHeld("cue-aside", "I have heard it.")
		w.pairUp(planner, builder, "")
		planner.goal(relayGoal)
		builder.told(round(1, "planner", step(1)))
		builder.submit("cue-aside mind the terns")
		builder.typed(draft)
		release()
		builder.told("cue-aside")
		// The next step arrives while the model answers the person.
		planner.told(round(1, "builder", report(1)))
		builder.waitLine("2/10")
		builder.wantDraft(draft)
		aside()
		planner.see("▰▰▱▱▱▱▱▱▱▱ 2/10 · done")
		builder.wantDraft(draft)
		builder.wantCount("cue-aside mind the terns", 1)
		builder.wantCount(round(1, "planner", step(1)), 1)
		builder.wantCount(round(2, "planner", step(2)), 1)
		builder.wantDeliveries(2)
		builder.wantTurns(3)
		planner.wantCount(round(1, "builder", report(1)), 1)
		planner.wantCount(round(2, "builder", report(2)), 1)
		planner.wantDeliveries(2)
	})
}

func TestRelayPerson_IsAnsweredWhileADeliveryArrivesBetweenTwoToolCalls(t *testing.T) {
	eachTransport(t, func(t *testing.T, off bool) {
		w := newRelayWorld(t)
		planner := w.startRelay("planner", relayStart{repo: "a"})
		builder := w.startRelay("builder", relayStart{repo: "b", modsOff: off, args: []string{"--allowedTools", "Bash"}})
		release := planner.whenToldHeld(relayGoal, "<handoff>"+step(1)+"</handoff>")
		w.scriptRounds(planner, builder, 1)
		gate := filepath.Join(w.outside, "gate")
		builder.whenToldRun("cue-tool", "wait", "until [ -e '"+gate+"' ]; do sleep 0.1; done; echo the gate is open")
		w.pairUp(planner, builder, "")
		planner.goal(relayGoal)
		planner.told(relayGoal)
		builder.submit("cue-tool wait for the gate")
		builder.told("cue-tool")
		builder.typed(draft)
		release()
		builder.waitClaimed()
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		planner.see("▰▱▱▱▱▱▱▱▱▱ 1/10 · done")
		wantText(t, "the tool's result", builder.toldResult("wait"), "the gate is open")
		builder.wantDraft(draft)
		builder.wantCount("cue-tool wait for the gate", 1)
		builder.wantCount(round(1, "planner", step(1)), 1)
		builder.wantDeliveries(1)
		builder.wantCount("# relay: builder", 1)
		planner.wantCount(round(1, "builder", report(1)), 1)
		planner.wantDeliveries(1)
	})
}

// wantDraft fails the test unless the prompt, the last thing that a screen marks
// so, holds what was typed.
func (s *relaySession) wantDraft(text string) {
	s.t.Helper()
	s.await("the draft "+text, func() bool {
		screen := s.term.Screen()
		return holdsText(screen[max(0, strings.LastIndex(screen, "❯")):], text)
	})
}

// waitClaimed waits until a delivery to the builder has been claimed.
func (s *relaySession) waitClaimed() {
	s.t.Helper()
	s.await("a claimed delivery", func() bool {
		claimed := false
		s.w.eachState(func(name string, _ []byte) {
			claimed = claimed || strings.Contains(name, "/builder/taken/")
		})
		return claimed
	})
}

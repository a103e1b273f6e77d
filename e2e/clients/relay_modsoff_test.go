//go:build clients

package clients_test

import (
	"strings"
	"testing"
)

func TestRelayModsOff_InBothSessions(t *testing.T) {
	w := newRelayWorld(t)
	w.playThreeRounds(relayStart{repo: "a", modsOff: true}, relayStart{repo: "b", modsOff: true})
}

func TestRelayModsOff_ByAPluginThatNamesNoModule(t *testing.T) {
	w := newRelayWorld(t)
	without := w.copyWithoutMod("plugin without mod")
	w.playThreeRounds(relayStart{repo: "a", plugin: without}, relayStart{repo: "b", plugin: without})
}

func TestRelayModsOff_InTheBuilderAlone(t *testing.T) {
	w := newRelayWorld(t)
	w.playThreeRounds(relayStart{repo: "a"}, relayStart{repo: "b", modsOff: true})
}

func TestRelayModsOff_InThePlannerAlone(t *testing.T) {
	w := newRelayWorld(t)
	w.playThreeRounds(relayStart{repo: "a", modsOff: true}, relayStart{repo: "b"})
}

// playThreeRounds has two sessions go through three rounds, and fails the test
// unless each model was told in the way of its transport what belongs to them.
func (w *relayWorld) playThreeRounds(atPlanner, atBuilder relayStart) {
	w.t.Helper()
	planner := w.startRelay("planner", atPlanner)
	builder := w.startRelay("builder", atBuilder)
	w.scriptRounds(planner, builder, 3)
	w.pairUp(planner, builder, "")
	planner.goal(relayGoal)
	planner.waitLine("▰▰▰▱▱▱▱▱▱▱ 3/10 · done")
	builder.waitLine("▰▰▰▱▱▱▱▱▱▱ 3/10 · done")
	for _, s := range []*relaySession{planner, builder} {
		if s.off {
			s.wantNotAttached()
			s.wantCount("labelled as automatic events", 1)
			continue
		}
		s.see("▰▰▰▱▱▱▱▱▱▱ 3/10 · done")
		s.wantCount("labelled as automatic events", 0)
	}
	w.wantThreeRounds(planner, builder)
}

// waitLine waits until `relay status --line`, in a plain terminal, says text of
// this session.
func (s *relaySession) waitLine(text string) {
	s.t.Helper()
	line := ""
	s.await("the status line "+text, func() bool {
		line = s.w.quietly("status", "--line", "--session", s.id())
		return strings.Contains(line, text)
	})
}

// wantNotAttached fails the test when the session's mod has run anything: then
// the hook transport has not been tried.
func (s *relaySession) wantNotAttached() {
	s.t.Helper()
	s.w.eachState(func(name string, _ []byte) {
		if strings.HasPrefix(name, "attached/"+s.id()) {
			s.t.Errorf("%s: a mod is attached", s.label)
		}
	})
}

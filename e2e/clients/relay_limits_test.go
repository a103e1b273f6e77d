//go:build clients

package clients_test

import (
	"strings"
	"testing"
)

func TestRelay_HoldsTheStepPastTheLimit(t *testing.T) {
	w := newRelayWorld(t)
	planner := w.startRelay("planner", relayStart{repo: "a"})
	builder := w.startRelay("builder", relayStart{repo: "b"})
	w.scriptRounds(planner, builder, 5)
	w.pairUp(planner, builder, "--max-rounds 2")
	planner.goal(relayGoal)
	planner.see("▰▰▰▰▰▰▰▰▰▰ 2/2 · paused: the round limit is reached")
	builder.see("▰▰▰▰▰▰▰▰▰▰ 2/2 · paused: the round limit is reached")
	wantText(t, "the status", w.quietly("status", "--session", planner.id()), "held: "+step(3))
	builder.wantCount(step(3), 0)

	planner.relay("resume")
	planner.see("▰▰▰▰▰▰▰▰▰▰ 4/4 · paused: the round limit is reached")
	builder.wantCount(round(3, "planner", step(3)), 1)
	builder.wantCount(round(4, "planner", step(4)), 1)
	builder.wantDeliveries(4)
	wantText(t, "the status", w.quietly("status", "--session", builder.id()), "held: "+step(5))

	builder.relay("resume")
	planner.see("▰▰▰▰▰▰▰▰▱▱ 5/6 · done")
	builder.see("▰▰▰▰▰▰▰▰▱▱ 5/6 · done")
	builder.wantCount(round(5, "planner", step(5)), 1)
	builder.wantDeliveries(5)
	planner.wantDeliveries(5)
	w.wantNoSecrets()
}

func TestRelay_TakesTheSmallerLimitOfBothSides(t *testing.T) {
	w := newRelayWorld(t)
	planner := w.startRelay("planner", relayStart{repo: "a"})
	builder := w.startRelay("builder", relayStart{repo: "b", modsOff: true})
	w.scriptRounds(planner, builder, 2)
	planner.relay("planner " + builder.id() + " --max-rounds 7")
	planner.see("asked " + builder.row.Name)
	builder.relay("builder " + planner.id() + " --max-rounds 1")
	builder.see("linked with " + planner.row.Name)
	planner.goal(relayGoal)
	planner.see("▰▰▰▰▰▰▰▰▰▰ 1/1 · paused: the round limit is reached")
	builder.wantDeliveries(1)
	w.relay("resume", "--session", planner.id())
	planner.see("▰▰▰▰▰▰▰▰▰▰ 2/2 · done")
	builder.wantDeliveries(2)
}

func TestRelay_HoldsUntilTheLinkIsAccepted(t *testing.T) {
	w := newRelayWorld(t)
	planner := w.startRelay("planner", relayStart{repo: "a"})
	builder := w.startRelay("builder", relayStart{repo: "b"})
	w.scriptRounds(planner, builder, 1)
	planner.relay("planner " + builder.id())
	planner.see("asked " + builder.row.Name + " to be the builder")
	builder.see(planner.row.Name+" asks you to be the builder", "/relay builder "+planner.id())
	wantText(t, "the builder's status", w.quietly("status", "--session", builder.id()), planner.cwd)
	planner.goal(relayGoal)
	planner.see("paused: the other side has not accepted")
	wantText(t, "the status", w.quietly("status", "--session", planner.id()), "held: "+step(1))
	refused := w.relayFails("resume", "--session", planner.id())
	wantText(t, "the answer to resume", refused, "/relay builder "+planner.id())

	builder.relay("accept")
	builder.see("linked with " + planner.row.Name)
	planner.see("linked with " + builder.row.Name)
	builder.submit("cue-between what is new")
	builder.idleAfter(builder.told("cue-between"))
	builder.wantDeliveries(0)

	planner.relay("resume")
	planner.see("▰▱▱▱▱▱▱▱▱▱ 1/10 · done")
	builder.wantCount(round(1, "planner", step(1)), 1)
	builder.wantDeliveries(1)
	planner.wantDeliveries(1)
	w.wantNoSecrets()
}

func TestRelay_SaysThatTheLinkWasDeclined(t *testing.T) {
	w := newRelayWorld(t)
	planner := w.startRelay("planner", relayStart{repo: "a"})
	builder := w.startRelay("builder", relayStart{repo: "b"})
	planner.relay("planner " + builder.id())
	builder.see("asks you to be the builder")
	builder.relay("decline")
	planner.see(builder.row.Name + " declined")
	planner.see("· declined")
	wantText(t, "the status", w.quietly("status", "--session", planner.id()), "declined")
	wantText(t, "a late accept", w.relayFails("accept", "--session", builder.id()), "has not asked for a link")
	for _, s := range w.sessions {
		s.wantTurns(0)
	}
}

func TestRelay_AModelMustNotGiveConsent(t *testing.T) {
	w := newRelayWorld(t)
	planner := w.startRelay("planner", relayStart{repo: "a"})
	builder := w.startRelay("builder", relayStart{repo: "b", args: []string{"--allowedTools", "Bash(relay *)"}})
	planner.relay("planner " + builder.id())
	builder.see("asks you to be the builder")
	for tool, command := range map[string]string{
		"accept":   "relay accept",
		"builder":  "relay builder " + planner.id(),
		"named":    "relay accept --session " + builder.id(),
		"byprefix": "relay accept " + planner.id()[:8],
	} {
		builder.whenToldRun("cue-"+tool, tool, command)
		builder.submit("cue-" + tool)
		result := builder.toldResult(tool)
		wantText(t, command+" of a model", result, "/relay builder "+planner.id())
		wantText(t, command+" of a model", result, "relay accept --session "+builder.id())
		builder.idleAfter(builder.told("cue-" + tool))
	}
	if line := w.quietly("status", "--line", "--session", planner.id()); !strings.Contains(line, "asking") {
		t.Errorf("the link is no longer asking: %s", line)
	}
	w.wantNoSecrets()
}

//go:build clients

package clients_test

import (
	"strings"
	"testing"
)

func TestRelayEdge_InterruptedTurnSendsNothing(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{})
	w.interruptedTurn(planner, builder)
}

func TestRelayEdge_InterruptedTurnSendsNothingWithModsOff(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{modsOff: true})
	w.interruptedTurn(planner, builder)
}

func (w *relayWorld) interruptedTurn(planner, builder *relaySession) {
	planner.whenTold(relayGoal, "<handoff>"+step(1)+"</handoff>")
	release := builder.whenToldEndHeld(round(1, "planner", step(1)), "The piles are in.\n\n<handoff>half a report</handoff>\n\nThat is all of it.")
	defer release()
	builder.whenTold("cue-finish", "<handoff>"+report(1)+"</handoff>")
	planner.whenTold(round(1, "builder", report(1)), "<done>it stands</done>")
	planner.goal(relayGoal)
	builder.told(round(1, "planner", step(1)))
	builder.see("That is all of it.")
	builder.keys(escape)
	builder.see("Interrupted")
	builder.never("the interrupted turn sent something", quiet, func() bool {
		return builder.status().sends("builder") != 0 || planner.anyTurnHolds("half a report")
	})
	wantText(w.t, "the builder's status", w.relay("status", "--session", builder.id()), "interrupted, waits for its person")
	builder.submit("cue-finish it")
	planner.await("done", func() bool { return planner.status().Phase == "done" })
	planner.wantDeliveries(1)
	planner.wantCount("half a report", 0)
	builder.wantDeliveries(1)
}

func TestRelayEdge_FailedTurnSendsNothing(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{})
	w.failedTurn(planner, builder)
}

func TestRelayEdge_FailedTurnSendsNothingWithModsOff(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{modsOff: true})
	w.failedTurn(planner, builder)
}

func (w *relayWorld) failedTurn(planner, builder *relaySession) {
	planner.whenTold(relayGoal, "<handoff>"+step(1)+"</handoff>")
	builder.whenTold("cue-again", "<handoff>"+report(1)+"</handoff>")
	planner.whenTold(round(1, "builder", report(1)), "<done>it stands</done>")
	builder.failed.Store(true)
	planner.goal(relayGoal)
	builder.see("no such tide")
	builder.never("the failed turn sent something", quiet, func() bool { return builder.status().sends("builder") != 0 })
	builder.failed.Store(false)
	builder.submit("cue-again please")
	planner.await("done", func() bool { return planner.status().Phase == "done" })
	planner.wantDeliveries(1)
	builder.wantDeliveries(1)
}

func TestRelayEdge_BlockWaitsForTheSubagent(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{})
	w.subagentRuns(planner, builder)
}

func TestRelayEdge_BlockWaitsForTheSubagentWithModsOff(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{modsOff: true})
	w.subagentRuns(planner, builder)
}

func (w *relayWorld) subagentRuns(planner, builder *relaySession) {
	planner.whenTold(relayGoal, "<handoff>"+step(1)+"</handoff>")
	release := builder.whenToldHeld("cue-sub", "the water is low <handoff>not this one</handoff>")
	builder.whenTold("<task-notification>\n<task-id>", "Noted.")
	builder.whenToldCall(round(1, "planner", step(1)), "toolu_agent", "Agent", fields{
		"description": "look", "prompt": "cue-sub please", "subagent_type": "general-purpose", "run_in_background": true,
	})
	builder.whenTold("launched", "<handoff>"+report(1)+"</handoff>")
	planner.whenTold(round(1, "builder", report(1)), "<done>it stands</done>")
	planner.goal(relayGoal)
	builder.waitRequest("the agent's launch", hasResult("toolu_agent"))
	builder.await("the record of the turn's end", func() bool { return strings.Contains(w.state(), `"waiting": true`) })
	builder.never("the block went before its subagent ended", quiet, func() bool { return builder.status().sends("builder") != 0 })
	release()
	planner.await("done", func() bool { return planner.status().Phase == "done" })
	planner.wantDeliveries(1)
	planner.wantCount("not this one", 0)
}

// refusing is a Stop hook that refuses every end that says FIRST.
const refusing = `if grep -q FIRST; then echo the tests fail >&2; exit 2; fi`

func TestRelayEdge_AnotherStopHookRefusesTheReport(t *testing.T) {
	w := newRelayWorld(t)
	guard := w.hookPlugin("guard", "Stop", refusing)
	planner := w.startRelay("planner", relayStart{repo: "a"})
	builder := w.startRelay("builder", relayStart{repo: "b", more: []string{guard}})
	w.pairUp(planner, builder, "")
	planner.whenTold(relayGoal, "<handoff>"+step(1)+"</handoff>")
	builder.whenTold(round(1, "planner", step(1)), "<handoff>FIRST report</handoff>")
	release := builder.whenToldHeld("the tests fail", "<handoff>SECOND report</handoff>")
	planner.whenTold("SECOND report", "<done>it stands</done>")
	planner.goal(relayGoal)
	builder.told("the tests fail")
	builder.never("the refused report went", quiet, func() bool { return builder.status().sends("builder") != 0 })
	release()
	planner.see("1/10 · done")
	planner.wantCount("FIRST report", 0)
	planner.wantCount(round(1, "builder", "SECOND report"), 1)
	planner.wantDeliveries(1)
	builder.wantDeliveries(1)
}

func TestRelayEdge_AnotherStopHookRefusesTheReportWithModsOff(t *testing.T) {
	w := newRelayWorld(t)
	guard := w.hookPlugin("guard", "Stop", refusing)
	planner := w.startRelay("planner", relayStart{repo: "a", modsOff: true})
	builder := w.startRelay("builder", relayStart{repo: "b", modsOff: true, more: []string{guard}})
	w.pairUp(planner, builder, "")
	planner.whenTold(relayGoal, "<handoff>"+step(1)+"</handoff>")
	builder.whenTold(round(1, "planner", step(1)), "<handoff>FIRST report</handoff>")
	release := builder.whenToldHeld("the tests fail", "<handoff>SECOND report</handoff>")
	planner.whenTold("SECOND report", "<handoff>"+step(2)+"</handoff>")
	planner.whenTold("FIRST report", "I wait for more.")
	builder.whenTold(round(2, "planner", step(2)), "<handoff>"+report(2)+"</handoff>")
	planner.whenTold(round(2, "builder", report(2)), "<done>it stands</done>")
	planner.goal(relayGoal)
	builder.told("the tests fail")
	planner.idleAfter(planner.told(round(1, "builder", "FIRST report")))
	release()
	planner.await("done", func() bool { return planner.status().Phase == "done" })
	planner.wantCount(round(1, "builder", "FIRST report"), 1)
	planner.wantCount(round(1, "builder", "SECOND report"), 1)
	planner.wantDeliveries(3)
	builder.wantDeliveries(2)
	w.wantNoSecrets()
}

func TestRelayEdge_SecondBlockIsSetAsideWhileTheBuilderWorks(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{})
	w.secondBlock(planner, builder)
}

func TestRelayEdge_SecondBlockIsSetAsideWhileTheBuilderWorksWithModsOff(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{modsOff: true}, relayStart{modsOff: true})
	w.secondBlock(planner, builder)
}

func (w *relayWorld) secondBlock(planner, builder *relaySession) {
	planner.whenTold(relayGoal, "<handoff>"+step(1)+"</handoff>")
	release := builder.whenToldHeld(round(1, "planner", step(1)), "<handoff>"+report(1)+"</handoff>")
	planner.whenTold("cue-more", "<handoff>hasty step</handoff>")
	planner.whenTold(round(1, "builder", report(1)), "<done>it stands</done>")
	planner.goal(relayGoal)
	builder.told(round(1, "planner", step(1)))
	planner.submit("cue-more work")
	planner.see("it is not this side's turn")
	wantText(w.t, "the status", w.relay("status", "--session", planner.id()), "hasty step")
	builder.never("the block that was set aside went", quiet, func() bool { return planner.status().sends("planner") != 1 })
	release()
	planner.await("done", func() bool { return planner.status().Phase == "done" })
	builder.wantCount("hasty step", 0)
	builder.wantDeliveries(1)
	planner.wantDeliveries(1)
}

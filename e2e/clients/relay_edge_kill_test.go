//go:build clients

package clients_test

import (
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
)

const (
	diedMidTurn = "the session ended in the middle of a turn"
	begun       = "step 1: draw the pier"
)

// pausedAt returns when the link of the state was paused first.
func (w *relayWorld) pausedAt() time.Time {
	w.t.Helper()
	var at time.Time
	w.eachState(func(name string, content []byte) {
		if !strings.Contains(name, "/events/") || !strings.Contains(string(content), `"kind": "paused"`) {
			return
		}
		_, rest, _ := strings.Cut(string(content), `"at": "`)
		stamp, _, _ := strings.Cut(rest, `"`)
		if t, err := time.Parse(time.RFC3339Nano, stamp); err == nil && (at.IsZero() || t.Before(at)) {
			at = t
		}
	})
	return at
}

func TestRelayEdge_KilledInMidTurn(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{})
	w.killedInMidTurn(planner, builder, relayStart{})
}

func TestRelayEdge_KilledInMidTurnWithModsOff(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{modsOff: true})
	w.killedInMidTurn(planner, builder, relayStart{modsOff: true})
}

func (w *relayWorld) killedInMidTurn(planner, builder *relaySession, again relayStart) {
	t := w.t
	planner.whenTold(relayGoal, "<handoff>"+begun+"</handoff>")
	release := builder.whenToldHeld(round(1, "planner", begun), "<handoff>"+report(1)+"</handoff>")
	planner.whenTold(round(1, "builder", report(1)), "<done>it stands</done>")
	planner.goal(relayGoal)
	builder.told(round(1, "planner", begun))
	// The gate has noted it before the model is asked.
	if st := builder.status(); len(st.Deliveries) != 2 || st.Deliveries[1].Receipt != "shown" {
		t.Fatalf("the step is %+v", st.Deliveries)
	}

	killed := time.Now()
	builder.kill()
	release()
	planner.see("paused: " + diedMidTurn)
	if took := w.pausedAt().Sub(killed); took > 3*time.Second {
		t.Errorf("the pause came %s after the kill", took)
	}
	planner.await("the end of what the builder's client ran", func() bool { return len(w.ours()) == 1 && w.attaches(planner.id()) == 1 })

	planner.relay("resume")
	planner.see("claude --resume " + builder.id())
	planner.see("paused: " + diedMidTurn)

	builder.comeBack(again)
	turns := len(builder.server.Turns())
	builder.never("something moved by itself", quiet, func() bool {
		return len(builder.server.Turns()) != turns || len(planner.status().Pauses) == 0
	})
	planner.relay("resume")
	planner.see("1/10 · done")
	if !builder.off {
		builder.see("1/10 · done")
	}
	if shown := len(builder.server.Turns()) - turns; shown != 1 {
		t.Errorf("the builder's model was asked %d times after the resumption", shown)
	}
	// The client may have kept the turn that died, or not.
	if r := builder.server.Turns()[turns]; strings.Count(r.LastText(), round(1, "planner", begun)) != 1 {
		t.Errorf("the step was not shown once again\n%s", builder.conversation())
	} else if !strings.Contains(r.LastText(), "# relay: builder") {
		t.Errorf("the role prompt that died with the turn did not come again\n%s", builder.conversation())
	}
	planner.wantCount(round(1, "builder", report(1)), 1)
	planner.wantDeliveries(1)
	w.wantNoSecrets()
}

func TestRelayEdge_KilledWhileTheDeliveryIsQueued(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{})
	w.killedWhileQueued(planner, builder, relayStart{})
}

func TestRelayEdge_KilledWhileTheDeliveryIsQueuedWithModsOff(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{modsOff: true})
	w.killedWhileQueued(planner, builder, relayStart{modsOff: true})
}

func (w *relayWorld) killedWhileQueued(planner, builder *relaySession, again relayStart) {
	t := w.t
	planner.whenTold(relayGoal, "<handoff>"+begun+"</handoff>")
	release := builder.whenToldHeld("cue-own", "Done that.")
	builder.whenTold(round(1, "planner", begun), "<handoff>"+report(1)+"</handoff>")
	planner.whenTold(round(1, "builder", report(1)), "<done>it stands</done>")
	builder.submit("cue-own work")
	builder.told("cue-own")
	planner.goal(relayGoal)
	builder.await("the claim of the step", func() bool {
		st := builder.status()
		return len(st.Deliveries) == 2 && st.Deliveries[1].Receipt == "taken"
	})
	builder.kill()
	release()
	planner.see("paused: the other session is gone")
	// A process that the dead client had started may have put the step back by now.
	if got := planner.status().Deliveries[1].Receipt; got != "unknown" && got != "queued" {
		t.Errorf("the receipt is %s, want unknown, or queued again", got)
	}
	builder.comeBack(again)
	turns := len(builder.server.Turns())
	builder.never("something moved by itself", quiet, func() bool { return len(builder.server.Turns()) != turns })
	planner.relay("resume")
	planner.see("1/10 · done")
	builder.wantCount(round(1, "planner", begun), 1)
	builder.wantCount("# relay: builder", 1)
	planner.wantDeliveries(1)
}

func TestRelayEdge_ClearBetweenRounds(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{}, relayStart{})
	w.clearedBetweenRounds(planner, builder)
}

func TestRelayEdge_ClearBetweenRoundsWithModsOff(t *testing.T) {
	w, planner, builder := newPair(t, relayStart{modsOff: true}, relayStart{modsOff: true})
	w.clearedBetweenRounds(planner, builder)
}

func (w *relayWorld) clearedBetweenRounds(planner, builder *relaySession) {
	t := w.t
	planner.whenTold(relayGoal, "<handoff>"+step(1)+"</handoff>")
	builder.whenTold(round(1, "planner", step(1)), "<handoff>"+report(1)+"</handoff>")
	release := planner.whenToldHeld(round(1, "builder", report(1)), "<handoff>"+step(2)+"</handoff>")
	builder.whenTold(round(2, "planner", step(2)), "<handoff>"+report(2)+"</handoff>")
	planner.whenTold(round(2, "builder", report(2)), "<done>it stands</done>")
	planner.goal(relayGoal)
	planner.told(round(1, "builder", report(1)))
	builder.wantCount("# relay: builder", 1)

	old := builder.id()
	builder.clear()
	if builder.off {
		builder.await("the link's new session", func() bool { return strings.Contains(w.state(), "sessions/"+builder.id()+".json") })
	} else {
		builder.await("one attach", func() bool { return w.attaches(builder.id()) == 1 && w.attaches(old) == 0 })
		builder.see("builder ⇄ " + planner.row.Name + " · ▰▱▱▱▱▱▱▱▱▱ 1/10")
	}
	release()
	builder.told(round(2, "planner", step(2)))
	planner.await("done", func() bool { return planner.status().Phase == "done" })
	builder.wantCount(round(1, "planner", step(1)), 0)
	builder.wantCount(round(2, "planner", step(2)), 1)
	builder.wantCount("# relay: builder", 1)
	builder.wantDeliveries(1)
	planner.wantDeliveries(2)
	if !builder.off {
		if n := w.attaches(builder.id()); n != 1 || w.attaches(old) != 0 {
			t.Errorf("%d attaches are left, %d of the old id", n, w.attaches(old))
		}
		builder.see("2/10 · done")
	}
	for _, id := range []string{old, builder.id()} {
		if strings.Contains(w.state(), "sessions/"+id+".json") != (id == builder.id()) {
			t.Errorf("session %s is not known as it should be\n%s", id, w.state())
		}
	}
	builder.waitRow("idle", func(r claude.Row) bool { return r.Status == "idle" })
	w.wantNoSecrets()
}

package relay_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// killedAt runs a process and kills it before its n-th step; false where it has
// ended by then.
func (w *world) killedAt(n int, body func(relay.Operator)) bool {
	r := w.begin(body)
	for range n {
		if r.over {
			return false
		}
		r.step()
	}
	if r.over {
		return false
	}
	r.kill()
	return true
}

// atEachStep has a test begin anew for every step at which a process may die.
func atEachStep(t *testing.T, test func(t *testing.T, die func(w *world, body func(relay.Operator)))) {
	t.Helper()
	for n := 0; ; n++ {
		died := true
		t.Run(fmt.Sprintf("step %d", n), func(t *testing.T) {
			test(t, func(w *world, body func(relay.Operator)) { died = w.killedAt(n, body) })
		})
		if !died {
			if n < 3 {
				t.Errorf("the process took %d steps: nothing was tested", n)
			}
			return
		}
	}
}

func TestStop_ThatDiedSendsOnceWhenTheNextHookRuns(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := working(t)
		turn := relay.Turn{Prompt: p.planner.prompt, Message: block("step 1")}
		die(p.world, func(o relay.Operator) { _, _ = o.Stop(p.planner.input("", ""), turn) })
		recorded := kinds(p.planner.log(t).Events[relay.Planner])[relay.Recorded] == 1
		p.planner.says(t, "hello?") // the next hook
		if !recorded {
			p.planner.prompt = turn.Prompt
			p.planner.stops(t, turn.Message) // nobody could know of it
		}
		text, _ := p.builder.receives(t)
		is.Equal(text, header+"step 1")  // not lost
		is.Equal(p.builder.woken(t), "") // once
		is.Equal(p.planner.state(t).Round(), 1)
	})
}

func TestGoal_ThatDiedIsShownOnceWhenTheNextHookRuns(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := linked(t, relay.Terms{}, relay.Terms{})
		die(p.world, func(o relay.Operator) { _, _ = o.Goal(p.planner.speaker(), "Build it", false) })
		if p.planner.state(t).Goal() == "" {
			must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t) // its person types it again
		}
		p.planner.says(t, "hello?")
		text, _ := p.planner.receives(t)
		is.Equal(text, "Build it")       // not lost
		is.Equal(p.planner.woken(t), "") // once
	})
}

func TestResume_ThatDiedIsFinishedByTheNext(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := linked(t, relay.Terms{MaxRounds: 1}, relay.Terms{})
		p.goal(t, "Build it")
		p.round(t, "step 1", "report 1")
		p.planner.stops(t, block("step 2"))
		die(p.world, func(o relay.Operator) { _, _ = o.Resume(p.planner.speaker()) })
		p.resume(t, p.builder)
		p.planner.says(t, "hello?")
		text, _ := p.builder.receives(t)
		is.Equal(text, "[relay round 2 · from planner]\n\nstep 2") // not lost
		is.Equal(p.builder.woken(t), "")                           // once
		is.Equal(p.planner.state(t).Allowed(), 2)                  // granted once
	})
}

func TestResume_ThatDiedShowsAnInterruptedStepAgainOnce(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := reporting(t)
		p.builder.kill()
		p.watched(t)
		p.builder.comeBack(t)
		die(p.world, func(o relay.Operator) { _, _ = o.Resume(p.builder.speaker()) })
		p.resume(t, p.planner)
		p.planner.says(t, "hello?")
		text, _ := p.builder.receives(t)
		is.Equal(text, header+"step 1")  // shown again
		is.Equal(p.builder.woken(t), "") // once
		is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Again], 1)
	})
}

func TestAccept_ThatDiedIsFinishedByTheNext(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := asked(t)
		die(p.world, func(o relay.Operator) { _, _ = o.Accept(p.builder.speaker(), "", relay.Terms{}) })
		_, err := p.operator(nil).Accept(p.builder.speaker(), "", relay.Terms{})
		is.True(err == nil || refusal(err) == relay.SayAlreadyLinked) // finished, or it was
		is.True(p.planner.state(t).Accepted())                        // linked
		is.Equal(p.store.members[builderID].Role, relay.Builder)      // on both sides
		is.Equal(p.store.members[builderID].Link, p.store.members[plannerID].Link)
		is.Equal(len(p.planner.log(t).Events[relay.Builder]), 1) // once
	})
}

func TestBell_ThatDiedWithItsClientShowsTheStepOnce(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := working(t)
		p.planner.stops(t, block("step 1"))
		die(p.world, func(o relay.Operator) { _, _ = o.Bell(p.builder.input("", ""), "/state/bells/"+builderID) })
		p.builder.comeBack(t)
		p.watched(t)
		if len(p.paused(t)) > 0 {
			p.resume(t, p.planner)
		}
		text, _ := p.builder.receives(t)
		is.Equal(text, header+"step 1")  // not lost
		is.Equal(p.builder.woken(t), "") // once
	})
}

func TestCorrection_ThatDiedArrivesAloneOrAfterTheFirst(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := reporting(t)
		p.builder.stops(t, block("FIRSTREPORT"))
		turn := relay.Turn{Prompt: p.builder.prompt, Message: block("SECONDREPORT")}
		die(p.world, func(o relay.Operator) { _, _ = o.Stop(p.builder.input("", ""), turn) })
		p.builder.stops(t, turn.Message) // wired twice
		text, _ := p.planner.receives(t)
		is.Equal(text, "[relay round 1 · from builder]\n\nSECONDREPORT") // the second
		is.Equal(p.planner.woken(t), "")                                 // alone
	})
}

func TestResume_ThatDiedSendsOneOfSeveralHeldBlocks(t *testing.T) {
	atEachStep(t, func(t *testing.T, die func(*world, func(relay.Operator))) {
		is := is.New(t)
		p := working(t)
		must(p.operator(nil).Pause(p.planner.speaker()))(t)
		p.planner.stops(t, block("step 1"))
		p.planner.says(t, "or rather")
		p.planner.stops(t, block("step 1b"))
		die(p.world, func(o relay.Operator) { _, _ = o.Resume(p.planner.speaker()) })
		p.resume(t, p.builder)
		p.builder.start(t, "resume") // some hook of the other side
		if text := p.builder.woken(t); text != "" {
			p.builder.says(t, wake("Delivery from changeover:\n", text))
			p.builder.stops(t, block("report 1"))
			p.planner.receives(t)
		}
		p.planner.says(t, "hm")
		p.builder.woken(t)
		for _, d := range p.planner.state(t).Deliveries(relay.Planner) {
			is.True(d.Text != "step 1b") // it was not its turn any more
		}
		is.Equal(p.planner.state(t).Round(), 1)
	})
}

package relay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

func TestPause_HoldsTheRunningTurnsHandoff(t *testing.T) {
	is := is.New(t)
	p := working(t)
	out := must(p.operator(nil).Pause(p.builder.speaker()))(t)
	is.Equal(out.Lines(), []string{"paused; a running turn is not cut, its handoff is held. relay resume goes on"})
	p.planner.stops(t, block("step 1"))
	is.Equal(p.builder.woken(t), "") // held
	status := must(p.operator(nil).Status(plannerID))(t)
	is.True(strings.Contains(strings.Join(status.Lines(), "\n"), "held: step 1")) // status shows its first line
	p.resume(t, p.planner)
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1") // goes on
}

func TestPause_KeepsADeliveryWhereItLies(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	must(p.operator(nil).Pause(p.planner.speaker()))(t)
	is.Equal(p.builder.woken(t), "") // not claimed
	p.store.takeRings()
	p.resume(t, p.builder)
	is.Equal(p.store.takeRings()[0], builderID) // rung again
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1")
}

func TestPauseAndResume_AreIdempotent(t *testing.T) {
	is := is.New(t)
	p := working(t)
	must(p.operator(nil).Pause(p.planner.speaker()))(t)
	out := must(p.operator(nil).Pause(p.builder.speaker()))(t)
	is.Equal(out.Lines(), []string{"the link is paused already: relay resume goes on"}) // says so
	is.Equal(len(p.paused(t)), 1)                                                       // one pause
	p.resume(t, p.builder)
	is.Equal(p.resume(t, p.planner), []string{"the link is not paused"}) // says so, no error
}

// Work that is done has nothing to pause, and nothing reads as paused.
func TestPause_OfWorkThatIsDoneSaysSo(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, "<done>all of it</done>")
	is.Equal(p.planner.state(t).Phase, relay.IsDone)
	out := must(p.operator(nil).Pause(p.builder.speaker()))(t)
	is.Equal(out.Lines(), []string{"the work is done, so there is nothing to pause: relay goal <text> starts the next"})
	is.Equal(len(p.paused(t)), 0)
}

func TestResume_TwiceAtOnceGrantsOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := linked(t, relay.Terms{MaxRounds: 1}, relay.Terms{})
		p.goal(t, "Build it")
		p.round(t, "step 1", "report 1")
		p.planner.stops(t, block("step 2"))
		resume := func(c *client) *running {
			return p.begin(func(o relay.Operator) {
				if _, err := o.Resume(c.speaker()); err != nil {
					rt.Fatal(err)
				}
			})
		}
		finish(choices(rt), resume(p.planner), resume(p.builder))
		s := p.planner.state(t)
		if s.Allowed() != 2 || len(s.Pauses()) != 0 || s.Round() != 2 || len(s.Deliveries(relay.Planner)) != 3 {
			rt.Fatalf("allowed %d, %d pauses, round %d, %d deliveries", s.Allowed(), len(s.Pauses()), s.Round(), len(s.Deliveries(relay.Planner)))
		}
	})
}

func TestPause_SeveralHeldBlocksGoInTheirOrderAndNoneIsLost(t *testing.T) {
	is := is.New(t)
	p := working(t)
	must(p.operator(nil).Pause(p.planner.speaker()))(t)
	p.planner.stops(t, block("step 1"))
	p.planner.says(t, "or rather")
	p.planner.stops(t, block("step 1b"))
	is.Equal(len(p.paused(t)), 3) // the person's, and one for each block
	p.resume(t, p.planner)
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1")                              // the first that was held
	is.Equal(p.planner.state(t).Aside(relay.Planner), "step 1b") // the second was not its turn any more
	p.builder.stops(t, block("report 1"))
	p.planner.receives(t)
	p.planner.says(t, "hm")
	is.Equal(p.builder.woken(t), "") // it is not sent by itself
	p.planner.stops(t, block("step 2"))
	text, _ = p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nstep 2") // the next one is
}

func TestUnaccepted_HoldsAndGoesAtResumeOnceAccepted(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	p.goal(t, "Build it")
	p.planner.stops(t, block("step 1"))
	_, err := p.operator(nil).Resume(p.planner.speaker())
	is.Equal(refusal(err), relay.SayNotAccepted)                                     // not yet
	is.True(strings.Contains(inWords(err), " /changeover:relay builder "+plannerID)) // what the other person types
	p.builder.attach()
	_, err = p.operator(nil).Resume(p.planner.speaker())
	is.True(strings.Contains(inWords(err), " /relay builder "+plannerID)) // where its mod runs
	delete(p.store.attachments, builderID)
	must(p.operator(nil).Accept(p.builder.speaker(), "", relay.Terms{}))(t)
	p.planner.says(t, "are we there?")
	p.builder.start(t, "resume")
	is.Equal(p.builder.woken(t), "") // never by itself
	p.resume(t, p.planner)
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1") // by a person
}

func TestUnaccepted_DeclinedHoldsForGood(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	p.goal(t, "Build it")
	p.planner.stops(t, block("step 1"))
	must(p.operator(nil).Decline(p.builder.speaker(), ""))(t)
	_, err := p.operator(nil).Resume(p.planner.speaker())
	is.Equal(refusal(err), relay.SayNotLinked) // over
	line, tone := p.planner.state(t).Band(relay.Planner, "build", relay.CatalogueOf("en"))
	is.True(strings.HasSuffix(line, "· declined")) // the band says so
	is.Equal(tone, relay.ToneDone)
}

// watched has the planner's side look who is there.
func (p pair) watched(t *testing.T) {
	t.Helper()
	must(p.operator(nil).Watch(p.store.members[plannerID]))(t)
}

func TestGone_InTheMiddleOfATurnShowsTheStepAgainOncePerResume(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	for n := 1; n <= 3; n++ {
		p.builder.kill()
		p.watched(t)
		p.watched(t)
		is.Equal(p.paused(t), []relay.Reason{relay.TurnDied}) // paused once
		_, err := p.operator(nil).Resume(p.planner.speaker())
		is.Equal(refusal(err), relay.SayBringBack)                            // dead: stays paused
		is.True(strings.Contains(inWords(err), "claude --resume "+builderID)) // how to bring it back
		is.Equal(p.paused(t), []relay.Reason{relay.TurnDied})
		p.builder.comeBack(t)
		is.Equal(p.builder.woken(t), "") // nothing moves by itself
		p.resume(t, p.planner)
		text, role := p.builder.receives(t)
		is.Equal(text, header+"step 1")  // the same, same round
		is.True(role != "")              // the dead turn may not have kept what stood beside it
		is.Equal(p.builder.woken(t), "") // once
		is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Again], n)
	}
	p.builder.stops(t, block("report 1"))
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nreport 1") // the work goes on
	p.planner.stops(t, block("step 2"))
	text, _ = p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nstep 2")
}

func TestGone_ResumeTwiceAtOnceShowsTheStepAgainOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := reporting(t)
		p.builder.kill()
		p.watched(t)
		p.builder.comeBack(t)
		resume := func(c *client) *running {
			return p.begin(func(o relay.Operator) {
				if _, err := o.Resume(c.speaker()); err != nil {
					rt.Fatal(err)
				}
			})
		}
		finish(choices(rt), resume(p.planner), resume(p.builder))
		if text := p.builder.woken(t); text != header+"step 1" {
			rt.Fatalf("%q is shown", text)
		}
		if text := p.builder.woken(t); text != "" || kinds(p.builder.log(t).Events[relay.Builder])[relay.Again] != 1 {
			rt.Fatalf("%q is shown too", text)
		}
	})
}

func TestGone_WhileTheStepIsOnlyQueuedShowsItOnce(t *testing.T) {
	for _, taken := range []bool{false, true} {
		t.Run(fmt.Sprintf("taken %v", taken), func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			p.planner.stops(t, block("step 1"))
			if taken {
				p.builder.woken(t) // claimed, and its client dies before the turn starts
			}
			p.builder.kill()
			p.watched(t)
			is.Equal(p.paused(t), []relay.Reason{relay.PeerGone}) // paused
			p.builder.comeBack(t)
			is.Equal(p.builder.woken(t), "") // nothing moves by itself
			p.resume(t, p.planner)
			text, _ := p.builder.receives(t)
			is.Equal(text, header+"step 1")  // shown
			is.Equal(p.builder.woken(t), "") // once
			is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Again], 0)
		})
	}
}

func TestGone_BeforeTheHandoffHoldsIt(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.builder.kill()
	p.planner.stops(t, block("step 1"))
	s := p.planner.state(t)
	is.Equal(p.paused(t), []relay.Reason{relay.PeerGone}) // paused
	is.Equal(s.Held(s.Pauses()[0]), "step 1")             // held
	line, _ := s.Band(relay.Planner, "", relay.CatalogueOf("es"))
	is.True(strings.HasSuffix(line, "en pausa: la otra sesión ya no está (su proceso terminó)")) // why, in the reader's language
	p.builder.comeBack(t)
	p.resume(t, p.planner)
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1")
}

func TestGone_InEveryWay(t *testing.T) {
	tests := []struct {
		name string
		goes func(t *testing.T, p pair)
	}{
		{"dead", func(_ *testing.T, p pair) { p.builder.kill() }},
		{"another process at its number", func(_ *testing.T, p pair) { p.processes[p.builder.pid] = "another" }},
		{"ended", func(t *testing.T, p pair) { p.builder.end(t, "prompt_input_exit") }},
		{"switched to another conversation", func(t *testing.T, p pair) { p.builder.end(t, "resume") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			tt.goes(t, p)
			p.watched(t)
			is.Equal(p.paused(t), []relay.Reason{relay.PeerGone}) // paused
			p.builder.comeBack(t)
			p.resume(t, p.planner)
			is.Equal(len(p.paused(t)), 0) // goes on
			p.watched(t)
			is.Equal(len(p.paused(t)), 0) // and is there
		})
	}
}

func TestGone_BothSidesAreTwoPauses(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.kill() // in the turn of the goal
	p.builder.kill()
	p.watched(t)
	is.Equal(p.paused(t), []relay.Reason{relay.TurnDied, relay.PeerGone}) // both
	p.planner.comeBack(t)
	_, err := p.operator(nil).Resume(p.planner.speaker())
	is.True(strings.Contains(inWords(err), builderID)) // the other one is missing still
	p.builder.comeBack(t)
	p.resume(t, p.planner)
	text, _ := p.planner.receives(t)
	is.Equal(text, "Build it") // the goal again
}

func TestGone_AfterItsTurnEndedIsNotInTheMiddleOfIt(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.stops(t, "I need to ask something.") // no block: it waits for its person
	p.builder.kill()
	p.watched(t)
	is.Equal(p.paused(t), []relay.Reason{relay.PeerGone}) // no turn died
	p.builder.comeBack(t)
	p.resume(t, p.planner)
	is.Equal(p.builder.woken(t), "") // the step is in its conversation
	p.builder.says(t, "go on")
	p.builder.stops(t, block("report 1"))
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nreport 1")
}

func TestGone_AStepWhoseReportIsHeldIsNotShownAgain(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.kill()
	p.watched(t)
	p.builder.comeBack(t)
	p.builder.says(t, "go on") // its person does by hand what resume would
	p.builder.stops(t, block("report 1"))
	p.resume(t, p.planner)
	is.Equal(p.builder.woken(t), "") // the work is done
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nreport 1") // and reported
}

func TestGone_IsNobodysOnceTheWorkIsDone(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, "<done>all</done>")
	p.builder.kill()
	p.watched(t)
	is.Equal(len(p.paused(t)), 0)
}

func TestDone_LeavesNothingToTake(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.planner.says(t, "That will do")
	p.planner.stops(t, "<done>all</done>")
	is.Equal(p.planner.state(t).Phase, relay.IsDone) // done
	is.Equal(p.builder.woken(t), "")                 // nothing more
	p.planner.stops(t, block("step 2"))
	is.Equal(p.builder.woken(t), "")
}

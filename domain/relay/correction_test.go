package relay_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// reporting is a pair whose builder has the first step.
func reporting(t *testing.T) pair {
	t.Helper()
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.receives(t)
	return p
}

func TestCorrection_ReplacesAReportThatNobodyHasTaken(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.stops(t, block("FIRSTREPORT"))
	p.builder.stops(t, block("SECONDREPORT")) // the same prompt: another hook refused the first end
	waiting := 0
	for _, box := range p.builder.log(t).Boxes[relay.Planner] {
		if !box.Taken {
			waiting++
		}
	}
	is.Equal(waiting, 1) // one lies there
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nSECONDREPORT") // the second alone
	is.Equal(p.planner.woken(t), "")
	sent := p.builder.state(t).Deliveries(relay.Builder)
	is.Equal(len(sent), 2)                    // both are in the log
	is.Equal(sent[0].Receipt, relay.WasBack)  // withdrawn
	is.Equal(sent[1].Receipt, relay.WasShown) // shown
	is.Equal(sent[0].Round, sent[1].Round)    // same round
	is.True(sent[1].Corrects)                 // as a correction
	p.planner.stops(t, block("step 2"))
	text, _ = p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nstep 2")                        // the work goes on
	is.Equal(p.builder.state(t).Deliveries(relay.Builder)[0].Receipt, relay.WasBack)  // nobody answered what nobody saw
	is.Equal(p.builder.state(t).Deliveries(relay.Builder)[1].Receipt, relay.Answered) // but the second
}

func TestCorrection_FollowsAReportThatIsTaken(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.stops(t, block("FIRSTREPORT"))
	p.planner.receives(t)
	p.builder.stops(t, block("SECONDREPORT"))
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nSECONDREPORT") // in the same round
	p.planner.stops(t, block("step 2"))
	text, _ = p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nstep 2") // one step
	is.Equal(p.planner.state(t).Round(), 2)
}

func TestCorrection_OfAStepIsAnsweredOnce(t *testing.T) {
	for _, taken := range []bool{true, false} {
		is := is.New(t)
		p := working(t)
		p.planner.stops(t, block("first"))
		if taken {
			p.builder.receives(t)
		}
		p.planner.stops(t, block("second"))
		text, _ := p.builder.receives(t)
		is.Equal(text, "[relay round 1 · from planner]\n\nsecond") // the correction
		p.builder.stops(t, block("report 1"))
		text, _ = p.planner.receives(t)
		is.Equal(text, "[relay round 1 · from builder]\n\nreport 1") // one report answers both
		p.planner.stops(t, block("step 2"))
		is.Equal(p.planner.state(t).Aside(relay.Planner), "") // the round is answered
		text, _ = p.builder.receives(t)
		is.Equal(text, "[relay round 2 · from planner]\n\nstep 2") // the work goes on
	}
}

func TestCorrection_WithTheSameBlockIsNone(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.stops(t, "Done. <handoff>report</handoff>")
	p.builder.stops(t, "Done, and the tests pass. <handoff>report</handoff>")
	is.Equal(len(p.paused(t)), 0)                                  // no echo
	is.Equal(len(p.builder.state(t).Deliveries(relay.Builder)), 1) // nothing to correct
	p.planner.receives(t)
	p.builder.says(t, "thanks")
	is.Equal(p.planner.woken(t), "") // not later either
}

func TestCorrection_OfATurnWithoutABlockIsAFirstBlock(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.stops(t, "Done.")
	p.builder.stops(t, block("report"))
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nreport")
	is.True(!p.builder.state(t).Deliveries(relay.Builder)[0].Corrects) // corrects nothing
}

func TestCorrection_OfAnotherTurnIsNone(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.stops(t, block("report"))
	p.builder.says(t, "are you sure?")
	p.builder.stops(t, block("another"))
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nreport")   // stands
	is.Equal(p.builder.state(t).Aside(relay.Builder), "another") // its turn is over
}

func TestCorrection_OfAHeldBlockReplacesIt(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	must(p.operator(nil).Pause(p.planner.speaker()))(t)
	p.builder.stops(t, block("FIRSTREPORT"))
	p.builder.stops(t, block("SECONDREPORT"))
	is.Equal(p.planner.woken(t), "") // held
	p.resume(t, p.planner)
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nSECONDREPORT") // the turn's last word
	is.Equal(p.planner.woken(t), "")                                 // alone
}

func TestCorrection_IsHeldLikeAnyHandoff(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.builder.stops(t, block("FIRSTREPORT"))
	p.planner.receives(t)
	must(p.operator(nil).Pause(p.planner.speaker()))(t)
	p.builder.stops(t, block("SECONDREPORT"))
	s := p.builder.state(t)
	is.Equal(len(s.Pauses()), 2)                    // its own pause
	is.Equal(s.Held(s.Pauses()[1]), "SECONDREPORT") // holds it
	is.Equal(len(s.Deliveries(relay.Builder)), 1)   // not sent
	p.resume(t, p.planner)
	text, _ := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nSECONDREPORT") // then it goes
	is.True(p.builder.state(t).Deliveries(relay.Builder)[1].Corrects)
}

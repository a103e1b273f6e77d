package relay_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

func TestEcho_OfTheOwnLastHandoffIsHeldAndSentOnceByResume(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.round(t, "ok", "done so far")
	is.Equal(p.planner.stops(t, block(" ok ")), []string{"relay: paused: the same handoff again; relay resume goes on"}) // told
	is.Equal(p.paused(t), []relay.Reason{relay.Echo})                                                                    // paused
	is.Equal(p.builder.woken(t), "")                                                                                     // held
	p.resume(t, p.planner)
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nok") // sent
	is.Equal(p.builder.woken(t), "")                       // once
	is.Equal(len(p.paused(t)), 0)
}

func TestEcho_OfWhatTheOtherSideSaidIsHeld(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("ok"))
	p.builder.receives(t)
	p.builder.stops(t, block("ok"))
	is.Equal(p.paused(t), []relay.Reason{relay.Echo}) // the builder echoes
	is.Equal(p.planner.woken(t), "")                  // held
}

func TestEcho_TwoModelsThatSayOkStopAtOnce(t *testing.T) {
	is := is.New(t)
	p := working(t)
	for range 3 {
		p.planner.says(t, "go on")
		p.planner.stops(t, block("ok"))
		if text := p.builder.woken(t); text != "" {
			p.builder.says(t, wake("Delivery from changeover:\n", text))
			p.builder.stops(t, block("ok"))
		}
	}
	is.True(len(p.planner.state(t).Deliveries(relay.Planner)) <= 2) // the goal and one step
	is.Equal(len(p.planner.state(t).Deliveries(relay.Builder)), 0)  // no report
}

func TestEcho_OfAnythingOlderIsNone(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.round(t, "run the tests", "report 1")
	p.round(t, "fix them", "report 2")
	p.planner.stops(t, block("run the tests"))
	is.Equal(len(p.paused(t)), 0)
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 3 · from planner]\n\nrun the tests")
}

func TestEcho_OfTheGoalIsNone(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("Build it"))
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nBuild it") // a goal is no handoff
}

func TestEcho_HeldForAnotherReasonIsStillAnEcho(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.round(t, "step", "report")
	must(p.operator(nil).Pause(p.builder.speaker()))(t)
	p.planner.stops(t, block("step"))
	p.resume(t, p.planner)
	is.Equal(p.paused(t), []relay.Reason{relay.Echo}) // nobody has seen that it is one
	p.resume(t, p.planner)
	text, _ := p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nstep") // now somebody has
}

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/agentproc/agenttest"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

const quarter = 15 * time.Minute

// fakeAlarm rings when a test says so, and counts how often it was set anew.
type fakeAlarm struct {
	ring func()

	mu      sync.Mutex
	set     []time.Duration
	stopped bool // since it was set last
}

func (a *fakeAlarm) Reset(d time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.set, a.stopped = append(a.set, d), false
	return true
}

func (a *fakeAlarm) Stop() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	return true
}

// state is how often it was set anew, and whether it stands still.
func (a *fakeAlarm) state() (times int, stopped bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.set), a.stopped
}

// limited gives the theatre's agents that much silence.
func (th *theatre) limited(silence time.Duration) {
	th.agents.Silence = silence
	th.agents.Alarm = func(_ time.Duration, ring func()) port.Alarm {
		th.mu.Lock()
		defer th.mu.Unlock()
		a := &fakeAlarm{ring: ring}
		th.alarms = append(th.alarms, a)
		return a
	}
	th.h.Turn = th.agents.Turn
}

// lastAlarm is that of the agent which runs.
func (th *theatre) lastAlarm() *fakeAlarm {
	th.mu.Lock()
	defer th.mu.Unlock()
	return th.alarms[len(th.alarms)-1]
}

// rings is a turn that says lines after it began, then nothing, while its alarm
// rings; it ends when it is killed, with a child in a session of its own.
func (th *theatre) rings(lines ...string) play {
	return func(p *agenttest.Process, _ string) agenttest.Exit {
		begin(p)
		for _, line := range lines {
			_, _ = fmt.Fprintln(p.Stdout, line)
		}
		p.Spawn(agenttest.Child{Program: "tool", OwnSession: true})
		th.lastAlarm().ring()
		<-p.Killed
		return agenttest.Exit{}
	}
}

const waitsForNetwork = `{"type":"error","message":"Reconnecting... waiting for network (Connection failed)"}`

func TestSilence_EndsTheAgentWithItsChildrenAndSaysWhatToType(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"nothing said", nil, "relay: the builder (codex) said nothing for 15m and was ended; relay run --continue takes the work up again, and --silence gives it longer"},
		{"the same retry for ever", []string{waitsForNetwork, waitsForNetwork}, "relay: the builder (codex) did nothing for 15m but try again (waiting for network (Connection failed)) and was ended; relay run --continue takes the work up again"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			th := newTheatre(t)
			th.twoRounds()
			th.limited(quarter)
			th.on("[relay round 1 · from planner]", th.rings(tt.lines...))
			link := th.start("claude", "codex", 10)
			hurry, now := context.WithCancel(t.Context())
			now() // the agent does not go by itself
			r, err := th.h.Run(t.Context(), hurry, link)
			is.NoErr(err)
			is.Equal(r, relay.Result{Stand: relay.StandFailed, Lines: []string{tt.want}})
			for pid := 1000; pid < 1010; pid++ {
				is.True(!th.runner.Alive(pid)) // neither the agent nor its child
			}
			is.True(th.lastAlarm().stopped)
			pauses := th.state(link).Pauses()
			is.Equal(len(pauses), 1)
			is.Equal(relay.CatalogueOf("en").Why(pauses[0].Event), "the session ended in the middle of a turn (it said nothing for too long)")

			th.twoRounds()
			is.Equal(th.goOn(link, "").Stand, relay.StandDone)
			is.True(strings.HasSuffix(th.prompts[2], "\n\n[relay round 1 · from planner]\n\nstep one")) // the same step
			is.Equal(th.state(link).Round(), 2)
		})
	}
}

// What an agent says sets the alarm anew; that it tries again does not, and while
// one of its commands runs the alarm stands still.
func TestSilence_IsCountedFromTheLastThingSaid(t *testing.T) {
	type standing struct {
		times   int
		stopped bool
	}
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	th.limited(quarter)
	seen := make(chan standing, 10)
	th.on("[relay round 1 · from planner]", func(p *agenttest.Process, prompt string) agenttest.Exit {
		begin(p)
		before, _ := th.lastAlarm().state()
		for _, line := range []string{
			waitsForNetwork,
			`{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":"I build it."}}`,
			`{"type":"item.started","item":{"id":"i1","type":"command_execution","command":"make"}}`,
			waitsForNetwork,
			`{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"make","exit_code":0}}`,
		} {
			_, _ = fmt.Fprintln(p.Stdout, line)
			times, stopped := th.lastAlarm().state()
			seen <- standing{times - before, stopped}
		}
		_, _ = fmt.Fprintln(p.Stderr, "a warning on the error stream is no sign of life")
		times, stopped := th.lastAlarm().state()
		seen <- standing{times - before, stopped}
		close(seen)
		return says("<handoff>report one</handoff>")(p, prompt)
	})
	is.Equal(th.run(th.start("claude", "codex", 10)).Stand, relay.StandDone)
	var got []standing
	for s := range seen {
		got = append(got, s)
	}
	is.Equal(got, []standing{{0, false}, {1, false}, {1, true}, {1, true}, {2, false}, {2, false}})
	is.Equal(th.lastAlarm().set[0], quarter)
}

func TestSilence_WithoutALimitSetsNoAlarm(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	th.limited(0)
	is.Equal(th.run(th.start("claude", "codex", 10)).Stand, relay.StandDone)
	is.Equal(len(th.alarms), 0)
}

// An agent that has answered and does not go away has answered.
func TestSilence_AfterTheAnswerTakesTheAnswer(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	th.limited(quarter)
	th.on("[relay round 1 · from planner]", func(p *agenttest.Process, prompt string) agenttest.Exit {
		says("<handoff>report one</handoff>")(p, prompt)
		_, _ = fmt.Fprintln(p.Stdout)
		th.lastAlarm().ring()
		<-p.Requests
		return agenttest.Exit{Code: 1}
	})
	is.Equal(th.run(th.start("claude", "codex", 10)).Stand, relay.StandDone)
}

func TestSilence_OfAnAgentThatNeverBeganShowedItNothing(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.limited(90 * time.Minute)
	th.on("drain the pier", func(p *agenttest.Process, _ string) agenttest.Exit {
		th.lastAlarm().ring()
		<-p.Requests
		return agenttest.Exit{Code: 143}
	})
	link := th.start("claude", "codex", 10)
	r := th.run(link)
	is.Equal(r.Stand, relay.StandFailed)
	is.True(strings.Contains(r.Lines[0], "the planner (claude) said nothing for 1h30m and was ended"))
	is.Equal(th.state(link).Deliveries(relay.Planner)[0].Receipt, relay.Queued)
	th.twoRounds()
	is.Equal(th.goOn(link, "").Stand, relay.StandDone)
}

func TestSilence_SpeaksTheLinksLanguage(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.limited(quarter)
	th.on("drain the pier", func(p *agenttest.Process, _ string) agenttest.Exit {
		begin(p)
		th.lastAlarm().ring()
		<-p.Requests
		return agenttest.Exit{Code: 143}
	})
	agents := (&runOptions{planner: "claude", builder: "codex"}).agents()
	link, err := th.h.Begin("drain the pier", place, agents, relay.Terms{MaxRounds: 1, Lang: "es"})
	is.NoErr(err)
	is.True(strings.Contains(th.run(link).Lines[0], "no dijo nada durante 15m"))
}

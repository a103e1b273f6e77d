package compression_test

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/port"
)

// approaching is what the watcher says, once for each cycle.
const approaching = "context approaching limit; compressing…"

// generic has both agents be ones without a protocol, and compression be as said.
func generic(compression string) string {
	return `{"agents":{"codex":{"args":[]},"claude":{"args":[]}},"contextCompression":{` + compression + `}}`
}

// run runs agents that do one thing after the other.
func (g *ground) run(agents ...func(port.Command) port.Ending) error {
	g.t.Helper()
	g.agent = func(c port.Command) port.Ending {
		next := agents[0]
		agents = agents[1:]
		return next(c)
	}
	return g.world().Run(g.t.Context(), baton.Signals{Stop: context.Background(), Hurry: context.Background()}, baton.RunRequest{Task: "do it"})
}

// says is an agent that writes numbered lines, and has the clock go on by a minute
// before each line whose number is a multiple of every.
func (g *ground) says(to, every int) func(port.Command) port.Ending {
	return func(c port.Command) port.Ending {
		for n := 1; n <= to; n++ {
			if every > 0 && n%every == 0 {
				g.clock.advance(time.Minute)
			}
			_, _ = io.WriteString(c.Stdout, spoken(n, n))
		}
		return port.Ending{}
	}
}

// spoken is what an agent writes, for the log to have numbered lines.
func spoken(from, to int) string { return strings.ReplaceAll(numbered(from, to), "[stdout] ", "") }

// walled is an agent that writes numbered lines and meets a limit.
func walled(to int) func(port.Command) port.Ending {
	return func(c port.Command) port.Ending {
		_, _ = io.WriteString(c.Stdout, spoken(1, to))
		_, _ = io.WriteString(c.Stderr, "Error: quota exceeded\n")
		return port.Ending{Code: 1}
	}
}

// A run that is too long is compressed while it goes on, and no line of it is lost,
// doubled or moved.
func TestWatcher_CompressesAndLosesNothing(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"keepRotations":1000`))
	g.aged(baton.StateFile)
	is.NoErr(g.run(g.says(3000, 100)))
	cycles := g.heard.count(approaching)
	is.True(cycles > 2)
	is.Equal(g.heard.count("context compressed: "), cycles)
	raws := g.names("commands.log.full.")
	is.Equal(len(raws), cycles)
	var all strings.Builder
	had := ""
	compressor := logs.Compressor{Phrases: phrase.Defaults(), Cutter: g.world().Cut}
	profile, _ := config.Default().Budgets("balanced")
	for _, name := range append(raws, baton.LogFile) {
		log := g.content(name)
		rest, ok := strings.CutPrefix(log, had)
		is.True(ok) // goes on where the cycle ended
		all.WriteString(rest)
		if name == baton.LogFile {
			break
		}
		var short strings.Builder
		result, err := compressor.Fit(&short, strings.NewReader(log), profile)
		is.NoErr(err)
		is.True(result.Changed)
		had = short.String()
	}
	var said []string
	for line := range strings.Lines(all.String()) {
		if strings.HasPrefix(line, "[stdout] ") {
			said = append(said, line)
		}
	}
	is.Equal(strings.Join(said, ""), numbered(1, 3000))
	is.Equal(strings.Count(all.String(), notice), cycles)
	is.True(strings.HasSuffix(all.String(), "\n--- exit 0 ---\n"))
	is.Equal(g.meta().Status(), baton.Completed)
	is.Equal(g.meta().LastCompression.Trigger, "auto")
}

// The budget is 26000 chars, so that 0.8 of it are reached by the line 460 of 45
// chars; the lines are counted in fifties.
func TestWatcher_LooksEverySoManyLines(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"checkEveryLines":50`))
	at := 0
	is.NoErr(g.run(func(c port.Command) port.Ending {
		for n := 1; n <= 1000 && at == 0; n++ {
			_, _ = io.WriteString(c.Stdout, spoken(n, n))
			if g.heard.count(approaching) > 0 {
				at = n
			}
		}
		return port.Ending{}
	}))
	is.Equal(at, 500)
}

// Both streams count together, and the other files weigh too.
func TestWatcher_WeighsEverything(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"checkEveryLines":10`))
	is.NoErr(g.run(func(c port.Command) port.Ending {
		g.at(baton.ErrorsFile, strings.Repeat("an error of some length\n", 1000))
		for range 5 {
			_, _ = io.WriteString(c.Stdout, "a line\n")
			_, _ = io.WriteString(c.Stderr, "a line\n")
		}
		return port.Ending{}
	}))
	is.Equal(g.heard.count(approaching), 1)
	is.Equal(g.heard.count("context not compressed: nothing can be taken away"), 1)
	is.Equal(g.meta().Status(), baton.Completed)
}

// Lines of two streams that come at once are all there, those of each in order.
func TestWatcher_TwoStreamsAtOnce(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"keepRotations":1000`))
	is.NoErr(g.run(func(c port.Command) port.Ending {
		var both sync.WaitGroup
		for _, stream := range []io.Writer{c.Stdout, c.Stderr} {
			both.Go(func() {
				for n := 1; n <= 2000; n++ {
					g.clock.advance(100 * time.Millisecond)
					_, _ = io.WriteString(stream, spoken(n, n))
				}
			})
		}
		both.Wait()
		return port.Ending{}
	}))
	is.True(g.heard.count(approaching) > 1)
	var said [2]strings.Builder
	seen := map[string]bool{}
	for _, name := range append(g.names("commands.log.full."), baton.LogFile) {
		for line := range strings.Lines(g.content(name)) {
			for i, tag := range []string{"[stdout] ", "[stderr] "} {
				if text, ok := strings.CutPrefix(line, tag); ok && !seen[line] {
					seen[line] = true
					said[i].WriteString(text)
				}
			}
		}
	}
	is.Equal(said[0].String(), spoken(1, 2000))
	is.Equal(said[1].String(), spoken(1, 2000))
}

// Row 69: switched off, or without auto, nobody watches.
func TestWatcher_SwitchedOff(t *testing.T) {
	is := is.New(t)
	for _, off := range []string{`"enabled":false`, `"auto":false`} {
		g := newGround(t, generic(off))
		is.NoErr(g.run(walled(3000), g.says(3000, 100)))
		is.Equal(g.heard.count("compress"), 0)
		is.Equal(g.names(".full."), nil)
		is.True(strings.Contains(g.content(baton.LogFile), numbered(1, 3000)))
	}
}

// The agent that takes over is watched as well.
func TestWatcher_WatchesTheNextAgent(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"keepRotations":1000`))
	var during baton.SessionMeta
	g.hook("loss.", func() { during = g.meta() })
	is.NoErr(g.run(walled(10), g.says(3000, 100)))
	is.Equal(during.BeforeCompression(), baton.RunningFallback)
	is.Equal(g.meta().Status(), baton.Completed)
	is.True(g.heard.count(approaching) > 0)
}

// The planner is not watched, and its plan is carried out by an agent that is.
func TestWatcher_PlanAndExecute(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"keepRotations":1000`))
	const plan = "# relay-baton plan\n\n## Goal\nShow it.\n\n## Scope (in)\n- one\n\n## Out of scope\n- two\n\n## Approach\nCount.\n\n" +
		"## Steps\n1. Add the column to db.go\n\n## Risks\n- drift\n\n## Verification\ngo test ./...\n\n## Next step\n- Add the column\n"
	g.agent = func(c port.Command) port.Ending {
		g.at(baton.PlanFile, plan)
		return g.says(3000, 100)(c)
	}
	sig := baton.Signals{Stop: context.Background(), Hurry: context.Background()}
	_, err := g.world().Plan(t.Context(), sig, baton.PlanRequest{Task: "do it"})
	is.NoErr(err)
	is.Equal(g.heard.count("compress"), 0)
	g.agent = g.says(3000, 100)
	is.NoErr(g.world().Execute(t.Context(), sig, baton.ExecuteRequest{}))
	is.True(g.heard.count(approaching) > 0)
	is.Equal(g.content(baton.PlanFile), plan) // Row 67
}

// A cycle that fails is one line, and the run goes on.
func TestWatcher_AFailedCycleIsOneLine(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"checkEveryLines":50`))
	g.sys = &hooked{System: quick{osfs.Kernel()}, named: func(name string) error {
		if strings.HasPrefix(name, "loss.") {
			return os.ErrPermission
		}
		return nil
	}}
	is.NoErr(g.run(g.says(600, 0)))
	is.Equal(g.heard.count(approaching), 1)
	is.Equal(g.heard.count("context not compressed: "), 1)
	is.True(strings.Contains(g.content(baton.LogFile), numbered(1, 600)))
	is.Equal(g.names(".full."), nil)
	is.Equal(g.meta().Status(), baton.Completed)
}

// So is one that cannot even begin.
func TestWatcher_ACycleThatCannotBegin(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"checkEveryLines":50`))
	full := false
	g.sys = &hooked{System: quick{osfs.Kernel()}, named: func(name string) error {
		if full && name == baton.MetaFile {
			full = false
			return os.ErrPermission
		}
		return nil
	}}
	is.NoErr(g.run(func(c port.Command) port.Ending {
		full = true
		return g.says(600, 0)(c)
	}))
	is.True(!full)
	is.Equal(g.heard.count("context not compressed: "), 1)
	is.Equal(g.meta().Status(), baton.Completed)
	is.Equal(g.names(".tmp-"), nil)
}

// After an attempt the weight has to grow by a quarter of the budget, and half a
// minute to pass.
func TestWatcher_KeepsItsPace(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"checkEveryLines":10`))
	const line = "[stdout] the test failed once more, and its line stays\n"
	say := func(c port.Command, lines int) {
		for range lines {
			_, _ = io.WriteString(c.Stdout, line[len("[stdout] "):])
		}
	}
	is.NoErr(g.run(func(c port.Command) port.Ending {
		say(c, 390) // from 20800 chars on, at 380 lines of 55
		is.Equal(g.heard.count(approaching), 1)
		g.clock.advance(time.Minute)
		say(c, 10)
		is.Equal(g.heard.count(approaching), 1) // it did not grow
		say(c, 110)                             // 6500 chars more, at 500 lines
		is.Equal(g.heard.count(approaching), 2)
		say(c, 200)
		is.Equal(g.heard.count(approaching), 2) // it was just now
		return port.Ending{}
	}))
	is.Equal(g.heard.count("context not compressed: nothing can be taken away"), 2)
}

// What an agent has written just now stays, for it may not have finished.
func TestWatcher_LeavesAFreshStateAlone(t *testing.T) {
	for _, tt := range []struct {
		age   time.Duration
		stays bool
	}{{0, true}, {1999 * time.Millisecond, true}, {2 * time.Second, false}} {
		t.Run(tt.age.String(), func(t *testing.T) {
			is := is.New(t)
			g := newGround(t, generic(`"checkEveryLines":50`))
			state := fixture(t, "forty-done.md")
			is.NoErr(g.run(func(c port.Command) port.Ending {
				g.at(baton.StateFile, state)
				at := g.clock.Now().Add(-tt.age)
				is.NoErr(os.Chtimes(g.path(baton.StateFile), at, at))
				return g.says(600, 0)(c)
			}))
			is.Equal(g.heard.count("context compressed: "), 1)
			is.Equal(g.content(baton.StateFile) == state, tt.stays)
			is.Equal(len(g.names("state.md.full.")) == 0, tt.stays)
		})
	}
}

// Before a handoff there is a pass of its own, so that the handoff is made of what
// it left; its profile is the run's.
func TestLighten_BeforeTheHandoff(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"checkEveryLines":100000`))
	var during baton.SessionMeta
	handoffs := 0
	g.hook("loss.", func() { during, handoffs = g.meta(), g.meta().HandoffCount })
	is.NoErr(g.run(walled(1000), g.says(1, 0)))
	is.Equal(during.BeforeCompression(), baton.FallbackDetected)
	is.Equal(handoffs, 0)
	is.Equal(g.meta().LastCompression.Trigger, "handoff")
	is.Equal(g.meta().HandoffCount, 1)
	is.Equal(g.heard.count("context compressed: "), 1)
	is.Equal(g.meta().Status(), baton.Completed)
}

// Under the threshold there is none, and one that fails does not keep the handoff
// from being made.
func TestLighten_DoesNotHinder(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"checkEveryLines":100000`))
	is.NoErr(g.run(walled(10), g.says(1, 0)))
	is.Equal(g.heard.count("compress"), 0)

	g = newGround(t, generic(`"checkEveryLines":100000`))
	g.sys = &hooked{System: quick{osfs.Kernel()}, named: func(name string) error {
		if strings.HasPrefix(name, "loss.") {
			return os.ErrPermission
		}
		return nil
	}}
	is.NoErr(g.run(walled(1000), g.says(1, 0)))
	is.Equal(g.heard.count("context not compressed: "), 1)
	is.Equal(g.meta().HandoffCount, 1)
	is.Equal(g.meta().Status(), baton.Completed)
}

// Row 97: after a cycle, what led to a fallback is found at its new place.
func TestExplain_AfterACycle(t *testing.T) {
	is := is.New(t)
	g := newGround(t, generic(`"checkEveryLines":100000`))
	is.NoErr(g.run(walled(1000), g.says(1, 0)))
	runs, err := g.world().Explain(t.Context(), baton.Place{}, 1, false)
	is.NoErr(err)
	is.Equal(runs[0].Evidence.Line, 1003) // a blank line, START and the lines come before
	is.True(runs[0].Now != nil)
	is.True(runs[0].Now.Line < 300)
	log := strings.Split(g.content(baton.LogFile), "\n")
	is.Equal(log[runs[0].Now.Line-1], "[stderr] Error: quota exceeded")
	is.Equal(runs[0].Now.File, ".ai-session/commands.log")
}

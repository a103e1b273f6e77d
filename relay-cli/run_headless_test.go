package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/agentproc/agenttest"
	"github.com/changeover/changeover/adapters/claudereg/regtest"
	"github.com/changeover/changeover/adapters/clock/clocktest"
	"github.com/changeover/changeover/adapters/entropy/entropytest"
	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs/memfs"
	"github.com/changeover/changeover/adapters/proc/proctest"
	"github.com/changeover/changeover/adapters/relayconfig"
	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/relay/headless"
	"github.com/changeover/changeover/domain/session"
)

const (
	runner = 7
	place  = "/home/dev/pier"
)

// play is what an agent does with a prompt: it writes the events of its turn.
type play func(p *agenttest.Process, prompt string) agenttest.Exit

// theatre runs headless links with agents that a test plays.
type theatre struct {
	t       *testing.T
	runner  *agenttest.Runner
	machine *proctest.Machine
	store   linkstore.Store
	agents  headless.Agents
	h       relay.Headless

	mu      sync.Mutex
	prompts []string
	lines   []string
	plays   map[string]play
	alarms  []*fakeAlarm
}

func newTheatre(t *testing.T) *theatre {
	t.Helper()
	th := &theatre{t: t, machine: proctest.New(runner, "here"), plays: map[string]play{}}
	th.machine.Run(runner, proctest.Process{Start: session.Start{Token: "70"}})
	th.runner = agenttest.NewRunner(map[string]agenttest.Program{"claude": th.perform, "codex": th.perform, "tool": lasts}, nil)
	env := port.Environment{Lookup: func(string) string { return "" }, Home: "/home/dev"}
	files := memfs.New()
	th.store = linkstore.New(files, "/state")
	th.h = relay.Headless{
		Operator: relay.Operator{
			Store: th.store, Clock: clocktest.New(time.Unix(1_800_000_000, 0)), Random: new(entropytest.Source),
			Sessions: new(regtest.Registry), Processes: th.machine, Machine: th.machine, Env: env,
			Defaults: relayconfig.New(files, env),
		},
		Tell: th.note,
	}
	th.agents = headless.Agents{
		Runner:  th.runner,
		Environ: []string{"PATH=/bin", "CLAUDECODE=1", "CLAUDE_CODE_OAUTH_TOKEN=t", "CODEX_THREAD_ID=x", "CODEX_HOME=/c"},
		Show:    func(role relay.Role, line string) { th.note(string(role) + "│" + line) },
	}
	th.h.Turn = th.agents.Turn
	return th
}

// lasts is a tool of an agent's that does not end by itself.
func lasts(p *agenttest.Process) agenttest.Exit {
	<-p.Killed
	return agenttest.Exit{}
}

func (th *theatre) note(line string) {
	th.mu.Lock()
	defer th.mu.Unlock()
	th.lines = append(th.lines, line)
}

func (th *theatre) said() string {
	th.mu.Lock()
	defer th.mu.Unlock()
	return strings.Join(th.lines, "\n")
}

// on plays a turn whose prompt holds the text.
func (th *theatre) on(text string, p play) {
	th.mu.Lock()
	defer th.mu.Unlock()
	th.plays[text] = p
}

func (th *theatre) perform(p *agenttest.Process) agenttest.Exit {
	prompt, err := io.ReadAll(p.Stdin)
	if err != nil {
		return agenttest.Exit{Code: 9}
	}
	th.mu.Lock()
	th.prompts = append(th.prompts, string(prompt))
	var chosen play
	for text, candidate := range th.plays {
		if strings.Contains(string(prompt), text) {
			chosen = candidate
		}
	}
	th.mu.Unlock()
	if chosen == nil {
		return agenttest.Exit{Code: 8}
	}
	return chosen(p, string(prompt))
}

// isClaude tells which client a process is asked to be.
func isClaude(p *agenttest.Process) bool { return slices.Contains(p.Args, "stream-json") }

// begin writes what each client says when it has taken the prompt.
func begin(p *agenttest.Process) {
	if isClaude(p) {
		_, _ = fmt.Fprintln(p.Stdout, `{"type":"system","subtype":"init","session_id":"c-1"}`)
		return
	}
	_, _ = fmt.Fprint(p.Stdout, "{\"type\":\"thread.started\",\"thread_id\":\"t-1\"}\n{\"type\":\"turn.started\"}\n")
}

// says is a turn that ends with an answer.
func says(answer string) play {
	return func(p *agenttest.Process, _ string) agenttest.Exit {
		begin(p)
		if isClaude(p) {
			_, _ = fmt.Fprintf(p.Stdout, "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":%q}]}}\n", answer)
			_, _ = fmt.Fprintf(p.Stdout, "{\"type\":\"result\",\"is_error\":false,\"num_turns\":1,\"result\":%q}\n", answer)
			return agenttest.Exit{}
		}
		_, _ = fmt.Fprintf(p.Stdout, "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":%q}}\n", answer)
		_, _ = fmt.Fprint(p.Stdout, `{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}`) // no line end
		return agenttest.Exit{}
	}
}

// hangs is a turn that ends when it is asked to.
func hangs(began chan<- struct{}) play {
	return func(p *agenttest.Process, _ string) agenttest.Exit {
		begin(p)
		close(began)
		select {
		case <-p.Requests:
		case <-p.Killed:
		}
		return agenttest.Exit{Code: 1}
	}
}

func (th *theatre) twoRounds() {
	th.on("drain the pier", says("<handoff>step one</handoff>"))
	th.on("[relay round 1 · from planner]", says("<handoff>report one</handoff>"))
	th.on("[relay round 1 · from builder]", says("<handoff>step two</handoff>"))
	th.on("[relay round 2 · from planner]", says("<handoff>report two</handoff>"))
	th.on("[relay round 2 · from builder]", says("<done>all of it</done>"))
}

func (th *theatre) start(planner, builder string, maxRounds int) string {
	th.t.Helper()
	agents := map[relay.Role]string{relay.Planner: planner, relay.Builder: builder}
	link, err := th.h.Begin("drain the pier", place, agents, relay.Terms{MaxRounds: maxRounds, Lang: "en"})
	if err != nil {
		th.t.Fatal(err)
	}
	return link
}

func (th *theatre) run(link string) relay.Result {
	th.t.Helper()
	r, err := th.h.Run(th.t.Context(), th.t.Context(), link)
	if err != nil {
		th.t.Fatal(err)
	}
	return r
}

func (th *theatre) goOn(link, words string) relay.Result {
	th.t.Helper()
	r, err := th.h.Continue(th.t.Context(), th.t.Context(), link, words)
	if err != nil {
		th.t.Fatal(err)
	}
	return r
}

// state folds a link's log.
func (th *theatre) state(link string) relay.State {
	th.t.Helper()
	log, err := th.store.Log(link)
	if err != nil {
		th.t.Fatal(err)
	}
	return relay.Fold(log)
}

func TestHeadless_AnyPairReachesDone(t *testing.T) {
	for _, planner := range agent.Names() {
		for _, builder := range agent.Names() {
			t.Run(planner+" and "+builder, func(t *testing.T) {
				is := is.New(t)
				th := newTheatre(t)
				th.twoRounds()
				link := th.start(planner, builder, 10)
				r := th.run(link)
				is.Equal(r.Stand, relay.StandDone)
				is.Equal(r.Lines, []string{"relay: done: all of it"})
				is.Equal(len(th.prompts), 5)
				is.True(strings.HasPrefix(th.prompts[0], "# relay: planner\n"))
				is.True(strings.HasSuffix(th.prompts[0], "\n\ndrain the pier"))
				is.True(strings.HasPrefix(th.prompts[1], "# relay: builder\n"))
				is.True(strings.HasSuffix(th.prompts[1], "\n\n[relay round 1 · from planner]\n\nstep one"))
				is.Equal(th.prompts[2:], []string{
					"[relay round 1 · from builder]\n\nreport one",
					"[relay round 2 · from planner]\n\nstep two",
					"[relay round 2 · from builder]\n\nreport two",
				})
				for _, d := range append(th.state(link).Deliveries(relay.Planner), th.state(link).Deliveries(relay.Builder)[0]) {
					is.Equal(d.Receipt, relay.Answered)
				}
				is.True(strings.Contains(th.said(), "planner│<handoff>step one</handoff>"))
			})
		}
	}
}

func TestHeadless_CommandsOfBothSides(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	th.run(th.start("claude", "codex", 10))
	var argv []string
	for _, c := range th.runner.Started() {
		argv = append(argv, strings.Join(c.Argv, " "))
		is.Equal(c.Dir, place)
		is.Equal(c.Env, []string{"PATH=/bin", "CLAUDE_CODE_OAUTH_TOKEN=t", "CODEX_HOME=/c"})
	}
	is.Equal(argv[:4], []string{
		`claude --permission-mode default --output-format stream-json --verbose --settings {"disableAllHooks":true} -p`,
		`codex exec --sandbox workspace-write --json -`,
		`claude --permission-mode default --output-format stream-json --verbose --settings {"disableAllHooks":true} --resume c-1 -p`,
		`codex exec --sandbox workspace-write --json resume t-1 -`,
	})
}

func TestHeadless_StopsAtTheRoundLimitAndGoesOn(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	link := th.start("claude", "codex", 1)
	r := th.run(link)
	is.Equal(r.Stand, relay.StandPaused)
	is.True(strings.Contains(r.Lines[0], "round limit"))
	is.True(strings.Contains(r.Lines[0], "relay run --continue"))
	is.Equal(r.Lines[1], "  step two")
	is.Equal(th.goOn(link, "").Stand, relay.StandDone)
}

// byAModel makes the theatre's process one that a session's tools started.
func (th *theatre) byAModel() {
	th.h.Env.Lookup = func(name string) string { return map[string]string{"CLAUDE_CODE_CHILD_SESSION": "1"}[name] }
}

func TestHeadless_AModelDoesNotAnswerAPause(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	link := th.start("claude", "codex", 1)
	th.run(link)
	th.byAModel()
	_, err := th.h.Continue(t.Context(), t.Context(), link, "")
	var refused *relay.RefusedError
	is.True(errors.As(err, &refused))
	is.Equal(len(th.state(link).Pauses()), 1)
}

// A run is the consent of both sides and a goal, and its agents change files.
func TestHeadless_AModelStartsNoRun(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.byAModel()
	agents := (&runOptions{planner: "claude", builder: "codex"}).agents()
	_, err := th.h.Begin("drain the pier", place, agents, relay.Terms{MaxRounds: 1, Lang: "en"})
	var refused *relay.RefusedError
	is.True(errors.As(err, &refused))
	is.True(strings.Contains(th.h.Word(err, ""), `relay run "<goal>"`)) // what to type
	_, err = th.h.LastRun(place)
	is.True(errors.Is(err, relay.ErrNoRun)) // nothing was written
}

func TestHeadless_AModelHasNoWordsForASideThatWaits(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.on("drain the pier", says("Which pier?"))
	link := th.start("claude", "codex", 10)
	th.run(link)
	th.byAModel()
	for _, words := range []string{"", "the west pier"} {
		_, err := th.h.Continue(t.Context(), t.Context(), link, words)
		var refused *relay.RefusedError
		is.True(errors.As(err, &refused))
		is.True(strings.Contains(th.h.Word(err, ""), "relay run --continue")) // what to type
	}
	is.Equal(len(th.prompts), 1)
}

func TestRun_FromASessionsToolIsRefused(t *testing.T) {
	is := is.New(t)
	t.Setenv("CLAUDE_CODE_CHILD_SESSION", "1")
	code, stdout, stderr := call(t, "run", "drain the pier")
	is.Equal(code, 1)
	is.Equal(stdout, "")
	is.True(strings.Contains(stderr, "in a terminal of their own: relay run"))
	code, _, stderr = call(t, "run", "--continue")
	is.Equal(code, 1)
	is.True(strings.Contains(stderr, "relay run"))
}

func TestHeadless_ATurnWithoutABlockWaitsForItsPerson(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	th.on("[relay round 1 · from planner]", says("Which unit?"))
	link := th.start("claude", "codex", 10)
	r := th.run(link)
	is.Equal(r.Stand, relay.StandPaused)
	is.True(strings.Contains(r.Lines[0], "builder"))

	r = th.goOn(link, "") // the same step once more
	is.Equal(r.Stand, relay.StandPaused)
	is.True(strings.HasSuffix(th.prompts[len(th.prompts)-1], "[relay round 1 · from planner]\n\nstep one"))

	th.on("Metres.", says("<handoff>report one</handoff>"))
	is.Equal(th.goOn(link, "Metres.").Stand, relay.StandDone)
	is.Equal(th.prompts[3], "Metres.")
	is.Equal(th.state(link).Round(), 2)
}

func TestHeadless_APlannerThatAsksIsShownTheGoalAgainOrToldSomething(t *testing.T) {
	for _, tt := range []struct{ name, words, prompt string }{
		{"the same again", "", "drain the pier"},
		{"some words", "The west pier.", "The west pier."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			th := newTheatre(t)
			th.twoRounds()
			th.on("drain the pier", says("Which pier?"))
			link := th.start("claude", "codex", 10)
			r := th.run(link)
			is.Equal(r.Stand, relay.StandPaused)
			is.True(strings.Contains(r.Lines[0], "planner"))

			th.on(tt.prompt, says("<handoff>step one</handoff>"))
			is.Equal(th.goOn(link, tt.words).Stand, relay.StandDone)
			is.True(strings.HasSuffix(th.prompts[1], tt.prompt))
			is.Equal(th.state(link).Round(), 2)
		})
	}
}

func TestHeadless_WordsNeedASideThatWaits(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	link := th.start("claude", "codex", 1)
	th.run(link)
	_, err := th.h.Continue(t.Context(), t.Context(), link, "go on")
	is.True(err != nil)
	is.Equal(len(th.state(link).Pauses()), 1) // nothing was answered
}

func TestHeadless_AFailedTurnIsShownAgainInItsRound(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	th.on("[relay round 1 · from planner]", func(p *agenttest.Process, _ string) agenttest.Exit {
		begin(p)
		_, _ = fmt.Fprintln(p.Stdout, `{"type":"item.completed","item":{"type":"agent_message","text":"<handoff>half</handoff>"}}`)
		_, _ = fmt.Fprintln(p.Stdout, `{"type":"turn.failed","error":{"message":"Quota exceeded.\u001b[2J"}}`)
		return agenttest.Exit{Code: 1}
	})
	link := th.start("claude", "codex", 10)
	r := th.run(link)
	is.Equal(r.Stand, relay.StandFailed)
	is.True(strings.Contains(r.Lines[0], "builder (codex) failed: Quota exceeded."))
	is.True(!strings.Contains(r.Lines[0]+th.said(), "\x1b"))
	is.Equal(th.state(link).WhoseTurn(), relay.Builder)

	th.twoRounds()
	is.Equal(th.goOn(link, "").Stand, relay.StandDone)
	is.True(strings.HasSuffix(th.prompts[2], "\n\n[relay round 1 · from planner]\n\nstep one"))
	is.Equal(th.state(link).Round(), 2)
}

func TestHeadless_AnAgentThatNeverBeganWasShownNothing(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.on("drain the pier", func(p *agenttest.Process, _ string) agenttest.Exit {
		_, _ = fmt.Fprintln(p.Stderr, "Not inside a trusted directory")
		return agenttest.Exit{Code: 1}
	})
	link := th.start("codex", "claude", 10)
	r := th.run(link)
	is.Equal(r.Stand, relay.StandFailed)
	is.True(strings.Contains(r.Lines[0], "exit status 1: Not inside a trusted directory"))
	is.Equal(th.state(link).Deliveries(relay.Planner)[0].Receipt, relay.Queued)
	th.twoRounds()
	is.Equal(th.goOn(link, "").Stand, relay.StandDone)
	is.True(strings.HasPrefix(th.prompts[1], "# relay: planner\n")) // nobody has told it yet
}

func TestHeadless_InterruptedLeavesNothingAndGoesOn(t *testing.T) {
	for _, where := range []string{"drain the pier", "[relay round 1 · from planner]", "[relay round 1 · from builder]"} {
		t.Run(where, func(t *testing.T) {
			is := is.New(t)
			th := newTheatre(t)
			th.twoRounds()
			began := make(chan struct{})
			th.on(where, hangs(began))
			link := th.start("claude", "codex", 10)
			ctx, interrupt := context.WithCancel(t.Context())
			go func() {
				<-began
				interrupt()
			}()
			r, err := th.h.Run(ctx, t.Context(), link)
			is.NoErr(err)
			is.Equal(r.Stand, relay.StandPaused)
			is.True(strings.Contains(r.Lines[0], "relay run --continue"))
			for pid := 1000; pid < 1010; pid++ {
				is.True(!th.runner.Alive(pid))
			}
			_, err = th.store.Attachment(th.state(link).Party(relay.Planner).Session)
			is.True(errors.Is(err, relay.ErrNoSession)) // given up
			th.twoRounds()
			is.Equal(th.goOn(link, "").Stand, relay.StandDone)
			is.Equal(len(th.prompts), 6) // one of them twice
			is.Equal(th.state(link).Round(), 2)
		})
	}
}

// A run that was killed is taken up from whatever it had written.
func TestHeadless_GoesOnAfterAKill(t *testing.T) {
	tests := map[string]func(th *theatre, link string) []relay.Event{
		"claimed": func(*theatre, string) []relay.Event { return nil },
		"shown": func(th *theatre, link string) []relay.Event {
			return th.state(link).Number(relay.Planner, []relay.Event{
				{Kind: relay.Shown, From: relay.Person, Delivery: 2, Prompt: "p", WithPrompt: true},
			}, time.Unix(1, 0))
		},
		"recorded": func(th *theatre, link string) []relay.Event {
			return th.state(link).Number(relay.Planner, []relay.Event{
				{Kind: relay.Shown, From: relay.Person, Delivery: 2, Prompt: "p", WithPrompt: true},
				{Kind: relay.Recorded, Prompt: "p", Text: "step one", Digest: relay.Digest("x")},
			}, time.Unix(1, 0))
		},
	}
	for name, left := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			th := newTheatre(t)
			th.twoRounds()
			link := th.start("claude", "codex", 10)
			d := th.state(link).Deliveries(relay.Planner)[0]
			is.NoErr(th.store.Put(d.Delivery))
			dead := relay.Attachment{PID: 99, Start: "1"}
			is.NoErr(th.store.PutAttachment(th.state(link).Party(relay.Planner).Session, dead))
			_, err := th.store.Claim(link, relay.Planner, relay.Box{From: relay.Person, Seq: d.Seq}, dead)
			is.NoErr(err)
			for _, e := range left(th, link) {
				is.NoErr(th.store.Append(link, relay.Planner, e))
			}
			r := th.goOn(link, "")
			is.Equal(r.Stand, relay.StandDone)
			is.Equal(th.state(link).Round(), 2)
			want := 5
			if name == "recorded" {
				want = 4
			}
			is.Equal(len(th.prompts), want)
		})
	}
}

func TestHeadless_OneProcessRunsALink(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	link := th.start("claude", "codex", 10)
	th.machine.Run(8, proctest.Process{Start: session.Start{Token: "80"}})
	is.NoErr(th.store.PutAttachment(th.state(link).Party(relay.Builder).Session, relay.Attachment{PID: 8, Start: "80"}))
	_, err := th.h.Continue(t.Context(), t.Context(), link, "")
	var refused *relay.RefusedError
	is.True(errors.As(err, &refused))
	is.Equal(len(th.prompts), 0)
}

func TestHeadless_LastRunIsThatOfTheDirectory(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	_, err := th.h.LastRun(place)
	is.True(errors.Is(err, relay.ErrNoRun))
	link := th.start("claude", "codex", 10)
	got, err := th.h.LastRun(place)
	is.NoErr(err)
	is.Equal(got, link)
	_, err = th.h.LastRun("/elsewhere")
	is.True(errors.Is(err, relay.ErrNoRun))
}

func TestHeadless_PausedFromElsewhereStopsAfterTheTurn(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	link := th.start("claude", "codex", 10)
	th.on("[relay round 1 · from planner]", func(p *agenttest.Process, prompt string) agenttest.Exit {
		_, err := th.h.Pause(relay.Speaker{Party: th.state(link).Party(relay.Planner)})
		if err != nil {
			t.Error(err)
		}
		return says("<handoff>report one</handoff>")(p, prompt)
	})
	is.Equal(th.run(link).Stand, relay.StandPaused)
	is.Equal(len(th.prompts), 2)
	th.twoRounds()
	is.Equal(th.goOn(link, "").Stand, relay.StandDone)
}

func TestStage_KeepsTheTabsOfALine(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	(&stage{out: &out}).show(relay.Builder, "ok\tpier\x1b[2J\t0.1s\x07")
	is.Equal(out.String(), "builder │ ok\tpier\t0.1s\n")
}

func TestRun_ContinueWithoutARunSaysSo(t *testing.T) {
	is := is.New(t)
	code, _, stderr := call(t, "run", "--continue")
	is.Equal(code, 1)
	is.True(strings.Contains(stderr, "relay run \"<goal>\""))
}

func TestLink_NobodyKnows(t *testing.T) {
	for _, args := range [][]string{
		{"status", "--last"},
		{"log", "--link", "00ff"},
		{"watch", "--last"},
		{"pause", "--link", "00ff"},
		{"unlink", "--last"},
		{"status", "--link", "../x"},
		{"run", "--continue", "--link", "00ff"},
	} {
		is := is.New(t)
		code, stdout, stderr := call(t, args...)
		is.Equal(code, 1)
		is.Equal(stdout, "")
		is.True(stderr != "")
	}
}

func TestRun_WrongUsage(t *testing.T) {
	for _, args := range [][]string{
		{"run"},
		{"run", " "},
		{"run", "goal", "--planner", "nosuch"},
		{"run", "--continue", "--max-rounds", "3"},
		{"run", "goal", "--link", "x"},
		{"run", "goal", "--max-rounds", "0"},
		{"run", "goal", "--silence", "-1m"},
		{"run", "goal", "--silence", "15"},
		{"run", "--continue", "--silence", "soon"},
		{"log", "--last", "--link", "x"},
	} {
		is := is.New(t)
		code, _, stderr := call(t, args...)
		is.Equal(code, 2) // wrong usage
		is.True(stderr != "")
	}
}

func TestWatch_PrintsALinePerChange(t *testing.T) {
	is := is.New(t)
	th := newTheatre(t)
	th.twoRounds()
	link := th.start("claude", "codex", 10)
	th.run(link)
	changes, state, err := th.h.Changes(link)
	is.NoErr(err)
	is.Equal(state.Phase, relay.IsDone)
	var out bytes.Buffer
	keys := map[string]bool{}
	for _, c := range changes {
		fmt.Fprintln(&out, c.Line())
		is.True(!keys[c.Key]) // each has a key of its own
		keys[c.Key] = true
	}
	scanner := bufio.NewScanner(&out)
	for scanner.Scan() {
		is.True(strings.HasPrefix(scanner.Text(), "2027-01-15T08:00:00Z  "))
	}
	text := changes[len(changes)-1].What
	is.True(text == "done: all of it" || strings.HasPrefix(text, "sent round 2") || text == "its turn ended with a handoff")
}

// Package porttest holds one contract test suite per port. The real adapter
// and the fake pass the same one.
package porttest

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
)

// AgentHarness is a runner under test and the world around it.
type AgentHarness struct {
	Runner port.AgentRunner

	// Argv returns the command line of one of AgentPrograms.
	Argv func(program string, args ...string) []string
	Env  []string
	Dir  string

	// File returns the path of a file with that content.
	File func(t *testing.T, content string) string

	// Alive and Kill look at and end any process.
	Alive func(pid int) bool
	Kill  func(pid int)
}

// patience bounds every wait of the suite.
const patience = 20 * time.Second

// never is a grace that no test sits out.
const never = time.Hour

// AgentRunner runs the contract of port.AgentRunner.
func AgentRunner(t *testing.T, harness func(t *testing.T) AgentHarness) {
	tests := []struct {
		name string
		test func(t *testing.T, h AgentHarness)
	}{
		{"exit code and both streams", agentStreams},
		{"exit 0", agentDone},
		{"death by a signal", agentSignalled},
		{"null device as input", agentNoInput},
		{"text as input", agentText},
		{"empty text as input", agentEmptyText},
		{"file as input", agentFile},
		{"missing file as input", agentMissingFile},
		{"input that nobody reads", agentUnreadInput},
		{"environment is what was given", agentEnvironment},
		{"missing executable", agentMissing},
		{"no command", agentNoCommand},
		{"noted before it runs", agentBegan},
		{"not noted", agentNotBegun},
		{"writer that fails", agentBrokenWriter},
		{"no writers", agentNoWriters},
		{"wait given up", agentWaitGivenUp},
		{"everybody gets the same ending", agentWaitTwice},
		{"end by interrupt", agentInterrupt},
		{"end by terminate", agentTerminate},
		{"end by kill", agentKill},
		{"grace cut short", agentImpatient},
		{"end takes children along", agentKillsKin},
		{"end asks children too", agentAsksGroup},
		{"end after the end", agentEndAfterEnd},
		{"leftover of the group", agentLeftover},
		{"stubborn leftover of the group", agentStubbornLeftover},
		{"session of its own", agentOwnSession},
		{"stream held open", agentHeldStream},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.test(t, harness(t))
		})
	}
}

// sink is a writer that tests wait on.
type sink struct {
	mu      sync.Mutex
	buffer  bytes.Buffer
	changed chan struct{}
}

func newSink() *sink { return &sink{changed: make(chan struct{}, 1)} }

func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return s.buffer.Write(b)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buffer.String()
}

// lines waits until n lines are there and returns them.
func (s *sink) lines(t *testing.T, n int) []string {
	t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		text := s.String()
		if strings.Count(text, "\n") >= n {
			return strings.Split(text, "\n")[:n]
		}
		select {
		case <-s.changed:
		case <-limit.C:
			t.Fatalf("waited for %d lines, got %q", n, text)
		}
	}
}

// pids waits for n lines that each hold a process number.
func (s *sink) pids(t *testing.T, n int) []int {
	t.Helper()
	found := make([]int, 0, n)
	for _, line := range s.lines(t, n) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			t.Fatalf("no process number: %q", line)
		}
		found = append(found, pid)
	}
	return found
}

// begun is a started program and what it wrote.
type begun struct {
	port.Agent
	out, err *sink
}

// begin starts a program.
func (h AgentHarness) begin(t *testing.T, input port.Input, program string, args ...string) begun {
	t.Helper()
	b := begun{out: newSink(), err: newSink()}
	agent, err := h.Runner.Start(port.Command{
		Argv: h.Argv(program, args...), Dir: h.Dir, Env: h.Env, Input: input,
		Stdout: b.out, Stderr: b.err,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Agent = agent
	t.Cleanup(func() {
		// Only a test that has failed leaves something to end.
		_, _ = agent.End(context.Background(), port.Terminate, 0)
	})
	return b
}

// ending waits for the end of a run that ends by itself.
func (b begun) ending(t *testing.T) port.Ending {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	e, err := b.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// forced ends the run.
func (b begun) forced(t *testing.T, ask port.Request, grace time.Duration) port.Ending {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	e, err := b.End(ctx, ask, grace)
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatal("the end took the whole patience of the test")
	}
	return e
}

func agentStreams(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "speak", "one\ntwo, no line end", "bad \xff byte", "3")
	is.Equal(b.ending(t), port.Ending{Code: 3})
	is.Equal(b.out.String(), "one\ntwo, no line end")
	is.Equal(b.err.String(), "bad \xff byte")
	is.Equal(b.ending(t).Status(), 3)
}

func agentDone(t *testing.T, h AgentHarness) {
	is := is.New(t)
	is.Equal(h.begin(t, port.Input{}, "speak", "", "", "0").ending(t), port.Ending{})
}

func agentSignalled(t *testing.T, h AgentHarness) {
	is := is.New(t)
	e := h.begin(t, port.Input{}, "die", "15").ending(t)
	is.Equal(e, port.Ending{Signal: 15})
	is.Equal(e.Status(), 143)
}

func agentNoInput(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "echo")
	is.Equal(b.ending(t), port.Ending{})
	is.Equal(b.out.String(), "")
}

func agentText(t *testing.T, h AgentHarness) {
	is := is.New(t)
	text := strings.Repeat("a prompt, longer than any pipe\n", 1<<15)
	b := h.begin(t, port.TextInput([]byte(text)), "echo")
	is.Equal(b.ending(t), port.Ending{})
	is.True(b.out.String() == text) // the whole text came back
}

func agentEmptyText(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.TextInput(nil), "echo")
	is.Equal(b.ending(t), port.Ending{})
	is.Equal(b.out.String(), "")
}

func agentFile(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.FileInput(h.File(t, "from a file")), "echo")
	is.Equal(b.ending(t), port.Ending{})
	is.Equal(b.out.String(), "from a file")
}

func agentMissingFile(t *testing.T, h AgentHarness) {
	is := is.New(t)
	_, err := h.Runner.Start(port.Command{
		Argv: h.Argv("echo"), Dir: h.Dir, Env: h.Env, Input: port.FileInput(h.Dir + "/nowhere"),
	})
	is.True(err != nil)
	is.True(!errors.Is(err, port.ErrNoExecutable)) // the input is missing, not the program
}

func agentUnreadInput(t *testing.T, h AgentHarness) {
	is := is.New(t)
	text := port.TextInput(bytes.Repeat([]byte("x"), 1<<20))
	is.Equal(h.begin(t, text, "speak", "", "", "4").ending(t), port.Ending{Code: 4})
}

func agentEnvironment(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "environment")
	is.Equal(b.ending(t), port.Ending{})
	is.Equal(b.out.String(), strings.Join(append([]string{h.Dir}, h.Env...), "\n"))
}

func agentMissing(t *testing.T, h AgentHarness) {
	is := is.New(t)
	_, err := h.Runner.Start(port.Command{Argv: []string{"no-such-agent", "-p"}, Dir: h.Dir, Env: h.Env})
	is.True(errors.Is(err, port.ErrNoExecutable))
	is.True(strings.Contains(err.Error(), "no-such-agent")) // names the command
}

func agentNoCommand(t *testing.T, h AgentHarness) {
	is := is.New(t)
	_, err := h.Runner.Start(port.Command{Dir: h.Dir, Env: h.Env})
	is.True(err != nil)
}

// broken is a writer whose reader has gone.
type broken struct{ calls int }

func (b *broken) Write([]byte) (int, error) {
	b.calls++
	return 0, errors.New("reader has gone")
}

func agentBrokenWriter(t *testing.T, h AgentHarness) {
	is := is.New(t)
	text := strings.Repeat("line\n", 1<<16)
	gone := &broken{}
	agent, err := h.Runner.Start(port.Command{
		Argv: h.Argv("echo"), Dir: h.Dir, Env: h.Env, Input: port.TextInput([]byte(text)), Stdout: gone,
	})
	is.NoErr(err)
	is.Equal(begun{Agent: agent}.ending(t), port.Ending{}) // the agent noticed nothing
	is.Equal(gone.calls, 1)                                // and the writer was left alone
}

func agentNoWriters(t *testing.T, h AgentHarness) {
	is := is.New(t)
	agent, err := h.Runner.Start(port.Command{Argv: h.Argv("speak", "out", "err", "5"), Dir: h.Dir, Env: h.Env})
	is.NoErr(err)
	is.Equal(begun{Agent: agent}.ending(t), port.Ending{Code: 5})
}

func agentWaitGivenUp(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "obey")
	b.out.lines(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Wait(ctx)
	is.True(errors.Is(err, context.Canceled))
	is.True(h.Alive(b.Pid())) // giving up the wait ends nothing
	b.forced(t, port.Terminate, never)
	is.True(!h.Alive(b.Pid()))
}

func agentWaitTwice(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "speak", "", "", "6")
	endings := make(chan port.Ending, 2)
	for range cap(endings) {
		go func() {
			e, err := b.Wait(t.Context())
			if err != nil {
				t.Error(err)
			}
			endings <- e
		}()
	}
	is.Equal(<-endings, port.Ending{Code: 6})
	is.Equal(<-endings, port.Ending{Code: 6})
}

func agentInterrupt(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "obey")
	b.out.lines(t, 1)
	is.Equal(b.forced(t, port.Interrupt, never), port.Ending{Code: 21, Forced: true})
}

func agentTerminate(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "obey")
	b.out.lines(t, 1)
	is.Equal(b.forced(t, port.Terminate, never), port.Ending{Code: 22, Forced: true})
	is.Equal(b.out.String(), "ready\nasked to terminate\n") // last words are kept
}

func agentKill(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "stay")
	b.err.lines(t, 1)
	is.Equal(b.forced(t, port.Terminate, 30*time.Millisecond), port.Ending{Signal: 9, Forced: true})
	is.True(!h.Alive(b.Pid()))
}

func agentImpatient(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "stay")
	b.err.lines(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e, err := b.End(ctx, port.Interrupt, never)
	is.NoErr(err)
	is.Equal(e, port.Ending{Signal: 9, Forced: true})
}

func agentKillsKin(t *testing.T, h AgentHarness) {
	is := is.New(t)
	// Of the two children, one is in the group and one in a session of its
	// own; the latter has a child again.
	b := h.begin(t, port.Input{}, "brood", "stay", "own:hold:parent")
	pids := b.out.pids(t, 3)
	e := b.forced(t, port.Interrupt, 30*time.Millisecond)
	is.Equal(e, port.Ending{Signal: 9, Forced: true, Leftover: 3})
	for _, pid := range pids {
		is.True(!h.Alive(pid))
	}
}

func agentAsksGroup(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "lead", "obey")
	pids := b.out.pids(t, 1)
	e := b.forced(t, port.Interrupt, never)
	is.Equal(e, port.Ending{Code: 21, Forced: true}) // the child went when it was asked
	is.True(!h.Alive(pids[0]))
}

func agentEndAfterEnd(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "speak", "", "", "7")
	want := b.ending(t)
	is.Equal(b.forced(t, port.Interrupt, never), want) // Forced is not set
}

func agentLeftover(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "leave", "obey", "obey")
	pids := b.out.pids(t, 2)
	is.Equal(b.ending(t), port.Ending{Leftover: 2})
	is.True(!h.Alive(pids[0]))
	is.True(!h.Alive(pids[1]))
}

func agentStubbornLeftover(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "leave", "stay")
	pids := b.out.pids(t, 1)
	is.Equal(b.ending(t), port.Ending{Leftover: 1})
	is.True(!h.Alive(pids[0]))
}

func agentOwnSession(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "leave", "own:stay")
	pids := b.out.pids(t, 1)
	defer h.Kill(pids[0])
	is.Equal(b.ending(t), port.Ending{})
	is.True(h.Alive(pids[0])) // left alone
}

func agentHeldStream(t *testing.T, h AgentHarness) {
	is := is.New(t)
	b := h.begin(t, port.Input{}, "leave", "own:hold:stay")
	pids := b.out.pids(t, 1)
	defer h.Kill(pids[0])
	is.Equal(b.ending(t), port.Ending{Cut: true})
	is.True(h.Alive(pids[0]))
}

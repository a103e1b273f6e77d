package agenttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/changeover/changeover/domain/port"
)

// sigkill is the number of the signal that cannot be refused.
const sigkill = 9

// politeness is how long what is left of a group may take over Terminate.
const politeness = 50 * time.Millisecond

// Runner is the fake: its agents run inside this process. What a program holds
// open beyond the agent's end is cut at once.
type Runner struct {
	programs map[string]Program
	files    map[string][]byte

	mu      sync.Mutex
	lastPid int
	all     map[int]*process
	started []port.Command
}

// NewRunner returns a runner that knows the given programs by the first
// element of Argv, and the given files by the path of a FileInput.
func NewRunner(programs map[string]Program, files map[string][]byte) *Runner {
	return &Runner{programs: programs, files: files, lastPid: 1000, all: map[int]*process{}}
}

// Started returns the commands that were started so far.
func (r *Runner) Started() []port.Command {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]port.Command{}, r.started...)
}

// Alive reports whether the process of that number runs.
func (r *Runner) Alive(pid int) bool {
	r.mu.Lock()
	p := r.all[pid]
	r.mu.Unlock()
	return p != nil && !p.ended()
}

// Kill ends one process, as somebody else on the machine might, and waits for
// its end.
func (r *Runner) Kill(pid int) {
	r.mu.Lock()
	p := r.all[pid]
	r.mu.Unlock()
	if p != nil {
		p.kill()
		<-p.exited
	}
}

// Start implements port.AgentRunner.
func (r *Runner) Start(c port.Command) (port.Agent, error) {
	if len(c.Argv) == 0 {
		return nil, errors.New("start an agent: no command given")
	}
	if r.programs[c.Argv[0]] == nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], port.ErrNoExecutable)
	}
	text, _ := c.Input.Text()
	if path, ok := c.Input.Path(); ok {
		if text, ok = r.files[path]; !ok {
			return nil, fmt.Errorf("start %s: standard input: %s: %w", c.Argv[0], path, fs.ErrNotExist)
		}
	}
	a := &agent{runner: r, out: &stream{to: c.Stdout}, err: &stream{to: c.Stderr}, done: make(chan struct{}), swept: make(chan struct{})}

	r.mu.Lock()
	r.started = append(r.started, c)
	pid := r.lastPid + 1
	r.mu.Unlock()
	if c.Began != nil {
		if err := c.Began(pid); err != nil {
			return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
		}
	}
	a.leader = r.launch(a, nil, c.Argv[0], Process{
		Args:   c.Argv[1:],
		Dir:    c.Dir,
		Env:    append([]string{}, c.Env...),
		Stdin:  bytes.NewReader(text),
		Stdout: a.out,
		Stderr: a.err,
	})
	go a.watch()
	return a, nil
}

// launch runs a program as a process of the agent a.
func (r *Runner) launch(a *agent, parent *process, program string, view Process) *process {
	p := &process{
		parent:   parent,
		inGroup:  true,
		requests: make(chan port.Request, 8),
		killed:   make(chan struct{}),
		exited:   make(chan struct{}),
	}
	r.mu.Lock()
	r.lastPid++
	view.Pid = r.lastPid
	r.all[view.Pid] = p
	r.mu.Unlock()

	view.Requests, view.Killed = p.requests, p.killed
	view.Stdout, view.Stderr = p.guard(view.Stdout), p.guard(view.Stderr)
	view.Spawn = func(c Child) int { return r.spawn(a, p, c, view) }
	a.add(p)
	p.pid = view.Pid
	go func() { p.end(r.programs[program](&view)) }()
	return p
}

// spawn runs a program as a child of p.
func (r *Runner) spawn(a *agent, parent *process, c Child, view Process) int {
	view.Args = c.Args
	view.Stdin = bytes.NewReader(nil)
	if !c.KeepStreams {
		view.Stdout, view.Stderr = io.Discard, io.Discard
	}
	child := r.launch(a, parent, c.Program, view)
	a.mu.Lock()
	child.inGroup = parent.inGroup && !c.OwnSession
	child.holds = c.KeepStreams
	a.mu.Unlock()
	return child.pid
}

// process is one running program.
type process struct {
	pid      int
	parent   *process
	inGroup  bool
	holds    bool // keeps the agent's streams open
	requests chan port.Request
	killed   chan struct{}
	exited   chan struct{}

	mu   sync.Mutex // guards the closing of killed and exited
	exit Exit       // final when exited is closed
}

func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	case <-p.killed:
		return true
	default:
		return false
	}
}

// kill ends a process that has not ended yet.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended() {
		close(p.killed)
	}
}

// end records how the program ended: as it says, unless it was killed.
func (p *process) end(exit Exit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended() {
		exit = Exit{Signal: sigkill}
	}
	p.exit = exit
	close(p.exited)
}

// ask delivers a request to a program that may not listen.
func (p *process) ask(q port.Request) {
	select {
	case p.requests <- q:
	default:
	}
}

// guard makes a writer that a killed process can no longer write to.
func (p *process) guard(to io.Writer) io.Writer { return guarded{p, to} }

type guarded struct {
	p  *process
	to io.Writer
}

func (g guarded) Write(b []byte) (int, error) {
	select {
	case <-g.p.killed:
		return 0, fs.ErrClosed
	default:
		return g.to.Write(b)
	}
}

// stream carries bytes to a writer until it is closed.
type stream struct {
	mu     sync.Mutex
	to     io.Writer
	closed bool
}

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, fs.ErrClosed
	}
	if s.to != nil {
		if _, err := s.to.Write(b); err != nil {
			s.to = nil
		}
	}
	return len(b), nil
}

func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// agent is port.Agent over programs inside this process.
type agent struct {
	runner   *Runner
	leader   *process
	out, err *stream
	swept    chan struct{}
	done     chan struct{}

	mu       sync.Mutex
	kin      []*process // all processes of the run, in the order of their start
	owned    bool       // somebody sees to the end already
	leftover int
	ending   port.Ending
}

func (a *agent) add(p *process) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kin = append(a.kin, p)
}

// living returns the processes beside the leader that run and satisfy keep.
func (a *agent) living(keep func(*process) bool) []*process {
	a.mu.Lock()
	defer a.mu.Unlock()
	var found []*process
	for _, p := range a.kin {
		if p != a.leader && !p.ended() && keep(p) {
			found = append(found, p)
		}
	}
	return found
}

func inGroup(p *process) bool { return p.inGroup }
func holder(p *process) bool  { return p.holds }
func anyone(*process) bool    { return true }

// Pid implements port.Agent.
func (a *agent) Pid() int { return a.leader.pid }

// Wait implements port.Agent.
func (a *agent) Wait(ctx context.Context) (port.Ending, error) {
	select {
	case <-a.done:
		return a.ending, nil
	default:
	}
	select {
	case <-a.done:
		return a.ending, nil
	case <-ctx.Done():
		return port.Ending{}, ctx.Err()
	}
}

// End implements port.Agent.
func (a *agent) End(ctx context.Context, ask port.Request, grace time.Duration) (port.Ending, error) {
	if a.own() {
		ctx, cancel := context.WithTimeout(ctx, grace)
		defer cancel()
		for _, p := range append(a.living(inGroup), a.leader) {
			p.ask(ask)
		}
		for _, p := range append(a.living(anyone), a.leader) {
			await(ctx, p)
		}
		left := a.living(anyone)
		a.leader.kill()
		for _, p := range left {
			p.kill()
			<-p.exited
		}
		a.leftover = len(left)
		close(a.swept)
	}
	<-a.done
	return a.ending, nil
}

// own reports whether the caller is the first to see to the run's end.
func (a *agent) own() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	first := !a.owned
	a.owned = true
	return first
}

// watch follows the leader to its end and settles what it leaves.
func (a *agent) watch() {
	<-a.leader.exited
	forced := !a.own()
	if forced {
		<-a.swept
	}
	cut := len(a.living(holder)) > 0
	a.out.close()
	a.err.close()
	if !forced {
		a.leftover = a.settle()
	}
	exit := a.leader.exit
	a.ending = port.Ending{Code: exit.Code, Signal: exit.Signal, Forced: forced, Leftover: a.leftover, Cut: cut}
	close(a.done)
}

// settle ends what is left of the group and returns how many there were.
func (a *agent) settle() int {
	left := a.living(inGroup)
	ctx, cancel := context.WithTimeout(context.Background(), politeness)
	defer cancel()
	for _, p := range left {
		p.ask(port.Terminate)
	}
	for _, p := range left {
		await(ctx, p)
		p.kill()
		<-p.exited
	}
	return len(left)
}

// await returns when p has exited or ctx is done.
func await(ctx context.Context, p *process) {
	select {
	case <-p.exited:
	case <-ctx.Done():
	}
}

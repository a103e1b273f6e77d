package kills_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/transcript"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

// dies is what ends a process at a system call.
type dies struct{}

// faulty is an operating system under which a process dies before one of its calls.
type faulty struct {
	osfs.System
	calls int
	// last is the call before which it dies; 0 for none.
	last int
}

func (f *faulty) call() {
	if f.calls++; f.calls == f.last {
		panic(dies{})
	}
}

func (f *faulty) Create(path string, perm uint32) (int, error) {
	f.call()
	return f.System.Create(path, perm)
}

func (f *faulty) Write(fd int, p []byte) (int, error) {
	f.call()
	if half := len(p) / 2; f.calls%2 == 0 && half > 0 { // what is written comes in pieces
		p = p[:half]
	}
	return f.System.Write(fd, p)
}

// Fsync does nothing: a killed process takes no data along.
func (f *faulty) Fsync(int) error {
	f.call()
	return nil
}

func (f *faulty) Link(from, to string) error {
	f.call()
	return f.System.Link(from, to)
}

func (f *faulty) Rename(from, to string) error {
	f.call()
	return f.System.Rename(from, to)
}

func (f *faulty) RenameNew(from, to string) error {
	f.call()
	return f.System.RenameNew(from, to)
}

func (f *faulty) Unlink(path string) error {
	f.call()
	return f.System.Unlink(path)
}

func (f *faulty) Mkdir(path string, perm uint32) error {
	f.call()
	return f.System.Mkdir(path, perm)
}

// calls is a machine whose processes die at their system calls. They run in the test
// itself, one after the other.
type calls struct {
	t     *testing.T
	dir   string
	rng   *rand.Rand
	tally *tally
	// most is how many calls a run of each kind has taken at most.
	most map[string]int

	now     time.Time
	pids    int
	running map[int]bool
	rows    map[*client]session.Row
	both    []*client
	told    []string
}

func newCalls(t *testing.T, rng *rand.Rand, tally *tally) *calls {
	t.Helper()
	return &calls{
		t: t, dir: t.TempDir(), rng: rng, tally: tally, most: map[string]int{}, now: time.UnixMilli(1796031472165), pids: 100,
		running: map[int]bool{}, rows: map[*client]session.Row{},
	}
}

func (m *calls) state() string { return filepath.Join(m.dir, "state") }

func (m *calls) story() []string {
	told := m.told
	m.told = nil
	return told
}

func (m *calls) opens(id string) *client {
	m.t.Helper()
	m.pids++
	c := &client{id: id, pid: m.pids, entered: map[string]int{}, transcript: filepath.Join(m.dir, id+".jsonl")}
	m.running[c.pid] = true
	m.both = append(m.both, c)
	m.rows[c] = session.Row{SessionID: id, PID: c.pid, ProcStart: start(c.pid), Kind: "interactive", Entrypoint: "cli", Cwd: m.dir}
	m.register(c)
	m.survives(func(o relay.Operator) error {
		_, err := o.Start(m.input(c))
		return err
	})
	return c
}

func start(pid int) string { return "s" + strconv.Itoa(pid) }

// register has the client tell what it does.
func (m *calls) register(c *client) {
	row := m.rows[c]
	row.Status, row.StatusAt = "idle", m.now
	if c.busy {
		row.Status = "busy"
	}
	m.rows[c] = row
}

// Alive implements port.ProcessTree.
func (m *calls) Alive(pid int) bool { return m.running[pid] }

// Started implements port.ProcessTree.
func (m *calls) Started(pid int) (session.Start, error) {
	if !m.running[pid] {
		return session.Start{}, errors.New("no such process")
	}
	return session.Start{Token: start(pid)}, nil
}

// Parent implements port.ProcessTree.
func (*calls) Parent(int) (int, error) { return 0, errors.New("no parent") }

// Now implements port.Clock.
func (m *calls) Now() time.Time { return m.now }

// Sessions implements port.SessionRegistry.
func (m *calls) Sessions() (session.Listing, error) {
	var l session.Listing
	for _, c := range m.both {
		l.Rows = append(l.Rows, m.rows[c])
	}
	return l, nil
}

// Terms implements relay.Defaults.
func (*calls) Terms() (relay.Terms, error) {
	return relay.Terms{MaxRounds: relay.DefaultMaxRounds, Lang: "en"}, nil
}

// self is the process that runs.
type self int

func (s self) Self() int       { return int(s) }
func (self) PidDomain() string { return "" }

// process runs a process and returns the calls that it took; died before the last
// one, where last is not 0.
func (m *calls) process(last int, body func(relay.Operator, *faulty) error) (taken int, died bool, err error) {
	m.now = m.now.Add(time.Millisecond)
	m.pids++
	pid := m.pids
	m.running[pid] = true
	sys := &faulty{System: osfs.Kernel(), last: last}
	defer func() {
		delete(m.running, pid)
		taken = sys.calls
		if fault := recover(); fault != nil {
			if fault != (dies{}) {
				panic(fault)
			}
			died = true
		}
	}()
	return 0, false, body(relay.Operator{
		Store: linkstore.New(osfs.NewOn(sys), m.state()), Clock: m, Random: entropy.New(), Sessions: m, Processes: m, Machine: self(pid),
		Env: port.Environment{Lookup: func(string) string { return "" }}, Defaults: m,
	}, sys)
}

// survives runs a process that is not killed.
func (m *calls) survives(body func(relay.Operator) error) {
	m.t.Helper()
	if _, _, err := m.process(0, func(o relay.Operator, _ *faulty) error { return body(o) }); err != nil {
		m.t.Fatal(err)
	}
}

// run runs a process that may be killed, and tells whether it lived.
func (m *calls) run(what string, body func(relay.Operator, *faulty) error) bool {
	last := 0
	if m.rng.IntN(odds) == 0 && m.tally.wants() && m.most[what] > 0 {
		last = 1 + m.rng.IntN(m.most[what])
	}
	taken, died, err := m.process(last, body)
	m.told = append(m.told, fmt.Sprintf("%s: died %v at call %d of %d: %v", what, died, last, taken, err))
	if err != nil {
		m.t.Errorf("%s: %v", what, err)
	}
	if died {
		m.tally.killed("system call", what)
		return false
	}
	m.most[what] = max(m.most[what], taken)
	return true
}

func (m *calls) input(c *client) relay.HookInput {
	return relay.HookInput{
		Event: session.Event{SessionID: c.id, Cwd: m.dir}, Interactive: true, PID: c.pid, Start: start(c.pid), Transcript: written(c.transcript),
	}
}

// written is what a client has written down.
type written string

// Turn implements relay.Transcript.
func (w written) Turn(isOwn func(id, prompt string) bool, _ bool) (string, bool) {
	id, ok, err := transcript.Turn(string(w), isOwn)
	return id, ok && err == nil
}

// Endings implements relay.Transcript.
func (w written) Endings(id string) []relay.Turn {
	endings, err := transcript.Endings(string(w), id)
	if err != nil {
		return nil
	}
	var turns []relay.Turn
	for _, e := range endings {
		turns = append(turns, relay.Turn{Prompt: e.Prompt, Message: e.Message})
	}
	return turns
}

func (m *calls) hook(c *client, e event, times int) []answer {
	m.register(c)
	var answers []answer
	for range times {
		var a answer
		if m.run("hook "+e.name, func(o relay.Operator, sys *faulty) (err error) {
			a, err = m.answers(o, sys, c, e)
			return err
		}) {
			answers = append(answers, a)
		}
	}
	return answers
}

// answers is what the hook of an event does.
func (m *calls) answers(o relay.Operator, sys *faulty, c *client, e event) (answer, error) {
	in := m.input(c)
	switch e.name {
	case "FileChanged":
		r, err := o.Bell(in, filepath.Join(m.state(), "bells", c.id))
		if err != nil || r.Wake == "" {
			return answer{}, err
		}
		sys.call() // the text is written
		if err := o.HandOver(r.Claimed, r.Client); err != nil {
			return answer{}, err
		}
		sys.call() // and the process ends
		return answer{wake: r.Wake}, nil
	case "UserPromptSubmit":
		r, err := o.Prompt(in, e.prompt, e.promptID)
		return answer{block: r.Block}, err
	}
	_, err := o.Stop(in, relay.Turn{Prompt: e.promptID, Message: e.message})
	return answer{}, err
}

func (m *calls) types(c *client, args ...string) {
	who := relay.Speaker{Party: relay.Party{Session: c.id, PID: c.pid, Start: start(c.pid)}, Person: true}
	m.run("relay "+args[0], func(o relay.Operator, _ *faulty) error {
		var err error
		switch args[0] {
		case "goal":
			_, err = o.Goal(who, args[1], false)
		case "resume":
			_, err = o.Resume(who)
		default:
			_, err = o.Status(c.id)
		}
		return err
	})
}

func (m *calls) stands() standing {
	var s standing
	m.survives(func(o relay.Operator) error {
		status, err := o.Status(plannerID)
		s.Phase, s.Goal = string(status.State.Phase), status.State.Goal()
		for range status.State.Pauses() {
			s.Pauses = append(s.Pauses, struct {
				Reason string `json:"reason"`
			}{})
		}
		return err
	})
	return s
}

func (m *calls) passes() {
	for _, c := range m.both {
		m.register(c)
	}
	m.now = m.now.Add(time.Hour)
}

func (m *calls) pair(again bool) {
	m.t.Helper()
	who := map[string]relay.Speaker{}
	for _, c := range m.both {
		who[c.id] = relay.Speaker{Party: relay.Party{Session: c.id, PID: c.pid, Start: start(c.pid)}, Person: true}
	}
	steps := []func(relay.Operator) error{
		func(o relay.Operator) error {
			_, err := o.Pair(who[plannerID], relay.Planner, builderID, relay.Terms{})
			return err
		},
		func(o relay.Operator) error {
			_, err := o.Accept(who[builderID], "", relay.Terms{})
			return err
		},
	}
	if again {
		steps = slices.Insert(steps, 0, func(o relay.Operator) error {
			_, err := o.Unlink(who[plannerID])
			return err
		})
	}
	for _, step := range steps {
		m.survives(step)
	}
}

func TestKills_AtASystemCall(t *testing.T) {
	kill(t, fewCalls, func(rng *rand.Rand, tally *tally) machine { return newCalls(t, rng, tally) })
}

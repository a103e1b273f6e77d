package kills_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
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
	"github.com/changeover/changeover/e2e/killing"
)

// calls is a machine whose processes die, or go wrong, at their system calls. They run
// in the test itself, one after the other.
type calls struct {
	// fault is what happens there; None where their clock jumps instead.
	fault killing.Fault
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

func newCalls(t *testing.T, fault killing.Fault, rng *rand.Rand, tally *tally) *calls {
	t.Helper()
	return &calls{
		fault: fault, t: t, dir: t.TempDir(), rng: rng, tally: tally, most: map[string]int{}, now: time.UnixMilli(1796031472165), pids: 100,
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
	c := &client{id: id, pid: m.pids, hasMod: true, entered: map[string]int{}, transcript: filepath.Join(m.dir, id+".jsonl")}
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

// process runs a process in which the call of that number goes wrong; none for 0.
func (m *calls) process(at int, body func(relay.Operator, *killing.System) error) (sys *killing.System, died bool, err error) {
	m.now = m.now.Add(time.Millisecond)
	m.pids++
	pid := m.pids
	m.running[pid] = true
	sys = killing.NewSystem(m.fault, at)
	sys.Pieces = true
	defer func() {
		delete(m.running, pid)
		if fault := recover(); fault != nil {
			if fault != (killing.Dead{}) {
				panic(fault)
			}
			died = true
		}
	}()
	return sys, false, body(relay.Operator{
		Store: linkstore.New(osfs.NewOn(sys), m.state()), Clock: m, Random: entropy.New(), Sessions: m, Processes: m, Machine: self(pid),
		Env: port.Environment{Lookup: func(string) string { return "" }}, Defaults: m,
	}, sys)
}

// survives runs a process that is not killed.
func (m *calls) survives(body func(relay.Operator) error) {
	m.t.Helper()
	if _, _, err := m.process(0, func(o relay.Operator, _ *killing.System) error { return body(o) }); err != nil {
		m.t.Fatal(err)
	}
}

// run runs a process that may be killed, and tells whether it lived.
func (m *calls) run(what string, body func(relay.Operator, *killing.System) error) bool {
	at := 0
	if m.rng.IntN(odds) == 0 && m.tally.wants(what) && m.most[what] > 0 {
		at = 1 + (m.tally.offset+m.tally.faults[what])%m.most[what] // each call in turn
		if m.fault == killing.None {
			m.jumps(what)
		}
	}
	sys, died, err := m.process(at, body)
	m.told = append(m.told, fmt.Sprintf("%s at %s: died %v, %s %v at call %d of %d: %v", what, m.now, died, m.fault, sys.Hit, at, sys.Calls, err))
	if err != nil && !sys.Hit {
		m.t.Errorf("%s: %v", what, err)
	}
	if sys.Hit {
		m.tally.met(what)
	} else if m.fault != killing.Short && sys.Calls > 0 || m.fault == killing.Short {
		m.most[what] = max(m.most[what], sys.Calls)
	}
	return !died
}

// jumps has the clock jump before a process.
func (m *calls) jumps(what string) {
	const year = 400 * 24 * time.Hour
	by := []time.Duration{time.Hour, -time.Hour, year, -year}
	m.now = m.now.Add(by[m.tally.faults[what]%len(by)])
	m.tally.met(what)
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
		if m.run("hook "+e.name, func(o relay.Operator, sys *killing.System) (err error) {
			a, err = m.answers(o, sys, c, e)
			return err
		}) {
			answers = append(answers, a)
		}
	}
	return answers
}

// answers is what the hook of an event does.
func (m *calls) answers(o relay.Operator, sys *killing.System, c *client, e event) (answer, error) {
	in := m.input(c)
	switch e.name {
	case "FileChanged":
		r, err := o.Bell(in, filepath.Join(m.state(), "bells", c.id))
		if err != nil || r.Wake == "" {
			return answer{}, err
		}
		if err := sys.Call(); err != nil { // the text is not written
			return answer{}, errors.Join(err, o.PutBack(r.Claimed))
		}
		if err := o.HandOver(r.Claimed, r.Client); err != nil {
			return answer{}, errors.Join(err, o.PutBack(r.Claimed))
		}
		_ = sys.Call() // the process ends; only its death makes a difference now
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
	m.run("relay "+args[0], func(o relay.Operator, _ *killing.System) error {
		var err error
		switch args[0] {
		case "goal":
			_, err = o.Goal(who, args[1], false)
		case "resume":
			_, err = o.Resume(who)
		case "pause":
			_, err = o.Pause(who)
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
	if again {
		m.survives(func(o relay.Operator) error {
			_, err := o.Unlink(who[plannerID])
			return err
		})
	}
	m.typed("relay planner", func(o relay.Operator) error {
		_, err := o.Pair(who[plannerID], relay.Planner, builderID, relay.Terms{})
		return err
	})
	m.typed("relay builder", func(o relay.Operator) error {
		_, err := o.Pair(who[builderID], relay.Builder, plannerID, relay.Terms{})
		return err
	})
}

// typed runs what a person types, who types it again where it went wrong; it may be
// done by then.
func (m *calls) typed(what string, body func(relay.Operator) error) {
	m.t.Helper()
	before := m.tally.faults[what]
	m.run(what, func(o relay.Operator, _ *killing.System) error { return body(o) })
	if m.fault != killing.None && m.tally.faults[what] > before {
		_, _, _ = m.process(0, func(o relay.Operator, _ *killing.System) error { return body(o) })
	}
}

func TestKills_AtASystemCall(t *testing.T) {
	kill(t, string(killing.Dies), fewCalls, func(rng *rand.Rand, tally *tally) machine { return newCalls(t, killing.Dies, rng, tally) })
}

func TestFaults_AtEveryCall(t *testing.T) {
	for _, fault := range killing.Failures() {
		t.Run(string(fault), func(t *testing.T) {
			kill(t, string(fault), fewCalls, func(rng *rand.Rand, tally *tally) machine { return newCalls(t, fault, rng, tally) })
		})
	}
}

func TestClock_Jumps(t *testing.T) {
	kill(t, "clock jumps", fewCalls, func(rng *rand.Rand, tally *tally) machine { return newCalls(t, killing.None, rng, tally) })
}

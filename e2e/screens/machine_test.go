package screens_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/claudereg"
	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/adapters/relayconfig"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/e2e/fakeregistry"
)

// machine is a home with a session registry, a store of links and a marked root, all
// of a test's own.
type machine struct {
	t       *testing.T
	home    string
	root    string
	relay   relay.Operator
	prompts int
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, home: home, root: filepath.Join(home, "pier")}
	m.must(nil, os.MkdirAll(filepath.Join(m.root, ".claude"), 0o755))
	m.must(nil, os.WriteFile(filepath.Join(m.root, ".claude", "exchange.json"), []byte(`{"name": "pier"}`), 0o600))
	files := osfs.New()
	env := port.Environment{Lookup: func(string) string { return "" }, Home: home}
	m.relay = relay.Operator{
		Store: linkstore.New(files, m.state()), Clock: clock.New(), Random: entropy.New(),
		Sessions:  claudereg.New(files, m.registry(), func(time.Duration) {}),
		Processes: proc.New(), Machine: proc.New(), Env: env, Defaults: relayconfig.New(files, env),
	}
	return m
}

func (m *machine) registry() string { return filepath.Join(m.home, ".claude", "sessions") }
func (m *machine) state() string    { return filepath.Join(m.home, "state") }

// env is what the programs are started with.
func (m *machine) env(more ...string) []string {
	return append([]string{
		"HOME=" + m.home, "PATH=" + bin + ":" + os.Getenv("PATH"), "RELAY_STATE_DIR=" + m.state(), "TMPDIR=" + os.TempDir(),
	}, more...)
}

func (m *machine) must(_ any, err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// open starts a session: a process and its row.
func (m *machine) open(id, name, dir string) {
	m.t.Helper()
	m.must(nil, os.MkdirAll(dir, 0o755))
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), sleeper+"=1")
	hold, err := cmd.StdinPipe()
	m.must(nil, err)
	m.must(nil, cmd.Start())
	m.t.Cleanup(func() {
		_ = hold.Close() // it ends with this
		_ = cmd.Wait()   // however it does
	})
	row := fakeregistry.New(cmd.Process.Pid, id, dir, time.Now().UnixMilli()).With("name", name)
	m.must(nil, row.Write(m.registry(), fmt.Sprintf("%d.json", cmd.Process.Pid)))
}

// runs runs one of the programs in the root.
func (m *machine) runs(program string, args ...string) {
	m.t.Helper()
	cmd := exec.Command(filepath.Join(bin, program), args...)
	cmd.Dir, cmd.Env = m.root, m.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
}

func (m *machine) speaker(id string) relay.Speaker {
	m.t.Helper()
	self, err := m.relay.Speak(id, "")
	m.must(nil, err)
	return self
}

// link pairs two sessions and gives the planner its goal, which it is shown.
func (m *machine) link(planner, builder, goal string) {
	m.t.Helper()
	m.must(m.relay.Pair(m.speaker(planner), relay.Planner, builder, relay.Terms{}))
	m.must(m.relay.Accept(m.speaker(builder), "", relay.Terms{}))
	m.must(m.relay.Goal(m.speaker(planner), goal, false))
	m.receives(planner)
}

// receives has a session take what waits for it.
func (m *machine) receives(id string) {
	m.t.Helper()
	self := m.speaker(id)
	member, err := m.relay.Known(self.Session)
	m.must(nil, err)
	claimed, ok, err := m.relay.Claim(member)
	m.must(nil, err)
	if !ok {
		m.t.Fatalf("nothing waits for %s", id)
	}
	m.must(nil, m.relay.HandOver(claimed, relay.Attachment{PID: self.PID, Start: self.Start}))
	m.prompts++
	reply, err := m.relay.Prompt(m.input(self), claimed.Prompt(relay.CatalogueOf("en")), fmt.Sprint(m.prompts))
	m.must(nil, err)
	if reply.Block {
		m.t.Fatalf("blocked: %s", reply.Reason)
	}
}

// says ends the turn of a session with a handoff.
func (m *machine) says(id, text string) {
	m.t.Helper()
	m.must(m.relay.Stop(m.input(m.speaker(id)), relay.Turn{
		Prompt: fmt.Sprint(m.prompts), Message: "<handoff>\n" + text + "\n</handoff>",
	}))
}

func (m *machine) input(self relay.Speaker) relay.HookInput {
	return relay.HookInput{
		Event: session.Event{SessionID: self.Session, Cwd: self.Cwd}, Interactive: true, PID: self.PID, Start: self.Start,
	}
}

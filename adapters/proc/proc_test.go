package proc_test

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/port"
)

// mark tells a process of the test binary that it is to wait for the end of its
// input and go.
const mark = "CHANGEOVER_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(mark) != "" {
		_, _ = io.WriteString(os.Stdout, "ready") // who waits for it sees what is missing
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	os.Exit(m.Run())
}

// children are the processes that a test started.
type children map[int]*child

type child struct {
	cmd   *exec.Cmd
	input io.Closer
	out   io.Reader
}

func (c children) spawn(t *testing.T) int {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = []string{mark + "=1"}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	c[pid] = &child{cmd: cmd, input: in, out: out}
	t.Cleanup(func() {
		if c[pid] != nil { // only where the test failed
			c.end(t, pid)
			c.reap(t, pid)
		}
	})
	return pid
}

// end returns when the child has ended: not before is it a zombie.
func (c children) end(t *testing.T, pid int) {
	t.Helper()
	if err := c[pid].input.Close(); err != nil {
		t.Fatal(err)
	}
	awaitEnd(t, pid)
}

func (c children) reap(t *testing.T, pid int) {
	t.Helper()
	if err := c[pid].cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	delete(c, pid)
}

// contract runs the contract on this machine's processes.
func contract[T interface {
	port.ProcessTree
	port.Machine
}](t *testing.T, table func() T) {
	porttest.Processes(t, func(*testing.T) porttest.ProcessHarness {
		c := children{}
		looker := table()
		return porttest.ProcessHarness{
			Tree: looker, Machine: looker, Self: os.Getpid(),
			Spawn: c.spawn, End: c.end, Reap: c.reap,
			Foreign: 1, AsStranger: porttest.AsStranger,
		}
	})
}

func TestTable_Contract(t *testing.T) { contract(t, proc.New) }

func TestSnapshot_Contract(t *testing.T) { contract(t, proc.NewSnapshot) }

func TestSnapshot_LooksOnce(t *testing.T) {
	is := is.New(t)
	c := children{}
	pid := c.spawn(t)
	snapshot := proc.NewSnapshot()
	is.True(snapshot.Alive(pid))
	c.end(t, pid)
	c.reap(t, pid)
	is.True(snapshot.Alive(pid)) // as it was at the first look
	_, err := snapshot.Started(pid)
	is.NoErr(err)
	is.True(!proc.NewSnapshot().Alive(pid))
}

func TestTable_StartedOnTheWallClock(t *testing.T) {
	is := is.New(t)
	c := children{}
	before := time.Now()
	pid := c.spawn(t)
	after := time.Now()
	start, err := proc.New().Started(pid)
	is.NoErr(err)
	is.True(start.At.After(before.Add(-2 * time.Second))) // to within a second or so
	is.True(start.At.Before(after.Add(2 * time.Second)))
	c.end(t, pid)
	c.reap(t, pid)
}

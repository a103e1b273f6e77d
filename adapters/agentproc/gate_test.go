package agentproc_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/agentproc"
	"github.com/changeover/changeover/domain/port"
)

// dying names the directory in which a process of this test dies while it notes its
// agent.
const dying = "CHANGEOVER_TEST_DIES_NOTING"

// leavesTrace is an agent that leaves a file where it ran.
func leavesTrace(dir string, began func(int) error) port.Command {
	return port.Command{Argv: []string{"/bin/sh", "-c", "echo > ran"}, Dir: dir, Began: began}
}

// dieNoting makes this process one that dies between the start of its agent and the
// note, if it is to be one.
func dieNoting() {
	dir := os.Getenv(dying)
	if dir == "" {
		return
	}
	_, err := agentproc.New(agentproc.OwnGate()).Start(leavesTrace(dir, func(pid int) error {
		fmt.Println(pid)
		return syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Whoever comes after a process that died must know of every agent that runs.
func TestRunner_AnAgentNobodyCouldNoteNeverRuns(t *testing.T) {
	is := is.New(t)
	self, err := os.Executable()
	is.NoErr(err)
	dir := t.TempDir()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), dying+"="+dir)
	said, err := cmd.Output()
	var exit *exec.ExitError
	is.True(errors.As(err, &exit))
	status, _ := exit.Sys().(syscall.WaitStatus)
	is.Equal(status.Signal(), syscall.SIGKILL)
	pid, err := strconv.Atoi(strings.TrimSpace(string(said)))
	is.NoErr(err)
	awaitGone(t, pid)
	_, err = os.Stat(filepath.Join(dir, "ran"))
	is.True(errors.Is(err, fs.ErrNotExist))
}

// asksGate makes a process of this test say what gate it has before PassGate.
const asksGate = "CHANGEOVER_TEST_ASKS_GATE"

func sayGate() {
	if os.Getenv(asksGate) != "" {
		fmt.Printf("%q", agentproc.OwnGate())
		os.Exit(0)
	}
}

// A program that never calls PassGate would start itself for ever.
func TestOwnGate_IsNoneBeforePassGate(t *testing.T) {
	is := is.New(t)
	self, err := os.Executable()
	is.NoErr(err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asksGate+"=1")
	said, err := cmd.Output()
	is.NoErr(err)
	is.Equal(string(said), `""`)
	is.True(agentproc.OwnGate() != "") // here it was called
}

func TestRunner_AnAgentThatCannotBeNotedNeverRuns(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	gate := 0
	full := errors.New("no space to note it")
	_, err := agentproc.New(agentproc.OwnGate()).Start(leavesTrace(dir, func(pid int) error {
		gate = pid
		return full
	}))
	is.True(errors.Is(err, full))
	is.True(!agentproc.Alive(gate)) // it was waited for
	_, err = os.Stat(filepath.Join(dir, "ran"))
	is.True(errors.Is(err, fs.ErrNotExist))
}

func TestRunner_WithoutAGateStartsNothingThatMustBeNoted(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	_, err := agentproc.New("").Start(leavesTrace(dir, func(int) error { return nil }))
	is.True(err != nil)
	_, err = os.Stat(filepath.Join(dir, "ran"))
	is.True(errors.Is(err, fs.ErrNotExist))
}

// The agent has the environment and the descriptors that it would have without a gate.
func TestRunner_AGateLeavesNothingBehind(t *testing.T) {
	is := is.New(t)
	show := func(began func(int) error) string {
		var out strings.Builder
		agent, err := agentproc.New(agentproc.OwnGate()).Start(port.Command{
			Argv: []string{"/bin/sh", "-c", `env | sort; ls /proc/self/fd 2>/dev/null | wc -l; ps -o args= -p $$; ulimit -n; trap`},
			Dir:  "/", Env: []string{"PATH=/usr/bin:/bin", "A=1"}, Stdout: &out, Began: began,
		})
		is.NoErr(err)
		_, err = agent.Wait(t.Context())
		is.NoErr(err)
		return out.String()
	}
	is.Equal(show(func(int) error { return nil }), show(nil))
}

// awaitGone waits until there is no process of that number.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for agentproc.Alive(pid) {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("process %d lives on", pid)
		}
	}
}

package agentproc_test

import (
	"bufio"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/agentproc"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/port"
)

// stray starts a group leader that has a child in a session of its own, and does
// not heed the request to end.
func stray(t *testing.T) (leader *exec.Cmd, child int) {
	t.Helper()
	leader = exec.Command("sh", "-c", `trap '' INT TERM; setsid sleep 4242 & echo $!; while :; do sleep 1; done`)
	leader.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := leader.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := leader.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-leader.Process.Pid, syscall.SIGKILL)
		_ = leader.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if child, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(child, syscall.SIGKILL) })
	return leader, child
}

func TestEndStray_EndsTheAgentAndWhatBelongsToIt(t *testing.T) {
	is := is.New(t)
	leader, child := stray(t)
	start, err := proc.New().Started(leader.Process.Pid)
	is.NoErr(err)
	err = agentproc.New("").EndStray(t.Context(), leader.Process.Pid, start.Token, port.Interrupt, 50*time.Millisecond)
	is.NoErr(err)
	is.True(!agentproc.Alive(leader.Process.Pid))
	is.True(!agentproc.Alive(child))
}

func TestEndStray_LeavesAnotherProcessOfThatNumberAlone(t *testing.T) {
	is := is.New(t)
	leader, child := stray(t)
	is.NoErr(agentproc.New("").EndStray(t.Context(), leader.Process.Pid, "1", port.Interrupt, 50*time.Millisecond))
	is.True(agentproc.Alive(leader.Process.Pid))
	is.True(agentproc.Alive(child))
}

package e2e_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/proc"
)

// silentAgent is a codex that does not get through for longer than a test waits,
// with a command that it started beside it, until there is a network.
const silentAgent = `#!/bin/sh
cat >/dev/null
echo '{"type":"thread.started","thread_id":"t-1"}'
echo '{"type":"turn.started"}'
if [ -e "$HOME/network" ]; then
	echo '{"type":"item.completed","item":{"type":"agent_message","text":"<done>drained</done>"}}'
	echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
	exit 0
fi
sleep 60 &
echo $! $$ > "$HOME/processes"
n=0
while [ $n -lt 1000 ]; do
	n=$((n + 1))
	echo '{"type":"error","message":"Reconnecting... waiting for network (refused)"}'
	sleep 0.05
done
`

// The real program, real processes and a real clock: an agent that says for ever
// that it tries again is ended with what it started, and the work goes on later.
func TestRelayRun_AnAgentWithoutANetworkIsEndedWithItsProcesses(t *testing.T) {
	stamp.Read(t)
	home := t.TempDir()
	programs := filepath.Join(home, "programs")
	if err := os.Mkdir(programs, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(programs, "codex"), []byte(silentAgent), 0o755); err != nil {
		t.Fatal(err)
	}
	relay := func(args ...string) (output string, code int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience/2)
		defer cancel()
		cmd := exec.CommandContext(ctx, filepath.Join(binDir(), "relay"), args...)
		cmd.Dir = home
		cmd.Env = []string{"HOME=" + home, "PATH=" + programs + ":/usr/bin:/bin"}
		cmd.WaitDelay = time.Second
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}

	output, code := relay("run", "drain the pier", "--planner", "codex", "--silence", "2s")
	if code != 1 {
		t.Errorf("exit code %d, want 1\n%s", code, output)
	}
	wantIn(t, output, "planner │ retry: waiting for network (refused)")
	wantIn(t, output, "the planner (codex) did nothing for 2s but try again (waiting for network (refused)) and was ended; relay run --continue")
	noted, err := os.ReadFile(filepath.Join(home, "processes"))
	if err != nil {
		t.Fatal(err)
	}
	for word := range strings.FieldsSeq(string(noted)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		if proc.New().Alive(pid) {
			t.Errorf("process %d is left", pid)
		}
	}
	status, _ := relay("status", "--last")
	wantIn(t, status, "it said nothing for too long")

	if err := os.WriteFile(filepath.Join(home, "network"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if output, code = relay("run", "--continue"); code != 0 {
		t.Errorf("exit code %d after --continue, want 0", code)
	}
	wantIn(t, output, "done: drained")
}

// A model that asks for a run is told what a person types, and nothing is begun.
func TestRelayRun_FromASessionsToolStartsNothing(t *testing.T) {
	stamp.Read(t)
	home := t.TempDir()
	cmd := exec.Command(filepath.Join(binDir(), "relay"), "run", "drain the pier")
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "CLAUDECODE=1", "CLAUDE_CODE_CHILD_SESSION=1"}
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("relay run ended with %v", err)
	}
	wantIn(t, string(out), "in a terminal of their own: relay run")
	left, err := filepath.Glob(filepath.Join(home, ".local", "state", "relay", "*", "*"))
	if err != nil || len(left) != 0 {
		t.Errorf("it left %v (%v)", left, err)
	}
}

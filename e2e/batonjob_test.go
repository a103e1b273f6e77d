package e2e_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/changeover/changeover/adapters/proc"
)

// job is a command in the background.
type job struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	over           chan struct{}
}

// jobs are those of one script.
type jobs struct{ byName map[string]*job }

type jobsKey struct{}

// stop ends what still runs when the script ends.
func (j *jobs) stop() {
	for _, job := range j.byName {
		select {
		case <-job.over:
		default:
			_ = job.cmd.Process.Signal(syscall.SIGTERM) // so that it ends its agent
			select {
			case <-job.over:
			case <-time.After(10 * time.Second):
				_ = job.cmd.Process.Kill() // it may have ended meanwhile
				<-job.over
			}
		}
	}
}

func jobsOf(ts *testscript.TestScript) map[string]*job {
	all, ok := ts.Value(jobsKey{}).(*jobs)
	if !ok {
		ts.Fatalf("only scripts about baton have jobs")
	}
	return all.byName
}

func jobOf(ts *testscript.TestScript, name string) *job {
	j, ok := jobsOf(ts)[name]
	if !ok {
		ts.Fatalf("no job %s", name)
	}
	return j
}

// cmdJob starts a command: job NAME [with K=V]... CMD...
func cmdJob(ts *testscript.TestScript, _ bool, args []string) {
	name, args := args[0], args[1:]
	env := environment(ts)
	for args[0] == "with" {
		env = append(env, args[1])
		args = args[2:]
	}
	path, err := lookPath(args[0], env)
	ts.Check(err)
	j := &job{cmd: exec.Command(path, args[1:]...), over: make(chan struct{})}
	j.cmd.Dir, j.cmd.Env = ts.MkAbs("."), env
	j.cmd.Stdout, j.cmd.Stderr = &j.stdout, &j.stderr
	j.cmd.WaitDelay = time.Second
	j.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	ts.Check(j.cmd.Start())
	jobsOf(ts)[name] = j
	go func() {
		_ = j.cmd.Wait() // how it ended is read from its state
		close(j.over)
	}()
}

// cmdSignal sends a job a signal, if it still runs.
func cmdSignal(ts *testscript.TestScript, _ bool, args []string) {
	signal := map[string]os.Signal{
		"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL,
	}[args[1]]
	err := jobOf(ts, args[0]).cmd.Process.Signal(signal)
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		ts.Fatalf("signal %s: %v", args[0], err)
	}
}

// cmdEnded waits for a job: ended NAME CODE; -1 is one that a signal ended.
func cmdEnded(ts *testscript.TestScript, _ bool, args []string) {
	j := jobOf(ts, args[0])
	select {
	case <-j.over:
	case <-time.After(patience):
		ts.Fatalf("%s still runs", args[0])
	}
	_, _ = ts.Stdout().Write(j.stdout.Bytes()) // a buffer
	_, _ = ts.Stderr().Write(j.stderr.Bytes())
	if code := j.cmd.ProcessState.ExitCode(); code != number(ts, args[1]) {
		ts.Fatalf("%s ended with exit code %d, want %s\nstdout: %s\nstderr: %s", args[0], code, args[1], j.stdout.Bytes(), j.stderr.Bytes())
	}
}

// cmdUntil waits until a file holds a pattern: until FILE PATTERN.
func cmdUntil(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile(`(?m)` + args[1])
	var last []byte
	if !eventually(func() bool {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		last = data
		return err == nil && pattern.Match(data)
	}) {
		ts.Fatalf("%s does not come to hold %s:\n%s", args[0], args[1], last)
	}
}

// cmdGone waits until the process whose number a file holds is no more.
func cmdGone(ts *testscript.TestScript, neg bool, args []string) {
	pid := number(ts, strings.TrimSpace(ts.ReadFile(args[0])))
	if neg {
		if !proc.New().Alive(pid) {
			ts.Fatalf("process %d is no more", pid)
		}
		return
	}
	if !eventually(func() bool { return !proc.New().Alive(pid) }) {
		_ = syscall.Kill(pid, syscall.SIGKILL) // nothing is left running behind a failed test
		ts.Fatalf("process %d still runs", pid)
	}
}

// cmdLeft waits until so many processes work below $WORK, where the system tells.
func cmdLeft(ts *testscript.TestScript, _ bool, args []string) {
	if _, err := os.Stat("/proc/self/cwd"); err != nil {
		return
	}
	want := number(ts, args[0])
	var left []int
	if !eventually(func() bool {
		left = workingIn(ts.Getenv("WORK"))
		return len(left) == want
	}) {
		ts.Fatalf("%d processes are left, want %d: %v", len(left), want, left)
	}
}

// workingIn are the processes that work below a directory; none where the system
// does not tell.
func workingIn(dir string) []int {
	entries, _ := filepath.Glob("/proc/[0-9]*/cwd")
	var pids []int
	for _, entry := range entries {
		if cwd, err := os.Readlink(entry); err == nil && strings.HasPrefix(cwd, dir+"/") {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(entry)))
			if err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// eventually asks until it is so, or patience ends.
func eventually(so func() bool) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(patience); time.Now().Before(until); <-tick.C {
		if so() {
			return true
		}
	}
	return so()
}

func number(ts *testscript.TestScript, text string) int {
	n, err := strconv.Atoi(text)
	ts.Check(err)
	return n
}

package e2e_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/changeover/changeover/e2e/scripted"
)

// agents are the names under which the test binary plays an agent program.
var agents = map[string]func(){"codex": scripted.Codex, "claude": scripted.Claude}

// agentDir holds the agent programs: only the scripts about baton have it on PATH.
func agentDir() string { return filepath.Join(ground, "agents") }

func installAgents() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Mkdir(agentDir(), 0o755); err != nil {
		return err
	}
	for name := range agents {
		err = errors.Join(err, os.Symlink(self, filepath.Join(agentDir(), name)))
	}
	script, readErr := os.ReadFile(filepath.Join("testdata", "fake-agent.sh"))
	return errors.Join(err, readErr, os.WriteFile(filepath.Join(agentDir(), "fake-agent"), script, 0o755))
}

// TestBaton runs the scripts about baton, over agents that speak from scripts of
// their own.
func TestBaton(t *testing.T) {
	runScripts(t, filepath.Join("testdata", "baton"), kit{setup: setupBaton, commands: batonCommands()})
}

// setupBaton gives a script the agent programs, with $WORK/agents for what they
// say; $FAKE, a generic agent; the captures of the real clients in $CAPTURES and
// plans of all kinds in $PLANS.
func setupBaton(env *testscript.Env) error {
	if err := setup(env); err != nil {
		return err
	}
	for name, parts := range map[string][]string{
		"CAPTURES": {"..", "domain", "agent", "testdata", "captures"},
		"PLANS":    {"..", "domain", "baton", "plan", "testdata", "plan"},
	} {
		dir, err := filepath.Abs(filepath.Join(parts...))
		if err != nil {
			return err
		}
		env.Setenv(name, dir)
	}
	env.Setenv("PATH", agentDir()+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("SCRIPTED_AGENTS", filepath.Join(env.WorkDir, "agents"))
	env.Setenv("FAKE", filepath.Join(agentDir(), "fake-agent"))
	env.Setenv("TZ", "UTC")
	jobs := &jobs{byName: map[string]*job{}}
	env.Values[jobsKey{}] = jobs
	env.Defer(func() {
		jobs.stop()
		for _, pid := range workingIn(env.WorkDir) {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended meanwhile
		}
	})
	return os.MkdirAll(filepath.Join(env.WorkDir, "agents"), 0o755)
}

// batonCommands returns the commands that scripts about baton have besides the
// others:
//
//	repo DIR                 makes DIR a repository, what it holds is committed
//	git ARG...               runs git where the script stands
//	meta PATH WANT...        members of session.json, as json has them; several pairs.
//	                         "! meta PATH..." wants them absent
//	recorded N PATH WANT...  the same of the n-th record of runs.jsonl, or of the last
//	told AGENT N FILE        wants the prompt of an agent's n-th run to be a file's
//	job NAME CMD...          starts baton in the background; "with K=V" before it
//	signal NAME SIGNAL       sends it a signal: INT, TERM, HUP, KILL
//	ended NAME CODE          waits for its end; stdout and stderr are its
//	until FILE PATTERN       waits until the file holds the pattern
//	gone FILE                waits until the process with the number in the file
//	                         is no more, and ends it if it does not go
//	left N                   waits until N processes work below $WORK
func batonCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	cmds := scriptCommands()
	cmds["repo"] = cmdRepo
	cmds["git"] = cmdGit
	cmds["meta"] = cmdMeta
	cmds["recorded"] = cmdRecorded
	cmds["told"] = cmdTold
	cmds["job"] = cmdJob
	cmds["signal"] = cmdSignal
	cmds["ended"] = cmdEnded
	cmds["until"] = cmdUntil
	cmds["gone"] = cmdGone
	cmds["left"] = cmdLeft
	return cmds
}

// cmdRepo makes repositories whose files are committed.
func cmdRepo(ts *testscript.TestScript, _ bool, args []string) {
	for _, a := range args {
		dir := ts.MkAbs(a)
		ts.Check(os.MkdirAll(dir, 0o755))
		git(ts, dir, "init", "-q", "-b", "main")
		git(ts, dir, "add", "-A")
		git(ts, dir, "commit", "-q", "--allow-empty", "-m", "begin")
	}
}

// cmdGit runs git in the directory of the script.
func cmdGit(ts *testscript.TestScript, _ bool, args []string) {
	git(ts, ts.MkAbs("."), args...)
}

func git(ts *testscript.TestScript, dir string, args ...string) {
	cmd := exec.Command("git", append([]string{"-c", "user.name=e2e", "-c", "user.email=e2e@localhost"}, args...)...)
	cmd.Dir, cmd.Env = dir, environment(ts)
	out, err := cmd.CombinedOutput()
	if err != nil {
		ts.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	_, _ = ts.Stdout().Write(out) // a buffer
}

// cmdMeta compares members of the session.
func cmdMeta(ts *testscript.TestScript, neg bool, args []string) {
	members(ts, neg, ts.MkAbs(".ai-session/session.json"), args)
}

// members compares pairs of a path and what stands there, or wants paths absent.
func members(ts *testscript.TestScript, neg bool, file string, args []string) {
	if neg {
		for _, path := range args {
			cmdJSON(ts, true, []string{file, path})
		}
		return
	}
	for i := 0; i+1 < len(args); i += 2 {
		cmdJSON(ts, false, []string{file, args[i], args[i+1]})
	}
}

// cmdRecorded compares members of the record of a run.
func cmdRecorded(ts *testscript.TestScript, neg bool, args []string) {
	lines := strings.Split(ts.ReadFile(".ai-session/runs.jsonl"), "\n")
	n := len(lines) - 1
	if args[0] != "last" {
		n = number(ts, args[0])
	}
	if n < 1 || n >= len(lines) {
		ts.Fatalf("no run %d is recorded", n)
	}
	file := filepath.Join(ts.Getenv("WORK"), "record.json")
	ts.Check(os.WriteFile(file, []byte(lines[n-1]), 0o600))
	members(ts, neg, file, args[1:])
}

// cmdTold compares what an agent was told with a file.
func cmdTold(ts *testscript.TestScript, neg bool, args []string) {
	got := ts.ReadFile(filepath.Join(ts.Getenv("SCRIPTED_AGENTS"), args[0]+"."+args[1]+".prompt"))
	want := strings.TrimSuffix(ts.ReadFile(args[2]), "\n")
	if (got == want) == neg {
		ts.Fatalf("%s was told (negated: %v)\n%.2000s", args[0], neg, got)
	}
}

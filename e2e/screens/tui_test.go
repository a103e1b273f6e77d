package screens_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// agentScript is an agent that says so, and ends when the file go is there.
const agentScript = `#!/bin/sh
[ "$1" = --version ] && echo 'agent 1.0' && exit
printf 'I begin \033[31mred\n'
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
echo 'I am done'
`

const planText = `# relay-baton plan

## Goal
Count the imports.

## Scope (in)
- count.py

## Out of scope
- the form

## Approach
Count rows.

## Steps
1. Add the column in count.py
2. Serve the counter

## Risks
- drift

## Verification
run it

## Next step
- Add the column
`

// bench is a repository in which baton works.
type bench struct {
	*machine
	dir string
}

func newBench(t *testing.T) bench {
	t.Helper()
	b := bench{newMachine(t), ""}
	b.dir = filepath.Join(b.home, "parser")
	b.must(nil, os.MkdirAll(b.dir, 0o755))
	b.must(nil, os.WriteFile(filepath.Join(b.home, "agent.sh"), []byte(agentScript), 0o700))
	config := `{"agents":{"codex":{"command":"` + b.home + `/agent.sh","args":[]},"claude":{"command":"no-such-agent","args":[]}}}`
	b.write("relay-baton.config.json", config)
	git := exec.Command("git", "init", "-q", "-b", "main")
	git.Dir, git.Env = b.dir, b.env("GIT_CONFIG_GLOBAL="+os.DevNull)
	b.must(nil, git.Run())
	return b
}

func (b bench) write(name, content string) {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	b.must(nil, os.MkdirAll(filepath.Dir(path), 0o755))
	b.must(nil, os.WriteFile(path, []byte(content), 0o600))
}

// starts runs baton beside the test. Whoever does not wait for its end kills it.
func (b bench) starts(args ...string) *exec.Cmd {
	b.t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(filepath.Join(bin, "baton"), args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = b.dir, b.env(), &out, &out
	b.must(nil, cmd.Start())
	b.t.Cleanup(func() {
		b.goOn() // which ends an agent that is left
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // however it ended
		if b.t.Failed() {
			b.t.Logf("baton %v:\n%s", args, out.String())
		}
	})
	return cmd
}

// goOn lets the agent end.
func (b bench) goOn() { _ = os.WriteFile(filepath.Join(b.home, "go"), nil, 0o600) }

func TestTUI_FollowsAPlanThatIsCarriedOut(t *testing.T) {
	is := is.New(t)
	b := newBench(t)
	s := open(t, small, b.dir, b.env(), "baton", "tui", "--interval", "200ms")
	s.shows("no session", "There is no session here; 'baton init' makes one.", "agent 1.0", "claude  missing")
	s.foot("q quit")

	b.write(".ai-session/plan.md", planText)
	executing := b.starts("execute")
	s.shows("status  executing", "▶ Plan: executing", "state  ready", "steps  2", "[stdout] I begin red", "active  codex")
	s.types("h")
	s.foot("no handoff was written: the session is in use by 'baton execute'")
	s.types("e")
	s.shows("It would be refused, with exit code 5:")
	s.types("Escape")
	s.shows("▶ Plan: executing")

	b.goOn()
	is.NoErr(executing.Wait())
	s.shows("status  completed", "--- exit 0 ---")
	s.hides("▶ Plan")

	s.types("d")
	s.foot("diet for the next h: caveman")
	s.types("h")
	s.foot("handoff for claude written: .ai-session/handoff.md, ")
	s.shows("status  handoff_ready")
	s.types("e")
	s.shows("── What 'baton execute' would do now (nothing is done)", "starts  codex: ", "2 steps")
	s.types("e")
	s.shows("── Session")
	s.types("p")
	s.foot("there is no other project")
	s.types("b")
	s.foot("the budgets were read again")
	s.types("?")
	s.shows("── Keys", "read the budgets again")
	s.types("?")
	s.hides("── Keys")

	s.resize(wide)
	s.shows("│ ── Log", "written  1", "handoff  ", "caveman  for h")
	s.foot("q quit")
	s.resize(size{40, 10})
	s.shows("── Session")
	s.foot("q quit")
	s.resize(small)
	s.hides("│ ── Log")
	s.types("End")
	s.shows("── Agents", "▸ (not registered)")
	s.types("q")
	s.ends(0)
}

func TestTUI_SeesThatNobodyWorksAnyMore(t *testing.T) {
	is := is.New(t)
	b := newBench(t)
	s := open(t, small, b.dir, b.env(), "baton", "tui", "--interval", "200ms")
	running := b.starts("run", "count the imports")
	s.shows("status  running ", "task  count the imports")
	is.NoErr(running.Process.Kill())
	_ = running.Wait() // it was killed
	s.shows("status  running (stale)")
	is.NoErr(os.Chmod(filepath.Join(b.dir, ".ai-session", "session.json"), 0o600))
	b.write(".ai-session/session.json", "{")
	s.shows("could not be read: .ai-session/session.json", "[stdout] I begin red")
	s.types("C-c")
	s.ends(0)
}

func TestTUI_ColoursUnlessToldNotTo(t *testing.T) {
	is := is.New(t)
	b := newBench(t)
	coloured := open(t, small, b.dir, b.env(), "baton", "tui")
	coloured.foot("q quit")
	is.True(strings.Contains(coloured.screen(true), "\x1b["))
	plain := open(t, small, b.dir, b.env("NO_COLOR=1"), "baton", "tui")
	plain.foot("q quit")
	is.True(!strings.Contains(plain.screen(true), "\x1b["))
}

// deaf is an environment in which a program has a terminal to write to alone.
func deaf(env []string) []string { return append(env, "sh", "-c", `exec "$@" </dev/null`, "sh") }

func TestTUI_IsPrintedWhereNobodyCanType(t *testing.T) {
	b := newBench(t)
	s := open(t, small, b.dir, deaf(b.env()), "baton", "tui")
	s.shows("claude  missing")
	s.ends(0)
}

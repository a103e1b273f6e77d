package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

const (
	// oddTime is how long a command may take beside a file that is none. Most of it
	// is for a busy machine.
	oddTime = 10 * time.Second
	// oddMemory is what a command may take beside a file of 1 GiB.
	oddMemory = 300 << 20
	// oddThread is a thread of Codex, begun on 1 March 2026.
	oddThread = "019ca900-0000-7000-8000-000000000001"
)

// oddKinds are what may stand where a file is read.
var oddKinds = map[string]func(path string) error{
	"fifo":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
	"device": func(path string) error { return os.Symlink("/dev/zero", path) },
	"1 GiB": func(path string) error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Truncate(1 << 30)
	},
}

// oddPlaces are the paths that are read, and how some command tells of what is
// wrong there: which command, and what its output holds. Where a file is looked at
// and not read, 1 GiB is as good as any.
var oddPlaces = []struct {
	path    string
	tells   string
	says    string
	atGiant string // instead of says, for 1 GiB
}{
	{"harbour/.claude/exchange.json", "show", `(?i)no environment root`, `problem   .*exchange\.json`},
	{"harbour/.claude/exchange/sessions/odd.json", "show", `problem   odd\.json could not be read`, ""},
	{"harbour/.claude/exchange/handoffs/odd.json", "handoff list", `problem   odd\.json could not be read`, ""},
	{"harbour/.claude/exchange/handoffs/h1.d/0000-0000aa.json", "handoff show h1", `problem   .*0000-0000aa\.json could not be read`, ""},
	{"harbour/.claude/exchange/seen/s/h1.json", "handoff show h1", `problem   .*h1\.json could not be read`, ""},
	{"harbour/.claude/exchange/seen/s/.checked", "", "", ""},
	{"harbour/.claude/exchange/seen/s/told/h1.json", "", "", ""},
	{"harbour/.claude/exchange/wake/s", "", "", ""},
	{"harbour/.claude/exchange/ended/s.json", "hook", `s\.json could not be read`, ""},
	{"harbour/.claude/exchange/archive/2026/odd.json", "handoff list --archived", `problem   odd\.json could not be read`, ""},
	{"home/.claude/sessions/9.json", "show", `registry  1 row\(s\) could not be read: 9\.json`, ""},
	{"home/.claude/settings.json", "doctor", `problem   .*settings\.json`, ""},
	{"harbour/.claude/settings.local.json", "doctor", `problem   .*settings\.local\.json`, ""},
	{"harbour/dock/.claude/settings.local.json", "doctor", `problem   .*settings\.local\.json`, ""},
	{"harbour/notes.md", "migrate --step 4", `problem   .*notes\.md`, ""},
	{"harbour/dock/.git/HEAD", "", "", ""},
	{"home/.claude/hooks/session_exchange_odd.py", "", "", ""},
	{"home/.codex/thread-writer-locks/" + oddThread + ".lock", "", "", ""},
	{"home/.codex/sessions/2026/03/01/rollout-2026-03-01T00-00-00-" + oddThread + ".jsonl", "show", `registry  1 row\(s\) could not be read: ` + oddThread, ""},
	{"home/.codex/hooks.json", "doctor", `problem   .*hooks\.json`, ""},
	{"home/.codex/config.toml", "", "", ""},
	{"plugin/.claude-plugin/plugin.json", "doctor", `plugin    version unreadable`, ""},
	{"hookd.log", "", "", ""},
}

// oddCommands are run beside each odd file, in this order.
var oddCommands = []string{
	"show", "show --json", "doctor", "doctor --why --session s", "handoff list", "handoff list --archived", "handoff show h1",
	"migrate --step 4", "migrate --step 7", "tidy", "hook", "session-start s", "user-prompt-submit s", "stop s", "file-changed s",
	"session-end s", "claim --session s --focus x", "handoff post --repo dock --body x --wake", "handoff accept h1", "tidy --apply",
}

// A FIFO, a device and a file of 1 GiB at every path that is read hold no command
// up, take no memory, and are told of.
func TestOddFiles(t *testing.T) {
	for _, at := range oddPlaces {
		for kind, put := range oddKinds {
			t.Run(at.path+" "+kind, func(t *testing.T) {
				t.Parallel()
				is := is.New(t)
				p := oddPlace(t)
				is.NoErr(os.MkdirAll(filepath.Dir(p.path(at.path)), 0o755))
				if err := os.Remove(p.path(at.path)); err != nil {
					is.True(os.IsNotExist(err))
				}
				is.NoErr(put(p.path(at.path)))
				if strings.Contains(at.path, ".jsonl") {
					held(t, p.path("home/.codex/thread-writer-locks/"+oddThread+".lock"))
				}
				want := at.says
				if kind == "1 GiB" && at.atGiant != "" {
					want = at.atGiant
				}
				told := want == ""
				for _, command := range oddCommands {
					out := oddRun(t, p, command)
					if command == at.tells && regexp.MustCompile(`(?m)`+want).Match(out.Stdout) {
						told = true
					}
				}
				if !told {
					t.Errorf("%s does not say %s:\n%s", at.tells, want, oddRun(t, p, at.tells).Stdout)
				}
			})
		}
	}
}

// oddPlace is a root in which everything that is read lies in its place.
func oddPlace(t *testing.T) place {
	t.Helper()
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour", "deliver": "wake", "legacy_ledger": {"path": "notes.md"}}`)
	p.write("harbour/notes.md", "# Notes\n")
	p.write("harbour/dock/.git/HEAD", "ref: refs/heads/main\n")
	p.write("harbour/.claude/exchange/handoffs/h1.json",
		`{"id": "h1", "from": {"cwd": "/x"}, "to": {"repo": "dock"}, "created": "2026-03-01T10:00:00Z", "body": "one"}`)
	p.write("home/.claude/sessions/1.json", fmt.Sprintf(`{"sessionId": "s", "pid": %d, "name": "sam", "cwd": %q}`, os.Getpid(), p.path("harbour/dock")))
	p.write("plugin/.claude-plugin/plugin.json", `{"name": "changeover", "version": "0.0.1"}`)
	return p
}

// oddRun runs one command and holds it to its bounds. "hook" is a start of a
// session without a claim.
func oddRun(t *testing.T, p place, command string) outcome {
	t.Helper()
	var o order
	event, session, isHook := strings.Cut(command, " ")
	if command == "hook" {
		event, session = "session-start", "s"
		_ = os.Remove(p.path("harbour/.claude/exchange/sessions/s.json")) // it may have none
	}
	if command == "hook" || isHook && session == "s" {
		o = p.order("harbour/dock", "hookd", event)
		payload, err := json.Marshal(map[string]string{
			"session_id": session, "cwd": p.path("harbour/dock"), "source": "resume", "reason": "other",
			"file_path": p.path("harbour/.claude/exchange/wake/s"), "event": "change",
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Input = payload
	} else {
		o = p.order("harbour/dock", append([]string{"exchange"}, strings.Fields(command)...)...)
	}
	o.Env = append(o.Env, "CODEX_HOME="+p.path("home/.codex"), "CLAUDE_PLUGIN_ROOT="+p.path("plugin"), "HOOKD_LOG="+p.path("hookd.log"))
	out := o.run()
	switch {
	case out.Err != "":
		t.Fatalf("%s: %s", command, out.Err)
	case out.Took > oddTime:
		t.Errorf("%s took %s", command, out.Took)
	case out.Memory > oddMemory:
		t.Errorf("%s took %d MiB", command, out.Memory>>20)
	case out.Code > 1 && !strings.HasPrefix(command, "file-changed"):
		t.Errorf("%s: exit code %d\n%s%s", command, out.Code, out.Stdout, out.Stderr)
	}
	return out
}

// held locks a file as a live thread of Codex does.
func held(t *testing.T, path string) {
	t.Helper()
	is := is.New(t)
	is.NoErr(os.MkdirAll(filepath.Dir(path), 0o755))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	is.NoErr(err)
	is.NoErr(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
	t.Cleanup(func() { _ = f.Close() }) // lets go of the lock
}

// memoryOf is the most memory that a process has had, in bytes.
func memoryOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "linux" {
		return usage.Maxrss << 10
	}
	return usage.Maxrss
}

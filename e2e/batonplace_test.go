package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/flock"
)

// batonPlace is a repository with agents that speak from scripts.
type batonPlace struct{ place }

func newBatonPlace(t *testing.T) batonPlace {
	t.Helper()
	p := batonPlace{newPlace(t)}
	p.mkdir("agents")
	p.write("r/greet.py", "print(\"hi\")\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=e2e", "-c", "user.email=e2e@localhost", "commit", "-q", "-m", "begin"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = p.path("r"), p.env()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return p
}

func (p batonPlace) env(more ...string) []string {
	env := append(p.place.env(), "SCRIPTED_AGENTS="+p.path("agents"), "TZ=UTC", "PATH="+agentDir()+string(os.PathListSeparator)+binDir()+string(os.PathListSeparator)+os.Getenv("PATH"))
	return append(env, more...)
}

func (p batonPlace) baton(args ...string) outcome {
	o := order{Argv: words(append([]string{"baton"}, args...)...), Dir: p.path("r"), Env: p.env()}
	out := o.run()
	if out.Err != "" {
		p.t.Errorf("baton %s: %s", strings.Join(args, " "), out.Err)
	}
	return out
}

// session reads a session file.
func (p batonPlace) session(name string) (s struct{ Status, LastError, LastAgent string }) {
	p.t.Helper()
	data, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		p.t.Fatalf("%s: %v\n%s", name, err, data)
	}
	return s
}

// Row 100: writers of receipts at once lose none of each other's.
func TestBatonReceipts_ManyWriters(t *testing.T) {
	is := is.New(t)
	const writers, each = 4, 8
	p := newBatonPlace(t)
	valid, err := os.ReadFile(filepath.Join("..", "domain", "baton", "plan", "testdata", "plan", "valid.md"))
	is.NoErr(err)
	p.write("r/.ai-session/plan.md", string(valid))
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range each {
				for {
					out := p.baton("receipt", "done", "1", "--note", fmt.Sprintf("writer %d, number %d", w, n))
					if out.Code == 5 { // the machine is slow: the others held the lock for two seconds
						continue
					}
					if out.Code != 0 {
						t.Errorf("exit code %d: %s", out.Code, out.Stderr)
					}
					break
				}
			}
		})
	}
	wg.Wait()
	after, err := os.ReadFile(p.path("r/.ai-session/plan.md"))
	is.NoErr(err)
	is.True(strings.HasPrefix(string(after), string(valid))) // the plan itself
	is.Equal(strings.Count(string(after), "[done] 1"), writers*each)
	for w := range writers {
		for n := range each {
			is.Equal(strings.Count(string(after), fmt.Sprintf("writer %d, number %d\n", w, n)), 1)
		}
	}
}

func TestBatonReceipt_LockThatIsHeld(t *testing.T) {
	is := is.New(t)
	p := newBatonPlace(t)
	plan := "# p\n\n## Steps\n1. Draw it\n"
	p.write("r/.ai-session/plan.md", plan)
	lock, err := (flock.Locker{}).TryLock(p.path("r/.ai-session/.receipts.lock"), 0o600)
	is.NoErr(err)
	out := p.baton("receipt", "done", "1")
	is.Equal(out.Code, 5)
	is.True(out.Took >= 2*time.Second) // it waits for a while
	is.NoErr(lock.Release())
	after, err := os.ReadFile(p.path("r/.ai-session/plan.md"))
	is.NoErr(err)
	is.Equal(string(after), plan)
	is.Equal(p.baton("receipt", "done", "1").Code, 0)
}

// small runs a shell script in the repository, whose session lies on a disk of a
// few hundred KiB that nobody else sees.
func (p batonPlace) small(script string) string {
	p.t.Helper()
	p.mkdir("r/.ai-session")
	cmd := exec.Command("unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=400k,mode=700 tmpfs .ai-session || exit 99\n"+script)
	cmd.Dir, cmd.Env = p.path("r"), p.env("FAKE_LINES=20000")
	out, err := cmd.CombinedOutput()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 99 || cmd.ProcessState.ExitCode() == 1) {
		p.t.Skipf("no disk of its own can be mounted: %v\n%s", err, out)
	}
	if err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestBatonDiskFull_WhileAnAgentRuns(t *testing.T) {
	is := is.New(t)
	p := newBatonPlace(t)
	p.write("r/relay-baton.config.json", `{"contextCompression": {"enabled": false}, "agents": {"codex": {"command": "`+filepath.Join(agentDir(), "fake-agent")+`", "args": []}}}`)
	out := p.small(`
		FAKE_MODE=flood baton run 'draw the table' > ../shown; echo "first $?"
		cp .ai-session/session.json ../full.json
		rm .ai-session/commands.log
		FAKE_MODE=ok baton run 'draw the table'; echo "second $?"
		cp .ai-session/session.json ../after.json
		exit 0
	`)
	is.True(strings.Contains(out, "first 1")) // exit code
	is.True(strings.Contains(out, "no space left"))
	shown, err := os.ReadFile(p.path("shown"))
	is.NoErr(err)
	is.Equal(strings.Count(string(shown), "working on item"), 20000) // the agent was heard to its end
	is.Equal(p.session("full.json").Status, "running")               // what is on the disk is whole
	is.True(strings.Contains(out, "was interrupted while the session was running"))
	is.True(strings.Contains(out, "second 0"))
	is.Equal(p.session("after.json").Status, "completed")
}

func TestBatonDiskFull_WhenTheHandoffIsWritten(t *testing.T) {
	is := is.New(t)
	p := newBatonPlace(t)
	p.write("agents/codex.1", "sh head -c 1000000 /dev/zero > .ai-session/ballast\nwall usage\n")
	p.write("agents/claude", "say Done.\n")
	out := p.small(`
		baton run 'draw the table'; echo "first $?"
		cp .ai-session/session.json ../full.json
		ls -a .ai-session > ../names
		rm .ai-session/ballast
		baton handoff --to claude; echo "second $?"
		cp .ai-session/session.json ../after.json
		exit 0
	`)
	is.Equal(p.session("full.json").Status, "running") // what is on the disk is whole
	is.True(strings.Contains(out, "first 1"))          // exit code
	is.True(strings.Contains(out, "no space left"))
	names, err := os.ReadFile(p.path("names"))
	is.NoErr(err)
	is.Equal(strings.Count(string(names), "tmp"), 0) // nothing half written
	is.True(strings.Contains(out, "second 0"))
	is.Equal(p.session("after.json").Status, "completed")
}

// Package faults_test runs the verbs of baton on a machine where one call goes
// wrong, or whose process ends there, and looks at what is left.
package faults_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/agentproc/agenttest"
	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// ground is a machine with one repository.
type ground struct {
	t *testing.T
	// top is the repository, home where the registry of projects lies.
	top, home string
	now       time.Time
	runner    *agenttest.Runner
	script    map[string]script
	life      *life
	lives     int

	mu    sync.Mutex
	heard []string
	kept  []precious
}

// precious is a text that somebody has written and that must not get lost: it
// stands in a file whose name begins so.
type precious struct{ content, lead string }

func newGround(t *testing.T) *ground {
	t.Helper()
	g := emptyGround(t)
	g.put("../home/.keep", "")
	g.put("src/app.go", "package app\n")
	g.put("src/new.go", "package app\n\nfunc New() {}\n")
	g.put("relay-baton.config.json", `{"agents":{"codex":{"args":[]},"claude":{"args":[]}}}`+"\n")
	return g
}

func emptyGround(t *testing.T) *ground {
	t.Helper()
	dir, err := filepath.EvalSymlinks(place(t))
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{
		t: t, top: filepath.Join(dir, "repo"), home: filepath.Join(dir, "home"),
		now: time.Date(2026, 5, 28, 10, 0, 0, 0, time.UTC), script: map[string]script{},
	}
	g.runner = agenttest.NewRunner(map[string]agenttest.Program{
		"codex": g.play("codex"), "claude": g.play("claude"),
	}, nil)
	t.Cleanup(g.endAgents)
	return g
}

// place is a new directory, in memory where the system has that: these tests make
// tens of thousands of files.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "faults ")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// twin is another machine that is as this one.
func (g *ground) twin() *ground {
	g.t.Helper()
	other := emptyGround(g.t)
	other.now, other.lives, other.script, other.kept = g.now, g.lives, g.script, slices.Clone(g.kept)
	for name, content := range g.files() {
		other.put(name, strings.ReplaceAll(content, here, filepath.Dir(other.top)))
	}
	return other
}

// here stands for the directory that is another one on each machine.
const here = "/somewhere"

// endAgents ends what a failed test has left.
func (g *ground) endAgents() {
	for n := range g.runner.Started() {
		g.runner.Kill(firstAgent + n)
	}
}

// firstAgent is the number that the runner gives its first agent.
const firstAgent = 1001

// living are the numbers of the agents that run.
func (g *ground) living() (pids []int) {
	for n := range g.runner.Started() {
		if g.runner.Alive(firstAgent + n) {
			pids = append(pids, firstAgent+n)
		}
	}
	return pids
}

// put writes a file of the repository.
func (g *ground) put(name, content string) {
	g.t.Helper()
	path := filepath.Join(g.top, name)
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600))
	if err != nil {
		g.t.Fatal(err)
	}
}

// artifact writes a file of the session that must not get lost.
func (g *ground) artifact(name, content string) {
	g.t.Helper()
	g.put(baton.Artifact(name), content)
	if name != baton.StateFile {
		g.treasure(content, strings.TrimSuffix(name, "md"))
		return
	}
	for line := range strings.Lines(content) { // a compression may lay it out anew
		g.treasure(strings.TrimSpace(line), name)
	}
}

func (g *ground) treasure(content, lead string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.kept = append(g.kept, precious{content, lead})
}

// begin begins a life, in which the call of that number goes wrong.
func (g *ground) begin(how way, at int) baton.World {
	g.lives++
	g.heard = nil
	g.now = g.now.Add(time.Minute)
	g.life = newLife(g.runner, 5000+g.lives, how, at)
	return baton.World{
		Clock: g, Alarms: clock.Alarm, Random: certain{}, Files: osfs.NewOn(g.life), Locks: g.life,
		Git: still{g.top}, Agents: g.life, Strays: g, Processes: g,
		Env: port.Environment{Lookup: func(string) string { return "" }, Home: g.home},
		Dir: g.top, Self: g.life.pid, Zones: wall.Zones{Local: time.UTC, Load: time.LoadLocation},
		Cut: graphemes.NewCutter(), Sink: g,
	}
}

// Now implements port.Clock.
func (g *ground) Now() time.Time { return g.now }

// Alive implements port.ProcessTree.
func (g *ground) Alive(pid int) bool {
	return pid == g.life.pid && !g.life.dead() || g.runner.Alive(pid)
}

// Started implements port.ProcessTree.
func (*ground) Started(pid int) (session.Start, error) {
	return session.Start{Token: fmt.Sprint("start of ", pid)}, nil
}

// Parent implements port.ProcessTree.
func (*ground) Parent(int) (int, error) { return 0, errors.New("not known") }

// EndStray implements port.StrayEnder.
func (g *ground) EndStray(_ context.Context, pid int, start string, _ port.Request, _ time.Duration) error {
	if s, _ := g.Started(pid); s.Token == start {
		g.runner.Kill(pid)
	}
	return nil
}

// Pass implements baton.Sink.
func (*ground) Pass(agent.Stream, []byte) {}

// Show implements baton.Sink.
func (*ground) Show(agent.Stream, agent.Line) {}

// Terminal implements baton.Sink.
func (*ground) Terminal() bool { return false }

// Progress implements baton.Sink.
func (g *ground) Progress(line string) { g.Notice(line) }

// Notice implements baton.Sink.
func (g *ground) Notice(line string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.heard = append(g.heard, line)
}

// told says whether a notice holds a text.
func (g *ground) told(text string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Contains(strings.Join(g.heard, "\n"), text)
}

// certain is a source of one number.
type certain struct{}

func (certain) Hex(n int) (string, error) { return strings.Repeat("a7", n), nil }

// still is a git in whose repository nothing changes.
type still struct{ top string }

func (s still) Top(_ context.Context, dir string) (string, error) {
	if dir != s.top {
		return dir, nil
	}
	return s.top, nil
}
func (still) Version(context.Context) (string, error)               { return "git", nil }
func (still) Ignores(context.Context, string, string) (bool, error) { return false, nil }
func (still) Tracks(context.Context, string, string) (bool, error)  { return false, nil }

func (still) Status(context.Context, string, ...string) (port.WorkTree, error) {
	return port.WorkTree{Branch: "main", Head: "0123456789", Changes: []port.Change{
		{Path: "src/app.go", Staged: '.', Unstaged: 'M'}, {Path: "src/new.go", Staged: '?', Unstaged: '?'},
	}}, nil
}

func (still) Files(context.Context, string, ...string) ([]port.TreeFile, error) {
	return []port.TreeFile{{Path: "src/app.go"}, {Path: "src/new.go"}}, nil
}

func (still) Diff(_ context.Context, _, _ string, out io.Writer, _ ...string) error {
	_, err := io.WriteString(out, "diff --git a/src/app.go b/src/app.go\n--- a/src/app.go\n+++ b/src/app.go\n@@ -1 +1 @@\n-package old\n+package app\n")
	return err
}

func (still) Changed(context.Context, string, string, ...string) ([]string, error) {
	return []string{"src/app.go"}, nil
}

// script is what an agent does.
type script func(a *actor) (code int)

// actor is an agent at work.
type actor struct {
	*agenttest.Process
	g    *ground
	life *life
}

// play is the program of an agent, which runs on when its baton dies, until
// somebody ends it.
func (g *ground) play(name string) agenttest.Program {
	return func(p *agenttest.Process) agenttest.Exit {
		a := &actor{p, g, g.life}
		code := g.script[name](a)
		a.pause()
		return agenttest.Exit{Code: code}
	}
}

func (a *actor) pause() {
	if a.life.dead() {
		<-a.Killed
	}
}

// says prints a line, errs does so to the stream for errors.
func (a *actor) says(line string) {
	a.pause()
	_, _ = io.WriteString(a.Stdout, line+"\n") // nobody may listen
	a.pause()
}

func (a *actor) errs(line string) {
	a.pause()
	_, _ = io.WriteString(a.Stderr, line+"\n") // as above
	a.pause()
}

// adds adds a line to the state of the session, which must not get lost.
func (a *actor) adds(label, text string) {
	path := filepath.Join(a.g.top, baton.SessionDir, baton.StateFile)
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(data, "- "+label+": "+text+"\n"...), 0o600)
	}
	if err != nil {
		panic(err)
	}
	a.g.treasure(text, baton.StateFile)
}

// writes writes a whole file of the session.
func (a *actor) writes(name, content string) { a.g.artifact(name, content) }

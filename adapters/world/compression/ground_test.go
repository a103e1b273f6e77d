// Package compression_test runs whole cycles of context compression on the file
// system of this machine.
package compression_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/flock"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// begun is when the tests' clock starts.
var begun = time.Date(2026, 5, 28, 10, 0, 0, 0, time.UTC)

// watch is a clock that stands still until it is moved.
type watch struct {
	mu  sync.Mutex
	now time.Time
}

func (w *watch) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *watch) advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// heard is a sink that keeps the notices.
type heard struct {
	mu    sync.Mutex
	lines []string
}

func (*heard) Pass(agent.Stream, []byte)     {}
func (*heard) Show(agent.Stream, agent.Line) {}
func (*heard) Terminal() bool                { return false }
func (h *heard) Progress(line string)        { h.Notice(line) }

func (h *heard) Notice(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, line)
}

// count is how many notices hold a text.
func (h *heard) count(text string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, line := range h.lines {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// still is a git in whose repository nothing changes.
type still struct{ top string }

func (s still) Top(context.Context, string) (string, error)         { return s.top, nil }
func (still) Version(context.Context) (string, error)               { return "git", nil }
func (still) Ignores(context.Context, string, string) (bool, error) { return true, nil }
func (still) Tracks(context.Context, string, string) (bool, error)  { return false, nil }
func (still) Status(context.Context, string, ...string) (port.WorkTree, error) {
	return port.WorkTree{Branch: "main"}, nil
}

func (still) Files(context.Context, string, ...string) ([]port.TreeFile, error) { return nil, nil }
func (still) Diff(context.Context, string, string, io.Writer, ...string) error  { return nil }
func (still) Changed(context.Context, string, string, ...string) ([]string, error) {
	return nil, nil
}

// ground is a repository with a session.
type ground struct {
	t     *testing.T
	dir   string
	clock *watch
	heard *heard
	sys   osfs.System
	agent func(port.Command) port.Ending
}

// quick is the real system, which does not wait for the disk.
type quick struct{ osfs.System }

func (quick) Fsync(int) error { return nil }

// newGround makes a session. config is the repository's configuration, empty for
// none.
func newGround(t *testing.T, config string) *ground {
	t.Helper()
	g := &ground{t: t, dir: t.TempDir(), clock: &watch{now: begun}, heard: &heard{}, sys: quick{osfs.Kernel()}}
	if config != "" {
		g.at("../relay-baton.config.json", config)
	}
	_, err := g.world().Init(t.Context(), baton.Place{}, false)
	g.must(err)
	return g
}

// copied is a ground with the files of another, and a configuration.
func copied(t *testing.T, files map[string]string, config string) *ground {
	t.Helper()
	g := &ground{t: t, dir: t.TempDir(), clock: &watch{now: begun}, heard: &heard{}, sys: quick{osfs.Kernel()}}
	for name, content := range files {
		g.at(name, content)
	}
	g.at("../relay-baton.config.json", config)
	return g
}

func (g *ground) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g *ground) world() baton.World {
	return baton.World{
		Clock: g.clock, Alarms: clock.Alarm, Random: entropy.New(), Files: osfs.NewOn(g.sys), Locks: flock.Locker{},
		Git: still{g.dir}, Agents: scripted{g}, Strays: nobody{}, Processes: proc.New(),
		Env: port.Environment{Lookup: func(string) string { return "" }},
		Dir: g.dir, Self: os.Getpid(), Zones: wall.Zones{Local: time.UTC, Load: time.LoadLocation},
		Cut: graphemes.NewCutter(), Sink: g.heard,
	}
}

func (g *ground) path(name string) string { return filepath.Join(g.dir, baton.SessionDir, name) }

// at puts a file into the session, written long before the clock's time.
func (g *ground) at(name, content string) {
	g.t.Helper()
	g.must(os.MkdirAll(filepath.Join(g.dir, baton.SessionDir), 0o700))
	g.must(os.WriteFile(g.path(name), []byte(content), 0o600))
	g.aged(name)
}

// aged makes a file one that was written an hour before the clock's time.
func (g *ground) aged(name string) {
	g.t.Helper()
	then := g.clock.Now().Add(-time.Hour)
	g.must(os.Chtimes(g.path(name), then, then))
}

// content is what a file holds; a missing one fails the test.
func (g *ground) content(name string) string {
	g.t.Helper()
	data, err := os.ReadFile(g.path(name))
	g.must(err)
	return string(data)
}

// snapshot is every file of the session but for the lock.
func (g *ground) snapshot() map[string]string {
	g.t.Helper()
	entries, err := os.ReadDir(g.path(""))
	g.must(err)
	all := map[string]string{}
	for _, e := range entries {
		if e.Name() != baton.LockFile {
			all[e.Name()] = g.content(e.Name())
		}
	}
	return all
}

// names are the files whose names hold a text.
func (g *ground) names(text string) (found []string) {
	g.t.Helper()
	for name := range g.snapshot() {
		if strings.Contains(name, text) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

func (g *ground) meta() baton.SessionMeta {
	g.t.Helper()
	meta, err := baton.ReadSession([]byte(g.content(baton.MetaFile)))
	g.must(err)
	return meta
}

// compress is compress-context.
func (g *ground) compress(q baton.CompressRequest) (baton.Compressed, error) {
	return g.world().CompressContext(g.t.Context(), q)
}

// held compresses, and fails the test where that does not hold.
func (g *ground) held(q baton.CompressRequest) baton.Compressed {
	g.t.Helper()
	c, err := g.compress(q)
	g.must(err)
	is.New(g.t).Equal(c.Outcome, baton.CompressHeld)
	return c
}

// heavy fills the session with more than its budget.
func (g *ground) heavy() {
	g.t.Helper()
	g.at(baton.LogFile, fixture(g.t, "long-run.log"))
	g.at(baton.StateFile, fixture(g.t, "forty-done.md"))
	g.at(baton.DecisionsFile, fixture(g.t, "decisions.md"))
	g.at(baton.ErrorsFile, fixture(g.t, "errors.md"))
	g.at(baton.PlanFile, "# relay-baton plan\n\n## Goal\nthe goal\n")
	g.at(baton.HandoffFile, "# Relay Baton Handoff\n")
	meta := g.meta()
	meta.LastHandoffAt = time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC)
	g.at(baton.MetaFile, string(meta.Bytes(begun)))
}

func fixture(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// numbered is a log of so many lines.
func numbered(from, to int) string {
	var out strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&out, "[stdout] working on item %d of the long job\n", n)
	}
	return out.String()
}

// nobody ends no process.
type nobody struct{}

func (nobody) EndStray(context.Context, int, string, port.Request, time.Duration) error { return nil }

// scripted starts agents that do what the ground says.
type scripted struct{ g *ground }

func (s scripted) Start(c port.Command) (port.Agent, error) {
	a := &scriptedAgent{over: make(chan struct{})}
	if err := c.Began(a.Pid()); err != nil {
		return nil, err
	}
	go func() {
		defer close(a.over)
		a.ending = s.g.agent(c)
	}()
	return a, nil
}

type scriptedAgent struct {
	over   chan struct{}
	ending port.Ending
}

func (*scriptedAgent) Pid() int { return 1 << 30 }

func (a *scriptedAgent) Wait(context.Context) (port.Ending, error) {
	<-a.over
	return a.ending, nil
}

func (a *scriptedAgent) End(context.Context, port.Request, time.Duration) (port.Ending, error) {
	<-a.over
	return a.ending, nil
}

func itoa(n int) string { return strconv.Itoa(n) }

// Package dashboard_test looks at sessions on the file system of this machine, as
// the dashboard does.
package dashboard_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/agentproc/agenttest"
	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/flock"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// now is the time of the tests.
var now = time.Date(2026, 5, 28, 10, 0, 0, 0, time.UTC)

type stopped struct{}

func (stopped) Now() time.Time { return now }

// disk is the file system, which counts what is read of each file, refuses some, and
// knows what was written.
type disk struct {
	osfs.FS

	mu      sync.Mutex
	read    map[string]int64
	written []string
	refused string
}

func (d *disk) look(path string, n int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refused != "" && strings.HasSuffix(path, "/"+d.refused) {
		return &fs.PathError{Op: "read", Path: path, Err: fs.ErrPermission}
	}
	d.read[filepath.Base(path)] += int64(n)
	return nil
}

func (d *disk) wrote(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.written = append(d.written, filepath.Base(path))
}

func (d *disk) ReadFile(path string, limit int64) ([]byte, error) {
	data, err := d.FS.ReadFile(path, limit)
	if refused := d.look(path, len(data)); refused != nil {
		return nil, refused
	}
	return data, err
}

func (d *disk) ReadLinked(path string, limit int64) ([]byte, error) {
	data, err := d.FS.ReadLinked(path, limit)
	if refused := d.look(path, len(data)); refused != nil {
		return nil, refused
	}
	return data, err
}

func (d *disk) Open(path string) (port.Source, error) {
	if refused := d.look(path, 0); refused != nil {
		return nil, refused
	}
	source, err := d.FS.Open(path)
	if err != nil {
		return nil, err
	}
	return counted{source, d, path}, nil
}

// counted is an open file of which every byte that is read counts.
type counted struct {
	port.Source
	disk *disk
	path string
}

func (c counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Source.ReadAt(p, off)
	if refused := c.disk.look(c.path, n); refused != nil {
		return 0, refused
	}
	return n, err
}

func (d *disk) Create(path string, data []byte, perm fs.FileMode, sync port.Sync) error {
	d.wrote(path)
	return d.FS.Create(path, data, perm, sync)
}

func (d *disk) Replace(path string, data []byte, perm fs.FileMode, sync port.Sync) error {
	d.wrote(path)
	return d.FS.Replace(path, data, perm, sync)
}

func (d *disk) Append(path string, perm fs.FileMode) (io.WriteCloser, error) {
	d.wrote(path)
	return d.FS.Append(path, perm)
}

// locks count how often one was tried.
type locks struct {
	flock.Locker
	tried *int
}

func (l locks) TryLock(path string, perm fs.FileMode) (port.Lock, error) {
	*l.tried++
	return l.Locker.TryLock(path, perm)
}

// tree is a git that says what a test wants.
type tree struct {
	port.Git
	top   string
	state *port.WorkTree
	fault *error
}

func (g tree) Top(_ context.Context, dir string) (string, error) {
	if strings.HasPrefix(dir, g.top) {
		return g.top, nil
	}
	_, err := os.Stat(dir)
	return dir, err
}

func (g tree) Status(context.Context, string, ...string) (port.WorkTree, error) {
	return *g.state, *g.fault
}

func (tree) Files(context.Context, string, ...string) ([]port.TreeFile, error) { return nil, nil }
func (tree) Diff(context.Context, string, string, io.Writer, ...string) error  { return nil }

// quick is the real system, which does not wait for the disk.
type quick struct{ osfs.System }

func (quick) Fsync(int) error { return nil }

// ground is a repository that is looked at.
type ground struct {
	t     *testing.T
	top   string
	home  string
	disk  *disk
	tried int
	state port.WorkTree
	fault error
	env   map[string]string
	// agents are the programs that there are.
	agents *agenttest.Runner
	*baton.Dashboard
}

func newGround(t *testing.T) *ground {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{
		t: t, top: filepath.Join(dir, "repo"), home: filepath.Join(dir, "home"), state: port.WorkTree{Branch: "main"},
		disk: &disk{FS: osfs.NewOn(quick{osfs.Kernel()}), read: map[string]int64{}}, env: map[string]string{},
	}
	g.put("../home/.keep", "")
	g.put("README.md", "")
	g.agents = agenttest.NewRunner(map[string]agenttest.Program{
		"claude": func(p *agenttest.Process) agenttest.Exit {
			fmt.Fprintln(p.Stdout, "9.9.9 (Claude Code)")
			return agenttest.Exit{}
		},
	}, nil)
	g.Dashboard = baton.NewDashboard(g.world())
	return g
}

func (g *ground) world() baton.World {
	return baton.World{
		Clock: stopped{}, Alarms: clock.Alarm, Random: entropy.New(), Files: g.disk, Locks: locks{tried: &g.tried},
		Git: tree{top: g.top, state: &g.state, fault: &g.fault}, Agents: g.agents, Processes: proc.New(),
		Env: port.Environment{Lookup: func(name string) string { return g.env[name] }, Home: g.home}, Dir: g.top, Self: os.Getpid(),
		Zones: wall.Zones{Local: time.UTC, Load: time.LoadLocation}, Cut: graphemes.NewCutter(), Sink: nil,
	}
}

// put writes a file of the repository.
func (g *ground) put(name, content string) {
	g.t.Helper()
	path := filepath.Join(g.top, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		g.t.Fatal(err)
	}
}

// artifact writes a file of the session.
func (g *ground) artifact(name, content string) {
	g.t.Helper()
	g.put(baton.Artifact(name), content)
}

// session writes session.json with these members beside its id.
func (g *ground) session(members string) {
	g.t.Helper()
	g.artifact(baton.MetaFile, `{"id":"1",`+members+`}`)
}

// held writes a lock file whose holder is this process.
func (g *ground) held() {
	g.t.Helper()
	g.artifact(baton.LockFile, fmt.Sprintf(`{"pid":%d,"command":"run","startedAt":"2026-05-28T09:59:00.000Z"}`, os.Getpid()))
}

// see looks at the repository.
func (g *ground) see() baton.View {
	g.t.Helper()
	return g.Look(g.t.Context(), baton.Place{})
}

package exchangekills_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/entropy"
	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/e2e/killing"
)

const (
	// reader is the session that handoffs are for, sender the one that posts them.
	readerID = "aaaa1111-0000-4000-8000-000000000001"
	senderID = "bbbb2222-0000-4000-8000-000000000002"
	repo     = "dock"
)

// ground is a root with two sessions, on a machine in which one call may go wrong.
type ground struct {
	t    *testing.T
	root string
	now  time.Time
	// self is the process that runs: that of the reader's or of the sender's session.
	self int
}

func newGround(t *testing.T) *ground {
	t.Helper()
	root, err := filepath.EvalSymlinks(place(t))
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{t: t, root: root, now: time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC), self: senderPID}
	g.put(".claude/exchange.json", `{"name": "harbour", "deliver": "prompt"}`)
	g.put(repo+"/.git/HEAD", "ref: refs/heads/main\n")
	return g
}

// place is a new directory, in memory where the system has that: these tests make
// very many files.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "exchange")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // a temporary directory
	return dir
}

func (g *ground) put(name, content string) {
	g.t.Helper()
	path := filepath.Join(g.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		g.t.Fatal(err)
	}
}

// The processes of the two sessions.
const (
	readerPID = 101
	senderPID = 102
)

// Now implements port.Clock.
func (g *ground) Now() time.Time { return g.now }

// Sessions implements exchange.Presence.
func (g *ground) Sessions() (session.Listing, error) {
	row := func(id string, pid int) session.Row {
		return session.Row{
			File: id + ".json", SessionID: id, PID: pid, ProcStart: "7", Kind: "interactive", Entrypoint: "cli", Status: "idle",
			Cwd: filepath.Join(g.root, repo), StartedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		}
	}
	return session.Listing{Rows: []session.Row{row(readerID, readerPID), row(senderID, senderPID)}}, nil
}

// Alive implements port.ProcessTree.
func (*ground) Alive(pid int) bool { return pid == readerPID || pid == senderPID }

// Started implements port.ProcessTree.
func (*ground) Started(int) (session.Start, error) { return session.Start{Token: "7"}, nil }

// Parent implements port.ProcessTree.
func (*ground) Parent(int) (int, error) { return 0, errors.New("no parent") }

// Self implements port.Machine.
func (g *ground) Self() int { return g.self }

// PidDomain implements port.Machine.
func (*ground) PidDomain() string { return "" }

// world is what the verbs of a session need, on a system in which one call may go
// wrong.
func (g *ground) world(sys *killing.System, pid int) exchange.World {
	return g.worldOn(osfs.NewOn(sys), pid)
}

// worldOn is what they need, on a file system.
func (g *ground) worldOn(files port.FS, pid int) exchange.World {
	g.now = g.now.Add(time.Minute)
	g.self = pid
	return exchange.World{
		Files: files, Clock: g, Random: entropy.New(), Sessions: g, Processes: g, Machine: g, Settings: claudesettings.Open(files),
		Open: fsstore.NewOpener(files), Cutter: graphemes.NewCutter(),
		Env: port.Environment{Home: filepath.Join(g.root, "home"), Lookup: func(string) string { return "" }},
	}
}

// sound is a world in which nothing goes wrong.
func (g *ground) sound(pid int) exchange.World {
	return g.world(killing.NewSystem(killing.None, 0), pid)
}

func (g *ground) post(w exchange.World, body string) (string, error) {
	r, err := exchange.Mail{World: w}.Post(exchange.PostRequest{Cwd: filepath.Join(g.root, repo), Repo: repo, Body: body})
	return r.Handoff.ID, err
}

func (g *ground) move(w exchange.World, id string, to exchange.Status) error {
	_, err := exchange.Mail{World: w}.Move(exchange.MoveRequest{Cwd: g.root, ID: id, Status: to})
	return err
}

// hook answers an event of the reader's session, and hands the answer over.
func (g *ground) hook(w exchange.World, event string) string {
	h := exchange.Hook{World: w}
	cwd := filepath.Join(g.root, repo)
	r := h.Answer(session.Event{Name: event, SessionID: readerID, Cwd: cwd, Source: "startup", Prompt: "go on"}, cwd, true, 8000)
	if err := h.HandedOver(r, true); err != nil {
		return strings.Join(append(r.Lines, err.Error()), "\n")
	}
	return strings.Join(r.Lines, "\n")
}

// found are the handoffs of a root by their ids; those of the archive too. whole is
// false where something cannot be read.
type found struct {
	whole    bool
	problems []string
	status   map[string]exchange.Status
	bodies   map[string]int
}

func (g *ground) look() found {
	g.t.Helper()
	f := found{whole: true, status: map[string]exchange.Status{}, bodies: map[string]int{}}
	for _, archived := range []bool{false, true} {
		r, err := exchange.Reader{World: g.sound(senderPID)}.List(exchange.ListRequest{Cwd: g.root, All: true, Archived: archived})
		if err != nil {
			g.t.Fatal(err)
		}
		f.problems = append(f.problems, r.Problems...)
		for _, item := range r.Items {
			f.status[item.ID] = item.Status()
			f.bodies[item.Body]++
		}
	}
	f.whole = len(f.problems) == 0
	return f
}

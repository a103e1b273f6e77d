package exchange_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// noon is the present of these tests.
var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

const (
	root   = "/harbour"
	home   = "/home/ann"
	myID   = "me-1"
	myPID  = 100
	selfID = 900 // the process that asks, a child of myPID
)

// scene is a world to play in: a marked root with two repos, and one session
// from which everything is asked.
type scene struct {
	t         *testing.T
	files     *files
	store     *memory
	rows      []session.Row
	unread    []string
	rowsFault error
	processes map[int]session.Start
	domain    string
	wired     map[string]exchange.Settings // settings files
	unset     map[string]error             // settings files that cannot be read
	env       map[string]string
	now       time.Time
	suffixes  []string
	openFault error
	opened    []string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{
		t: t, files: newFiles(), store: newMemory(), processes: map[int]session.Start{selfID: {Token: "900"}},
		wired: map[string]exchange.Settings{}, unset: map[string]error{}, env: map[string]string{}, now: noon,
	}
	s.store.clock = func() time.Time { return s.now }
	s.files.dir(home, root+"/dock/.git", root+"/cranes/.git", root+"/notes", "/elsewhere")
	s.files.file(root+"/dock/.git/HEAD", "ref: refs/heads/main\n")
	s.mark(`{"name": "harbour"}`)
	s.join(session.Row{SessionID: myID, PID: myPID, Name: "me", Cwd: root + "/dock"})
	return s
}

// alone is a scene without a session of its own.
func alone(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.rows = nil
	return s
}

func (s *scene) mark(marker string) { s.files.file(exchange.MarkerPath(root), marker) }

// join registers a session whose process lives.
func (s *scene) join(row session.Row) {
	s.rows = append(s.rows, row)
	if _, known := s.processes[row.PID]; !known {
		s.processes[row.PID] = session.Start{Token: fmt.Sprint(row.PID)}
	}
}

// peer registers a live session in a directory below the root.
func (s *scene) peer(id, name, dir string) {
	s.join(session.Row{SessionID: id, PID: 200 + len(s.rows), Name: name, Cwd: root + "/" + dir})
}

// claim stores a claim, as of now unless it says otherwise.
func (s *scene) claim(c exchange.Claim) {
	if c.Cwd == "" {
		c.Cwd = root
	}
	if c.UpdatedAt.IsZero() {
		c.UpdatedAt = s.now
	}
	s.store.claims[c.SessionID] = c
}

// handoff stores one that an unknown sender posted at a minute of the day.
func (s *scene) handoff(id string, minute int, to exchange.Address, moves ...exchange.Move) {
	s.store.file(exchange.Handoff{
		ID: id, From: exchange.Sender{Name: "ferry", Cwd: root + "/ferry"}, To: to,
		Created: time.Date(2026, 3, 10, 8, minute, 0, 0, time.UTC), Body: "body of " + id,
	}, moves...)
}

var (
	toDock = exchange.Address{Repo: "dock"}
	closed = exchange.Move{At: noon, Status: exchange.Closed}
)

func (s *scene) world() exchange.World {
	return exchange.World{
		Files:     s.files,
		Clock:     clock{s},
		Random:    random{s},
		Sessions:  sessions{s},
		Processes: processes{s},
		Machine:   machine{s},
		Settings:  settings{s},
		Open: func(root string) (exchange.Store, error) {
			s.opened = append(s.opened, root)
			return s.store, s.openFault
		},
		Env: port.Environment{
			Lookup:     func(name string) string { return s.env[name] },
			Home:       home,
			Executable: func() string { return "/plugin/bin/hookd" },
		},
		Cutter: text.NewCutter(func(s string) int {
			tokens := graphemes.FromString(s)
			tokens.Next()
			return len(tokens.Value())
		}),
	}
}

// start answers a SessionStart of the own session.
func (s *scene) start(source string) []string {
	return s.answer(session.Event{Name: session.SessionStart, SessionID: myID, Source: source}, root+"/dock")
}

func (s *scene) answer(e session.Event, cwd string) []string {
	return exchange.Hook{World: s.world()}.Answer(e, cwd, false, 8000).Lines
}

type (
	clock     struct{ *scene }
	random    struct{ *scene }
	sessions  struct{ *scene }
	processes struct{ *scene }
	machine   struct{ *scene }
	settings  struct{ *scene }
)

func (c clock) Now() time.Time { return c.now }

func (r random) Hex(n int) (string, error) {
	if len(r.suffixes) == 0 {
		return strings.Repeat("ab", n), nil
	}
	next := r.suffixes[0]
	r.suffixes = r.suffixes[1:]
	if next == "" {
		return "", errors.New("no randomness")
	}
	return next, nil
}

func (s sessions) Sessions() (session.Listing, error) {
	return session.Listing{Rows: s.rows, Unread: s.unread}, s.rowsFault
}

func (p processes) Alive(pid int) bool {
	_, ok := p.processes[pid]
	return ok
}

func (p processes) Started(pid int) (session.Start, error) {
	start, ok := p.processes[pid]
	if !ok || start == (session.Start{}) {
		return session.Start{}, errors.New("not known")
	}
	return start, nil
}

func (p processes) Parent(pid int) (int, error) {
	if pid == selfID {
		return myPID, nil
	}
	return 1, nil
}

func (m machine) Self() int { return selfID }

func (m machine) PidDomain() string { return m.domain }

func (r settings) Settings(name string) (exchange.Settings, error) {
	if err := r.unset[name]; err != nil {
		return exchange.Settings{}, err
	}
	found, ok := r.wired[name]
	if !ok {
		return exchange.Settings{}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return found, nil
}

// has returns whether some line holds all the pieces.
func has(lines []string, pieces ...string) bool { return lineOf(lines, pieces...) >= 0 }

// lineOf returns the number of the first line that holds all the pieces.
func lineOf(lines []string, pieces ...string) int {
	for i, line := range lines {
		all := true
		for _, piece := range pieces {
			all = all && strings.Contains(line, piece)
		}
		if all {
			return i
		}
	}
	return -1
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/e2e/fakeregistry"
)

// sleeperArgument makes this program live until its input ends: it stands for
// a session.
const sleeperArgument = "sleeper"

// sessionCount is how many sessions live in every case.
const sessionCount = 20

// world is a home with live sessions, and the roots that they work in.
type world struct {
	programs
	dir      string
	registry string
	env      []string
	now      time.Time

	sessions []*exec.Cmd
	lives    []io.Closer
}

// root is one marked tree in which every session of the world has a claim.
type root struct {
	*world
	path string
	// input is what a hook reads when a session starts there.
	input  string
	posted int
}

func newWorld(dir string, built programs) (*world, error) {
	home := filepath.Join(dir, "home")
	w := &world{
		programs: built,
		dir:      dir,
		registry: filepath.Join(home, ".claude", "sessions"),
		env:      ownEnvironment(home),
		now:      time.Now().UTC(),
	}
	if err := os.MkdirAll(w.registry, 0o755); err != nil {
		return nil, fmt.Errorf("make the registry: %w", err)
	}
	for i := range sessionCount {
		if err := w.session(i); err != nil {
			w.end()
			return nil, err
		}
	}
	return w, nil
}

// input writes what a hook reads when a session starts in a directory, which is
// made.
func (w *world) input(name, cwd string) (string, error) {
	if err := os.MkdirAll(cwd, 0o755); err != nil {
		return "", fmt.Errorf("make %s: %w", cwd, err)
	}
	payload, err := json.Marshal(map[string]string{
		"session_id": "the-session", "cwd": cwd, "hook_event_name": "SessionStart", "source": "startup",
	})
	if err != nil {
		return "", err
	}
	path := filepath.Join(w.dir, name+".json")
	return path, os.WriteFile(path, payload, 0o644)
}

// root marks a tree and lets every session claim something there.
func (w *world) root(name string) (*root, error) {
	r := &root{world: w, path: filepath.Join(w.dir, name)}
	repo := filepath.Join(r.path, "site")
	if err := os.MkdirAll(filepath.Join(repo, ".git"), 0o755); err != nil {
		return nil, fmt.Errorf("make %s: %w", repo, err)
	}
	var err error
	if r.input, err = w.input(name, repo); err != nil {
		return nil, err
	}
	if err := w.exchange(r.path, "init", r.path); err != nil {
		return nil, err
	}
	for i := range sessionCount {
		if err := w.exchange(r.path, "claim", "--session", sessionID(i), "--focus", "rewrite the tide tables of the north quay",
			"--repo", "site", "--path", fmt.Sprintf("lib/part%d", i)); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func sessionID(i int) string { return fmt.Sprintf("session-%03d", i) }

// exchange runs the exchange program in a directory.
func (w *world) exchange(dir string, args ...string) error {
	cmd := exec.Command(w.programs.exchange, args...)
	cmd.Dir, cmd.Env = dir, w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("exchange %v: %w\n%s", args, err, out)
	}
	return nil
}

// end ends every session.
func (w *world) end() {
	for i, life := range w.lives {
		_ = life.Close()         // its process ends by this
		_ = w.sessions[i].Wait() // and is waited for
	}
}

// open leaves handoffs that nobody has taken on.
func (r *root) open(n int) error {
	for range n {
		if err := r.post(r.now, false); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) session(i int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, sleeperArgument)
	life, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start a session: %w", err)
	}
	w.sessions, w.lives = append(w.sessions, cmd), append(w.lives, life)
	row := fakeregistry.New(cmd.Process.Pid, sessionID(i), w.dir, w.now.UnixMilli()).With("name", fmt.Sprintf("crane-%d", i))
	return row.Write(w.registry, fmt.Sprintf("%d.json", cmd.Process.Pid))
}

// closed adds handoffs that were accepted and closed at a time.
func (r *root) closed(n int, at time.Time) error {
	for range n {
		if err := r.post(at, true); err != nil {
			return err
		}
	}
	return nil
}

// post writes a handoff for the measured session's repo as the program would.
func (r *root) post(at time.Time, closed bool) error { return r.postTo("site", at, closed) }

func (r *root) postTo(repo string, at time.Time, closed bool) error {
	r.posted++
	handoffs := filepath.Join(r.path, ".claude", "exchange", "handoffs")
	h := exchange.Handoff{
		ID:      fmt.Sprintf("%s-%06x", at.Format("20060102T150405Z"), r.posted),
		From:    exchange.Sender{SessionID: "session-000", Name: "crane-0", Cwd: r.path},
		To:      exchange.Address{Repo: repo},
		Created: at,
		Body:    "The answer of /search carries the page now; the caller in lib/list must read it.\n\nSee the notes.",
	}
	data, err := h.Encode(h.ID + ".json")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(handoffs, h.ID+".json"), data, 0o600); err != nil {
		return fmt.Errorf("write a handoff: %w", err)
	}
	if !closed {
		return nil
	}
	moves := filepath.Join(handoffs, h.ID+".d")
	if err := os.Mkdir(moves, 0o700); err != nil {
		return fmt.Errorf("make moves: %w", err)
	}
	for i, status := range []exchange.Status{exchange.Accepted, exchange.Closed} {
		name := exchange.MoveFile(i, "abc123")
		data, err := exchange.Move{At: at, Status: status, After: i, By: "dock"}.Encode(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(moves, name), data, 0o600); err != nil {
			return fmt.Errorf("write a move: %w", err)
		}
	}
	return nil
}

// tidy archives what is over.
func (r *root) tidy() error { return r.exchange(r.path, "tidy", "--apply") }

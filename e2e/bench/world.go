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

// world is a tree with sessions and handoffs.
type world struct {
	programs
	root     string
	registry string
	// inside and outside are the inputs of a session start under the root, and
	// of one where no root is marked.
	inside  string
	outside string
	env     []string
	now     time.Time
	posted  int

	sessions []*exec.Cmd
	lives    []io.Closer
}

func newWorld(dir string, built programs) (*world, error) {
	home := filepath.Join(dir, "home")
	w := &world{
		programs: built,
		root:     filepath.Join(dir, "root"),
		registry: filepath.Join(home, ".claude", "sessions"),
		inside:   filepath.Join(dir, "inside.json"),
		outside:  filepath.Join(dir, "outside.json"),
		env:      ownEnvironment(home),
		now:      time.Now().UTC(),
	}
	unmarked := filepath.Join(dir, "unmarked", "deep", "tree")
	repo := filepath.Join(w.root, "site")
	for _, d := range []string{w.registry, unmarked, filepath.Join(repo, ".git")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, fmt.Errorf("make %s: %w", d, err)
		}
	}
	if err := w.exchange(w.root, "init", w.root); err != nil {
		return nil, err
	}
	for input, cwd := range map[string]string{w.inside: repo, w.outside: unmarked} {
		payload, err := json.Marshal(map[string]string{
			"session_id": "the-session", "cwd": cwd, "hook_event_name": "SessionStart", "source": "startup",
		})
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(input, payload, 0o644); err != nil {
			return nil, fmt.Errorf("write an input: %w", err)
		}
	}
	return w, nil
}

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

// populate starts sessions with claims and leaves open handoffs.
func (w *world) populate(sessions, handoffs int) error {
	for i := range sessions {
		if err := w.session(i); err != nil {
			return err
		}
	}
	for range handoffs {
		if err := w.post(w.now, false); err != nil {
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
	id := fmt.Sprintf("session-%03d", i)
	row := fakeregistry.New(cmd.Process.Pid, id, w.root, w.now.UnixMilli()).With("name", fmt.Sprintf("crane-%d", i))
	if err := row.Write(w.registry, fmt.Sprintf("%d.json", cmd.Process.Pid)); err != nil {
		return err
	}
	return w.exchange(w.root, "claim", "--session", id, "--focus", "rewrite the tide tables of the north quay",
		"--repo", "site", "--path", fmt.Sprintf("lib/part%d", i))
}

// closed adds handoffs that were accepted and closed at a time.
func (w *world) closed(n int, at time.Time) error {
	for range n {
		if err := w.post(at, true); err != nil {
			return err
		}
	}
	return nil
}

// post writes a handoff for the measured session's repo as the program would.
func (w *world) post(at time.Time, closed bool) error {
	w.posted++
	handoffs := filepath.Join(w.root, ".claude", "exchange", "handoffs")
	h := exchange.Handoff{
		ID:      fmt.Sprintf("%s-%06x", at.Format("20060102T150405Z"), w.posted),
		From:    exchange.Sender{SessionID: "session-000", Name: "crane-0", Cwd: w.root},
		To:      exchange.Address{Repo: "site"},
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
func (w *world) tidy() error { return w.exchange(w.root, "tidy", "--apply") }

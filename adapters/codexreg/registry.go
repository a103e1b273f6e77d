// Package codexreg lists the live threads of Codex. Codex keeps a lock file for each
// thread and holds it locked for as long as the thread lives; where the thread works
// stands in its rollout.
package codexreg

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

const (
	lockExtension = ".lock"
	// nameLength is how much of a thread's id is in its name.
	nameLength = 8
)

// Files is the file system as the registry needs it.
type Files interface {
	port.DirReader
	port.Opener
}

// Registry reads the threads of one home of Codex.
type Registry struct {
	files  Files
	dir    string
	inside []string
}

// New reads the threads of the home in dir, empty where nobody knows it. inside are
// the threads that this process runs in by its environment, the nearest first.
func New(files Files, dir string, inside ...string) Registry {
	return Registry{files: files, dir: dir, inside: inside}
}

// Open reads the threads of the Codex that an environment belongs to.
func Open(files port.FS, streams port.Streams, env port.Environment) Registry {
	// A sub-agent has a thread of its own, which is no session.
	return New(both{files, streams}, env.CodexDir(), env.Lookup("CODEX_THREAD_ID"), env.Lookup("CODEX_SESSION_ID"))
}

type both struct {
	port.DirReader
	port.Opener
}

// Set provides the registry.
var Set = wire.NewSet(Open)

// Sessions lists the threads whose lock is held. A home that does not exist has none.
// An error means that nobody could look.
func (r Registry) Sessions() (session.Listing, error) {
	if r.dir == "" {
		return session.Listing{}, port.ErrNoHome
	}
	locks := filepath.Join(r.dir, "thread-writer-locks")
	entries, err := r.files.ReadDir(locks)
	if errors.Is(err, fs.ErrNotExist) {
		return session.Listing{}, nil
	}
	if err != nil {
		return session.Listing{}, err
	}
	var names []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name, lockExtension); ok && isThread(id) {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return session.Listing{}, nil
	}
	held, listing := r.held(locks, names)
	listing.Inside = r.inside
	rollouts := r.find(held)
	for _, l := range held {
		row := session.Row{
			File: l.name, SessionID: l.thread(), PID: l.pid, Name: shortName(l.thread()), StartedAt: l.since, Held: true,
		}
		meta, err := r.meta(rollouts, l.thread())
		switch {
		case err != nil:
			listing.Unread = append(listing.Unread, l.name)
		case meta.subagent:
			continue
		}
		row.Cwd = meta.cwd
		listing.Rows = append(listing.Rows, row)
	}
	return listing, nil
}

// held returns the locks that are held, and names those of which nobody can tell.
func (r Registry) held(dir string, names []string) (held []lock, listing session.Listing) {
	t := newTable(dir)
	for _, name := range names {
		l, ok, err := t.look(name)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist): // a lock may leave meanwhile
			listing.Unread = append(listing.Unread, name)
		case ok:
			held = append(held, l)
		}
	}
	return held, listing
}

// isThread reports what can be a thread's id. Others of Codex's locks begin with a
// dot.
func isThread(id string) bool {
	return id != "" && id[0] != '.' && strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}

func shortName(id string) string { return fmt.Sprintf("codex-%.*s", nameLength, id) }

// Package linkstore keeps the state of relay's links: per user, outside any
// repository, in files that only the owner can read. Each event is a file of
// its own, claimed under its number; nothing is ever appended to or locked.
package linkstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

const (
	// fileLimit bounds the reading of one file, in bytes: a text of the largest
	// size, escaped, and what stands around it.
	fileLimit = 4 << 20

	filePerm = 0o600
	dirPerm  = 0o700

	extension = ".json"

	// tooWide are the bits that no directory of the state may have.
	tooWide = 0o077
)

// Store implements relay.Store over a file system.
type Store struct {
	fs  port.FS
	dir string
	// fault is why nobody knows where the state lies.
	fault error
	known *memory
}

var _ relay.Store = Store{}

// New keeps the state in dir, which need not exist yet.
func New(files port.FS, dir string) Store {
	return Store{fs: files, dir: path.Clean(dir), known: newMemory()}
}

// Open keeps the state where the environment says: RELAY_STATE_DIR, else relay
// below XDG_STATE_HOME, else below ~/.local/state.
func Open(files port.FS, env port.Environment) Store {
	dir, err := Dir(env)
	return Store{fs: files, dir: dir, fault: err, known: newMemory()}
}

// Dir is where the environment says that the state lies. A path that depends on
// the working directory is none: two sessions would not see each other.
func Dir(env port.Environment) (string, error) {
	if dir := strings.TrimSpace(env.Lookup("RELAY_STATE_DIR")); dir != "" {
		if !path.IsAbs(dir) {
			return "", fmt.Errorf("RELAY_STATE_DIR is %q: give it an absolute path", dir)
		}
		return path.Clean(dir), nil
	}
	if state := strings.TrimSpace(env.Lookup("XDG_STATE_HOME")); path.IsAbs(state) {
		return path.Join(state, "relay"), nil
	}
	if env.Home == "" {
		return "", fmt.Errorf("find relay's state: %w: set HOME, XDG_STATE_HOME or RELAY_STATE_DIR", port.ErrNoHome)
	}
	return path.Join(env.Home, ".local", "state", "relay"), nil
}

// Set provides the store.
var Set = wire.NewSet(Open, wire.Bind(new(relay.Store), new(Store)))

// makeDirs makes the missing directories down to one of the state's own, and
// refuses a state that others may look into.
func (s Store) makeDirs(dir string) error {
	if err := s.makeRoot(); err != nil {
		return err
	}
	made := s.dir
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(dir, s.dir), "/"), "/") {
		if part == "" {
			continue
		}
		made = path.Join(made, part)
		if err := s.fs.MakeDir(made, dirPerm); err != nil {
			return err
		}
	}
	return nil
}

// makeRoot makes the state's directory and those above it.
func (s Store) makeRoot() error {
	if s.fault != nil {
		return s.fault
	}
	info, err := s.fs.Stat(s.dir)
	if err == nil {
		if info.Mode&tooWide != 0 {
			return fmt.Errorf("%s may be looked into by others (mode %04o): chmod 700 it", s.dir, info.Mode.Perm())
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var missing []string
	for dir := s.dir; ; dir = path.Dir(dir) {
		if _, err := s.fs.Stat(dir); err == nil || dir == path.Dir(dir) {
			break
		}
		missing = append(missing, dir)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := s.fs.MakeDir(missing[i], dirPerm); err != nil {
			return err
		}
	}
	return nil
}

// checkName refuses what is no name of ours in a path.
func checkName(name string) error {
	if !relay.IsID(name) {
		return fmt.Errorf("%q is not a valid id", name)
	}
	return nil
}

// read reads one document; missing is what it returns where there is none.
func (s Store) read(name string, missing error) (map[string]any, error) {
	if s.fault != nil {
		return nil, s.fault
	}
	data, err := s.fs.ReadFile(name, fileLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing
	case errors.Is(err, port.ErrNotRegular), errors.Is(err, port.ErrTooLarge):
		return nil, &contentError{name, err}
	case err != nil:
		return nil, err
	}
	value, err := jsondoc.Decode(data)
	if err != nil {
		return nil, &contentError{name, err}
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &contentError{name, errors.New("it is no object")}
	}
	return object, nil
}

// contentError reports a file whose content is at fault, not the reading of it: it
// is relay.ErrUnusable.
type contentError struct {
	name string
	err  error
}

// Error implements error.
func (e *contentError) Error() string { return fmt.Sprintf("%s could not be read: %v", e.name, e.err) }

func (e *contentError) Unwrap() error { return e.err }

// Is tells errors.Is what the error is.
func (e *contentError) Is(target error) bool { return target == relay.ErrUnusable }

// replace writes a document that a later run would make again.
func (s Store) replace(name string, doc jsondoc.Object) error {
	if err := s.makeDirs(path.Dir(name)); err != nil {
		return err
	}
	return s.fs.Replace(name, jsondoc.Stored(doc), filePerm, port.Unsynced)
}

// remove deletes a file; one that is not there is no error.
func (s Store) remove(name string) error {
	if s.fault != nil {
		return s.fault
	}
	if err := s.fs.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// list returns the names in a directory, those of unfinished files left out. A
// missing directory is empty.
func (s Store) list(dir string) ([]string, error) {
	if s.fault != nil {
		return nil, s.fault
	}
	entries, err := s.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name, ".") {
			names = append(names, e.Name)
		}
	}
	return names, err
}

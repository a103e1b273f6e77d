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
}

var _ relay.Store = Store{}

// New keeps the state in dir, which need not exist yet.
func New(files port.FS, dir string) Store { return Store{fs: files, dir: dir} }

// Open keeps the state where the environment says: RELAY_STATE_DIR, else relay
// below XDG_STATE_HOME, else below ~/.local/state.
func Open(files port.FS, env port.Environment) Store { return New(files, Dir(env)) }

// Dir is where the environment says that the state lies.
func Dir(env port.Environment) string {
	if dir := strings.TrimSpace(env.Lookup("RELAY_STATE_DIR")); dir != "" {
		return dir
	}
	if state := strings.TrimSpace(env.Lookup("XDG_STATE_HOME")); path.IsAbs(state) {
		return path.Join(state, "relay")
	}
	return path.Join(env.Home, ".local", "state", "relay")
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
	data, err := s.fs.ReadFile(name, fileLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	value, err := jsondoc.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s could not be read: %w", name, err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s could not be read: it is no object", name)
	}
	return object, nil
}

// replace writes a document that a later run would make again.
func (s Store) replace(name string, doc jsondoc.Object) error {
	if err := s.makeDirs(path.Dir(name)); err != nil {
		return err
	}
	return s.fs.Replace(name, jsondoc.Stored(doc), filePerm, port.Unsynced)
}

// create claims a name for ever: relay.ErrTaken where it is taken.
func (s Store) create(name string, doc jsondoc.Object) error {
	if err := s.makeDirs(path.Dir(name)); err != nil {
		return err
	}
	err := s.fs.Create(name, jsondoc.Stored(doc), filePerm, port.Synced)
	if errors.Is(err, fs.ErrExist) {
		return relay.ErrTaken
	}
	return err
}

// remove deletes a file; one that is not there is no error.
func (s Store) remove(name string) error {
	if err := s.fs.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// list returns the names in a directory, those of unfinished files left out. A
// missing directory is empty.
func (s Store) list(dir string) ([]string, error) {
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

// Package fsstore keeps the store of an exchange in the directories below a
// root's .claude/exchange.
package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

const (
	// fileLimit bounds the reading of one file of the store, in bytes.
	fileLimit = 1 << 20

	filePerm = 0o600
	dirPerm  = 0o700

	extension   = ".json"
	movesSuffix = ".d"
)

// Store implements exchange.Store over a file system.
type Store struct {
	fs   port.FS
	root string

	sessions string
	ended    string
	handoffs string
	archive  string
	seen     string
	wake     string

	// faults are directories that cannot be what they should be, though listing
	// them, or what lies below, would find nothing there.
	faults []fault

	// places are where the root and these directories really lay when the store was
	// opened.
	places map[string]string
}

// fault is what is wrong with a directory of the store.
type fault struct{ dir, text string }

var _ exchange.Store = (*Store)(nil)

// Open returns the store of a root. It need not exist. ErrForeignStore where
// any of its directories really is that of another marked root. root is a real path.
func Open(files port.FS, root string) (*Store, error) {
	base := path.Join(root, ".claude", "exchange")
	s := &Store{
		fs:       files,
		root:     root,
		sessions: path.Join(base, "sessions"),
		ended:    path.Join(base, "ended"),
		handoffs: path.Join(base, "handoffs"),
		archive:  path.Join(base, "archive"),
		seen:     path.Join(base, "seen"),
		wake:     path.Join(base, "wake"),
		places:   map[string]string{root: root},
	}
	if err := s.replaced(root); err != nil {
		return nil, err
	}
	for _, dir := range s.dirs() {
		if err := s.examine(dir); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// dirs are the directories that a store is made of, from its root.
func (s *Store) dirs() []string {
	base := path.Dir(s.sessions)
	return []string{path.Dir(base), base, s.sessions, s.handoffs, s.ended, s.archive, s.seen, s.wake}
}

// examine refuses a directory of another root's store and notes one that cannot
// be used. The common case costs one look.
func (s *Store) examine(dir string) error {
	v, err := s.look(dir)
	if err != nil {
		return err
	}
	if err := s.foreign(dir, v); err != nil {
		return err
	}
	s.note(dir, v)
	switch {
	case v.dead():
		s.faults = append(s.faults, fault{dir, s.below(dir) + " " + leadsNowhere})
	case slices.Contains([]string{s.ended, s.archive, s.seen, s.wake}, dir) && v.there && !s.leadsToDir(dir, v):
		s.faults = append(s.faults, fault{dir, s.below(dir) + " is no directory"})
	}
	return nil
}

// makeDirs makes the missing directories down to dir: .claude as the umask
// says, everything below private.
func (s *Store) makeDirs(dir string) error {
	if err := s.replaced(dir); err != nil {
		return err
	}
	claude := path.Join(s.root, ".claude")
	if err := s.fs.MakeDir(claude, 0o777); err != nil {
		return err
	}
	made := claude
	for part := range strings.SplitSeq(strings.TrimPrefix(dir, claude+"/"), "/") {
		made = path.Join(made, part)
		if err := s.fs.MakeDir(made, dirPerm); err != nil {
			return err
		}
	}
	return nil
}

// checkSize refuses what no reader of the store would take.
func checkSize(name string, data []byte) error {
	if len(data) > fileLimit {
		return refused(name, fmt.Errorf("%d bytes are more than the %d that its readers take", len(data), fileLimit))
	}
	return nil
}

// replace writes a file that a later run would make again.
func (s *Store) replace(name string, data []byte) error {
	if err := checkSize(name, data); err != nil {
		return err
	}
	if err := s.makeDirs(path.Dir(name)); err != nil {
		return writeError(name, err)
	}
	return writeError(name, s.fs.Replace(name, data, filePerm, port.Unsynced))
}

// create claims a name for ever.
func (s *Store) create(name string, data []byte) error { return s.claimName(name, data, port.Synced) }

// claimName claims a name. A directory that is archived or cleared under its hands
// is made once more.
func (s *Store) claimName(name string, data []byte, sync port.Sync) error {
	if err := checkSize(name, data); err != nil {
		return err
	}
	var err error
	for range 2 {
		if err := s.makeDirs(path.Dir(name)); err != nil {
			return writeError(name, err)
		}
		err = s.fs.Create(name, data, filePerm, sync)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists; nothing was changed: %w", path.Base(name), fs.ErrExist)
	}
	return writeError(name, err)
}

func writeError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("could not write %s: %w; nothing was changed", name, cause(err))
}

// refused is what an object that its schema does not allow is answered with.
func refused(name string, err error) error {
	return fmt.Errorf("refusing to write %s: %w", name, err)
}

// cause takes the path out of an error that is told beside it.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// remove deletes a file; missing is what it returns where there was none.
func (s *Store) remove(name string, missing error) error {
	if err := s.replaced(path.Dir(name)); err != nil {
		return err
	}
	err := s.fs.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return missing
	}
	if err != nil {
		return fmt.Errorf("could not delete %s: %w", name, cause(err))
	}
	return nil
}

// files returns the names that a reader takes in a directory. A missing
// directory is none.
func (s *Store) files(dir string) ([]port.Entry, error) {
	entries, err := s.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s could not be read: %w", path.Base(dir), cause(err))
	}
	var kept []port.Entry
	for _, e := range entries {
		if !exchange.IsTemporary(e.Name) {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// read reads one file of the store and parses it.
func read[T any](s *Store, name string, parse func(string, []byte) (T, error)) (T, error) {
	data, err := s.fs.ReadFile(name, fileLimit)
	if err != nil {
		var none T
		return none, &exchange.FileError{Name: path.Base(name), Err: cause(err)}
	}
	return parse(path.Base(name), data)
}

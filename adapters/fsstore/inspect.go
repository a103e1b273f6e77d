package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// everybody is the mode bit that lets everybody write.
const everybody = 0o002

// Strays implements exchange.Inspector.
func (s *Store) Strays() []string {
	dirs := s.dirs()
	dirs = append(dirs, s.links(s.handoffs, movesSuffix)...)
	dirs = append(dirs, s.links(s.archive, "")...)
	dirs = append(dirs, s.links(s.seen, "")...)
	var strays []string
	for _, dir := range dirs {
		v, err := s.look(dir)
		switch {
		case err != nil:
			strays = append(strays, text.Printable(err.Error()))
		case v.real != "" && v.real != s.root && !strings.HasPrefix(v.real, s.root+"/"):
			strays = append(strays, fmt.Sprintf("%s really lies outside the root, at %s", text.Printable(dir), text.Printable(v.real)))
		}
	}
	return strays
}

// links returns the symbolic links in a directory whose names end in suffix.
func (s *Store) links(dir, suffix string) []string {
	entries, err := s.files(dir)
	if err != nil {
		return nil // reported by whoever reads what lies there
	}
	var found []string
	for _, e := range entries {
		if e.Mode&fs.ModeSymlink != 0 && strings.HasSuffix(e.Name, suffix) {
			found = append(found, path.Join(dir, e.Name))
		}
	}
	return found
}

// Inspect implements exchange.Inspector.
func (s *Store) Inspect() exchange.Inspection {
	found := exchange.Inspection{Orphans: s.orphans()}
	s.oldShapes(&found)
	claude := path.Dir(path.Dir(s.sessions))
	s.leftovers(&found, claude)
	s.walk(&found, path.Join(claude, "exchange"))
	s.linked(&found)
	if err := s.replaced(path.Join(claude, "exchange")); err != nil {
		return exchange.Inspection{Problems: []string{text.Printable(err.Error())}}
	}
	return found
}

// linked notes which directories of the store everybody may write to where a link leads.
func (s *Store) linked(found *exchange.Inspection) {
	for _, dir := range s.dirs()[1:] {
		if v, err := s.look(dir); err != nil || v.real == "" {
			continue // the strays tell
		}
		if info, err := s.fs.Stat(dir); err == nil {
			s.openToAll(found, dir, info)
		}
	}
}

// openToAll notes a directory that everybody may write to. That nobody may delete what is
// another's there (the sticky bit) keeps nobody from adding claims and handoffs.
func (s *Store) openToAll(found *exchange.Inspection, dir string, info port.Info) {
	if info.Mode.IsDir() && info.Mode&everybody != 0 {
		found.Writable = append(found.Writable, s.below(dir))
	}
}

// oldShapes looks for records that carry their status inside. What cannot be
// read is reported by whoever reads the handoffs.
func (s *Store) oldShapes(found *exchange.Inspection) {
	entries, err := s.files(s.handoffs)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name, extension) {
			continue
		}
		data, err := s.fs.ReadFile(path.Join(s.handoffs, e.Name), fileLimit)
		if err != nil {
			continue
		}
		if keys := exchange.OldShapeKeys(data); len(keys) > 0 {
			found.OldShapes = append(found.OldShapes, exchange.OldShape{File: text.Printable(e.Name), Keys: keys})
		}
	}
}

// walk looks into every directory below the store, never through a link.
func (s *Store) walk(found *exchange.Inspection, dir string) {
	if s.faultAbove(dir) != "" {
		return // whoever reads the handoffs reports it
	}
	info, err := s.fs.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		found.Problems = append(found.Problems, fmt.Sprintf("%s could not be looked at: %s", s.below(dir), cause(err)))
		return
	}
	s.openToAll(found, dir, info)
	s.leftovers(found, dir)
	entries, err := s.fs.ReadDir(dir)
	if err != nil {
		if dir != s.handoffs && dir != s.sessions { // their readers report these two
			found.Problems = append(found.Problems, fmt.Sprintf("%s could not be listed: %s", s.below(dir), cause(err)))
		}
		return
	}
	for _, e := range entries {
		if e.Mode.IsDir() {
			s.walk(found, path.Join(dir, e.Name))
		}
	}
}

// leftovers notes the unfinished files of one directory.
func (s *Store) leftovers(found *exchange.Inspection, dir string) {
	entries, err := s.fs.ReadDir(dir)
	if err != nil {
		return // the walk reports it
	}
	for _, e := range entries {
		if exchange.IsTemporary(e.Name) {
			found.Leftovers = append(found.Leftovers, s.below(path.Join(dir, e.Name)))
		}
	}
}

// below shows a path relative to the root.
func (s *Store) below(name string) string {
	return text.Printable(strings.TrimPrefix(name, s.root+"/"))
}

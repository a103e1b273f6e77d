package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

// Handoffs implements exchange.HandoffReader.
func (s *Store) Handoffs() exchange.Shelf {
	return s.pending(func(nameSet) nameSet { return nil })
}

// Pending implements exchange.HandoffReader.
func (s *Store) Pending() exchange.Shelf {
	return s.pending(func(names nameSet) nameSet {
		closed := nameSet{}
		for stem, last := range s.lasts(names) {
			if last.Status == exchange.Closed {
				closed[stem] = 0
			}
		}
		return closed
	})
}

// pending reads the records that are not archived, but for those whose stems
// passOver returns. It reports what is wrong with the store's directories, which
// would look empty otherwise.
func (s *Store) pending(passOver func(nameSet) nameSet) exchange.Shelf {
	shelf := s.shelf(s.handoffs, passOver)
	shelf.Unread = append(s.faultTexts(), shelf.Unread...)
	return shelf
}

// AnyClosedBefore implements exchange.Archiver.
func (s *Store) AnyClosedBefore(t time.Time) bool {
	entries, err := s.files(s.handoffs)
	if err != nil {
		return false // reported by whoever reads the handoffs
	}
	for _, last := range s.lasts(namesOf(entries)) {
		if last.Status == exchange.Closed && last.At.Before(t) {
			return true
		}
	}
	return false
}

// nameSet is some names of a directory with their types.
type nameSet map[string]fs.FileMode

func (n nameSet) has(name string) bool {
	_, ok := n[name]
	return ok
}

func namesOf(entries []port.Entry) nameSet {
	names := make(nameSet, len(entries))
	for _, e := range entries {
		names[e.Name] = e.Mode
	}
	return names
}

// shelf reads the records of a directory, but for those whose stems passOver
// returns.
func (s *Store) shelf(dir string, passOver func(nameSet) nameSet) exchange.Shelf {
	var shelf exchange.Shelf
	entries, err := s.files(dir)
	if err != nil {
		shelf.Unread = append(shelf.Unread, err.Error())
	}
	names := namesOf(entries)
	over := passOver(names)
	bare := 0
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name, extension)
		if !ok || over.has(stem) {
			continue
		}
		filed, err := s.filed(dir, e.Name, names)
		shelve(&shelf, filed, err)
		if err == nil && isBare(filed) {
			bare++
		}
	}
	if bare > 0 {
		shelf = s.again(dir, shelf, bare, len(entries))
	}
	if err := s.replaced(dir); err != nil {
		return exchange.Shelf{Unread: []string{err.Error()}}
	}
	return shelf
}

// shelve adds a record, or why there is none. One that is gone was archived
// meanwhile.
func shelve(shelf *exchange.Shelf, filed exchange.Filed, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		shelf.Unread = append(shelf.Unread, err.Error())
	default:
		shelf.Items = append(shelf.Items, filed)
	}
}

// again looks once more for the moves of records that had none when the
// directory was listed: they come out of the archive before their record.
func (s *Store) again(dir string, before exchange.Shelf, bare, listed int) exchange.Shelf {
	after := exchange.Shelf{Unread: before.Unread}
	there := s.finder(dir, bare, listed)
	for _, filed := range before.Items {
		switch {
		case !isBare(filed):
			after.Items = append(after.Items, filed)
		case there(filed.ID + movesSuffix):
			filed, err := s.filed(dir, filed.File, nil)
			shelve(&after, filed, err)
		case there(filed.File):
			after.Items = append(after.Items, filed)
		default: // archived meanwhile
		}
	}
	return after
}

// isBare reports a handoff for which no move was found.
func isBare(f exchange.Filed) bool { return len(f.Moves)+len(f.Unread) == 0 }

// listingPays is how many names are listed for about the price of one look.
const listingPays = 16

// finder returns what reports a name in a directory: by listing it, or where that
// would be dearer by looking for each.
func (s *Store) finder(dir string, wanted, listed int) func(name string) bool {
	if wanted*listingPays > listed {
		if entries, err := s.files(dir); err == nil {
			return namesOf(entries).has
		}
	}
	return func(name string) bool {
		_, err := s.fs.Lstat(path.Join(dir, name))
		return !errors.Is(err, fs.ErrNotExist)
	}
}

// filed reads one record and its moves, which are found through its id. names
// are what the directory holds, nil where nobody has looked.
func (s *Store) filed(dir, name string, names nameSet) (exchange.Filed, error) {
	h, err := read(s, path.Join(dir, name), exchange.ParseHandoff)
	if err != nil {
		return exchange.Filed{}, err
	}
	if names != nil && !names.has(h.ID+movesSuffix) {
		return exchange.NewFiled(name, h, nil, nil), nil
	}
	moves, unread := s.moves(h.ID, dir)
	if len(moves) == 0 || len(unread) > 0 {
		// Moves follow their record into the archive: without the record their
		// absence says nothing.
		if _, err := s.fs.Lstat(path.Join(dir, name)); err != nil {
			return exchange.Filed{}, &exchange.FileError{Name: name, Err: cause(err)}
		}
	}
	return exchange.NewFiled(name, h, moves, unread), nil
}

// Handoff implements exchange.HandoffReader.
func (s *Store) Handoff(id string) (exchange.Filed, error) { return s.handoff(s.handoffs, id) }

func (s *Store) handoff(dir, id string) (exchange.Filed, error) {
	if err := exchange.CheckID(id); err != nil {
		return exchange.Filed{}, err
	}
	filed, err := s.filed(dir, id+extension, nil)
	if err == nil {
		if err := s.replaced(dir); err != nil {
			return exchange.Filed{}, err
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return filed, err
	}
	if fault := s.faultAbove(dir); fault != "" {
		return filed, errors.New(fault)
	}
	return filed, exchange.ErrNoHandoff
}

// Post implements exchange.HandoffWriter.
func (s *Store) Post(h exchange.Handoff) error {
	name := path.Join(s.handoffs, h.ID+extension)
	if err := exchange.CheckID(h.ID); err != nil {
		return refused(s.handoffs, err)
	}
	data, err := h.Encode(path.Base(name))
	if err != nil {
		return refused(name, err)
	}
	movesDir := path.Join(s.handoffs, h.ID+movesSuffix)
	_, err = s.fs.Lstat(movesDir)
	if err == nil {
		return fmt.Errorf("%s already exists; no handoff can be posted under that id: %w", path.Base(movesDir), fs.ErrExist)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("could not look at %s: %w", movesDir, cause(err))
	}
	return s.create(name, data)
}

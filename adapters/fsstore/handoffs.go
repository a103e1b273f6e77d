package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// Handoffs implements exchange.HandoffReader.
func (s *Store) Handoffs() exchange.Shelf {
	return s.shelf(s.handoffs, func(string, bool) bool { return true })
}

// Pending implements exchange.HandoffReader.
func (s *Store) Pending() exchange.Shelf {
	return s.shelf(s.handoffs, func(stem string, moved bool) bool {
		if !moved {
			return true
		}
		last, ok := s.lastOf(path.Join(s.handoffs, stem+movesSuffix))
		return !ok || last.Status != exchange.Closed
	})
}

// AnyClosedBefore implements exchange.Archiver.
func (s *Store) AnyClosedBefore(t time.Time) bool {
	found := false
	s.shelf(s.handoffs, func(stem string, moved bool) bool {
		if moved && !found {
			last, ok := s.lastOf(path.Join(s.handoffs, stem+movesSuffix))
			found = ok && last.Status == exchange.Closed && last.At.Before(t)
		}
		return false
	})
	return found
}

// shelf reads the records of a directory that wanted asks for, by name and by
// whether a moves directory of that name exists.
func (s *Store) shelf(dir string, wanted func(stem string, moved bool) bool) exchange.Shelf {
	var shelf exchange.Shelf
	entries, err := s.files(dir)
	if err != nil {
		shelf.Unread = append(shelf.Unread, err.Error())
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name] = true
	}
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name, extension)
		if !ok || !wanted(stem, names[stem+movesSuffix]) {
			continue
		}
		filed, err := s.filed(dir, e.Name, names)
		switch {
		case errors.Is(err, fs.ErrNotExist): // archived meanwhile
		case err != nil:
			shelf.Unread = append(shelf.Unread, err.Error())
		default:
			shelf.Items = append(shelf.Items, filed)
		}
	}
	return shelf
}

// filed reads one record and its moves, which are found through its id. names
// are what the directory holds, nil where nobody has looked.
func (s *Store) filed(dir, name string, names map[string]bool) (exchange.Filed, error) {
	h, err := read(s, path.Join(dir, name), exchange.ParseHandoff)
	if err != nil {
		return exchange.Filed{}, err
	}
	if names != nil && !names[h.ID+movesSuffix] {
		return exchange.NewFiled(name, h, nil, nil), nil
	}
	moves, unread := s.moves(dir, h.ID)
	return exchange.NewFiled(name, h, moves, unread), nil
}

// moves reads the moves of a handoff in order of their file names.
func (s *Store) moves(dir, id string) (moves []exchange.Move, unread []string) {
	movesDir := path.Join(dir, id+movesSuffix)
	if err := s.checkForeign(movesDir); err != nil {
		return nil, []string{fmt.Sprintf("%s: %s", text.Printable(id), err)}
	}
	entries, err := s.files(movesDir)
	if err != nil {
		return nil, []string{fmt.Sprintf("%s: %s", text.Printable(id), err)}
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name, extension) {
			continue
		}
		m, err := read(s, path.Join(movesDir, e.Name), exchange.ParseMove)
		if err != nil {
			unread = append(unread, fmt.Sprintf("%s: %s", text.Printable(id), err))
			continue
		}
		moves = append(moves, m)
	}
	return moves, unread
}

// lastOf returns the last move of a directory at the price of one read. It is
// sure only where the names are ours, one for each position from 0 on, and the
// move is at the position that its name says.
func (s *Store) lastOf(movesDir string) (exchange.Move, bool) {
	entries, err := s.fs.ReadDir(movesDir)
	if err != nil {
		return exchange.Move{}, false
	}
	next := 0
	for _, e := range entries {
		if position, ok := positionOf(e.Name); !ok || position != next || !e.Mode.IsRegular() {
			return exchange.Move{}, false
		}
		next++
	}
	if next == 0 {
		return exchange.Move{}, false
	}
	last, err := read(s, path.Join(movesDir, entries[next-1].Name), exchange.ParseMove)
	return last, err == nil && last.After == next-1
}

// positionOf reads the position in a move's name: at least four digits, then
// six hex digits.
func positionOf(name string) (int, bool) {
	digits, suffix, ok := strings.Cut(strings.TrimSuffix(name, extension), "-")
	if !ok || !strings.HasSuffix(name, extension) || len(digits) < 4 || len(suffix) != 6 {
		return 0, false
	}
	position, err := strconv.Atoi(digits)
	return position, err == nil && position >= 0 && exchange.MoveFile(position, suffix) == name
}

// Handoff implements exchange.HandoffReader.
func (s *Store) Handoff(id string) (exchange.Filed, error) { return s.handoff(s.handoffs, id) }

func (s *Store) handoff(dir, id string) (exchange.Filed, error) {
	if err := exchange.CheckID(id); err != nil {
		return exchange.Filed{}, err
	}
	filed, err := s.filed(dir, id+extension, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return filed, exchange.ErrNoHandoff
	}
	return filed, err
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
		return fmt.Errorf("%s already exists; no handoff can be posted under that id", path.Base(movesDir))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("could not look at %s: %w", movesDir, cause(err))
	}
	return s.create(name, data)
}

// AddMove implements exchange.HandoffWriter.
func (s *Store) AddMove(id string, m exchange.Move, suffix string) error {
	if err := exchange.CheckID(id); err != nil {
		return err
	}
	movesDir := path.Join(s.handoffs, id+movesSuffix)
	name := path.Join(movesDir, exchange.MoveFile(m.After, suffix))
	if err := s.checkForeign(movesDir); err != nil {
		return err
	}
	data, err := m.Encode(path.Base(name))
	if err != nil {
		return refused(name, err)
	}
	return s.create(name, data)
}

// isDir reports a directory, through a link too.
func (s *Store) isDir(dir string, e port.Entry) bool {
	if e.Mode.IsDir() {
		return true
	}
	info, err := s.fs.Stat(path.Join(dir, e.Name))
	return err == nil && info.Mode.IsDir()
}

package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
)

// Archived implements exchange.ArchiveReader.
func (s *Store) Archived() exchange.Shelf {
	var all exchange.Shelf
	years, problems := s.years()
	for _, problem := range problems {
		all.Unread = append(all.Unread, problem.Error())
	}
	for _, year := range years {
		shelf := s.shelf(year, func(nameSet) nameSet { return nil })
		for _, filed := range shelf.Items {
			all.Items = append(all.Items, s.reunited(filed))
		}
		all.Unread = append(all.Unread, shelf.Unread...)
	}
	return all
}

// years returns the directories of the archive, and why some of them are not to
// be looked into.
func (s *Store) years() (dirs []string, problems []error) {
	entries, err := s.files(s.archive)
	if err != nil {
		problems = append(problems, err)
	}
	for _, e := range entries {
		dir := path.Join(s.archive, e.Name)
		if err := s.checkForeign(dir); err != nil {
			problems = append(problems, err)
			continue
		}
		if s.isDir(s.archive, e) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, problems
}

// ArchivedHandoff implements exchange.ArchiveReader.
func (s *Store) ArchivedHandoff(id string) (exchange.Filed, error) {
	if err := exchange.CheckID(id); err != nil {
		return exchange.Filed{}, err
	}
	year, err := s.yearOf(id)
	if err != nil {
		return exchange.Filed{}, err
	}
	filed, err := s.handoff(year, id)
	return s.reunited(filed), err
}

// reunited looks for the moves of an archived record among those that are not
// archived: they follow the record into the archive, and may still be under way.
func (s *Store) reunited(filed exchange.Filed) exchange.Filed {
	if filed.File == "" || len(filed.Moves)+len(filed.Unread) > 0 {
		return filed
	}
	moves, unread := s.moves(s.handoffs, filed.ID)
	return exchange.NewFiled(filed.File, filed.Handoff, moves, unread)
}

// yearOf finds the directory of the archive that holds a record.
func (s *Store) yearOf(id string) (string, error) {
	years, problems := s.years()
	for _, year := range years {
		if _, err := s.fs.Lstat(path.Join(year, id+extension)); err == nil {
			return year, nil
		}
	}
	if len(problems) > 0 {
		return "", problems[0]
	}
	return "", exchange.ErrNoHandoff
}

// Archive implements exchange.Archiver.
func (s *Store) Archive(f exchange.Filed) error {
	year, err := s.yearOf(f.ID)
	if errors.Is(err, exchange.ErrNoHandoff) {
		year = path.Join(s.archive, fmt.Sprintf("%04d", f.Created.Year()))
	} else if err != nil {
		return err
	}
	if err := s.makeDirs(year); err != nil {
		return writeError(year, err)
	}
	return s.shift(s.handoffs, year, f.ID+extension, f.ID+movesSuffix)
}

// Restore implements exchange.Archiver.
func (s *Store) Restore(id string) error {
	year, err := s.yearOf(id)
	if err != nil {
		return err
	}
	if err := s.makeDirs(s.handoffs); err != nil {
		return writeError(s.handoffs, err)
	}
	return s.shift(year, s.handoffs, id+movesSuffix, id+extension)
}

// shift moves names from one directory to another, in order. One that is gone
// already is no problem.
func (s *Store) shift(from, to string, names ...string) error {
	for _, name := range names {
		err := s.fs.RenameNew(path.Join(from, name), path.Join(to, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("could not move %s to %s: %w", path.Join(from, name), to, cause(err))
		}
	}
	return nil
}

// HalfArchived implements exchange.Archiver.
func (s *Store) HalfArchived() []string {
	var ids []string
	for _, orphan := range s.orphans() {
		if orphan.Archived {
			ids = append(ids, orphan.ID)
		}
	}
	return ids
}

// orphans returns the moves directories without a record beside them.
func (s *Store) orphans() []exchange.Orphan {
	entries, err := s.files(s.handoffs)
	if err != nil {
		return nil // reported by whoever reads the handoffs
	}
	records := map[string]bool{}
	for _, e := range entries {
		records[e.Name] = true
	}
	var orphans []exchange.Orphan
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name, movesSuffix)
		if !ok || records[id+extension] || !s.isDir(s.handoffs, e) {
			continue
		}
		orphan := exchange.Orphan{Dir: e.Name, ID: id}
		_, err := s.yearOf(id)
		orphan.Archived = err == nil
		if s.checkForeign(path.Join(s.handoffs, e.Name)) == nil {
			if moves, err := s.files(path.Join(s.handoffs, e.Name)); err == nil {
				orphan.Moves = len(moves)
			}
		}
		orphans = append(orphans, orphan)
	}
	return orphans
}

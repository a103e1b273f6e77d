package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
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
			all.Items = append(all.Items, s.reunited(filed, year))
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
	} else if fault := s.faultAbove(s.archive); fault != "" {
		problems = append(problems, errors.New(fault))
	}
	for _, e := range entries {
		dir := path.Join(s.archive, e.Name)
		v, err := s.look(dir)
		if err == nil {
			err = s.foreign(dir, v)
		}
		switch {
		case err != nil:
			problems = append(problems, err)
		case v.dead():
			problems = append(problems, fmt.Errorf("%s %s", s.below(dir), leadsNowhere))
		case s.leadsToDir(dir, v):
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
	if err != nil {
		return filed, err
	}
	return s.reunited(filed, year), nil
}

// reunited adds to an archived record the moves that are not archived: they
// follow the record into the archive, and may still be under way.
func (s *Store) reunited(filed exchange.Filed, year string) exchange.Filed {
	_, err := s.fs.Lstat(path.Join(s.handoffs, filed.ID+movesSuffix))
	if errors.Is(err, fs.ErrNotExist) {
		return filed
	}
	if there, err := s.stands(filed.ID); err == nil && there {
		return filed
	}
	moves, unread := s.moves(filed.ID, s.handoffs, year)
	return exchange.NewFiled(filed.File, filed.Handoff, moves, unread)
}

// yearOf finds the directory of the archive that holds a record.
func (s *Store) yearOf(id string) (string, error) {
	years, problems := s.years()
	for _, year := range years {
		switch there, err := s.lies(year, id); {
		case err != nil:
			problems = append(problems, err)
		case there:
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
	halfway := f.Created.IsZero()
	year, err := s.yearOf(f.ID)
	switch {
	case errors.Is(err, exchange.ErrNoHandoff) && halfway:
		return nil // brought back meanwhile
	case errors.Is(err, exchange.ErrNoHandoff):
		year = path.Join(s.archive, fmt.Sprintf("%04d", f.Created.Year()))
	case err != nil:
		return err
	}
	if halfway {
		return s.settle(f.ID, year)
	}
	if err := s.makeDirs(year); err != nil {
		return writeError(year, err)
	}
	return s.put(f, year)
}

// put moves a handoff into the archive, unless it is not any more what was
// decided on.
func (s *Store) put(f exchange.Filed, year string) error {
	if err := s.replaced(s.handoffs); err != nil {
		return err
	}
	if there, err := s.stands(f.ID); err != nil || !there {
		return err // nil: whoever took it finishes
	}
	if held, unread := s.moves(f.ID, year); len(held)+len(unread) > 0 {
		if there, err := s.stands(f.ID); err != nil || !there {
			return err // as above
		}
		return fmt.Errorf("%s holds other moves already: %w", s.below(path.Join(year, f.ID+movesSuffix)), fs.ErrExist)
	}
	from, to := path.Join(s.handoffs, f.ID+extension), path.Join(year, f.ID+extension)
	err := s.fs.RenameNew(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // whoever took it finishes
	}
	if err != nil {
		return moveError(from, to, err)
	}
	moves, unread := s.moves(f.ID, s.handoffs, year)
	now := exchange.NewFiled(f.File, f.Handoff, moves, unread)
	if len(unread) == 0 && slices.Equal(now.Moves, f.Moves) {
		return s.settle(f.ID, year)
	}
	if err := s.bring(f.ID, year); err != nil {
		return err
	}
	if len(unread) > 0 {
		return fmt.Errorf("%w, as far as can be told: %s", exchange.ErrMoved, unread[0])
	}
	return exchange.ErrMoved
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
	return s.bring(id, year)
}

// bring moves a handoff out of the archive: its moves first, so that no closed
// one looks open meanwhile.
func (s *Store) bring(id, year string) error {
	if err := s.carryMoves(year, s.handoffs, id); err != nil {
		return err
	}
	if err := s.carry(path.Join(year, id+extension), path.Join(s.handoffs, id+extension)); err != nil {
		return err
	}
	return s.settle(id, year)
}

// settle brings the moves of a handoff to where its record is. Of two runs that
// carry one handoff to and fro, each looks again after it has moved something.
func (s *Store) settle(id, year string) error {
	var err error
	for range meetings {
		from, to := year, s.handoffs
		there, lookErr := s.lies(year, id)
		if err = lookErr; err != nil {
			continue
		}
		if there {
			from, to = to, from
		}
		if err = s.carryMoves(from, to, id); err != nil {
			continue
		}
		if there, err = s.lies(to, id); err != nil {
			continue
		}
		if there {
			return nil
		}
		err = fmt.Errorf("%s is being archived and brought back at once", id)
	}
	return err
}

// carryMoves moves a moves directory. Where one stands at the new place already,
// each file is moved into it, and none replaces another.
func (s *Store) carryMoves(from, to, id string) error {
	source, target := path.Join(from, id+movesSuffix), path.Join(to, id+movesSuffix)
	err := s.carry(source, target)
	if !errors.Is(err, fs.ErrExist) || !s.isPlainDir(source) || !s.isPlainDir(target) {
		return err
	}
	entries, err := s.fs.ReadDir(source)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("could not list %s: %w", source, cause(err))
	}
	for _, e := range entries {
		if err := s.carry(path.Join(source, e.Name), path.Join(target, e.Name)); err != nil {
			return err
		}
	}
	err = s.fs.RemoveDir(source)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return nil // one that is not empty is another writer's now
	}
	return fmt.Errorf("could not remove %s: %w", source, cause(err))
}

// isPlainDir reports a directory that no link leads to.
func (s *Store) isPlainDir(name string) bool {
	info, err := s.fs.Lstat(name)
	return err == nil && info.Mode.IsDir()
}

// carry moves one name and never replaces. One that is gone already is no
// problem.
func (s *Store) carry(from, to string) error {
	if err := s.replaced(path.Dir(from)); err != nil {
		return err
	}
	err := s.fs.RenameNew(from, to)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return moveError(from, to, err)
}

func moveError(from, to string, err error) error {
	return fmt.Errorf("could not move %s to %s: %w", from, path.Dir(to), cause(err))
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
		if !ok || records[id+extension] {
			continue
		}
		name := path.Join(s.handoffs, e.Name)
		v, err := s.look(name)
		if err != nil || !v.dead() && !s.leadsToDir(name, v) {
			continue
		}
		orphan := exchange.Orphan{Dir: e.Name, ID: id}
		_, err = s.yearOf(id)
		orphan.Archived = err == nil
		if s.foreign(name, v) == nil {
			if moves, err := s.files(name); err == nil {
				orphan.Moves = len(moves)
			}
		}
		orphans = append(orphans, orphan)
	}
	return orphans
}

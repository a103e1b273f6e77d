package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/text"
)

// meetings is how often a run looks again where another one moves the same
// handoff at the same time.
const meetings = 4

// moveFile is one file of a moves directory: a move, or why there is none.
type moveFile struct {
	name string
	move exchange.Move
	err  error
}

// moves reads the moves of a handoff in order of their file names, from each of
// the directories given: two runs at once may have taken them apart. One name
// is one move.
func (s *Store) moves(id string, dirs ...string) (moves []exchange.Move, unread []string) {
	var files []moveFile
	for _, dir := range dirs {
		more, err := s.movesIn(path.Join(dir, id+movesSuffix))
		if err != nil {
			unread = append(unread, fmt.Sprintf("%s: %s", text.Printable(id), err))
		}
		files = append(files, more...)
	}
	if len(dirs) > 1 {
		files = eachOnce(files)
	}
	for _, f := range files {
		if f.err != nil {
			unread = append(unread, fmt.Sprintf("%s: %s", text.Printable(id), f.err))
			continue
		}
		moves = append(moves, f.move)
	}
	return moves, unread
}

// eachOnce orders files by name. Of several with one name it keeps one that
// could be read.
func eachOnce(files []moveFile) []moveFile {
	slices.SortStableFunc(files, func(a, b moveFile) int {
		if c := strings.Compare(a.name, b.name); c != 0 || (a.err == nil) == (b.err == nil) {
			return c
		}
		if a.err == nil {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(files, func(a, b moveFile) bool { return a.name == b.name })
}

// movesIn reads the files of one moves directory. A missing one is none.
func (s *Store) movesIn(dir string) ([]moveFile, error) {
	v, err := s.look(dir)
	switch {
	case err != nil:
		return nil, err
	case !v.there:
		return nil, nil
	case v.dead():
		return nil, fmt.Errorf("%s %s", path.Base(dir), leadsNowhere)
	}
	if err := s.foreign(dir, v); err != nil {
		return nil, err
	}
	entries, err := s.files(dir)
	if err != nil {
		return nil, err
	}
	var files []moveFile
	for _, e := range entries {
		if strings.HasSuffix(e.Name, extension) {
			m, err := read(s, path.Join(dir, e.Name), exchange.ParseMove)
			files = append(files, moveFile{name: e.Name, move: m, err: err})
		}
	}
	return files, nil
}

// AddMove implements exchange.HandoffWriter. Whoever archives takes the record
// away and then looks at the moves; whoever moves publishes and then looks at
// the record: of two at once, one sees the other.
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
	for range meetings {
		s.stir()
		err := s.create(name, data)
		s.stir()
		if err != nil {
			s.dropEmpty(movesDir)
			return err
		}
		archived, err := s.isArchived(id)
		if err == nil && !archived {
			return nil
		}
		if err := errors.Join(err, s.takeBack(id, path.Base(name))); err != nil {
			return err
		}
		if there, err := s.stands(id); err != nil {
			return err
		} else if !there {
			break
		}
	}
	return exchange.ErrArchived
}

// stir changes the time of the directory of handoffs, which a new move in a moves
// directory does not, and by which a running session tells whether to look again: once
// before a change, for a process that is killed in it, and once after it. Where it
// cannot, a move waits for the next change, and that is no reason to refuse it.
func (s *Store) stir() {
	if s.replaced(s.handoffs) == nil {
		_ = s.fs.Touch(s.handoffs)
	}
}

// stands reports a record among those that are not archived.
func (s *Store) stands(id string) (bool, error) { return s.lies(s.handoffs, id) }

// lies reports a record in a directory.
func (s *Store) lies(dir, id string) (bool, error) {
	name := path.Join(dir, id+extension)
	_, err := s.fs.Lstat(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err == nil, nil
	}
	return false, fmt.Errorf("could not look for %s: %w", name, cause(err))
}

// isArchived reports a record that has gone into the archive. One that nobody
// finds has the name of another id, and then its moves are nobody's business
// but the reader's.
func (s *Store) isArchived(id string) (bool, error) {
	for range meetings {
		there, err := s.stands(id)
		if err != nil {
			return false, fmt.Errorf("nobody can tell whether %s was archived meanwhile: %w", id, err)
		}
		if there {
			return false, nil
		}
		switch _, err := s.yearOf(id); {
		case err == nil:
			return true, nil
		case !errors.Is(err, exchange.ErrNoHandoff):
			return false, fmt.Errorf("nobody can tell whether %s was archived meanwhile: %w", id, err)
		}
	}
	return false, nil
}

// takeBack removes a move of ours from beside the record that was archived, or
// from where its directory has gone meanwhile.
func (s *Store) takeBack(id, file string) error {
	years, _ := s.years() // what cannot be looked into has taken no file of ours
	places := append([]string{s.handoffs}, years...)
	for i := range places {
		places[i] = path.Join(places[i], id+movesSuffix)
	}
	err := s.removeOne(places, file)
	if err != nil {
		return fmt.Errorf("%s was archived meanwhile, and the move %s stays: %w", id, file, err)
	}
	for _, movesDir := range places {
		s.dropUnfinished(movesDir, file)
	}
	s.dropEmpty(places[0])
	return nil
}

// removeOne removes a file from that of several directories that holds it. It
// looks again: the file may be on its way from one to another.
func (s *Store) removeOne(dirs []string, file string) (err error) {
	for range meetings {
		for _, dir := range dirs {
			err = s.remove(path.Join(dir, file), fs.ErrNotExist)
			if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return err
}

// dropUnfinished removes what the writing of a file leaves where its directory
// is moved at that moment.
func (s *Store) dropUnfinished(movesDir, file string) {
	entries, err := s.fs.ReadDir(movesDir)
	if err != nil {
		return // not there, or the doctor names what stays
	}
	for _, e := range entries {
		if exchange.IsTemporary(e.Name) && strings.HasSuffix(e.Name, "-"+file) {
			_ = s.fs.Remove(path.Join(movesDir, e.Name)) // the doctor names what stays
		}
	}
}

// dropEmpty removes a moves directory that holds nothing: it would keep its id
// from being posted.
func (s *Store) dropEmpty(movesDir string) {
	_ = s.fs.RemoveDir(movesDir) // one that is not empty is in use
}

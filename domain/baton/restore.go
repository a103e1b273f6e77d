package baton

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/stamp"
)

// restore mends what a process left that died while it compressed: a file that is
// missing or empty is made again from its newest raw copy, and what the unfinished
// cycle has left goes. Its copies of what was replaced stay, as those of any cycle.
func (s *shift) restore() error {
	names, err := s.sweep(leftover)
	if err != nil {
		return err
	}
	for _, file := range pressable() {
		if err := s.putAnew(file, names); err != nil {
			return fmt.Errorf("restore %s: %w", file, err)
		}
	}
	if id, ok := s.unfinished(names); ok {
		if err := s.tidy(names, id); err != nil { // the session is whole all the same
			s.Sink.Notice(fmt.Sprintf("warning: what an unfinished compression left stays: %v", err))
		}
	}
	return nil
}

// putAnew makes a file again that is missing or empty, where there is a copy.
func (s *shift) putAnew(file string, names []string) error {
	size, err := s.Size(file)
	if err != nil || size > 0 {
		return err
	}
	ids := cycles(names, func(_, of string) bool { return of == file })
	for _, id := range ids {
		for _, name := range []string{hiddenName(file, id), rawName(file, id)} {
			size, err := s.Size(name)
			if err != nil {
				return err
			}
			if size > 0 {
				s.Sink.Notice(fmt.Sprintf("%s was empty or missing; it is restored from %s", file, name))
				return s.duplicate(name, file)
			}
		}
	}
	return nil
}

// unfinished is the id of the cycle that died: the newest one that left something,
// unless it is known to have held.
func (s *shift) unfinished(names []string) (id string, ok bool) {
	ids := cycles(names, func(string, string) bool { return true })
	if len(ids) == 0 {
		return "", false
	}
	began, _ := splitCycle(ids[0])
	last := s.meta.LastCompression
	return ids[0], last == nil || began > stamp.File(last.At)
}

// tidy takes away what an unfinished cycle left of files that it did not replace,
// and has its report tell of the others alone.
func (s *shift) tidy(names []string, id string) error {
	var untouched []string
	replaced := false
	for _, name := range names {
		file, of, ok := cycleFile(name)
		if !ok || of != id || file == "" {
			continue
		}
		same, err := s.stands(name, file)
		if err != nil {
			return fmt.Errorf("compare %s with %s: %w", file, name, err)
		}
		if same {
			untouched = append(untouched, file)
		} else {
			replaced = true
		}
		if !same && name == rawName(file, id) {
			continue
		}
		if err := s.Drop(name); err != nil {
			return err
		}
	}
	if !replaced {
		return s.Drop(lossName(id))
	}
	return s.correct(id, untouched)
}

// stands says whether a file still holds what its copy does. The log is the same
// file then as its copy.
func (s *shift) stands(name, file string) (bool, error) {
	raw, err := s.Files.Lstat(s.Path(name))
	if err != nil {
		return false, err
	}
	live, err := s.Files.Lstat(s.Path(file))
	if err != nil || raw.Size != live.Size {
		return false, nilWhereGone(err)
	}
	if file == LogFile {
		return raw.ModTime.Equal(live.ModTime), nil
	}
	was, err := s.Text(name)
	if err != nil {
		return false, err
	}
	now, err := s.Text(file)
	return was == now, err
}

// nilWhereGone is the error of looking at a file, but for its not being there.
func nilWhereGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// correct takes out of a loss report what did not go after all: what still stands,
// and what has no copy any more.
func (s *shift) correct(id string, untouched []string) error {
	raw, there, err := s.Read(lossName(id))
	if err != nil || !there {
		return err
	}
	loss, err := compact.ReadLossReport([]byte(raw))
	if err != nil {
		return err
	}
	told := loss
	for _, file := range pressable() {
		gone := slices.Contains(untouched, file)
		if copied := rawIn(loss, file); copied != "" && !gone {
			there, err := s.Has(copied)
			if err != nil {
				return err
			}
			gone = !there
		}
		if gone {
			told = withoutFile(told, file)
		}
	}
	if told == loss {
		return nil
	}
	return s.Write(lossName(id), string(told.Document()))
}

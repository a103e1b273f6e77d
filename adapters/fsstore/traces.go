package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/text"
)

// Traces implements exchange.TraceKeeper.
func (s *Store) Traces() (traces []exchange.Trace, problems []string) {
	found := map[string]exchange.Trace{}
	for _, dir := range []string{s.seen, s.wake} {
		entries, err := s.files(dir)
		if err != nil {
			problems = append(problems, err.Error())
		}
		for _, e := range entries {
			if exchange.CheckDirID(e.Name) != nil {
				continue // nothing of ours
			}
			trace, err := s.trace(dir, e.Name)
			if err != nil {
				problems = append(problems, fmt.Sprintf("%s: %s", s.below(path.Join(dir, e.Name)), text.Printable(err.Error())))
				continue
			}
			if other, ok := found[e.Name]; ok {
				trace.Handoffs = append(other.Handoffs, trace.Handoffs...)
				trace.Touched = later(trace.Touched, other.Touched)
			}
			found[e.Name] = trace
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		traces = append(traces, found[id])
	}
	return traces, problems
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// trace looks at what lies under a session's name in seen or in wake.
func (s *Store) trace(dir, id string) (exchange.Trace, error) {
	t := exchange.Trace{SessionID: id}
	info, err := s.fs.Lstat(path.Join(dir, id))
	if err != nil {
		return t, cause(err)
	}
	t.Touched = info.ModTime
	if dir == s.wake {
		return t, nil
	}
	seen, err := s.Seen(id)
	t.Handoffs = slices.Sorted(maps.Keys(seen))
	return t, err
}

// Forget implements exchange.TraceKeeper. What is written meanwhile stays.
func (s *Store) Forget(sessionID string) error {
	dir, err := s.traceDir(sessionID)
	if err != nil {
		return err
	}
	wake, err := s.WakePath(sessionID)
	if err != nil {
		return err
	}
	faults := []error{s.remove(wake, nil)}
	for _, kind := range []exchange.Memory{exchange.MemoryTold, exchange.MemoryOverlap} {
		if sub, err := s.traceDir(sessionID, string(kind)); err == nil {
			faults = append(faults, s.clear(sub))
		}
	}
	return errors.Join(append(faults, s.clear(dir))...)
}

// clear removes the files of a directory, and the directory.
func (s *Store) clear(dir string) error {
	entries, err := s.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("could not list %s: %w", dir, cause(err))
	}
	for _, e := range entries {
		if e.Mode.IsDir() {
			continue
		}
		if err := s.remove(path.Join(dir, e.Name), nil); err != nil {
			return err
		}
	}
	err = s.fs.RemoveDir(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return fmt.Errorf("could not remove %s: %w", dir, cause(err))
}

package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/changeover/changeover/domain/exchange"
)

// taken begins the name under which a wake file goes: that of an unfinished file,
// so that the doctor names one that a killed process leaves.
const taken = ".tmp-taken-"

// WakePath implements exchange.Waker.
func (s *Store) WakePath(sessionID string) (string, error) {
	if err := exchange.CheckDirID(sessionID); err != nil {
		return "", err
	}
	return path.Join(s.wake, sessionID), nil
}

// PrepareWake implements exchange.Waker.
func (s *Store) PrepareWake() error { return writeError(s.wake, s.makeDirs(s.wake)) }

// PutWake implements exchange.Waker. Its content is for people.
func (s *Store) PutWake(sessionID string) error {
	name, err := s.WakePath(sessionID)
	if err != nil {
		return err
	}
	return s.replace(name, []byte("there is mail\n"))
}

// TakeWake implements exchange.Waker.
func (s *Store) TakeWake(sessionID, suffix string) error {
	name, err := s.WakePath(sessionID)
	if err != nil {
		return err
	}
	if err := s.replaced(s.wake); err != nil {
		return err
	}
	away := path.Join(s.wake, taken+suffix+"-"+sessionID)
	err = s.fs.Rename(name, away)
	if errors.Is(err, fs.ErrNotExist) {
		return exchange.ErrNoWake
	}
	if err != nil {
		return fmt.Errorf("could not take %s away: %w", name, cause(err))
	}
	_ = s.fs.Remove(away) // the doctor names what stays
	return nil
}

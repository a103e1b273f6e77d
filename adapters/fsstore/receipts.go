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
	"github.com/changeover/changeover/domain/text"
)

// lookName is the file that holds what a session's last look went by.
const lookName = ".checked"

// traceDir returns the directory of what is kept of a session, or of one kind of
// it. The id names a directory here, and that may be a link.
func (s *Store) traceDir(sessionID string, kind ...string) (string, error) {
	if err := exchange.CheckDirID(sessionID); err != nil {
		return "", err
	}
	dir := path.Join(s.seen, sessionID)
	if err := s.checkForeign(dir); err != nil {
		return "", err
	}
	for _, k := range kind {
		dir = path.Join(dir, k)
		if err := s.checkForeign(dir); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// Seen implements exchange.ReceiptKeeper.
func (s *Store) Seen(sessionID string) (map[string]bool, error) {
	dir, err := s.traceDir(sessionID)
	if err != nil {
		return nil, err
	}
	return s.stems(dir)
}

// Remembered implements exchange.Remembrancer.
func (s *Store) Remembered(sessionID string, kind exchange.Memory) (map[string]bool, error) {
	dir, err := s.traceDir(sessionID, string(kind))
	if err != nil {
		return nil, err
	}
	return s.stems(dir)
}

// stems returns the names of a directory's files without their extension.
func (s *Store) stems(dir string) (map[string]bool, error) {
	if fault := s.faultAbove(dir); fault != "" {
		return nil, errors.New(fault)
	}
	entries, err := s.files(dir)
	if err != nil {
		return nil, err
	}
	stems := make(map[string]bool, len(entries))
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name, extension); ok {
			stems[stem] = true
		}
	}
	return stems, nil
}

// AddReceipt implements exchange.ReceiptKeeper.
func (s *Store) AddReceipt(sessionID, handoffID string, r exchange.Receipt) error {
	name, err := s.receipt(sessionID, handoffID)
	if err != nil {
		return err
	}
	data, err := r.Encode(path.Base(name))
	if err != nil {
		return refused(name, err)
	}
	return s.claimName(name, data, port.Unsynced)
}

// receipt returns where the receipt of a pair lies.
func (s *Store) receipt(sessionID, handoffID string) (string, error) {
	if err := exchange.CheckID(handoffID); err != nil {
		return "", err
	}
	dir, err := s.traceDir(sessionID)
	return path.Join(dir, handoffID+extension), err
}

// Remember implements exchange.Remembrancer.
func (s *Store) Remember(sessionID string, kind exchange.Memory, name string, at time.Time) error {
	if err := exchange.CheckID(name); err != nil {
		return err
	}
	dir, err := s.traceDir(sessionID, string(kind))
	if err != nil {
		return err
	}
	return s.claimName(path.Join(dir, name+extension), exchange.EncodeMemory(at), port.Unsynced)
}

// Unremember implements exchange.Remembrancer.
func (s *Store) Unremember(sessionID string, kind exchange.Memory, name string) error {
	if err := exchange.CheckID(name); err != nil {
		return err
	}
	dir, err := s.traceDir(sessionID, string(kind))
	if err != nil {
		return err
	}
	s.stir()
	defer s.stir()
	return errors.Join(s.remove(path.Join(dir, name+extension), nil), s.remove(path.Join(path.Dir(dir), lookName), nil))
}

// DropReceipt implements exchange.ReceiptKeeper. A look that was taken meanwhile
// took the handoff for shown.
func (s *Store) DropReceipt(sessionID, handoffID string) error {
	name, err := s.receipt(sessionID, handoffID)
	if err != nil {
		return err
	}
	s.stir() // a look under way, which is noted only later, covers nothing then
	defer s.stir()
	return errors.Join(s.remove(name, nil), s.remove(path.Join(path.Dir(name), lookName), nil))
}

// Receipts implements exchange.ReceiptKeeper.
func (s *Store) Receipts(handoffID string) exchange.Receipts {
	var items []exchange.StoredReceipt
	var problems []string
	entries, err := s.files(s.seen)
	if err != nil {
		problems = append(problems, err.Error())
	}
	for _, e := range entries {
		dir, err := s.traceDir(e.Name)
		if err != nil {
			problems = append(problems, text.Printable(err.Error()))
			continue
		}
		r, err := read(s, path.Join(dir, handoffID+extension), exchange.ParseReceipt)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			problems = append(problems, fmt.Sprintf("%s: %s", text.Printable(e.Name), err))
		default:
			items = append(items, exchange.StoredReceipt{SessionID: e.Name, Receipt: r})
		}
	}
	if err := s.replaced(s.seen); err != nil {
		return exchange.Receipts{Problems: []string{err.Error()}}
	}
	return exchange.NewReceipts(items, problems)
}

// Sight implements exchange.Lookout.
func (s *Store) Sight() (exchange.Sight, error) {
	var sight exchange.Sight
	for dir, at := range map[string]*time.Time{s.handoffs: &sight.Handoffs, s.sessions: &sight.Sessions} {
		info, err := s.fs.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return exchange.Sight{}, fmt.Errorf("look at %s: %w", s.below(dir), cause(err))
		default:
			*at = info.ModTime
		}
	}
	return sight, nil
}

// LastLook implements exchange.Lookout. The time is read first: what is put
// meanwhile is younger.
func (s *Store) LastLook(sessionID string) (data []byte, written time.Time, err error) {
	dir, err := s.traceDir(sessionID)
	if err != nil {
		return nil, time.Time{}, err
	}
	name := path.Join(dir, lookName)
	info, err := s.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, time.Time{}, nil
	}
	if err == nil {
		data, err = s.fs.ReadFile(name, fileLimit)
	}
	if err != nil {
		return nil, time.Time{}, &exchange.FileError{Name: lookName, Err: cause(err)}
	}
	return data, info.ModTime, nil
}

// PutLook implements exchange.Lookout.
func (s *Store) PutLook(sessionID string, data []byte) error {
	dir, err := s.traceDir(sessionID)
	if err != nil {
		return err
	}
	return s.replace(path.Join(dir, lookName), data)
}

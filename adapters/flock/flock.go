// Package flock takes advisory locks of the operating system on files.
package flock

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"github.com/gofrs/flock"
	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
)

// Locker implements port.Locker.
type Locker struct{}

var _ port.Locker = Locker{}

// Set provides the locks.
var Set = wire.NewSet(wire.Struct(new(Locker)), wire.Bind(new(port.Locker), new(Locker)))

// TryLock implements port.Locker.
func (Locker) TryLock(path string, perm fs.FileMode) (port.Lock, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: port.ErrNotRegular}
	}
	held := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW), flock.SetPermissions(perm))
	ok, err := held.TryLock()
	if err == nil && ok {
		return lock{held}, nil
	}
	if err == nil {
		err = port.ErrLocked
	}
	_ = held.Close() // nothing is held
	return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
}

// lock is a lock that is held.
type lock struct{ held *flock.Flock }

// errReplaced reports a lock file that is not the one any more that was locked:
// whoever works on the new one would be spoken for.
var errReplaced = errors.New("the lock file was replaced while it was held")

// Note implements port.Lock. The file must not be replaced: its lock would stay
// with the old one. One write covers all that stood there, with blanks behind the
// text: whoever dies or finds no room leaves the old note or the new one. Without
// O_NONBLOCK, a FIFO in its place would be waited for.
func (l lock) Note(content []byte) error {
	file, err := os.OpenFile(l.held.Path(), os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if own, ownErr := l.held.Stat(); err == nil && (ownErr != nil || !os.SameFile(info, own)) {
		err = &fs.PathError{Op: "note in", Path: l.held.Path(), Err: errReplaced}
	}
	if err == nil {
		blanks := max(0, int(info.Size())-len(content))
		_, err = file.WriteAt(append(slices.Clone(content), bytes.Repeat([]byte{' '}, blanks)...), 0)
	}
	if err == nil {
		err = file.Truncate(int64(len(content)))
	}
	return errors.Join(err, file.Close())
}

// Release implements port.Lock.
func (l lock) Release() error { return l.held.Close() }

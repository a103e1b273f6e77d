package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// alone holds a place until the release: two that install at once would mix their
// files. What is locked is the prefix itself, which a file of ours would have to be
// written into first. An uninstallation makes none.
func alone(to place, makes bool) (release func(), err error) {
	dir := to.at(".")
	if _, err := os.Stat(dir); makes && errors.Is(err, fs.ErrNotExist) {
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.Chmod(dir, 0o755)); err != nil { // whatever the umask is
			return nil, explain(err, "nothing was changed")
		}
	}
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, explain(err, "nothing was changed")
	}
	// A file system without locks has none to wait for.
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(fmt.Errorf("another make install or make uninstall works on %s: type it again when that one has ended", dir), f.Close())
	}
	return func() { _ = f.Close() }, nil // nothing was written; the lock ends with it
}

package osfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// writeAccess is what access asks for.
const writeAccess = 2

// Writable returns nil where this process may make files in a directory. Nothing
// is written.
func Writable(dir string) error {
	err := syscall.Access(dir, writeAccess)
	if err != nil {
		return &fs.PathError{Op: "write in", Path: dir, Err: err}
	}
	return nil
}

// TempDir makes a directory of its own for things that are not wanted for long;
// remove takes it away with everything in it.
func TempDir() (dir string, remove func() error, err error) {
	made, err := os.MkdirTemp("", "baton-")
	if err != nil {
		return "", nil, err
	}
	remove = func() error { return os.RemoveAll(made) }
	if dir, err = filepath.Abs(made); err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return dir, remove, nil
}

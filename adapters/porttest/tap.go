package porttest

import (
	"io/fs"
	"sync"

	"github.com/changeover/changeover/domain/port"
)

// Call is one call of a method of port.FS. To is the second path of a rename.
type Call struct{ Op, Path, To string }

// Tap puts a func before every call of a file system: it counts, and what it
// returns instead of nil is the answer, with nothing done. It is not run twice
// at once.
func Tap(files port.FS, before func(Call) error) port.FS {
	var mu sync.Mutex
	return tapped{files, func(c Call) error {
		mu.Lock()
		defer mu.Unlock()
		return before(c)
	}}
}

type tapped struct {
	files  port.FS
	before func(Call) error
}

func (f tapped) ReadFile(path string, limit int64) ([]byte, error) {
	if err := f.before(Call{Op: "ReadFile", Path: path}); err != nil {
		return nil, err
	}
	return f.files.ReadFile(path, limit)
}

func (f tapped) ReadLinked(path string, limit int64) ([]byte, error) {
	if err := f.before(Call{Op: "ReadLinked", Path: path}); err != nil {
		return nil, err
	}
	return f.files.ReadLinked(path, limit)
}

func (f tapped) ReadDir(path string) ([]port.Entry, error) {
	if err := f.before(Call{Op: "ReadDir", Path: path}); err != nil {
		return nil, err
	}
	return f.files.ReadDir(path)
}

func (f tapped) Stat(path string) (port.Info, error) {
	if err := f.before(Call{Op: "Stat", Path: path}); err != nil {
		return port.Info{}, err
	}
	return f.files.Stat(path)
}

func (f tapped) Lstat(path string) (port.Info, error) {
	if err := f.before(Call{Op: "Lstat", Path: path}); err != nil {
		return port.Info{}, err
	}
	return f.files.Lstat(path)
}

func (f tapped) RealPath(path string) (string, error) {
	if err := f.before(Call{Op: "RealPath", Path: path}); err != nil {
		return "", err
	}
	return f.files.RealPath(path)
}

func (f tapped) Create(path string, data []byte, perm fs.FileMode, sync port.Sync) error {
	if err := f.before(Call{Op: "Create", Path: path}); err != nil {
		return err
	}
	return f.files.Create(path, data, perm, sync)
}

func (f tapped) Replace(path string, data []byte, perm fs.FileMode, sync port.Sync) error {
	if err := f.before(Call{Op: "Replace", Path: path}); err != nil {
		return err
	}
	return f.files.Replace(path, data, perm, sync)
}

func (f tapped) MakeDir(path string, perm fs.FileMode) error {
	if err := f.before(Call{Op: "MakeDir", Path: path}); err != nil {
		return err
	}
	return f.files.MakeDir(path, perm)
}

func (f tapped) Remove(path string) error {
	if err := f.before(Call{Op: "Remove", Path: path}); err != nil {
		return err
	}
	return f.files.Remove(path)
}

func (f tapped) RemoveDir(path string) error {
	if err := f.before(Call{Op: "RemoveDir", Path: path}); err != nil {
		return err
	}
	return f.files.RemoveDir(path)
}

func (f tapped) Touch(path string) error {
	if err := f.before(Call{Op: "Touch", Path: path}); err != nil {
		return err
	}
	return f.files.Touch(path)
}

func (f tapped) Rename(from, to string) error {
	if err := f.before(Call{Op: "Rename", Path: from, To: to}); err != nil {
		return err
	}
	return f.files.Rename(from, to)
}

func (f tapped) RenameNew(from, to string) error {
	if err := f.before(Call{Op: "RenameNew", Path: from, To: to}); err != nil {
		return err
	}
	return f.files.RenameNew(from, to)
}

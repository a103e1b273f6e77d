package memfs

import (
	"io/fs"
	"path"
)

// Symlink makes a link.
func (f *FS) Symlink(target, name string) error {
	return f.special(name, &node{mode: fs.ModeSymlink | 0o777, target: target})
}

// Fifo makes a FIFO.
func (f *FS) Fifo(name string) error { return f.special(name, &node{mode: fs.ModeNamedPipe | 0o600}) }

// Device makes a character device.
func (f *FS) Device(name string) error {
	return f.special(name, &node{mode: fs.ModeDevice | fs.ModeCharDevice | 0o666})
}

func (f *FS) special(name string, n *node) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.room(name)
	if err == nil && p.node != nil {
		err = fs.ErrExist
	}
	if err != nil {
		return pathError("make", name, err)
	}
	f.set(p.dir, p.name, f.made(n))
	return nil
}

// MakeDirs makes a directory and all that are missing above it.
func (f *FS) MakeDirs(name string, perm fs.FileMode) error {
	if name == "/" {
		return nil
	}
	if err := f.MakeDirs(path.Dir(name), perm); err != nil {
		return err
	}
	return f.MakeDir(name, perm)
}

// Chmod sets the permission bits of what a path leads to.
func (f *FS) Chmod(name string, perm fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.existing("chmod", name, true)
	if err != nil {
		return err
	}
	p.node.mode = p.node.mode&^fs.ModePerm | perm.Perm()
	return nil
}

// SetUmask sets which permission bits new files do not get, and returns those
// of before.
func (f *FS) SetUmask(mask fs.FileMode) fs.FileMode {
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.umask
	f.umask = mask.Perm()
	return old
}

// AsStranger heeds the permission bits of owners while do runs. Otherwise
// everything is allowed, as to root.
func (f *FS) AsStranger(do func()) {
	f.setStranger(true)
	defer f.setStranger(false)
	do()
}

func (f *FS) setStranger(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stranger = on
}

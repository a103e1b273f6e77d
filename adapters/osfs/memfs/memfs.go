// Package memfs is a file system in memory, with links, FIFOs, devices, modes
// and an umask: a fake of port.FS that passes the contract of the real one.
package memfs

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/changeover/changeover/domain/port"
)

// FS implements port.FS. Every path is absolute. Its methods may be called from
// several goroutines.
type FS struct {
	mu       sync.Mutex
	root     *node
	umask    fs.FileMode
	stranger bool
	now      time.Time
}

var _ port.FS = (*FS)(nil)

// node is one file, whatever its kind.
type node struct {
	mode     fs.FileMode
	data     []byte
	target   string
	children map[string]*node
	modified time.Time
}

// New returns a file system that holds an empty root directory. Its time
// begins at a fixed instant and goes on by a second with every change.
func New() *FS {
	f := &FS{umask: 0o022, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	f.root = f.made(&node{mode: fs.ModeDir | 0o755, children: map[string]*node{}})
	return f
}

// made notes the time of a change.
func (f *FS) made(n *node) *node {
	f.now = f.now.Add(time.Second)
	n.modified = f.now
	return n
}

// set puts a node into a directory.
func (f *FS) set(dir *node, name string, n *node) {
	dir.children[name] = n
	f.made(dir)
}

func pathError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// maxLinks is how many links one path may lead through.
const maxLinks = 40

// place is where a path leads. node is nil where nothing stands there; dir is
// nil for the root.
type place struct {
	path string
	name string
	dir  *node
	node *node
}

// step is one directory on the way.
type step struct {
	name string
	node *node
}

// find walks a path. With follow it goes through a final link.
func (f *FS) find(name string, follow bool) (place, error) {
	way := []step{{"", f.root}}
	rest := parts(name)
	links := 0
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		here := way[len(way)-1].node
		if err := f.enter(here); err != nil {
			return place{}, err
		}
		if part == ".." {
			way = way[:max(1, len(way)-1)]
			continue
		}
		child := here.children[part]
		last := len(rest) == 0
		switch {
		case child == nil && !last:
			return place{}, fs.ErrNotExist
		case child != nil && child.mode&fs.ModeSymlink != 0 && (!last || follow):
			if links++; links > maxLinks {
				return place{}, syscall.ELOOP
			}
			rest = append(parts(child.target), rest...)
			if path.IsAbs(child.target) {
				way = way[:1]
			}
		case last:
			return place{path: path.Join(joined(way), part), name: part, dir: here, node: child}, nil
		default:
			way = append(way, step{part, child})
		}
	}
	return place{path: joined(way), node: way[len(way)-1].node}, nil
}

// enter checks that a path may lead through a node.
func (f *FS) enter(n *node) error {
	if !n.mode.IsDir() {
		return fs.ErrNotExist
	}
	return f.allowed(n, 0o100)
}

// allowed checks a permission of the owner. The privileged need none.
func (f *FS) allowed(n *node, bit fs.FileMode) error {
	if f.stranger && n.mode&bit == 0 {
		return fs.ErrPermission
	}
	return nil
}

func parts(name string) []string {
	return slices.DeleteFunc(strings.Split(name, "/"), func(s string) bool { return s == "" || s == "." })
}

func joined(way []step) string {
	name := "/"
	for _, s := range way {
		name = path.Join(name, s.name)
	}
	return name
}

// existing finds what must be there.
func (f *FS) existing(op, name string, follow bool) (place, error) {
	p, err := f.find(name, follow)
	if err == nil && p.node == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return p, pathError(op, name, err)
	}
	return p, nil
}

// ReadFile implements port.FileReader.
func (f *FS) ReadFile(name string, limit int64) ([]byte, error) { return f.read(name, limit, false) }

// ReadLinked implements port.FileReader.
func (f *FS) ReadLinked(name string, limit int64) ([]byte, error) { return f.read(name, limit, true) }

func (f *FS) read(name string, limit int64, follow bool) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.find(name, follow)
	switch {
	case err == syscall.ELOOP: //nolint:errorlint // find returns it bare
		err = port.ErrNotRegular
	case err != nil:
	case p.node == nil:
		err = fs.ErrNotExist
	case !p.node.mode.IsRegular():
		err = port.ErrNotRegular
	case f.allowed(p.node, 0o400) != nil:
		err = fs.ErrPermission
	case int64(len(p.node.data)) > limit:
		err = port.ErrTooLarge
	}
	if err != nil {
		return nil, pathError("read", name, err)
	}
	return append([]byte{}, p.node.data...), nil
}

// ReadDir implements port.DirReader.
func (f *FS) ReadDir(name string) ([]port.Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.existing("list", name, true)
	if err != nil {
		return nil, err
	}
	if !p.node.mode.IsDir() {
		return nil, pathError("list", name, syscall.ENOTDIR)
	}
	if err := f.allowed(p.node, 0o400); err != nil {
		return nil, pathError("list", name, err)
	}
	var entries []port.Entry
	for _, child := range slices.Sorted(maps.Keys(p.node.children)) {
		entries = append(entries, port.Entry{Name: child, Mode: p.node.children[child].mode.Type()})
	}
	return entries, nil
}

// Stat implements port.Stater.
func (f *FS) Stat(name string) (port.Info, error) { return f.stat(name, true) }

// Lstat implements port.Stater.
func (f *FS) Lstat(name string) (port.Info, error) { return f.stat(name, false) }

func (f *FS) stat(name string, follow bool) (port.Info, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.existing("stat", name, follow)
	if err != nil {
		return port.Info{}, err
	}
	size := len(p.node.data)
	if p.node.mode&fs.ModeSymlink != 0 {
		size = len(p.node.target)
	}
	return port.Info{Mode: p.node.mode, Size: int64(size), ModTime: p.node.modified}, nil
}

// RealPath implements port.PathResolver.
func (f *FS) RealPath(name string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.existing("resolve", name, true)
	return p.path, err
}

// Create implements port.Publisher.
func (f *FS) Create(name string, data []byte, perm fs.FileMode, _ port.Sync) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.room(name)
	if err == nil && p.node != nil {
		err = fs.ErrExist
	}
	if err != nil {
		return pathError("write", name, err)
	}
	f.put(p, data, perm)
	return nil
}

// Replace implements port.Publisher.
func (f *FS) Replace(name string, data []byte, perm fs.FileMode, _ port.Sync) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.room(name)
	if err == nil && p.node != nil && p.node.mode.IsDir() {
		err = syscall.EISDIR
	}
	if err != nil {
		return pathError("write", name, err)
	}
	f.put(p, data, perm)
	return nil
}

// room finds where a name may be written.
func (f *FS) room(name string) (place, error) {
	p, err := f.find(name, false)
	switch {
	case err != nil:
		return p, err
	case p.dir == nil:
		return p, fs.ErrExist
	}
	return p, f.allowed(p.dir, 0o200)
}

func (f *FS) put(p place, data []byte, perm fs.FileMode) {
	f.set(p.dir, p.name, f.made(&node{mode: perm.Perm() &^ f.umask, data: bytes.Clone(data)}))
}

// MakeDir implements port.DirMaker.
func (f *FS) MakeDir(name string, perm fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p, err := f.find(name, true); err == nil && p.node != nil && p.node.mode.IsDir() {
		return nil
	}
	p, err := f.room(name)
	if err == nil && p.node != nil {
		err = fs.ErrExist
	}
	if err != nil {
		return pathError("make directory", name, err)
	}
	f.set(p.dir, p.name, f.made(&node{mode: fs.ModeDir | perm.Perm()&^f.umask, children: map[string]*node{}}))
	return nil
}

// Remove implements port.Remover.
func (f *FS) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.room(name)
	switch {
	case err != nil:
	case p.node == nil:
		err = fs.ErrNotExist
	case p.node.mode.IsDir():
		err = syscall.EISDIR
	}
	if err != nil {
		return pathError("remove", name, err)
	}
	delete(p.dir.children, p.name)
	f.made(p.dir)
	return nil
}

// RemoveDir implements port.DirRemover.
func (f *FS) RemoveDir(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.room(name)
	switch {
	case err != nil:
	case p.node == nil:
		err = fs.ErrNotExist
	case !p.node.mode.IsDir():
		err = syscall.ENOTDIR
	case len(p.node.children) > 0:
		err = syscall.ENOTEMPTY
	}
	if err != nil {
		return pathError("remove directory", name, err)
	}
	delete(p.dir.children, p.name)
	f.made(p.dir)
	return nil
}

// Touch implements port.Toucher.
func (f *FS) Touch(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := f.room(name)
	if err == nil && p.node == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return pathError("touch", name, err)
	}
	f.made(p.node)
	return nil
}

// Rename implements port.Mover.
func (f *FS) Rename(from, to string) error { return f.rename(from, to, false) }

// RenameNew implements port.Mover.
func (f *FS) RenameNew(from, to string) error { return f.rename(from, to, true) }

func (f *FS) rename(from, to string, fresh bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	source, err := f.room(from)
	if err == nil && source.node == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return pathError("rename", from, err)
	}
	target, err := f.room(to)
	switch {
	case err == fs.ErrNotExist: //nolint:errorlint // find returns it bare
		err = syscall.ENOTDIR // only an old name that is missing does not exist
	case err != nil:
	case target.node != nil && fresh:
		err = fs.ErrExist
	case target.node != nil:
		err = replaceable(source.node, target.node)
	}
	if err == nil && strings.HasPrefix(target.path, source.path+"/") {
		err = syscall.EINVAL
	}
	if err != nil {
		return pathError("rename", from, err)
	}
	delete(source.dir.children, source.name)
	f.made(source.dir)
	f.set(target.dir, target.name, source.node)
	return nil
}

// replaceable says why one node cannot take the place of another.
func replaceable(source, target *node) error {
	switch {
	case !target.mode.IsDir() && source.mode.IsDir():
		return syscall.ENOTDIR
	case target.mode.IsDir() && !source.mode.IsDir():
		return syscall.EISDIR
	case len(target.children) > 0:
		return syscall.ENOTEMPTY
	}
	return nil
}

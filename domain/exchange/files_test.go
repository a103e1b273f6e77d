package exchange_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

// files is a file system in memory. A path that is no regular file, directory
// or link is what its mode says.
type files struct {
	nodes map[string]node
	// faults are what looking at a path, or below it, gives.
	faults map[string]error
	// unlistable are directories whose entries nobody may see.
	unlistable map[string]bool
	// written are the paths written, in order.
	written []string
}

type node struct {
	mode fs.FileMode
	data []byte
	link string
}

var _ exchange.Files = (*files)(nil)

func newFiles() *files {
	return &files{nodes: map[string]node{"/": {mode: fs.ModeDir}}, faults: map[string]error{}, unlistable: map[string]bool{}}
}

// dir makes directories with all their parents.
func (f *files) dir(names ...string) {
	for _, name := range names {
		if _, ok := f.nodes[name]; ok {
			continue
		}
		f.dir(path.Dir(name))
		f.nodes[name] = node{mode: fs.ModeDir}
	}
}

func (f *files) file(name, data string) { f.put(name, node{data: []byte(data)}) }

func (f *files) symlink(name, target string) { f.put(name, node{mode: fs.ModeSymlink, link: target}) }

func (f *files) put(name string, n node) {
	f.dir(path.Dir(name))
	f.nodes[name] = n
}

func missing(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

// resolve follows every link on the way to a name, and a last one where follow
// says so.
func (f *files) resolve(op, name string, follow bool) (string, node, error) {
	at, rest := "/", strings.Split(strings.Trim(path.Clean(name), "/"), "/")
	current := f.nodes["/"]
	for hops := 0; len(rest) > 0 && hops < 100; hops++ {
		next := rest[0]
		rest = rest[1:]
		if next == "" {
			continue
		}
		if !current.mode.IsDir() {
			return "", node{}, missing(op, name)
		}
		child := path.Join(at, next)
		if err := f.faults[child]; err != nil {
			return "", node{}, &fs.PathError{Op: op, Path: name, Err: err}
		}
		n, ok := f.nodes[child]
		if !ok {
			return "", node{}, missing(op, name)
		}
		if n.mode&fs.ModeSymlink != 0 && (len(rest) > 0 || follow) {
			target := n.link
			if !path.IsAbs(target) {
				target = path.Join(at, target)
			}
			rest = append(strings.Split(strings.Trim(target, "/"), "/"), rest...)
			at, current = "/", f.nodes["/"]
			continue
		}
		at, current = child, n
	}
	return at, current, nil
}

func (f *files) Stat(name string) (port.Info, error) {
	_, n, err := f.resolve("stat", name, true)
	return port.Info{Mode: n.mode, Size: int64(len(n.data))}, err
}

func (f *files) Lstat(name string) (port.Info, error) {
	_, n, err := f.resolve("lstat", name, false)
	return port.Info{Mode: n.mode, Size: int64(len(n.data)), ModTime: time.Time{}}, err
}

func (f *files) RealPath(name string) (string, error) {
	real, _, err := f.resolve("realpath", name, true)
	return real, err
}

func (f *files) ReadFile(name string, limit int64) ([]byte, error) { return f.read(name, limit, false) }

func (f *files) ReadLinked(name string, limit int64) ([]byte, error) {
	return f.read(name, limit, true)
}

func (f *files) read(name string, limit int64, follow bool) ([]byte, error) {
	_, n, err := f.resolve("read", name, follow)
	switch {
	case err != nil:
		return nil, err
	case !n.mode.IsRegular():
		return nil, port.ErrNotRegular
	case int64(len(n.data)) > limit:
		return nil, port.ErrTooLarge
	}
	return slices.Clone(n.data), nil
}

func (f *files) ReadDir(name string) ([]port.Entry, error) {
	real, n, err := f.resolve("readdir", name, true)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, port.ErrNotRegular
	}
	if f.unlistable[real] {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrPermission}
	}
	var entries []port.Entry
	for child, n := range f.nodes {
		if child != "/" && path.Dir(child) == real {
			entries = append(entries, port.Entry{Name: path.Base(child), Mode: n.mode})
		}
	}
	slices.SortFunc(entries, func(a, b port.Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, nil
}

func (f *files) Create(name string, data []byte, _ fs.FileMode, _ port.Sync) error {
	if _, ok := f.nodes[name]; ok {
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	return f.write(name, data)
}

func (f *files) Replace(name string, data []byte, _ fs.FileMode, _ port.Sync) error {
	return f.write(name, data)
}

func (f *files) write(name string, data []byte) error {
	if err := f.faults[name]; err != nil {
		return &fs.PathError{Op: "write", Path: name, Err: err}
	}
	if !f.nodes[path.Dir(name)].mode.IsDir() {
		return missing("write", name)
	}
	f.nodes[name] = node{data: data}
	f.written = append(f.written, name)
	return nil
}

func (f *files) MakeDir(name string, _ fs.FileMode) error {
	if err := f.faults[name]; err != nil {
		return &fs.PathError{Op: "mkdir", Path: name, Err: err}
	}
	if !f.nodes[path.Dir(name)].mode.IsDir() {
		return missing("mkdir", name)
	}
	f.nodes[name] = node{mode: fs.ModeDir}
	f.written = append(f.written, name)
	return nil
}

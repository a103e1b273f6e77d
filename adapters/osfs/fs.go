package osfs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/changeover/changeover/domain/port"
)

// FS implements port.FS on this machine.
type FS struct {
	sys System
}

var _ port.FS = FS{}

// New uses the real system.
func New() FS { return FS{sys: kernel{}} }

// NewOn publishes through the given system: tests inject faults there.
func NewOn(sys System) FS { return FS{sys: sys} }

// Kernel returns the real system, for a fault injector to wrap.
func Kernel() System { return kernel{} }

// pathError words a failure as the standard library does. A path below
// something that is no directory does not exist.
func pathError(op, path string, err error) error {
	if errors.Is(err, syscall.ENOTDIR) && op != "list" {
		err = fs.ErrNotExist
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// ReadFile implements port.FileReader.
func (FS) ReadFile(path string, limit int64) ([]byte, error) {
	return read(path, limit, syscall.O_NOFOLLOW)
}

// ReadLinked implements port.FileReader.
func (FS) ReadLinked(path string, limit int64) ([]byte, error) { return read(path, limit, 0) }

// read opens without blocking, so that a FIFO is told from a file by looking at
// what was opened.
func read(path string, limit int64, flags int) ([]byte, error) {
	fd, st, err := openRegular(path, syscall.O_RDONLY|syscall.O_NONBLOCK|flags, 0)
	if err != nil {
		return nil, pathError("read", path, err)
	}
	defer func() { _ = syscall.Close(fd) }() // nothing was written
	if st.Size > limit {
		return nil, pathError("read", path, port.ErrTooLarge)
	}
	data, err := readAll(fd, st.Size, limit)
	if err != nil {
		return nil, pathError("read", path, err)
	}
	return data, nil
}

// readAll reads a file of about size bytes; one that grows past limit meanwhile
// is too large.
func readAll(fd int, size, limit int64) ([]byte, error) {
	data := make([]byte, 0, size+1)
	for {
		n, err := again(func() (int, error) { return syscall.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return nil, err
		}
		data = data[:len(data)+n]
		if n == 0 || (int64(len(data)) == size && len(data) < cap(data)) {
			return data, nil
		}
		if int64(len(data)) > limit {
			return nil, port.ErrTooLarge
		}
		data = slices.Grow(data, 512)
	}
}

// ReadDir implements port.DirReader.
func (FS) ReadDir(path string) ([]port.Entry, error) {
	entries, err := list(path)
	if err != nil {
		return nil, pathError("list", path, err)
	}
	slices.SortFunc(entries, func(a, b port.Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, nil
}

// Stat implements port.Stater.
func (FS) Stat(path string) (port.Info, error) { return stat(path, syscall.Stat) }

// Lstat implements port.Stater.
func (FS) Lstat(path string) (port.Info, error) { return stat(path, syscall.Lstat) }

func stat(path string, call func(string, *syscall.Stat_t) error) (port.Info, error) {
	var st syscall.Stat_t
	if _, err := again(func() (int, error) { return 0, call(path, &st) }); err != nil {
		return port.Info{}, pathError("stat", path, err)
	}
	return port.Info{Mode: fileMode(modeBits(&st)), Size: st.Size, ModTime: time.Unix(modified(&st).Unix())}, nil
}

// fileMode translates the system's mode bits.
func fileMode(bits uint32) fs.FileMode {
	mode := fs.FileMode(bits & 0o777)
	switch bits & syscall.S_IFMT {
	case syscall.S_IFDIR:
		mode |= fs.ModeDir
	case syscall.S_IFLNK:
		mode |= fs.ModeSymlink
	case syscall.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case syscall.S_IFSOCK:
		mode |= fs.ModeSocket
	case syscall.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	case syscall.S_IFBLK:
		mode |= fs.ModeDevice
	}
	if bits&syscall.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	return mode
}

// RealPath implements port.PathResolver.
func (FS) RealPath(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(absolute)
	if errors.Is(err, syscall.ENOTDIR) {
		return "", pathError("resolve", path, err)
	}
	return real, err
}

// Remove implements port.Remover.
func (f FS) Remove(path string) error {
	if err := f.sys.Unlink(path); err != nil {
		return pathError("remove", path, err)
	}
	return nil
}

// RemoveDir implements port.DirRemover.
func (f FS) RemoveDir(path string) error {
	err := f.sys.Rmdir(path)
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.ENOTDIR) {
		if _, statErr := f.Lstat(path); statErr == nil {
			return &fs.PathError{Op: "remove directory", Path: path, Err: err}
		}
	}
	return pathError("remove directory", path, err)
}

// Touch implements port.Toucher.
func (f FS) Touch(path string) error {
	if err := f.sys.Touch(path); err != nil {
		return pathError("touch", path, err)
	}
	return nil
}

// Rename implements port.Mover.
func (f FS) Rename(from, to string) error { return f.renamed(from, to, f.sys.Rename(from, to)) }

// RenameNew implements port.Mover.
func (f FS) RenameNew(from, to string) error { return f.renamed(from, to, f.sys.RenameNew(from, to)) }

var errNoNewDir = errors.New("the directory of the new name does not exist")

// renamed words the failure of a rename. The system answers alike where the old
// name is missing and where the new one has no directory; only the former does
// not exist.
func (f FS) renamed(from, to string, err error) error {
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return pathError("rename", from, err)
	}
	if _, statErr := f.Lstat(from); errors.Is(statErr, fs.ErrNotExist) {
		return pathError("rename", from, fs.ErrNotExist)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = errNoNewDir
	}
	return &fs.PathError{Op: "rename to", Path: to, Err: err}
}

// MakeDir implements port.DirMaker.
func (f FS) MakeDir(path string, perm fs.FileMode) error {
	err := f.sys.Mkdir(path, uint32(perm.Perm()))
	if errors.Is(err, syscall.EEXIST) {
		if info, statErr := f.Stat(path); statErr == nil && info.Mode.IsDir() {
			return nil
		}
	}
	if err != nil {
		return &fs.PathError{Op: "make directory", Path: path, Err: err}
	}
	return nil
}

// MakeNewDir makes one directory with perm before the umask. Whatever stands at
// the name already is fs.ErrExist.
func (f FS) MakeNewDir(path string, perm fs.FileMode) error {
	if err := f.sys.Mkdir(path, uint32(perm.Perm())); err != nil {
		return &fs.PathError{Op: "make directory", Path: path, Err: err}
	}
	return nil
}

package osfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/changeover/changeover/domain/port"
)

var _ port.Streams = FS{}

// source is an open file.
type source struct {
	*os.File
	info port.Info
}

func (s source) Info() port.Info { return s.info }

// Open implements port.Opener.
func (FS) Open(path string) (port.Source, error) {
	fd, st, err := openRegular(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, pathError("read", path, err)
	}
	info := port.Info{Mode: fileMode(modeBits(&st)), Size: st.Size, ModTime: time.Unix(modified(&st).Unix())}
	return source{os.NewFile(uintptr(fd), path), info}, nil
}

// openRegular opens without blocking and refuses what is no regular file.
func openRegular(path string, flags int, perm uint32) (int, syscall.Stat_t, error) {
	var st syscall.Stat_t
	fd, err := again(func() (int, error) { return syscall.Open(path, flags|syscall.O_NOCTTY|syscall.O_CLOEXEC, perm) })
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.EISDIR):
		return -1, st, port.ErrNotRegular
	case err != nil:
		return -1, st, err
	}
	if err = syscall.Fstat(fd, &st); err == nil && st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = port.ErrNotRegular
	}
	if err != nil {
		_ = syscall.Close(fd) // nothing was written
		return -1, st, err
	}
	return fd, st, nil
}

// tail is a file open for writing at its end.
type tail struct {
	FS
	path string
	fd   int
}

// Append implements port.Appender.
func (f FS) Append(path string, perm fs.FileMode) (io.WriteCloser, error) {
	fd, err := f.sys.OpenEnd(path, uint32(perm.Perm()))
	if err != nil {
		return nil, pathError("append to", path, err)
	}
	return &tail{FS: f, path: path, fd: fd}, nil
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	if err := t.writeAll(t.fd, p); err != nil {
		return 0, pathError("append to", t.path, err)
	}
	return len(p), nil
}

// Close implements io.Closer.
func (t *tail) Close() error {
	if err := t.sys.Close(t.fd); err != nil {
		return pathError("close", t.path, err)
	}
	return nil
}

// draft is an unfinished file.
type draft struct {
	FS
	path, temp string
	fd         int
	sync       port.Sync
	over       bool
}

// Draft implements port.Drafter.
func (f FS) Draft(path string, perm fs.FileMode, sync port.Sync) (port.Draft, error) {
	temp, fd, err := f.createTemp(path, perm)
	if err != nil {
		return nil, pathError("write", path, err)
	}
	return &draft{FS: f, path: path, temp: temp, fd: fd, sync: sync}, nil
}

// Write implements io.Writer.
func (d *draft) Write(p []byte) (int, error) {
	if err := d.writeAll(d.fd, p); err != nil {
		return 0, pathError("write", d.path, err)
	}
	return len(p), nil
}

// Publish implements port.Draft.
func (d *draft) Publish() error {
	var err error
	if d.sync {
		err = d.sys.Fsync(d.fd)
	}
	if closeErr := d.sys.Close(d.fd); err == nil {
		err = closeErr
	}
	d.over = true
	if err == nil {
		err = d.sys.Rename(d.temp, d.path)
	}
	if err != nil {
		_ = d.sys.Unlink(d.temp) // the first failure is the one to report
		return pathError("publish", d.path, err)
	}
	if d.sync {
		d.syncDir(filepath.Dir(d.path))
	}
	return nil
}

// Discard implements port.Draft.
func (d *draft) Discard() error {
	if d.over {
		return nil
	}
	d.over = true
	_ = d.sys.Close(d.fd) // the content is thrown away
	if err := d.sys.Unlink(d.temp); err != nil {
		return pathError("remove", d.temp, err)
	}
	return nil
}

// Link implements port.Linker.
func (f FS) Link(from, to string) error {
	if err := f.sys.Link(from, to); err != nil {
		return pathError("link", to, linkError(err))
	}
	return nil
}

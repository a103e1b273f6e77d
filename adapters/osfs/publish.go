package osfs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/changeover/changeover/domain/port"
)

// tempTries is how many names are tried for one unfinished file.
const tempTries = 8

// errNoTempName is not fs.ErrExist: that would say that the target's name is
// taken.
var errNoTempName = errors.New("every temporary name that was tried is taken")

// unfinished is how a file is written before it has its name.
type unfinished struct {
	perm fs.FileMode
	// exact: the permission bits are these whatever the umask, before the first
	// byte is written.
	exact bool
	sync  port.Sync
}

// Create implements port.Publisher.
func (f FS) Create(path string, data []byte, perm fs.FileMode, sync port.Sync) error {
	return f.create(path, data, unfinished{perm: perm, sync: sync})
}

// CreateExact is Create, synced, with exactly these permission bits: for a copy
// of a file that may hold secrets.
func (f FS) CreateExact(path string, data []byte, perm fs.FileMode) error {
	return f.create(path, data, unfinished{perm: perm, exact: true, sync: port.Synced})
}

func (f FS) create(path string, data []byte, how unfinished) error {
	return f.publish(path, data, how, func(temp string) error {
		err := f.sys.Link(temp, path)
		if err == nil {
			// The name is claimed; a temporary file that stays is only litter.
			_ = f.sys.Unlink(temp)
		}
		return linkError(err)
	})
}

// linkError tells a taken name from a file system that has no hard links.
func linkError(err error) error {
	for _, none := range []error{syscall.EPERM, syscall.EOPNOTSUPP, syscall.ENOSYS, syscall.EMLINK} {
		if errors.Is(err, none) {
			return port.ErrNoHardLinks
		}
	}
	return err
}

// Replace implements port.Publisher.
func (f FS) Replace(path string, data []byte, perm fs.FileMode, sync port.Sync) error {
	return f.replace(path, data, unfinished{perm: perm, sync: sync})
}

// ReplaceExact is Replace, synced, with exactly these permission bits.
func (f FS) ReplaceExact(path string, data []byte, perm fs.FileMode) error {
	return f.replace(path, data, unfinished{perm: perm, exact: true, sync: port.Synced})
}

func (f FS) replace(path string, data []byte, how unfinished) error {
	return f.publish(path, data, how, func(temp string) error { return f.sys.Rename(temp, path) })
}

// publish writes a temporary file beside the target and hands it to put, which
// gives it the target's name.
func (f FS) publish(path string, data []byte, how unfinished, put func(temp string) error) error {
	temp, err := f.writeTemp(path, data, how)
	if err != nil {
		return pathError("write", path, err)
	}
	if err := put(temp); err != nil {
		_ = f.sys.Unlink(temp) // the first failure is the one to report
		return pathError("publish", path, err)
	}
	if how.sync {
		f.syncDir(filepath.Dir(path))
	}
	return nil
}

func (f FS) writeTemp(path string, data []byte, how unfinished) (string, error) {
	temp, fd, err := f.createTemp(path, how.perm)
	if err != nil {
		return "", err
	}
	if how.exact {
		err = f.sys.Chmod(fd, uint32(how.perm.Perm()))
	}
	if err == nil {
		err = f.writeAll(fd, data)
	}
	if err == nil && bool(how.sync) {
		err = f.sys.Fsync(fd)
	}
	if closeErr := f.sys.Close(fd); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = f.sys.Unlink(temp) // the first failure is the one to report
		return "", err
	}
	return temp, nil
}

func (f FS) createTemp(path string, perm fs.FileMode) (temp string, fd int, err error) {
	dir, name := filepath.Split(path)
	for range tempTries {
		temp = dir + tempName(name)
		fd, err = f.sys.Create(temp, uint32(perm.Perm()))
		if !errors.Is(err, syscall.EEXIST) {
			return temp, fd, err
		}
	}
	return "", -1, errNoTempName
}

func (f FS) writeAll(fd int, data []byte) error {
	for len(data) > 0 {
		n, err := f.sys.Write(fd, data)
		if err != nil {
			return err
		}
		if n == 0 {
			return syscall.EIO
		}
		data = data[n:]
	}
	return nil
}

// syncDir makes the new name last. Some file systems cannot, and then the name
// lasts as long as they say.
func (f FS) syncDir(dir string) {
	fd, err := again(func() (int, error) {
		return syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return
	}
	_ = f.sys.Fsync(fd)
	_ = f.sys.Close(fd)
}

package codexreg

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// lock is the lock file of a thread, held.
type lock struct {
	name string
	// pid is the process that holds it; 0 where not known.
	pid int
	// since is when the file was made, which Codex does when the thread begins to
	// live.
	since time.Time
}

func (l lock) thread() string { return strings.TrimSuffix(l.name, lockExtension) }

// table tells which lock files of a directory are held.
type table struct {
	dir string
	system
}

func newTable(dir string) *table { return &table{dir: dir} }

// look looks at one lock file. Only where the system's own table cannot tell is the
// lock tried, and let go at once: a thread that begins in that instant would find it
// taken.
func (t *table) look(name string) (l lock, held bool, err error) {
	path := filepath.Join(t.dir, name)
	var st syscall.Stat_t
	if err := retried(func() error { return syscall.Lstat(path, &st) }); err != nil {
		return l, false, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return l, false, nil
	}
	l = lock{name: name, since: modified(&st)}
	pid, held, known := t.listed(t.dir, &st)
	if !known {
		held, err = tried(path)
	}
	l.pid = pid
	return l, held, err
}

// tried tells whether a lock can be shared with its holder: it cannot.
func tried(path string) (held bool, err error) {
	fd := -1
	err = retried(func() (err error) {
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return false, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = syscall.Close(fd) }() // which lets go of the lock
	err = retried(func() error { return syscall.Flock(fd, syscall.LOCK_SH|syscall.LOCK_NB) })
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	if err != nil {
		return false, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	return false, nil
}

func retried(call func() error) error {
	for {
		if err := call(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

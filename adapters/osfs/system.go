// Package osfs is the file system of this machine: bounded reads that never
// block, and whole files published so that no reader sees a part of one.
package osfs

import (
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"time"
)

// System is what publishing asks of the operating system. It is the place to
// inject faults: every call that may fail goes through it.
type System interface {
	// Create makes a new file for writing and never follows a link.
	Create(path string, perm uint32) (fd int, err error)
	// OpenEnd opens a regular file for writing at its end, made where it is
	// missing.
	OpenEnd(path string, perm uint32) (fd int, err error)
	// Chmod sets the permission bits whatever the umask.
	Chmod(fd int, perm uint32) error
	Write(fd int, p []byte) (int, error)
	Fsync(fd int) error
	Close(fd int) error
	Link(from, to string) error
	Rename(from, to string) error
	RenameNew(from, to string) error
	Unlink(path string) error
	Rmdir(path string) error
	Touch(path string) error
	Mkdir(path string, perm uint32) error
}

// kernel is the real system.
type kernel struct{}

func (kernel) Create(path string, perm uint32) (int, error) {
	const flags = syscall.O_WRONLY | syscall.O_CREAT | syscall.O_EXCL | syscall.O_NOFOLLOW | syscall.O_CLOEXEC
	return again(func() (int, error) { return syscall.Open(path, flags, perm) })
}

func (kernel) OpenEnd(path string, perm uint32) (int, error) {
	const flags = syscall.O_WRONLY | syscall.O_APPEND | syscall.O_CREAT | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	fd, _, err := openRegular(path, flags, perm)
	return fd, err
}

func (kernel) Chmod(fd int, perm uint32) error {
	_, err := again(func() (int, error) { return 0, syscall.Fchmod(fd, perm) })
	return err
}

func (kernel) Write(fd int, p []byte) (int, error) {
	return again(func() (int, error) { return syscall.Write(fd, p) })
}

func (kernel) Fsync(fd int) error {
	_, err := again(func() (int, error) { return 0, syscall.Fsync(fd) })
	return err
}

func (kernel) Close(fd int) error                   { return syscall.Close(fd) }
func (kernel) Link(from, to string) error           { return syscall.Link(from, to) }
func (kernel) Rename(from, to string) error         { return syscall.Rename(from, to) }
func (kernel) RenameNew(from, to string) error      { return renameNew(from, to) }
func (kernel) Unlink(path string) error             { return syscall.Unlink(path) }
func (kernel) Rmdir(path string) error              { return syscall.Rmdir(path) }
func (kernel) Mkdir(path string, perm uint32) error { return syscall.Mkdir(path, perm) }

func (kernel) Touch(path string) error {
	err := os.Chtimes(path, time.Time{}, time.Now())
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// again repeats a call that a signal interrupted.
func again(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR { //nolint:errorlint // a system call returns a bare Errno
			return n, err
		}
	}
}

// tempName is the name of the unfinished file for a target. Exclusive creation
// decides; the random part only makes a second try rare.
func tempName(target string) string {
	return ".tmp-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(uint64(rand.Uint32()), 16) + "-" + target
}

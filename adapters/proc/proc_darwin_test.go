package proc_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

// awaitEnd waits until a child has ended and leaves it unreaped.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	queue, err := unix.Kqueue()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(queue) }() // nothing was written
	exit := []unix.Kevent_t{{Ident: uint64(pid), Filter: unix.EVFILT_PROC, Flags: unix.EV_ADD, Fflags: unix.NOTE_EXIT}}
	for {
		_, err := unix.Kevent(queue, exit, make([]unix.Kevent_t, 1), nil)
		if err == unix.EINTR { //nolint:errorlint // a system call returns a bare Errno
			continue
		}
		if err != nil && err != unix.ESRCH { //nolint:errorlint // as above; it has ended already
			t.Fatal(err)
		}
		return
	}
}

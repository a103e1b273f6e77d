//go:build unix

package proc_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

// awaitEnd waits until a child has ended and leaves it unreaped.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err == unix.EINTR { //nolint:errorlint // a system call returns a bare Errno
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
}

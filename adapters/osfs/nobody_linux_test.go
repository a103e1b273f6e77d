package osfs_test

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody runs something without what root may do: root may write everywhere. Only
// the thread it runs on gives that up, and it ends with it.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	const nobody = 65534
	done := make(chan unix.Errno, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread is thrown away
		_, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody)
		defer func() { done <- errno }()
		if errno == 0 {
			do()
		}
	}()
	if errno := <-done; errno != 0 {
		t.Fatal(errno)
	}
}

package porttest

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// nobody is the user that strangers are.
const nobody = 65534

// AsStranger runs do as an ordinary user: one that heeds permission bits and
// may not signal what belongs to root. Only root has to change for that, and
// only its current thread does.
func AsStranger(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		if err := become(nobody, 0); err != nil {
			done <- err
			return // the thread ends with its goroutine
		}
		do()
		err := become(0, 0)
		if err == nil {
			runtime.UnlockOSThread()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatalf("change the user of a thread: %v", err)
	}
}

// become sets the real and effective user of this thread, and the saved one,
// which is the way back.
func become(user, saved uintptr) error {
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, user, user, saved); errno != 0 {
		return errno
	}
	return nil
}

//go:build linux || darwin

package agentproc

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// awaitExit returns when the child has exited, and leaves it to be reaped.
func awaitExit(pid int) error {
	const onePid = 1 // P_PID
	var info [128]byte
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, onePid, uintptr(pid),
			uintptr(unsafe.Pointer(&info)), unix.WEXITED|unix.WNOWAIT, 0, 0)
		if errors.Is(errno, syscall.EINTR) {
			continue
		}
		if errno != 0 {
			return fmt.Errorf("wait for the exit: %w", errno)
		}
		return nil
	}
}

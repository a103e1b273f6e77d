package proc

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Vigil waits for the end of a process without looking again and again. The channel
// is closed when the process has ended; stop lets go of it. Errors: fs.ErrNotExist
// and the like for a process that is not there, errors.ErrUnsupported where the
// system tells no such thing (Linux before 5.3, other systems).
func Vigil(pid int) (ended <-chan struct{}, stop func(), err error) {
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	switch {
	case errors.Is(err, unix.ESRCH):
		return nil, nil, os.ErrNotExist
	case err != nil:
		return nil, nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	file := os.NewFile(uintptr(fd), "pidfd")
	raw, err := file.SyscallConn()
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	over := make(chan struct{})
	go func() {
		err := raw.Read(func(fd uintptr) bool {
			polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(polled, 0)
			return err == nil && n > 0
		})
		if err == nil {
			close(over)
		}
	}()
	return over, func() { _ = file.Close() }, nil
}

package osfs

import (
	"syscall"

	"github.com/changeover/changeover/domain/port"
)

// modeBits returns the type and the permissions.
func modeBits(st *syscall.Stat_t) uint32 { return uint32(st.Mode) }

// modified returns when the content was last written.
func modified(st *syscall.Stat_t) *syscall.Timespec { return &st.Mtimespec }

func list(path string) ([]port.Entry, error) { return listPlainly(path) }

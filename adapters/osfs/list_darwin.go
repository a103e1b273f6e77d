package osfs

import (
	"os"
	"syscall"

	"github.com/changeover/changeover/domain/port"
)

// modeBits returns the type and the permissions.
func modeBits(st *syscall.Stat_t) uint32 { return uint32(st.Mode) }

// modified returns when the content was last written.
func modified(st *syscall.Stat_t) *syscall.Timespec { return &st.Mtimespec }

func list(path string) ([]port.Entry, error) {
	found, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	entries := make([]port.Entry, len(found))
	for i, e := range found {
		entries[i] = port.Entry{Name: e.Name(), Mode: e.Type()}
	}
	return entries, nil
}

package codexreg

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// machineNamespace is the space of process numbers that the system began with, whose
// number is fixed. The table of locks shows all of them only there: in another one it
// leaves out what is held from outside, such as from outside of a sandbox.
const machineNamespace = "pid:[4026531836]"

// Of these file systems the table of locks names other devices, or other files, than
// stat does.
const (
	btrfs   = 0x9123683e
	overlay = 0x794c7630
)

// system is what Linux says of locks: the table, read once, and whether it shows all.
type system struct {
	read     bool
	holders  map[file]int
	asked    bool
	complete bool
}

// file identifies a file to the system.
type file struct {
	device string
	inode  uint64
}

// listed looks a lock up in the table. known: the table could tell.
func (s *system) listed(dir string, st *syscall.Stat_t) (pid int, held, known bool) {
	if !s.read {
		s.read = true
		s.holders = holders()
	}
	if pid, held := s.holders[file{device(st.Dev), st.Ino}]; held {
		return max(pid, 0), true, true
	}
	return 0, false, s.holders != nil && s.showsAll(dir)
}

func (s *system) showsAll(dir string) bool {
	if s.asked {
		return s.complete
	}
	s.asked = true
	namespace, err := os.Readlink("/proc/self/ns/pid")
	var st syscall.Statfs_t
	if err != nil || namespace != machineNamespace || retried(func() error { return syscall.Statfs(dir, &st) }) != nil {
		return false
	}
	s.complete = st.Type != btrfs && st.Type != overlay
	return s.complete
}

// holders reads the table of locks: by file, which process locked it. nil where it
// cannot be read.
func holders() map[file]int {
	data, err := os.ReadFile("/proc/locks")
	if err != nil {
		return nil
	}
	found := map[file]int{}
	for line := range bytes.Lines(data) {
		// 1: FLOCK  ADVISORY  WRITE 1560 fe:00:10018422 0 EOF; one that waits for a
		// lock has an arrow before its kind.
		fields := bytes.Fields(line)
		if len(fields) < 6 || string(fields[1]) != "FLOCK" {
			continue
		}
		pid, err := strconv.Atoi(string(fields[4]))
		colon := bytes.LastIndexByte(fields[5], ':')
		if err != nil || colon < 0 {
			continue
		}
		if inode, err := strconv.ParseUint(string(fields[5][colon+1:]), 10, 64); err == nil {
			found[file{string(fields[5][:colon]), inode}] = pid
		}
	}
	return found
}

// device spells a device as the table of locks does.
func device(dev uint64) string { return fmt.Sprintf("%02x:%02x", unix.Major(dev), unix.Minor(dev)) }

func modified(st *syscall.Stat_t) time.Time { return time.Unix(st.Mtim.Unix()).UTC() }

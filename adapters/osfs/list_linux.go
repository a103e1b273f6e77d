package osfs

import (
	"encoding/binary"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/changeover/changeover/domain/port"
)

// The layout of a directory entry as the kernel returns it.
const (
	entryLength = 16
	entryType   = 18
	entryName   = 19
)

// modeBits returns the type and the permissions.
func modeBits(st *syscall.Stat_t) uint32 { return st.Mode }

// modified returns when the content was last written.
func modified(st *syscall.Stat_t) *syscall.Timespec { return &st.Mtim }

// list reads a directory without the file poller, which costs more than the
// reading of a small one.
func list(path string) ([]port.Entry, error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = syscall.Close(fd) }() // nothing was written
	var entries []port.Entry
	var buffer [4 << 10]byte // stays on the stack: directories are listed by the thousand
	for {
		n, err := syscall.ReadDirent(fd, buffer[:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		if n <= 0 {
			return entries, nil
		}
		for rest := buffer[:n]; len(rest) > entryName; {
			length := int(binary.NativeEndian.Uint16(rest[entryLength:]))
			if length <= entryName || length > len(rest) {
				break
			}
			if e, ok := entryOf(path, rest[:length]); ok {
				entries = append(entries, e)
			}
			rest = rest[length:]
		}
	}
}

func entryOf(dir string, raw []byte) (port.Entry, bool) {
	name := raw[entryName:]
	for i, c := range name {
		if c == 0 {
			name = name[:i]
			break
		}
	}
	e := port.Entry{Name: string(name)}
	if e.Name == "." || e.Name == ".." {
		return e, false
	}
	switch raw[entryType] {
	case syscall.DT_REG:
	case syscall.DT_DIR:
		e.Mode = fs.ModeDir
	case syscall.DT_LNK:
		e.Mode = fs.ModeSymlink
	case syscall.DT_FIFO:
		e.Mode = fs.ModeNamedPipe
	case syscall.DT_SOCK:
		e.Mode = fs.ModeSocket
	case syscall.DT_CHR:
		e.Mode = fs.ModeDevice | fs.ModeCharDevice
	case syscall.DT_BLK:
		e.Mode = fs.ModeDevice
	default:
		info, err := stat(filepath.Join(dir, e.Name), syscall.Lstat)
		if err != nil {
			return e, false
		}
		e.Mode = info.Mode.Type()
	}
	return e, true
}

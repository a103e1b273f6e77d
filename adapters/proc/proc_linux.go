package proc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/changeover/changeover/domain/session"
)

// ticksPerSecond is the unit of process start times, the same on every Linux
// that Go runs on.
const ticksPerSecond = 100

// The fields of /proc/<pid>/stat after the command, which may hold anything.
const (
	fieldState  = 0
	fieldParent = 1
	fieldStart  = 19
)

var errOddStat = errors.New("the process table is not as expected")

// look reads one process. proc(5) gives the fields of its stat file.
func look(pid int) (process, error) {
	var buffer [statSize]byte
	n, err := readStat("/proc/"+strconv.Itoa(pid)+"/stat", buffer[:])
	if err != nil {
		return process{}, err
	}
	raw := buffer[:n]
	end := bytes.LastIndexByte(raw, ')')
	if end < 0 {
		return process{}, fmt.Errorf("process %d: %w", pid, errOddStat)
	}
	fields := bytes.Fields(raw[end+1:])
	if len(fields) <= fieldStart {
		return process{}, fmt.Errorf("process %d: %w", pid, errOddStat)
	}
	parent, err := strconv.Atoi(string(fields[fieldParent]))
	if err != nil {
		return process{}, fmt.Errorf("process %d: %w", pid, errOddStat)
	}
	token := string(fields[fieldStart])
	state := fields[fieldState][0]
	return process{
		ended:  state == 'Z' || state == 'X',
		parent: parent,
		start:  session.Start{Token: token, At: began(token)},
	}, nil
}

// statSize is more than the longest line of the process table.
const statSize = 1 << 10

// readStat reads the beginning of a small file, such as those of the process
// table, with as few system calls as there can be.
func readStat(path string, buffer []byte) (int, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, &os.PathError{Op: "open", Path: path, Err: err}
	}
	n, err := syscall.Read(fd, buffer)
	_ = syscall.Close(fd) // nothing was written
	if err != nil {
		return 0, &os.PathError{Op: "read", Path: path, Err: err}
	}
	return n, nil
}

// began turns a start in clock ticks since boot into an instant, to within a
// second; zero where the time since boot is not known.
func began(token string) time.Time {
	ticks, err := strconv.ParseInt(token, 10, 64)
	var info syscall.Sysinfo_t
	if err != nil || syscall.Sysinfo(&info) != nil {
		return time.Time{}
	}
	boot := time.Now().Add(-time.Duration(info.Uptime) * time.Second)
	return boot.Add(time.Duration(ticks) * (time.Second / ticksPerSecond)).UTC()
}

// pidDomain spells the space of process numbers as the session registry does.
func pidDomain() string {
	var id, namespace [64]byte
	length, err := readStat("/etc/machine-id", id[:])
	if err != nil {
		return ""
	}
	n, err := syscall.Readlink("/proc/self/ns/pid", namespace[:])
	if err != nil {
		return ""
	}
	return "linux:" + strings.TrimSpace(string(id[:length])) + ":" + string(namespace[:n])
}

// Package proc is the process table of this machine, read directly: no process
// is started to look at others.
package proc

import (
	"errors"
	"fmt"
	"math"
	"os"
	"syscall"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// Table implements port.ProcessTree and port.Machine.
type Table struct{}

var (
	_ port.ProcessTree = Table{}
	_ port.Machine     = Table{}
)

// New returns this machine's table.
func New() Table { return Table{} }

// process is what the table says of one.
type process struct {
	ended  bool
	parent int
	start  session.Start
}

// Alive implements port.ProcessTree. A process that has ended and waits for its
// parent to notice is not alive.
func (Table) Alive(pid int) bool {
	alive, _, _ := sight(pid)
	return alive
}

// sight looks at one process. One of which the table says nothing lives where a
// signal could reach it.
func sight(pid int) (alive bool, p process, err error) {
	if p, err = find(pid); !isPID(pid) {
		return false, p, err
	}
	if err == nil {
		return !p.ended, p, nil
	}
	signalled := syscall.Kill(pid, 0)
	return signalled == nil || errors.Is(signalled, syscall.EPERM), p, err
}

// isPID reports what may be a process number: the system cuts a greater one to
// 32 bits and would answer for another process.
func isPID(pid int) bool { return pid >= 1 && pid <= math.MaxInt32 }

// find looks up a process by what may be its number.
func find(pid int) (process, error) {
	if !isPID(pid) {
		return process{}, fmt.Errorf("%d is no process number", pid)
	}
	return look(pid)
}

// Started implements port.ProcessTree.
func (Table) Started(pid int) (session.Start, error) {
	p, err := find(pid)
	return p.start, err
}

// Parent implements port.ProcessTree.
func (Table) Parent(pid int) (int, error) {
	p, err := find(pid)
	return p.parent, err
}

// Self implements port.Machine.
func (Table) Self() int { return os.Getpid() }

// PidDomain implements port.Machine.
func (Table) PidDomain() string { return pidDomain() }

// Snapshot is a Table for a program that runs for a moment: it looks at each
// process once. It is not for use by several goroutines.
type Snapshot struct {
	Table
	seen map[int]sighting
}

type sighting struct {
	alive   bool
	process process
	err     error
}

var _ port.ProcessTree = Snapshot{}

// NewSnapshot returns a snapshot that has not looked yet.
func NewSnapshot() Snapshot { return Snapshot{seen: map[int]sighting{}} }

func (s Snapshot) look(pid int) sighting {
	if known, ok := s.seen[pid]; ok {
		return known
	}
	var found sighting
	found.alive, found.process, found.err = sight(pid)
	s.seen[pid] = found
	return found
}

// Alive implements port.ProcessTree.
func (s Snapshot) Alive(pid int) bool { return s.look(pid).alive }

// Started implements port.ProcessTree.
func (s Snapshot) Started(pid int) (session.Start, error) {
	found := s.look(pid)
	return found.process.start, found.err
}

// Parent implements port.ProcessTree.
func (s Snapshot) Parent(pid int) (int, error) {
	found := s.look(pid)
	return found.process.parent, found.err
}

// LiveSet provides the process table of a program that goes on running.
var LiveSet = wire.NewSet(New, wire.Bind(new(port.ProcessTree), new(Table)), wire.Bind(new(port.Machine), new(Table)))

// Set provides the process table of a program that runs for a moment.
var Set = wire.NewSet(
	NewSnapshot, wire.Bind(new(port.ProcessTree), new(Snapshot)), wire.Bind(new(port.Machine), new(Snapshot)),
)

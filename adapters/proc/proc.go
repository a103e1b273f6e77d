// Package proc is the process table of this machine, read directly: no process
// is started to look at others.
package proc

import (
	"errors"
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
	if pid < 1 {
		return false
	}
	if err := syscall.Kill(pid, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return false
	}
	p, err := look(pid)
	return err != nil || !p.ended
}

// Started implements port.ProcessTree.
func (Table) Started(pid int) (session.Start, error) {
	p, err := look(pid)
	return p.start, err
}

// Parent implements port.ProcessTree.
func (Table) Parent(pid int) (int, error) {
	p, err := look(pid)
	return p.parent, err
}

// Self implements port.Machine.
func (Table) Self() int { return os.Getpid() }

// PidDomain implements port.Machine.
func (Table) PidDomain() string { return pidDomain() }

// Set provides the process table.
var Set = wire.NewSet(New, wire.Bind(new(port.ProcessTree), new(Table)), wire.Bind(new(port.Machine), new(Table)))

// Package proctest is a machine whose processes a test makes up.
package proctest

import (
	"fmt"
	"sync"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/session"
)

// Process is one process of a Machine.
type Process struct {
	Parent int
	Start  session.Start
	// Ended: it waits for its parent to notice.
	Ended bool
}

// Machine implements port.ProcessTree and port.Machine. Its methods may be
// called from several goroutines.
type Machine struct {
	mu        sync.Mutex
	self      int
	domain    string
	processes map[int]Process
}

var (
	_ port.ProcessTree = (*Machine)(nil)
	_ port.Machine     = (*Machine)(nil)
)

// New returns a machine without any process; self is the number of the one that
// asks.
func New(self int, domain string) *Machine {
	return &Machine{self: self, domain: domain, processes: map[int]Process{}}
}

// Run puts a process into the table, in place of another of that number.
func (m *Machine) Run(pid int, p Process) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.processes[pid] = p
}

// Reap takes a process out of the table.
func (m *Machine) Reap(pid int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.processes, pid)
}

func (m *Machine) look(pid int) (Process, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.processes[pid]
	if !ok {
		return p, fmt.Errorf("no process %d", pid)
	}
	return p, nil
}

// Alive implements port.ProcessTree.
func (m *Machine) Alive(pid int) bool {
	p, err := m.look(pid)
	return err == nil && !p.Ended
}

// Started implements port.ProcessTree. A process without a start has none that
// is known.
func (m *Machine) Started(pid int) (session.Start, error) {
	p, err := m.look(pid)
	if err == nil && p.Start == (session.Start{}) {
		err = fmt.Errorf("the start of process %d is not known", pid)
	}
	return p.Start, err
}

// Parent implements port.ProcessTree.
func (m *Machine) Parent(pid int) (int, error) {
	p, err := m.look(pid)
	return p.Parent, err
}

// Self implements port.Machine.
func (m *Machine) Self() int { return m.self }

// PidDomain implements port.Machine.
func (m *Machine) PidDomain() string { return m.domain }

// Package agenttest runs agents that are Go functions: inside the test's own
// process, as the fake of port.AgentRunner, or each in a process of its own,
// through the test binary.
package agenttest

import (
	"io"

	"github.com/changeover/changeover/domain/port"
)

// Program is what an agent does, and how it ends. It returns soon after
// Killed is closed.
type Program func(p *Process) Exit

// Exit is the exit code, or the signal that the program dies of.
type Exit struct{ Code, Signal int }

// Process is what a program sees of the world.
type Process struct {
	Pid    int
	Args   []string // what follows the program in Argv
	Dir    string
	Env    []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	// Requests delivers the signals that ask the program to stop. Nothing
	// happens to a program that does not listen.
	Requests <-chan port.Request

	// Killed is closed when the program has been killed.
	Killed <-chan struct{}

	// Spawn starts another program as a child and returns its number once it
	// runs and listens to requests.
	Spawn func(c Child) int
}

// Child is a program that another one starts.
type Child struct {
	Program string
	Args    []string

	// OwnSession moves the child out of the agent's group.
	OwnSession bool

	// KeepStreams lets the child hold the agent's output streams.
	KeepStreams bool
}

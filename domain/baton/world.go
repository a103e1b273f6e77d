// Package baton hands the work in one repository from one coding agent to the
// next: what a session keeps, how its status may change, and the verbs that run
// agents, hand off, plan, compress and tell how things stand.
package baton

import (
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// World is what the verbs need of their surroundings.
type World struct {
	Clock     port.Clock
	Alarms    port.Alarms
	Random    port.Random
	Files     Files
	Locks     port.Locker
	Git       port.Git
	Agents    port.AgentRunner
	Strays    port.StrayEnder
	Processes port.ProcessTree
	Env       port.Environment
	// Environ is the whole environment, for agents.
	Environ []string
	// Dir is the working directory, an absolute path.
	Dir string
	// Self is the number of this process.
	Self  int
	Zones wall.Zones
	Cut   text.Cutter
	Sink  Sink
	// TempDir makes a directory that is not wanted for long, with an absolute
	// path; remove takes it away with everything in it.
	TempDir func() (dir string, remove func() error, err error)
	// Writable returns nil where this process may make files in a directory.
	Writable func(dir string) error
	// Foreground runs a program that the person talks to.
	Foreground port.Foreground
}

package main

import (
	"os"
	"time"

	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// newWorld gathers what baton's verbs need.
func newWorld(
	c port.Clock, r port.Random, files osfs.FS, locks port.Locker, git port.Git, agents port.AgentRunner, strays port.StrayEnder,
	foreground port.Foreground, processes port.ProcessTree, env port.Environment, cut text.Cutter, sink baton.Sink,
) baton.World {
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // whoever works there fails for it
	}
	return baton.World{
		Clock: c, Alarms: clock.Alarm, Random: r, Files: files, Locks: locks, Git: git, Agents: agents, Strays: strays,
		Processes: processes, Env: env, Environ: os.Environ(), Dir: dir, Self: os.Getpid(),
		Zones: wall.Zones{Local: time.Local, Load: time.LoadLocation}, Cut: cut, Sink: sink,
		TempDir: osfs.TempDir, Writable: osfs.Writable, Foreground: foreground,
	}
}

package port

import "github.com/changeover/changeover/domain/session"

// ProcessTree answers what runs on this machine. Each method returns within
// 5 s whatever the system does.
type ProcessTree interface {
	// Alive tells whether a process of that number exists and has not ended.
	// One that belongs to somebody else counts as alive.
	Alive(pid int) bool

	// Started returns when the process began. An error means that the start
	// is not known, which says nothing about whether the process lives.
	Started(pid int) (session.Start, error)

	// Parent returns the number of the parent process. An error ends a walk.
	Parent(pid int) (int, error)
}

// Machine tells which process this is and where.
type Machine interface {
	// Self returns the number of the current process.
	Self() int

	// PidDomain names the space in which this machine's process numbers mean
	// something, as the session registry spells it; empty when not known.
	PidDomain() string
}

// SessionRegistry lists the coding-agent sessions that the client registered.
type SessionRegistry interface {
	// Sessions returns what could be read and what could not. A registry that
	// does not exist is empty. An error means that nobody could look: it
	// never stands for "no sessions".
	Sessions() (session.Listing, error)
}

// Package session knows what a live coding-agent session is: its row in the
// client's registry, whether the process behind it still runs, and which of
// several sessions a process belongs to.
package session

import (
	"strings"
	"time"
)

// Start identifies the beginning of a process. Together with the pid it is an
// identity; a pid alone may have been reused.
type Start struct {
	// Token is the system's own spelling of the start: on Linux clock ticks
	// since boot (field 22 of /proc/<pid>/stat), in decimal. Empty: unknown.
	Token string

	// At is the same instant on the wall clock; zero when unknown.
	At time.Time
}

// Row is one entry of the session registry. Absent and odd fields are zero.
type Row struct {
	// File is the base name of the registry file; it carries no meaning.
	File string

	SessionID  string
	PID        int // 0 when absent or no process number
	Name       string
	Kind       string
	Entrypoint string
	Cwd        string
	StartedAt  time.Time
	ProcStart  string // as it stands there: Ticks says what it is worth
	PidDomain  string

	// Held: a lock that the session's process holds shows that it lives, whatever
	// else is known of it.
	Held bool

	// Status is idle, busy or waiting; empty while not known. StatusAt is when
	// it became so.
	Status   string
	StatusAt time.Time
}

// IdleSince reports a session that has begun nothing since a time and waits for
// its person.
func (r Row) IdleSince(at time.Time) bool { return r.Status == "idle" && !r.StatusAt.Before(at) }

// Ticks returns the start of the row's process in clock ticks, as Linux counts
// them; empty where the row has none or something else.
func (r Row) Ticks() string {
	if !isDigits(r.ProcStart) {
		return ""
	}
	return r.ProcStart
}

// isDigits reports a number in decimal digits.
func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Listing is one reading of the registry.
type Listing struct {
	// Rows are in byte order of their file names.
	Rows []Row

	// Unread names the files that held no row.
	Unread []string

	// Inside are the ids of the sessions that this process runs in by its
	// environment, the nearest first. What is inherited may be outdated: it decides
	// only where the process table does not.
	Inside []string
}

// ParsePID reads a process number written in decimal digits: 0 where it is
// none, or larger than any system counts.
func ParsePID(s string) int {
	if s == "" || len(s) > 10 {
		return 0
	}
	pid := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0
		}
		pid = pid*10 + int(c-'0')
	}
	if pid > maxPID {
		return 0
	}
	return pid
}

// maxPID is the greatest process number of any platform: a signed 32-bit one.
const maxPID = 1<<31 - 1

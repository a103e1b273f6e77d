package main

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/changeover/changeover/domain/session"
)

// The descriptors that a process is started with. They are used bare: a closed
// pipe is then an error and not a signal.
const (
	stdin  = 0
	stdout = 1
	stderr = 2
)

// wakes is the exit code that wakes an idle session with what stands on the
// error stream. It has that meaning for a file that changed and for the second
// entry of a session's start alone.
const wakes = 2

// run answers one event. The exit code is 0 but for a wake-up.
func run(args []string, in, out, errs int) int {
	var argument string
	if len(args) > 0 {
		argument = args[0]
	}
	if text, ok := helps[argument]; ok {
		write(out, []byte(text))
		return 0
	}
	a := answer{event: session.ParseEvent(argument, nil)}
	var p parts
	faults := guarded(argument, "hookd", func() []string {
		event := session.ParseEvent(argument, readPayload(in))
		p = assemble()
		a = p.answered(event, argument, workingDir(event))
		return nil
	})
	if a.wakes() {
		if !p.woken(a, errs) {
			return 0
		}
		return wakes
	}
	a.exchange.Lines = append(a.exchange.Lines, faults...)
	if doc := a.document(); len(doc) > 0 && argument != sessionPending {
		p.said(a, doc, out)
	}
	return 0
}

// helps answers a person who tries the program by hand.
var helps = map[string]string{"--help": usage, "-h": usage}

const usage = `hookd [EVENT] answers one hook event of a coding agent: the event's JSON on
standard input, one JSON document or nothing on standard output, exit code 0.
EVENT, in kebab case, stands in where the JSON names none: session-start,
session-end, stop and so on. Clients run it; exchange doctor says whether they do.

Example:
  echo '{"session_id":"071a81ba","cwd":"/home/me/src"}' | hookd session-start

Next:
  exchange doctor         # does each client run it?
  exchange doctor --why   # what a session was told, and why not more
  relay doctor --why      # the same of a link
`

// workingDir is the directory that the event is about: the session's, else this
// process's own; empty where neither is known.
func workingDir(e session.Event) string {
	if e.Cwd != "" {
		return e.Cwd
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// The bounds of writing an answer: what a pipe takes without blocking where it
// takes anything, and how long its reader may leave it full.
const (
	chunk    = 4 << 10
	patience = 2 * time.Second
)

// write sends the whole answer, and tells whether the reader took it.
func write(fd int, data []byte) bool { return writeWithin(patience, fd, data) }

// writeWithin sends data. A reader that has gone away is no fault of anybody's,
// and for one that reads nothing it waits no longer than the time given.
func writeWithin(limit time.Duration, fd int, data []byte) bool {
	for deadline := time.Now().Add(limit); len(data) > 0; {
		if !ready(fd, unix.POLLOUT, time.Until(deadline)) {
			return false
		}
		n, err := unix.Write(fd, data[:min(len(data), chunk)])
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
		case err != nil || n == 0:
			return false
		default:
			data = data[n:]
		}
	}
	return true
}

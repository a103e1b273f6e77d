package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// logVariable names the file that debug lines go to; unset, there are none.
const logVariable = "HOOKD_LOG"

// logger writes debug lines. A log that cannot be written never disturbs an
// answer.
type logger struct {
	path    string
	started time.Time
}

func newLogger() logger { return logger{path: os.Getenv(logVariable), started: time.Now()} }

// answered notes one event and how long its answer took.
func (l logger) answered(e session.Event, cwd string, a answer) {
	if l.path == "" {
		return
	}
	fd, ok := openLog(l.path)
	if !ok {
		return
	}
	defer func() { _ = unix.Close(fd) }() // nobody could be told
	write(fd, fmt.Appendf(nil, "%s event=%s session=%s cwd=%s lines=%d took=%s\n", l.started.UTC().Format(time.RFC3339),
		text.Quote(e.Name), text.Quote(e.SessionID), text.Quote(cwd), len(a.relay.Lines)+len(a.exchange.Lines), time.Since(l.started).Round(time.Microsecond)))
}

// openLog opens a regular file, or makes one. It never waits for the other end
// of a FIFO and follows no link.
func openLog(path string) (fd int, ok bool) {
	const flags = unix.O_WRONLY | unix.O_CREAT | unix.O_APPEND | unix.O_NONBLOCK | unix.O_NOFOLLOW | unix.O_NOCTTY | unix.O_CLOEXEC
	fd, err := unix.Open(path, flags, 0o600)
	if err != nil {
		return -1, false
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		_ = unix.Close(fd) // nothing was written
		return -1, false
	}
	return fd, true
}

package main

import (
	"fmt"
	"os"
	"time"

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
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(f, "%s event=%s session=%s cwd=%s lines=%d took=%s\n", l.started.UTC().Format(time.RFC3339),
		text.Quote(e.Name), text.Quote(e.SessionID), text.Quote(cwd), len(a.relay.Lines)+len(a.exchange), time.Since(l.started).Round(time.Microsecond))
	_ = f.Close()
}

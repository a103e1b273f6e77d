// Package zlog makes the debug logger that --verbose switches on.
package zlog

import (
	"io"

	"github.com/google/wire"
	"github.com/rs/zerolog"
)

// Set provides the logger and its switch.
var Set = wire.NewSet(NewVerbosity, New)

// Verbosity is the switch between silence and debug lines. A command binds its
// --verbose flag to On, which may happen after the logger was made.
type Verbosity struct{ On bool }

// NewVerbosity returns a switch that is off.
func NewVerbosity() *Verbosity { return &Verbosity{} }

// Run implements zerolog.Hook: while the switch is off, it drops every event.
func (v *Verbosity) Run(e *zerolog.Event, _ zerolog.Level, _ string) {
	if !v.On {
		e.Discard()
	}
}

// New returns a logger of plain lines without colour or timestamps on w, which
// must not be the stream that results go to.
func New(w io.Writer, v *Verbosity) zerolog.Logger {
	lines := zerolog.ConsoleWriter{
		Out:          w,
		NoColor:      true,
		PartsExclude: []string{zerolog.TimestampFieldName},
	}
	return zerolog.New(lines).Hook(v)
}

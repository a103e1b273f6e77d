package baton

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// UsageError reports a command that cannot be carried out as it was given, or not
// here: exit code 2.
type UsageError struct{ Err error }

// Error implements error.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap implements errors.Unwrap.
func (e *UsageError) Unwrap() error { return e.Err }

// usage makes an error that of the command's user.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &UsageError{Err: err}
}

func usagef(format string, args ...any) error { return &UsageError{Err: fmt.Errorf(format, args...)} }

// GateError reports a gate that refused: exit code 3.
type GateError struct {
	// What was refused, such as "the handoff".
	What string
	// Failures say why, Hints how to go on.
	Failures []string
	Hints    []string
}

// Error lists the failures, one a line.
func (e *GateError) Error() string {
	lines := []string{e.What + " does not pass its gate:"}
	for _, failure := range e.Failures {
		lines = append(lines, "  - "+failure)
	}
	return strings.Join(append(lines, e.Hints...), "\n")
}

// AgentError reports that the last agent that ran failed: exit code 4.
type AgentError struct{ Text string }

// Error implements error.
func (e *AgentError) Error() string { return e.Text }

// InterruptedError reports work that a signal ended: exit code 128 and the
// signal's number.
type InterruptedError struct {
	Signal int
	Text   string
}

// Error implements error.
func (e *InterruptedError) Error() string { return e.Text }

// The exit codes of baton.
const (
	ExitDone   = 0
	ExitFailed = 1
	ExitUsage  = 2
	ExitGate   = 3
	ExitAgent  = 4
	ExitBusy   = 5
)

// ExitCode is the exit code that an error makes.
func ExitCode(err error) int {
	var (
		use         *UsageError
		gate        *GateError
		agent       *AgentError
		busy        *BusyError
		interrupted *InterruptedError
	)
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &interrupted):
		return 128 + interrupted.Signal
	case errors.As(err, &busy):
		return ExitBusy
	case errors.As(err, &gate):
		return ExitGate
	case errors.As(err, &agent):
		return ExitAgent
	case errors.As(err, &use):
		return ExitUsage
	}
	return ExitFailed
}

// Advice says what to do about an error that does not say so itself: a session that
// is in use, a file that could not be read or written. It is empty for every other
// error.
func Advice(err error) string {
	if ExitCode(err) == ExitBusy {
		return "Run the command again when that has ended; 'baton status' tells meanwhile how far it is."
	}
	var failed *fs.PathError
	if ExitCode(err) != ExitFailed || !errors.As(err, &failed) {
		return ""
	}
	return "Mend what keeps that file from being read or written, and run the command again: what was there before stands. 'baton status' tells how far it came."
}

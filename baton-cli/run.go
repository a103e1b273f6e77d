package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
)

// run assembles the program, runs the command that args name and returns the
// exit code.
func run(sig baton.Signals, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	results := &quiet{w: stdout}
	streams := cobracli.Streams{In: stdin, Out: results, Err: &quiet{w: stderr}}
	code := cobracli.Execute(withSignals(sig), assemble(streams), args, streams)
	if code == baton.ExitDone && results.lost() {
		fmt.Fprintf(streams.Err, "%sthe result could not be written: %v\n", prefix, results.fault)
		return baton.ExitFailed
	}
	return code
}

// signalsKey is the key of the signals in a command's context.
type signalsKey struct{}

func withSignals(sig baton.Signals) context.Context {
	return context.WithValue(sig.Stop, signalsKey{}, sig)
}

// signals are those of a command.
func signals(ctx context.Context) baton.Signals {
	sig, ok := ctx.Value(signalsKey{}).(baton.Signals)
	if !ok {
		panic("a command without signals")
	}
	return sig
}

// exit turns what a verb returned into what the program ends with.
func exit(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var signal baton.SignalError
	if errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &signal) {
		err = &baton.InterruptedError{Signal: signal.Number, Text: "interrupted"}
	}
	code := baton.ExitCode(err)
	if advice := baton.Advice(err); advice != "" {
		err = fmt.Errorf("%w\n%s", err, advice)
	}
	return &cobracli.StatusError{Code: code, Err: err}
}

// quiet is a stream whose reader may go away: what is written then is lost, and
// nothing fails.
type quiet struct {
	w     io.Writer
	fault error
}

// Write implements io.Writer.
func (q *quiet) Write(p []byte) (int, error) {
	if q.fault == nil {
		_, q.fault = q.w.Write(p)
	}
	return len(p), nil
}

// lost reports that something kept what was written from a reader who is there,
// such as a full disk.
func (q *quiet) lost() bool { return q.fault != nil && !errors.Is(q.fault, syscall.EPIPE) }

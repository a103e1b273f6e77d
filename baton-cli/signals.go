package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/changeover/changeover/domain/baton"
)

// catchSignals turns the signals that end a program into contexts: the first one
// asks the work to stop, a second interrupt lets it take no time over that. A
// reader of the output that has gone away ends nothing.
func catchSignals() (baton.Signals, func()) {
	caught := make(chan os.Signal, 2)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signal.Notify(caught, syscall.SIGHUP)
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // not ignored: what is ignored, agents would inherit
	stop, ask := context.WithCancelCause(context.Background())
	hurry, push := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-caught:
				if stop.Err() != nil && s == os.Interrupt {
					push()
				}
				if number, ok := s.(syscall.Signal); ok {
					ask(baton.SignalError{Number: int(number)})
				}
			case <-over:
				return
			}
		}
	}()
	return baton.Signals{Stop: stop, Hurry: hurry}, func() {
		signal.Stop(caught)
		close(over)
		ask(nil)
		push()
	}
}

package main

import (
	"errors"
	"io/fs"

	"github.com/changeover/changeover/adapters/proc"
)

// vigil waits for the end of one process; the zero one for nobody's.
type vigil struct {
	pid int
	// told: the system tells of its end, or has told.
	told  bool
	ended <-chan struct{}
	stop  func()
	// ask is the system; this machine's where it is nil.
	ask func(pid int) (ended <-chan struct{}, stop func(), err error)
}

// keep keeps vigil over a process in place of the one before; over nobody for 0. It
// returns whether the system tells of the end; a process that is gone has ended.
func (v *vigil) keep(pid int) (told bool) {
	if pid == v.pid {
		return v.told || pid == 0
	}
	if v.stop != nil {
		v.stop()
	}
	*v = vigil{pid: pid, ask: v.ask}
	if pid == 0 {
		return true
	}
	ask := v.ask
	if ask == nil {
		ask = proc.Vigil
	}
	ended, stop, err := ask(pid)
	switch {
	case err == nil:
		v.told, v.ended, v.stop = true, ended, stop
	case errors.Is(err, fs.ErrNotExist):
		over := make(chan struct{})
		close(over)
		v.told, v.ended = true, over
	}
	return v.told
}

// over forgets an end that was told.
func (v *vigil) over() { v.ended = nil }

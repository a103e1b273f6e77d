package baton

import (
	"errors"
	"time"

	"github.com/changeover/changeover/domain/port"
)

const (
	// receiptPatience is how long a short lock is waited for.
	receiptPatience = 2 * time.Second
	lockPoll        = 20 * time.Millisecond
)

// wait takes a lock that others hold for moments only.
func (w World) wait(file string, patience time.Duration) (port.Lock, error) {
	until := w.Clock.Now().Add(patience)
	for {
		lock, err := w.Locks.TryLock(file, fileMode)
		if !errors.Is(err, port.ErrLocked) || !w.Clock.Now().Before(until) {
			return lock, err
		}
		w.pause(lockPoll)
	}
}

// pause lets a short time pass.
func (w World) pause(d time.Duration) {
	over := make(chan struct{})
	w.Alarms(d, func() { close(over) })
	<-over
}

// lives says whether a process still runs. One whose start nobody can tell counts
// as alive where its number does.
func (w World) lives(p Process) bool {
	if !w.Processes.Alive(p.PID) {
		return false
	}
	start, err := w.Processes.Started(p.PID)
	return err != nil || p.Start == "" || start.Token == p.Start
}

// process is a process of now, with its start where that can be told.
func (w World) process(pid int) Process {
	p := Process{PID: pid}
	if start, err := w.Processes.Started(pid); err == nil {
		p.Start = start.Token
	}
	return p
}

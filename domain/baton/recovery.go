package baton

import (
	"fmt"
	"time"
)

// Recovery is what has to be done about a process that died at work. Its session
// is failed already.
type Recovery struct {
	// Was is the status in which it died.
	Was Status
	// Agent is an agent of it that still lives and is ended first; nil for none.
	Agent *HeldAgent
	// Restore: raw copies whose live counterpart is missing or empty are put
	// back, for it died while compressing.
	Restore bool
	// Warning tells the person.
	Warning string
}

// Recover judges a session by the holder that its lock file names, after the lock
// was taken: work that is claimed then was left by a process that died. It
// returns nil where nothing was.
func (m SessionMeta) Recover(holder *Holder, lives func(Process) bool, now time.Time) (SessionMeta, *Recovery, error) {
	was := m.status
	if !was.Active() {
		return m.StopWaiting(), nil, nil
	}
	at := was
	if was == Compressing && m.before != "" {
		at = m.before
	}
	m, err := m.Break(fmt.Sprintf("interrupted: the baton process that was %s ended before its work did", at), now)
	if err != nil {
		return m, nil, err
	}
	r := &Recovery{Was: was, Restore: was == Compressing}
	r.Warning = fmt.Sprintf("the last baton process was interrupted while the session was %s; the session is failed now", was)
	if holder != nil && holder.Agent != nil && lives(holder.Agent.Process) {
		r.Agent = holder.Agent
		r.Warning += fmt.Sprintf("; its agent %s, process %d, still ran and is ended", r.Agent.ID, r.Agent.PID)
	}
	return m, r, nil
}

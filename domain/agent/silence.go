package agent

import "time"

// Silence measures how long an agent has said nothing. It runs anew with every
// event but a retry notice, and stands still while a tool call is open. It looks
// at no clock: it is told what was heard and when.
type Silence struct {
	limit time.Duration
	last  time.Time
	open  map[string]call
}

// NewSilence begins to measure at an instant. A limit of 0 is none.
func NewSilence(limit time.Duration, begin time.Time) *Silence {
	return &Silence{limit: limit, last: begin, open: map[string]call{}}
}

// Heard takes in what was heard at an instant.
func (s *Silence) Heard(e *Event, at time.Time) {
	if e.retry == nil {
		s.Sign(at)
	}
	if e.proceeds {
		// The model goes on: what it asked for in an earlier message is over,
		// though some of it may never have been answered.
		for id, c := range s.open {
			if c.parent == "" && c.turn != e.turn {
				delete(s.open, id)
			}
		}
	}
	for _, c := range e.opened {
		s.open[c.id] = c
	}
	for _, c := range e.closed {
		delete(s.open, c.id)
	}
	if e.end != nil {
		clear(s.open)
	}
}

// Sign takes in a sign of life at an instant.
func (s *Silence) Sign(at time.Time) { s.last = at }

// Deadline returns when the silence becomes too long if nothing else is heard;
// ok is false where it is not measured at the moment.
func (s *Silence) Deadline() (at time.Time, ok bool) {
	if s.limit <= 0 || len(s.open) > 0 {
		return time.Time{}, false
	}
	return s.last.Add(s.limit), true
}

// Over tells whether the silence is too long at an instant.
func (s *Silence) Over(now time.Time) bool {
	at, ok := s.Deadline()
	return ok && !now.Before(at)
}

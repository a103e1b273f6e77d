package relay

import "slices"

// turn says what became of what a side's last turn said.
func (q *inquiry) turn(role Role) {
	s := q.state
	if s.Phase != Running {
		return
	}
	d := s.sides[role]
	values := []string{"role", string(role), "who", s.Label(role)}
	shown, unended := s.unended(role)
	switch {
	case unended && role == s.WhoseTurn():
		cause := TurnRuns
		interrupted, err := q.o.interrupted(s)
		if err != nil {
			q.fault(TurnThing, err)
		}
		if interrupted {
			cause = TurnInterrupted
		}
		if _, open := s.openTurn(role); !open && d.lost.Seq > 0 {
			cause = TurnFailed
		}
		q.add(TurnThing, "", cause, append(values, "time", stamp(shown))...)
	case len(d.records) > 0:
		last := d.records[len(d.records)-1]
		q.add(TurnThing, "", q.recorded(role, last), values...)
	case d.lost.Seq > 0:
		q.add(TurnThing, "", TurnFailed, values...)
	}
}

// recorded is what became of a turn's end.
func (q *inquiry) recorded(role Role, r record) Cause {
	s := q.state
	held := slices.ContainsFunc(s.Pauses(), func(p Pause) bool { return p.Role == role && p.Of == r.Seq })
	switch {
	case r.void, s.sides[role].lost.Seq > r.Seq:
		return TurnFailed
	case held:
		return TurnEcho
	case s.sides[role].aside == r.Seq:
		return TurnAside
	case r.used:
		return TurnSent
	case r.Unclosed && r.Text == "":
		return TurnUnclosed
	case r.Text == "" && !r.HasDone:
		return TurnWithout
	case r.Waiting:
		return TurnWaits
	}
	return TurnUnsent
}

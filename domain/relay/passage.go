package relay

import "time"

// Passage is a delivery with the times of its way. A time that is not known is
// zero.
type Passage struct {
	Tracked
	// ShownAt is when it entered its receiver's model.
	ShownAt time.Time
	// AnsweredAt is when its receiver sent what came of it.
	AnsweredAt time.Time
}

// Passages returns the deliveries of the present goal of both sides, round by
// round.
func (s State) Passages() []Passage {
	all := s.all()
	passages := make([]Passage, len(all))
	for i, t := range all {
		passages[i] = Passage{Tracked: t}
		if at, ok := s.shownAt(t); ok {
			passages[i].ShownAt = at
		}
		for _, later := range all[i+1:] {
			if later.From == t.To && !later.Corrects {
				passages[i].AnsweredAt = later.Event.At
				break
			}
		}
	}
	return passages
}

// Wait is how long it lay before it was shown; 0 where that is not known.
func (p Passage) Wait() time.Duration { return between(p.Event.At, p.ShownAt) }

// Turn is how long its receiver worked on it; 0 where that is not known.
func (p Passage) Turn() time.Duration { return between(p.ShownAt, p.AnsweredAt) }

// between is never negative: clocks are put back.
func between(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(0, to.Sub(from))
}

// Waits reports a delivery that has not reached its model yet.
func (p Passage) Waits() bool { return p.Receipt == Queued || p.Receipt == Taken }

package relay

import (
	"fmt"
	"slices"
	"time"

	"github.com/changeover/changeover/domain/session"
)

// longestSilence is how long a client may do nothing, with a delivery that it was
// given, before that is offered once more. Nothing proves then that it has lost it:
// a dialog may be open. So each further time takes twice as long, and the gate
// keeps what comes twice from the model.
const (
	longestSilence = 30 * time.Second
	mostDoublings  = 6
)

// free puts back what was claimed and can never be shown: the process in whose
// hands it is has ended, or its person has left the conversation in between. A
// process that wakes a session keeps the delivery in its own hands until the client
// has the text, so what a dead one holds was shown to nobody. What the client was
// given and by all signs lost goes back too.
func (o Operator) free(s State, role Role) error {
	for _, box := range s.Stranded(role) {
		gone := s.HasLeft(role) || !o.lives(box.PID, box.Start)
		back := gone
		if !box.HandedAt.IsZero() && (gone || o.idles(s, role, box)) {
			// Whether it was shown all the same may come out yet.
			var err error
			if back, err = o.offer(s, role, box, gone); err != nil {
				return err
			}
		}
		if !back {
			continue
		}
		if err := o.putBack(s.Link, role, box); err != nil {
			return err
		}
	}
	return nil
}

// offer notes that a delivery which a client was given is given once more; gone:
// to another one. It does not stand where the delivery was shown meanwhile.
func (o Operator) offer(s State, role Role, box Box, gone bool) (stands bool, err error) {
	offered := Event{
		Kind: Offered, From: box.From, Delivery: box.Seq, Copy: box.Copy,
		Detail: fmt.Sprintf("process %d since %d", box.PID, box.HandedAt.UnixMilli()),
	}
	if gone {
		offered.Reason = PeerGone
	}
	_, _, err = o.decide(s.Link, role, func(s State) (Decision, error) {
		t, ok := s.Find(role, box.From, box.Seq, box.Copy)
		if stands = ok && t.Receipt == Taken; !stands {
			return Decision{}, nil
		}
		if slices.ContainsFunc(s.sides[role].offered, func(e Event) bool {
			return e.isOf(t.Delivery) && e.Detail == offered.Detail && e.Reason == offered.Reason
		}) {
			return Decision{}, nil
		}
		return did(offered), nil
	})
	return stands, err
}

// idles reports that the client which was given a delivery has done nothing since
// for as long as it may. A registry that cannot be read tells nothing of it.
func (o Operator) idles(s State, role Role, box Box) bool {
	wait := longestSilence << min(s.offers(role, box.From, box.Seq, box.Copy), mostDoublings)
	now := o.Clock.Now()
	// A clock that was put back since tells nothing: then the registry alone does.
	if handed := now.Sub(box.HandedAt); handed >= 0 && handed < wait {
		return false
	}
	registry, err := o.registry()
	if err != nil {
		return false
	}
	row, ok := registry.Lookup(s.Party(role).Session)
	return ok && row.State == session.Live && row.PID == box.PID && row.Status == "idle" &&
		!row.StatusAt.IsZero() && now.Sub(row.StatusAt) >= wait
}

// offers returns how often a delivery was given once more to a client that may show
// it twice.
func (s State) offers(to, from Role, seq, copied int) int {
	n := 0
	for _, e := range s.sides[to].offered {
		if e.From == from && e.Delivery == seq && e.Copy == copied && e.Reason == "" {
			n++
		}
	}
	return n
}

// wasOffered reports a delivery that a client was given before.
func (s State) wasOffered(to Role, d Delivery) bool {
	return slices.ContainsFunc(s.sides[to].offered, func(e Event) bool { return e.isOf(d) })
}

// isOf reports an event about a delivery.
func (e Event) isOf(d Delivery) bool {
	return e.From == d.From && e.Delivery == d.Seq && e.Copy == d.Copy
}

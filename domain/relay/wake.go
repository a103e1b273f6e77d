package relay

import (
	"errors"
)

// Claim takes the oldest delivery for a side, checked; what must not enter the
// model is refused and the next one tried. ok tells whether there is one; more,
// whether others wait.
func (o Operator) Claim(m Member, holder Attachment) (d Delivery, ok, more bool, err error) {
	for range maxTries {
		s, err := o.state(m.Link)
		if err != nil {
			return d, false, false, err
		}
		boxes := s.Claimable(m.Role)
		if len(boxes) == 0 {
			return d, false, false, nil
		}
		d, err = o.Store.Claim(m.Link, m.Role, boxes[0], holder)
		if errors.Is(err, ErrTaken) {
			continue
		}
		reason := Unexpected
		if err == nil {
			// What says that it was sent may have been written since.
			if s, err = o.state(m.Link); err != nil {
				return d, false, false, err
			}
			reason = s.Check(m.Role, d)
		}
		if reason == "" {
			return d, true, len(boxes) > 1, nil
		}
		if _, _, err := o.decide(m.Link, m.Role, func(now State) (Decision, error) {
			return now.Refuse(m.Role, boxes[0], reason, ""), nil
		}); err != nil {
			return d, false, false, err
		}
	}
	return d, false, false, nil
}

// Waits tells whether something waits for a session that nobody is attached to.
func (o Operator) Waits(id string) (bool, error) {
	m, err := o.member(id)
	if err != nil || m.Link == "" || o.attached(id) {
		return false, err
	}
	s, err := o.state(m.Link)
	return len(s.Claimable(m.Role)) > 0, err
}

// Bell claims the oldest delivery and wakes the session with it, where the path
// is its bell and nobody is attached.
func (o Operator) Bell(in HookInput, path string) (Reply, error) {
	if path != o.Store.BellPath(in.SessionID) || !in.Interactive {
		return Reply{}, nil
	}
	return o.wake(in)
}

func (o Operator) wake(in HookInput) (Reply, error) {
	m, err := o.member(in.SessionID)
	if err != nil || m.Link == "" || o.attached(in.SessionID) {
		return Reply{}, err
	}
	d, ok, more, err := o.Claim(m, Attachment{PID: in.PID, Start: in.Start})
	if err != nil || !ok {
		return Reply{}, err
	}
	s, err := o.state(m.Link)
	if err != nil {
		return Reply{}, err
	}
	if more {
		err = o.Store.Ring(in.SessionID)
	}
	return Reply{Wake: d.Prompt(CatalogueOf(s.Lang(m.Role)))}, err
}

// Pending wakes a session that starts with what waits for it, unless it is
// attached by then: the caller has given that time.
func (o Operator) Pending(in HookInput) (Reply, error) {
	if !in.Interactive {
		return Reply{}, nil
	}
	return o.wake(in)
}

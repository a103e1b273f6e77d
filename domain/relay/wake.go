package relay

import "slices"

// Waits tells whether something waits for a session that nobody is attached to.
func (o Operator) Waits(id string) (bool, error) {
	m, err := o.member(id)
	if err != nil || m.Link == "" || o.attached(id) {
		return false, err
	}
	s, err := o.state(m.Link)
	if err != nil {
		return false, err
	}
	// What a client had that has ended waits too, whether or not the start of its
	// successor has put it back yet.
	return len(s.Claimable(m.Role)) > 0 || slices.ContainsFunc(s.Stranded(m.Role), func(box Box) bool {
		return s.HasLeft(m.Role) || !o.lives(box.PID, box.Start)
	}), nil
}

// Bell claims the oldest delivery and wakes the session with it, where the path
// is its bell and nobody is attached.
func (o Operator) Bell(in HookInput, path string) (Reply, error) {
	if path != o.Store.BellPath(in.SessionID) || !in.Interactive {
		return Reply{}, nil
	}
	return o.wake(in)
}

// Pending wakes a session that starts with what waits for it, unless it is
// attached by then: the caller has given that time.
func (o Operator) Pending(in HookInput) (Reply, error) {
	if !in.Interactive {
		return Reply{}, nil
	}
	return o.wake(in)
}

func (o Operator) wake(in HookInput) (Reply, error) {
	m, err := o.member(in.SessionID)
	if err != nil || m.Link == "" || o.attached(in.SessionID) {
		return Reply{}, err
	}
	s, err := o.state(m.Link)
	if err != nil {
		return Reply{}, err
	}
	if s, err = o.catchUp(s, m, in, present{comes: true}); err != nil {
		return Reply{}, err
	}
	// What an earlier hook was killed with comes before what waits behind it.
	if err := o.free(s, m.Role); err != nil {
		return Reply{}, err
	}
	c, ok, err := o.Claim(m)
	if err != nil || !ok {
		return Reply{}, err
	}
	r := Reply{
		Wake: c.Prompt(CatalogueOf(s.Lang(m.Role))), Claimed: c, Client: Attachment{PID: in.PID, Start: in.Start},
	}
	if c.More {
		err = o.Store.Ring(in.SessionID)
	}
	return r, err
}

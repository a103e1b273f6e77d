package relay

import "errors"

// Claimed is a delivery in the hands of the process that has claimed it. That
// process hands it over to whoever shows it, or puts it back.
type Claimed struct {
	Delivery
	// More: others wait behind it.
	More bool

	link string
	role Role
	box  Box
}

// Claim takes the oldest delivery for a side, checked, for this process; what must
// not enter the model is refused and the next one tried. ok tells whether there is
// one.
func (o Operator) Claim(m Member) (c Claimed, ok bool, err error) {
	for range maxTries {
		s, err := o.state(m.Link)
		if err != nil {
			return Claimed{}, false, err
		}
		boxes := s.Claimable(m.Role)
		if len(boxes) == 0 {
			return Claimed{}, false, nil
		}
		c, ok, err = o.take(m, boxes[0])
		if errors.Is(err, ErrTaken) || err == nil && !ok {
			continue
		}
		c.More = len(boxes) > 1
		return c, ok, err
	}
	return Claimed{}, false, nil
}

// take claims one box. Not ok, and no error: what lay in it was refused.
func (o Operator) take(m Member, box Box) (c Claimed, ok bool, err error) {
	self := o.self()
	c.link, c.role, c.box = m.Link, m.Role, box
	c.box.Taken, c.box.PID, c.box.Start = true, self.PID, self.Start
	c.Delivery, err = o.Store.Claim(m.Link, m.Role, box, self)
	unusable := errors.Is(err, ErrUnusable)
	if err != nil && !unusable {
		return Claimed{}, false, err
	}
	// What says that it was sent may have been written since the box was found.
	reason := Unexpected
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		if !unusable {
			reason = s.Check(m.Role, c.Delivery)
		}
		if reason == "" {
			return Decision{}, nil
		}
		return s.Refuse(m.Role, box, reason, ""), nil
	})
	if err != nil {
		return Claimed{}, false, errors.Join(err, o.PutBack(c))
	}
	return c, reason == "", nil
}

// HandOver gives a delivery to the process that shows it: ErrTaken where it is not
// this process's any more. What comes after it cannot be observed, so it is the
// last step before that process gets the text: whatever is still in the hands of a
// dead process was shown to nobody.
func (o Operator) HandOver(c Claimed, client Attachment) error {
	return o.Store.HandOver(c.link, c.role, c.box, client, o.Clock.Now())
}

// TakeBack gives a delivery up that was handed over to a process which did not get
// its text after all.
func (o Operator) TakeBack(c Claimed, client Attachment) error {
	s, err := o.state(c.link)
	if err != nil {
		return err
	}
	for _, box := range s.Stranded(c.role) {
		if box.sendable() == c.box.sendable() && box.PID == client.PID && box.Start == client.Start {
			return o.putBack(c.link, c.role, box)
		}
	}
	return nil
}

// PutBack gives a delivery up that was not handed over.
func (o Operator) PutBack(c Claimed) error { return o.putBack(c.link, c.role, c.box) }

func (o Operator) putBack(link string, role Role, box Box) error {
	if err := o.Store.Release(link, role, box); err != nil && !errors.Is(err, ErrTaken) {
		return err
	}
	return nil
}

// self is this process.
func (o Operator) self() Attachment {
	pid := o.Machine.Self()
	start, err := o.Processes.Started(pid)
	if err != nil {
		return Attachment{PID: pid}
	}
	return Attachment{PID: pid, Start: start.Token}
}

package relay

import (
	"cmp"
	"math"
	"slices"
)

// Tracked is a delivery with how far it has come.
type Tracked struct {
	Delivery
	Receipt Receipt
	// Event is the number of the event that made it.
	Event Event
}

// receiver returns whose model a side's deliveries are for: the goal goes to the
// planner itself.
func receiver(role Role, e Event) (from, to Role) {
	if e.Kind == GoalSet {
		return Person, Planner
	}
	return role, role.Other()
}

// Deliveries returns everything that a side has sent to either model, in order.
func (s State) Deliveries(role Role) []Tracked { return slices.Clone(s.tracked[role]) }

// track works out how far every delivery has come.
func (s *State) track() {
	s.tracked = map[Role][]Tracked{}
	for _, role := range []Role{Planner, Builder} {
		for _, d := range s.sides[role].sent {
			tracked := Tracked{Delivery: s.delivery(role, d), Event: d.Event}
			tracked.Receipt = s.receipt(role, d, tracked.Delivery)
			s.tracked[role] = append(s.tracked[role], tracked)
		}
	}
}

func (s State) delivery(role Role, d sent) Delivery {
	from, to := receiver(role, d.Event)
	return Delivery{
		Link: s.Link, Nonce: s.Nonce, From: from, To: to, Seq: d.Seq, Copy: s.copies(to, from, d.Seq),
		Round: d.Round, Text: d.Text, Digest: d.Digest, Corrects: d.Corrects,
	}
}

// copies returns how often a delivery was ordered to be shown again.
func (s State) copies(to, from Role, seq int) int {
	n := 0
	for _, e := range s.sides[to].again {
		if e.From == from && e.Delivery == seq {
			n = max(n, e.Copy)
		}
	}
	return n
}

func (s State) receipt(role Role, d sent, delivery Delivery) Receipt {
	to := s.sides[delivery.To]
	same := func(e Event) bool {
		return e.From == delivery.From && e.Delivery == delivery.Seq && e.Copy == delivery.Copy
	}
	switch {
	case s.shownBefore(delivery.To, delivery, math.MaxInt) && s.isAnswered(delivery):
		return Answered
	case to.wasDropped(same):
		return WasRefuse
	case slices.ContainsFunc(to.shown, same):
		return WasShown
	case slices.ContainsFunc(to.refused, same):
		return WasRefuse
	case d.epoch != s.epoch(): // of a goal that a newer one has replaced
		return WasBack
	case s.lies(delivery, true):
		if s.lives != nil && !s.isHeld(delivery) {
			return Unknown
		}
		return Taken
	case s.isCorrected(role, d):
		return WasBack
	}
	return Queued
}

// wasDropped reports a delivery that the gate let through and another hook or
// plugin kept from the model all the same.
func (d *side) wasDropped(same func(Event) bool) bool {
	return slices.ContainsFunc(d.refused, func(e Event) bool { return e.Reason == Dropped && same(e) })
}

// lies reports that a delivery lies with its receiver, taken or not.
func (s State) lies(d Delivery, taken bool) bool {
	return slices.ContainsFunc(s.boxes[d.To], func(box Box) bool {
		return box.From == d.From && box.Seq == d.Seq && box.Copy == d.Copy && box.Taken == taken
	})
}

// Judged returns the state as it is shown: what was claimed for a process that
// has ended since is not known to be anywhere.
func (s State) Judged(lives func(pid int, start string) bool) State {
	s.lives = lives
	s.track()
	return s
}

// isHeld reports that the process lives for which a delivery was claimed.
func (s State) isHeld(d Delivery) bool {
	return slices.ContainsFunc(s.boxes[d.To], func(box Box) bool {
		return box.From == d.From && box.Seq == d.Seq && box.Copy == d.Copy && box.Taken && s.lives(box.PID, box.Start)
	})
}

// isCorrected reports that a later delivery stands in for one.
func (s State) isCorrected(role Role, d sent) bool {
	return slices.ContainsFunc(s.sides[role].sent, func(x sent) bool {
		return x.Corrects && x.Seq > d.Seq && x.Round == d.Round && x.epoch == d.epoch
	})
}

// isAnswered reports that the turn which was shown a delivery, or one that
// corrects it, ended with a block that was sent, or with the word that all is done.
func (s State) isAnswered(d Delivery) bool {
	if e := s.sides[Planner].ended; e != nil && d.To == Planner {
		if d.IsGoal() && e.Answers == 0 && s.epochAt(e.Seq) == d.Seq || d.From == Builder && e.Answers == d.Seq {
			return true
		}
	}
	if d.IsGoal() {
		return slices.ContainsFunc(s.sides[Planner].sent, func(r sent) bool { return r.Kind == Sent && r.epoch == d.Seq })
	}
	this := s.sides[d.From].delivered(d.Seq)
	return slices.ContainsFunc(s.sides[d.To].sent, func(r sent) bool {
		if r.Kind != Sent || r.Answers < d.Seq {
			return false
		}
		answered := s.sides[d.From].delivered(r.Answers)
		return answered.Seq == d.Seq || answered.Seq != 0 && answered.Round == this.Round && answered.epoch == this.epoch
	})
}

// delivered returns what a side has sent under a number.
func (d *side) delivered(seq int) sent {
	if i, ok := d.sentAt[seq]; ok {
		return d.sent[i]
	}
	return sent{}
}

// Missing returns the deliveries of a side that were sent and lie nowhere: its
// sender died before it put them down.
func (s State) Missing(role Role) []Delivery {
	var missing []Delivery
	for _, t := range s.Deliveries(role) {
		if t.Receipt == Queued && !s.lies(t.Delivery, false) {
			missing = append(missing, t.Delivery)
		}
	}
	return missing
}

// incoming returns the deliveries for a side's model.
func (s State) incoming(to Role) []Tracked {
	all := s.Deliveries(to.Other())
	if to == Planner {
		all = append(s.goalDeliveries(), all...)
	}
	return slices.DeleteFunc(all, func(t Tracked) bool { return t.To != to })
}

func (s State) goalDeliveries() []Tracked {
	return slices.DeleteFunc(s.Deliveries(Planner), func(t Tracked) bool { return !t.IsGoal() })
}

// Find returns the delivery for a side that a box holds.
func (s State) Find(to, from Role, seq, copied int) (Tracked, bool) {
	t := s.find(to, from, seq)
	if t == nil || t.Copy != copied {
		return Tracked{}, false
	}
	return *t, true
}

// find is Find for whatever copy is the last; nil where nothing was sent.
func (s State) find(to, from Role, seq int) *Tracked {
	for _, all := range s.tracked {
		for i := range all {
			if t := &all[i]; t.To == to && t.From == from && t.Seq == seq {
				return t
			}
		}
	}
	return nil
}

// Check returns why a delivery that came must not reach the model; empty where
// it may.
func (s State) Check(to Role, d Delivery) Reason {
	switch {
	case d.Link != s.Link || d.Nonce != s.Nonce || s.Nonce == "":
		return BadNonce
	case d.Digest != Digest(d.Text):
		return BadDigest
	}
	expected, ok := s.Find(to, d.From, d.Seq, d.Copy)
	if !ok || expected.Digest != d.Digest || expected.Round != d.Round {
		return Unexpected
	}
	if expected.Receipt != Queued && expected.Receipt != Taken {
		return Unexpected
	}
	return ""
}

// Enter finds the claimed delivery that a prompt is.
func (s State) Enter(to Role, prompt string) (Delivery, bool) {
	return s.claimed(to, prompt, func(t Tracked) bool { return s.Open() && t.Receipt == Taken })
}

// Late finds the claimed delivery that a prompt is and that does not count any
// more: its goal was replaced, its link has ended, or its round was answered
// before it was shown again.
func (s State) Late(to Role, prompt string) (Delivery, bool) {
	return s.claimed(to, prompt, func(t Tracked) bool {
		same := func(e Event) bool { return e.From == t.From && e.Delivery == t.Seq && e.Copy == t.Copy }
		over := t.Receipt == WasBack || t.Receipt == Answered || t.Receipt == Taken && !s.Open()
		return over && s.lies(t.Delivery, true) &&
			!slices.ContainsFunc(s.sides[to].shown, same) && !slices.ContainsFunc(s.sides[to].refused, same)
	})
}

func (s State) claimed(to Role, prompt string, counts func(Tracked) bool) (Delivery, bool) {
	c := CatalogueOf(s.Lang(to))
	for _, t := range s.incoming(to) {
		if counts(t) && t.Enters(prompt, c) {
			return t.Delivery, true
		}
	}
	return Delivery{}, false
}

// Claimable returns the boxes of a side that may be claimed now, the oldest
// first; none while the link is paused or over. What nobody sent is among them:
// whoever claims it refuses it.
func (s State) Claimable(to Role) []Box {
	if !s.Open() || s.Phase == IsDone || len(s.Pauses()) > 0 {
		return nil
	}
	var boxes []Box
	for _, box := range s.boxes[to] {
		if box.Taken || s.isOld(to, box) {
			continue
		}
		if t, sent := s.Find(to, box.From, box.Seq, box.Copy); !sent || t.Receipt == Queued {
			boxes = append(boxes, box)
		}
	}
	slices.SortFunc(boxes, func(a, b Box) int {
		switch {
		case a.From == b.From:
			return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Copy, b.Copy))
		case a.From == Person:
			return -1
		case b.From == Person:
			return 1
		}
		return cmp.Compare(a.From, b.From)
	})
	return boxes
}

// Litter returns the boxes that wait for a side and will never be claimed: what
// lies in them was shown, refused or taken back, or is ordered to be shown again
// in another.
func (s State) Litter(to Role) []Box {
	var boxes []Box
	for _, box := range s.boxes[to] {
		if box.Taken {
			continue
		}
		t, sent := s.Find(to, box.From, box.Seq, box.Copy)
		over := sent && t.Receipt != Queued && t.Receipt != Taken && t.Receipt != Unknown
		if over || s.isOld(to, box) {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

// isOld reports a box of a delivery that was ordered to be shown again since.
func (s State) isOld(to Role, box Box) bool {
	t := s.find(to, box.From, box.Seq)
	return t != nil && t.Copy > box.Copy
}

// Refuse notes that a delivery which was claimed did not enter the model. One
// that this side was waiting for pauses the link, and is shown again by whoever
// resumes it. detail is what another program said of it.
func (s State) Refuse(to Role, box Box, reason Reason, detail string) Decision {
	refused := Event{Kind: Refused, From: box.From, Delivery: box.Seq, Copy: box.Copy, Reason: reason}
	t, sent := s.Find(to, box.From, box.Seq, box.Copy)
	switch {
	case !sent:
		return did(refused)
	case t.Receipt == Queued, t.Receipt == Taken, t.Receipt == WasShown && reason == Dropped:
	case slices.ContainsFunc(s.sides[to].refused, func(e Event) bool {
		return e.From == box.From && e.Delivery == box.Seq && e.Copy == box.Copy
	}):
		return Decision{}
	default:
		return did(refused)
	}
	pause := Event{
		Kind: Paused, Reason: NotTaken, Detail: cmp.Or(detail, "why-"+string(reason)),
		From: box.From, Delivery: box.Seq, Copy: box.Copy,
	}
	if s.isPausedBy(to, pause) {
		return did(refused)
	}
	return did(pause, refused)
}

// isPausedBy reports an open pause of a side that says the same.
func (s State) isPausedBy(role Role, e Event) bool {
	return slices.ContainsFunc(s.Pauses(), func(p Pause) bool {
		return p.Role == role && p.Reason == e.Reason && p.From == e.From && p.Delivery == e.Delivery && p.Copy == e.Copy
	})
}

// Stranded returns the boxes of a side that were claimed and never shown.
func (s State) Stranded(to Role) []Box {
	var boxes []Box
	for _, box := range s.boxes[to] {
		if t, ok := s.Find(to, box.From, box.Seq, box.Copy); box.Taken && ok && t.Receipt == Taken {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

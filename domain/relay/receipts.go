package relay

import "slices"

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
func (s State) Deliveries(role Role) []Tracked {
	var all []Tracked
	for _, d := range s.sides[role].sent {
		tracked := Tracked{Delivery: s.delivery(role, d), Event: d.Event}
		tracked.Receipt = s.receipt(role, d, tracked.Delivery)
		all = append(all, tracked)
	}
	return all
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
	case slices.Contains(s.sides[role].withdrawn, d.Seq):
		return WasBack
	case s.isAnswered(delivery):
		return Answered
	case slices.ContainsFunc(to.shown, same):
		return WasShown
	case slices.ContainsFunc(to.refused, same):
		return WasRefuse
	}
	for _, box := range s.boxes[delivery.To] {
		if box.From == delivery.From && box.Seq == delivery.Seq && box.Copy == delivery.Copy && box.Taken {
			return Taken
		}
	}
	return Queued
}

// isAnswered reports that the turn which was shown a delivery ended with a
// block that was sent.
func (s State) isAnswered(d Delivery) bool {
	switch d.From {
	case Planner:
		return slices.ContainsFunc(s.sides[Builder].sent, func(r sent) bool { return r.Answers == d.Seq })
	case Builder:
		return slices.ContainsFunc(s.sides[Planner].sent, func(r sent) bool { return r.Kind == Sent && r.Answers == d.Seq })
	default:
		return slices.ContainsFunc(s.sides[Planner].sent, func(r sent) bool { return r.Kind == Sent && r.epoch == d.Seq })
	}
}

// box finds the box in which a delivery lies.
func (s State) box(d Delivery) (Box, bool) {
	for _, box := range s.boxes[d.To] {
		if box.From == d.From && box.Seq == d.Seq && box.Copy == d.Copy {
			return box, true
		}
	}
	return Box{}, false
}

// Missing returns the deliveries of a side that were sent and lie nowhere: its
// sender died before it put them down.
func (s State) Missing(role Role) []Delivery {
	var missing []Delivery
	for _, t := range s.Deliveries(role) {
		if _, lies := s.box(t.Delivery); !lies && t.Receipt == Queued {
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
	for _, t := range s.incoming(to) {
		if t.From == from && t.Seq == seq && t.Copy == copied {
			return t, true
		}
	}
	return Tracked{}, false
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
	c := CatalogueOf(s.Lang(to))
	for _, t := range s.incoming(to) {
		if t.Receipt == Taken && t.Enters(prompt, c) {
			return t.Delivery, true
		}
	}
	return Delivery{}, false
}

// Claimable returns the boxes of a side that may be claimed now, the oldest
// first; none while the link is paused or over.
func (s State) Claimable(to Role) []Box {
	if !s.Open() || len(s.Pauses()) > 0 {
		return nil
	}
	var boxes []Box
	for _, box := range s.boxes[to] {
		if !box.Taken {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

// Stranded returns the boxes of a side that were claimed for another process
// than the one given and never shown.
func (s State) Stranded(to Role) []Box {
	var boxes []Box
	for _, box := range s.boxes[to] {
		if t, ok := s.Find(to, box.From, box.Seq, box.Copy); box.Taken && ok && t.Receipt == Taken {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

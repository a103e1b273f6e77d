package relay

import (
	"slices"
	"strings"
)

// Transcript is what the client has written down of a session. It lags behind the
// conversation, and tells nothing where it cannot be read.
type Transcript interface {
	// Turn returns the id of the last prompt that a program put into the
	// conversation and that a func takes for its own. patiently: it is looked for
	// until the file can lag no longer.
	Turn(isOwn func(id, prompt string) bool, patiently bool) (id string, ok bool)

	// Endings returns what the turns ended with, from the one on that a prompt
	// began, as far as that is there whole.
	Endings(id string) []Turn
}

// present is the prompt of the hook that looks back: it handles that one itself.
type present struct {
	id, prompt string
	// ends: its turn ends, so that it entered before.
	ends bool
	// comes: a delivery is about to come, so that every turn before it is dealt
	// with.
	comes bool
	// patiently is as Transcript has it.
	patiently bool
}

// decideCaughtUp is decide, after a look back where there is reason for one.
func (o Operator) decideCaughtUp(m Member, in HookInput, now present, make func(State) (Decision, error)) (State, Decision, error) {
	behind := false
	s, d, err := o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		if behind = in.Transcript != nil && s.isBehind(m.Role, now); behind {
			return Decision{}, nil
		}
		return make(s)
	})
	if err != nil || !behind {
		return s, d, err
	}
	if _, err := o.catchUp(s, m, in, now); err != nil {
		return s, Decision{}, err
	}
	return o.decide(m.Link, m.Role, make)
}

// isBehind reports that a hook may have been killed before it noted something: what
// was given to the client and not shown, or what this side's turns ended with since
// it was shown a delivery, where it is to act.
func (s State) isBehind(role Role, now present) bool {
	if len(s.unheard(role, now)) > 0 {
		return true
	}
	shown, ok := s.lastShown(role)
	_, enters := s.Enter(role, now.prompt)
	return ok && shown.Prompt != now.id && !enters && !now.comes && s.Phase == Running && s.WhoseTurn() == role
}

// lastShown returns the event of the last delivery that a side was shown.
func (s State) lastShown(role Role) (Event, bool) {
	shown := s.sides[role].shown
	if len(shown) == 0 {
		return Event{}, false
	}
	return shown[len(shown)-1], true
}

// catchUp notes what a hook that was killed could not: that a delivery entered a
// turn, and what a turn ended with. The client goes on without such a hook, so its
// transcript alone knows. The link is returned as it stands then.
func (o Operator) catchUp(s State, m Member, in HookInput, now present) (State, error) {
	if in.Transcript == nil || !s.isBehind(m.Role, now) {
		return s, nil
	}
	for _, t := range s.unheard(m.Role, now) {
		if err := o.catchEntry(s, m, t, in, now); err != nil {
			return s, err
		}
	}
	s, err := o.state(m.Link)
	if err != nil {
		return s, err
	}
	return o.catchEnd(s, m, in, now)
}

// catchEntry notes that a delivery entered a turn.
func (o Operator) catchEntry(s State, m Member, t Tracked, in HookInput, now present) error {
	c := CatalogueOf(s.Lang(m.Role))
	id, ok := in.Transcript.Turn(func(id, prompt string) bool {
		return (now.ends || id != now.id) && t.Enters(prompt, c) && !s.accounts(m.Role, id, prompt)
	}, now.patiently)
	if !ok {
		return nil
	}
	_, _, err := o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		if now, ok := s.Find(m.Role, t.From, t.Seq, t.Copy); !ok || now.Receipt != Taken && now.Receipt != Queued {
			return Decision{}, nil
		}
		return did(Event{Kind: Shown, From: t.From, Delivery: t.Seq, Copy: t.Copy, Prompt: id}), nil
	})
	return err
}

// catchEnd notes what the turns ended with since a delivery was shown last.
func (o Operator) catchEnd(s State, m Member, in HookInput, now present) (State, error) {
	shown, ok := s.lastShown(m.Role)
	if !ok || shown.Prompt == now.id || now.comes {
		return s, nil
	}
	for _, t := range in.Transcript.Endings(shown.Prompt) {
		if t.Prompt == now.id {
			continue
		}
		var err error
		s, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) {
			d := s.Record(m.Role, t)
			if len(d.Events) > 0 && s.isTold(m.Role, d.Events[0]) {
				return Decision{}, nil
			}
			return d, nil
		})
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// isTold reports that the end of a turn stands in the log as its hook, or the mod,
// told it: the client may have written it down in other pieces.
func (s State) isTold(role Role, e Event) bool {
	return slices.ContainsFunc(s.sides[role].records, func(r record) bool {
		if r.Prompt != e.Prompt {
			return r.Digest == e.Digest && (r.Prompt == "" || strings.HasPrefix(r.Prompt, modTurn))
		}
		return r.Text == e.Text && r.HasDone == e.HasDone
	})
}

// unheard returns the deliveries for a side that its client was given and that it
// has not shown, as far as the log knows. The prompt at hand needs no look back
// where it is such a delivery and was given to the client once.
func (s State) unheard(to Role, now present) []Tracked {
	c := CatalogueOf(s.Lang(to))
	return slices.DeleteFunc(s.incoming(to), func(t Tracked) bool {
		again := s.wasOffered(to, t.Delivery)
		given := again || slices.ContainsFunc(s.boxes[to], func(box Box) bool {
			return box.From == t.From && box.Seq == t.Seq && box.Copy == t.Copy && !box.HandedAt.IsZero()
		})
		return !given || t.Receipt != Taken && t.Receipt != Queued || !again && !now.ends && t.Enters(now.prompt, c)
	})
}

// accounts reports that the log knows of a prompt which was a delivery with that
// text, this one or an earlier one.
func (s State) accounts(to Role, id, prompt string) bool {
	c := CatalogueOf(s.Lang(to))
	return slices.ContainsFunc(s.sides[to].shown, func(e Event) bool {
		if e.Prompt != id {
			return false
		}
		t := s.find(to, e.From, e.Delivery)
		return t != nil && t.Enters(prompt, c)
	})
}

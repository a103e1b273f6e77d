package relay

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// Change is one thing that happened to a link.
type Change struct {
	// Key tells it from every other change of the link.
	Key  string
	At   time.Time
	Side Role
	// Kind is that of the event, or "taken" for a delivery that was claimed.
	Kind string
	// Round is that of the delivery it is about; 0 where it is about none.
	Round int
	// What says it to a person, in one line.
	What string
}

// Changes returns everything that has happened to a link, and where it stands. A
// side's changes are in order; how those of the two sides lie between each other
// is by their times, for showing alone.
func (o Operator) Changes(link string) ([]Change, State, error) {
	log, err := o.Store.Log(link)
	if err != nil {
		return nil, State{}, err
	}
	s := Fold(log)
	var changes []Change
	for _, side := range []Role{Planner, Builder} {
		for _, e := range log.Events[side] {
			changes = append(changes, s.change(side, e))
		}
		for _, box := range log.Boxes[side] {
			if t, ok := s.Find(side, box.From, box.Seq, box.Copy); ok && box.Taken && t.Receipt == Taken {
				changes = append(changes, Change{
					Key: fmt.Sprintf("%s taken %s-%d-%d", side, box.From, box.Seq, box.Copy), At: o.Clock.Now(),
					Side: side, Kind: "taken", Round: t.Round, What: "took " + naming(t.Delivery),
				})
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		if a.Side == b.Side {
			return 0
		}
		return cmp.Compare(a.At.UnixNano(), b.At.UnixNano())
	})
	return changes, s, nil
}

// naming names a delivery in a line.
func naming(d Delivery) string {
	name := fmt.Sprintf("the %s's handoff of round %d", d.From, d.Round)
	if d.IsGoal() {
		name = "the goal"
	}
	if d.Copy > 0 {
		name += " again"
	}
	return name
}

func (s State) change(side Role, e Event) Change {
	c := Change{Key: fmt.Sprintf("%s %d", side, e.Seq), At: e.At, Side: side, Kind: string(e.Kind), Round: e.Round}
	delivery := "a delivery that is not known"
	if t, ok := s.Find(side, e.From, e.Delivery, e.Copy); ok {
		c.Round, delivery = t.Round, naming(t.Delivery)
	}
	reason := CatalogueOf("en").whyOr(e)
	switch e.Kind {
	case Asked:
		c.What = "asked for the link: " + e.Party.Label()
	case Accepted:
		c.What = "accepted: " + e.Party.Label()
	case Declined:
		c.What = "declined the link"
	case Unlinked:
		c.What = "ended the link"
	case GoalSet:
		c.What = "goal: " + first(e.Text)
	case Recorded:
		c.What = "its turn ended without a handoff"
		switch {
		case e.HasDone:
			c.What = "its turn ended: done"
		case e.Text != "":
			c.What = "its turn ended with a handoff"
		}
	case Sent:
		c.What = fmt.Sprintf("sent round %d: %s", e.Round, first(e.Text))
		if e.Corrects {
			c.What = fmt.Sprintf("corrected round %d: %s", e.Round, first(e.Text))
		}
	case Shown:
		c.What = "was shown " + delivery
	case Refused:
		c.What = "refused " + delivery + ": " + reason
	case Paused:
		c.What = "paused: " + reason
	case Resumed:
		c.What = "resumed"
	case Again:
		c.What = "is to be shown its last delivery again"
	case Offered:
		c.What = "gave no sign of " + delivery + ", which is offered once more"
	case Absorbed:
		c.What = "kept out " + delivery + ", which came a second time"
	case Told:
		c.What = "its person was told of what was refused"
	case SetAside:
		c.What = "its handoff was set aside: it was not its turn"
	case Ended:
		c.What = "done: " + first(e.Summary)
	case TurnLost:
		c.What = "its turn ended without counting"
	case Moved:
		c.What = "goes on as " + e.Party.Label()
	case Forgot:
		c.What = "its context no longer holds its role"
	case Left:
		c.What = "its session ended"
	case Conversed:
		c.What = "its agent began a conversation"
	default:
		c.What = string(e.Kind)
	}
	c.What = text.Printable(c.What)
	return c
}

// whyOr words a reason as far as the catalogue knows it.
func (c Catalogue) whyOr(e Event) string {
	if _, known := c.words[Message("why-"+string(e.Reason))]; !known {
		return string(e.Reason)
	}
	return c.Why(e)
}

// Line says the change to a person.
func (c Change) Line() string {
	return fmt.Sprintf("%s  %-7s  %s", c.At.UTC().Format(time.RFC3339), c.Side, c.What)
}

// Document says it to a script. It holds neither nonce nor path.
func (c Change) Document() jsondoc.Object {
	doc := jsondoc.Object{
		{Key: "at", Value: c.At.UTC().Format(time.RFC3339Nano)}, {Key: "side", Value: string(c.Side)}, {Key: "kind", Value: c.Kind},
	}
	if c.Round > 0 {
		doc.Add("round", c.Round)
	}
	return append(doc, jsondoc.Member{Key: "text", Value: c.What})
}

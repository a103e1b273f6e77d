package relay

import (
	"fmt"
	"slices"
	"strings"
)

// cells is the length of the bar in the band.
const cells = 10

// Bar draws how many of the allowed rounds are open: at least one cell once one
// is.
func Bar(round, allowed int) string {
	filled := 0
	if allowed > 0 {
		filled = min(cells, cells*round/allowed)
	}
	filled = max(filled, 0, min(round, 1))
	return strings.Repeat("▰", filled) + strings.Repeat("▱", cells-filled)
}

// Tone tells a terminal how to colour the band.
type Tone string

// The tones of the band.
const (
	ToneAsking  Tone = "asking"
	ToneRunning Tone = "running"
	ToneWaiting Tone = "waiting"
	TonePaused  Tone = "paused"
	ToneDone    Tone = "done"
)

// Band is one line on where a link stands, as one of its sides sees it. peer is
// how the other side is called where it has not joined.
func (s State) Band(self Role, peer string, c Catalogue) (line string, tone Tone) {
	if s.Joined(self.Other()) {
		peer = s.Party(self.Other()).Label()
	}
	where, tone := s.where(self, c)
	return fmt.Sprintf("%s ⇄ %s · %s %d/%d · %s", self, peer, Bar(s.Round(), s.Allowed()), s.Round(), s.Allowed(), where), tone
}

func (s State) where(self Role, c Catalogue) (string, Tone) {
	pauses := s.Pauses()
	switch {
	case s.Phase == IsDeclined:
		return c.Say(WordDeclined), ToneDone
	case s.Phase == IsUnlinked:
		return c.Say(WordUnlinked), ToneDone
	case s.Phase == IsDone:
		return c.Say(WordDone), ToneDone
	case len(pauses) > 0:
		return c.Say(WordPaused, c.Why(pauses[0].Event)), TonePaused
	case s.Phase == Asking:
		return c.Say(WordAsking), ToneAsking
	case s.Phase == Linked:
		return c.Say(WordNoGoal), ToneWaiting
	}
	if s.turnWasLost(s.WhoseTurn()) {
		return c.Say(WordStopped), ToneWaiting
	}
	if turn := s.WhoseTurn(); turn == self {
		return c.Say(WordOwnTurn), ToneRunning
	}
	return c.Say(WordTheirTurn, self.Other()), ToneRunning
}

// WhoseTurn returns the side that is to act.
func (s State) WhoseTurn() Role {
	if _, waiting := s.unansweredStep(false); waiting {
		return Builder
	}
	return Planner
}

// turnWasLost reports that a side's last turn with a delivery in it did not count and
// that no other has ended since.
func (s State) turnWasLost(role Role) bool {
	d := s.sides[role]
	if len(d.shown) == 0 || d.lost.Seq < d.shown[len(d.shown)-1].Seq {
		return false
	}
	return !slices.ContainsFunc(d.records, func(r record) bool { return r.Seq > d.lost.Seq })
}

// Why words the reason of a pause. A detail that the catalogue knows is worded
// too.
func (c Catalogue) Why(e Event) string {
	word := c.Say(Message("why-" + string(e.Reason)))
	detail := e.Detail
	if known, ok := c.words[Message(detail)]; ok {
		detail = known
	}
	if detail = plain(detail, reasonLength); detail != "" {
		word += " (" + detail + ")"
	}
	return word
}

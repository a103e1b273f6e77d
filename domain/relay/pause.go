package relay

import "slices"

// Pause is one pause that nobody has answered.
type Pause struct {
	Ref
	Event
}

// Pauses returns the pauses that nobody has answered and no new goal has
// overtaken, the planner's first.
func (s State) Pauses() []Pause {
	var open []Pause
	for _, role := range []Role{Planner, Builder} {
		for _, p := range s.sides[role].pauses {
			ref := Ref{role, p.Seq}
			if !s.answered(ref) && !slices.Contains(s.sides[Planner].dropped, ref) {
				open = append(open, Pause{Ref: ref, Event: p})
			}
		}
	}
	return open
}

// Held returns the text of the record that a pause holds; empty where none is.
func (s State) Held(p Pause) string { return s.sides[p.Role].recordOf(p.Of).Text }

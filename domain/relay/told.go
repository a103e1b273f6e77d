package relay

// untold returns what a side refused of which its person has not been told. What
// the gate keeps out it says itself, and the client says what another plugin drops.
func (s State) untold(role Role) []Event {
	var events []Event
	for _, e := range s.sides[role].refused {
		if e.Seq > s.sides[role].told && e.Prompt == "" && e.Reason != Dropped {
			events = append(events, e)
		}
	}
	return events
}

// tell returns a line for each delivery that a side refused, once.
func (o Operator) tell(s State, role Role) ([]string, error) {
	if len(s.untold(role)) == 0 {
		return nil, nil
	}
	var news []Event
	s, _, err := o.decide(s.Link, role, func(s State) (Decision, error) {
		if news = s.untold(role); len(news) == 0 {
			return Decision{}, nil
		}
		return did(Event{Kind: Told, Of: news[len(news)-1].Seq}), nil
	})
	if err != nil {
		return nil, err
	}
	c := CatalogueOf(s.Lang(role))
	var lines []string
	for _, e := range news {
		lines = append(lines, c.Say(SayRefusedDelivery, c.Why(Event{Reason: e.Reason})))
	}
	return lines, nil
}

// News returns what a linked session's person should be told, once.
func (o Operator) News(m Member) ([]string, error) {
	s, err := o.state(m.Link)
	if err != nil {
		return nil, err
	}
	return o.tell(s, m.Role)
}

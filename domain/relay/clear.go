package relay

import "errors"

// follow moves what belongs to a session from the id that its process had before
// /clear to the one it has now: its link, and what it was asked.
func (o Operator) follow(m Member, in HookInput) (Member, error) {
	members, _ := o.Store.Members()
	for _, old := range members {
		if old.Session == in.SessionID || old.PID != in.PID || old.Start != in.Start {
			continue
		}
		if err := o.takeAsks(old.Session, in); err != nil {
			return m, err
		}
		if m.Link != "" || old.Link == "" {
			continue
		}
		var err error
		if m, err = o.takeLink(old, in); err != nil {
			return m, err
		}
	}
	return m, nil
}

// takeLink moves a link, unless a person has left its conversation in this process
// for another one: it keeps its link.
func (o Operator) takeLink(old Member, in HookInput) (Member, error) {
	none := Member{Session: in.SessionID}
	s, err := o.state(old.Link)
	if errors.Is(err, ErrNoLink) || err == nil && (!s.Open() || s.HasLeft(old.Role)) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	now := Member{Session: in.SessionID, Link: old.Link, Role: old.Role, PID: in.PID, Start: in.Start}
	// Where the new id has a link by now, somebody made it or moves this one too.
	if err := o.Store.AddMember(now); err != nil && !errors.Is(err, ErrTaken) {
		return none, err
	}
	if known, err := o.member(in.SessionID); err != nil || known.Link != old.Link {
		return known, err
	}
	_, _, err = o.decide(old.Link, old.Role, func(s State) (Decision, error) {
		p := s.Party(old.Role)
		if p.Session == in.SessionID {
			return Decision{}, nil
		}
		p.Session, p.PID, p.Start = in.SessionID, in.PID, in.Start
		return did(Event{Kind: Moved, Party: p}), nil
	})
	if err != nil {
		return now, err
	}
	return now, o.Store.DropMember(old.Session)
}

// takeAsks moves the requests that a session has not answered.
func (o Operator) takeAsks(old string, in HookInput) error {
	links, err := o.Store.Asks(old)
	if err != nil {
		return err
	}
	for _, link := range links {
		s, err := o.state(link)
		if errors.Is(err, ErrNoLink) {
			continue
		}
		if err != nil {
			return err
		}
		if s.Phase != Asking || s.Wanted != old && s.Wanted != in.SessionID {
			continue
		}
		if err := o.Store.PutAsk(in.SessionID, link); err != nil {
			return err
		}
		role := s.Asker.Other()
		_, _, err = o.decide(link, role, func(s State) (Decision, error) {
			if s.Phase != Asking || s.Wanted == in.SessionID {
				return Decision{}, nil
			}
			p := Party{Session: in.SessionID, Name: s.Label(role), Cwd: in.Cwd, PID: in.PID, Start: in.Start}
			return did(Event{Kind: Moved, Party: p}), nil
		})
		if err != nil {
			return err
		}
		if err := o.Store.DropAsk(old, link); err != nil {
			return err
		}
	}
	return nil
}

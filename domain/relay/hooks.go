package relay

import (
	"errors"
	"slices"

	"github.com/changeover/changeover/domain/session"
)

// Reply is relay's part of a hook's answer.
type Reply struct {
	// Block keeps the prompt from the model; Reason tells the person why.
	Block  bool
	Reason string
	// Lines are for the person.
	Lines []string
	// Context is for the model.
	Context string
	// Watch are paths that the client is asked to watch.
	Watch []string
	// Wake is text to wake the session with: exit code 2.
	Wake string
}

// HookInput is what a hook of relay needs of its event.
type HookInput struct {
	session.Event
	// Interactive: the client runs a session that a person sees, and this hook
	// belongs to it.
	Interactive bool
	// PID and Start are the client's process; zero where not known.
	PID   int
	Start string
}

// Start registers the session's process, follows /clear, and asks for a watch of
// the bell.
func (o Operator) Start(in HookInput) (Reply, error) {
	var r Reply
	if in.SessionID == "" {
		return r, nil
	}
	if in.Interactive {
		bell, err := o.Store.Hang(in.SessionID)
		if err != nil {
			return r, err
		}
		r.Watch = []string{bell}
	}
	m, err := o.member(in.SessionID)
	if err != nil {
		return r, err
	}
	if m, err = o.present(m); err != nil {
		return r, err
	}
	if m.Link == "" && in.Source == "clear" && in.PID != 0 {
		if m, err = o.follow(in); err != nil {
			return r, err
		}
	}
	if m.Link == "" {
		if err := o.register(m, in); err != nil {
			return r, err
		}
		r.Lines, err = o.asked(in.SessionID)
		return r, err
	}
	if err := o.settle(m, in); err != nil {
		return r, err
	}
	if in.Source == "compact" {
		return r, o.deliver(m.Link)
	}
	// The turn whose end was recorded is over, whoever should have sent it.
	s, notices, err := o.dispatch(m.Link, m.Role)
	r.Lines = worded(notices, s.Lang(m.Role))
	return r, err
}

// present forgets what is left of a session that went on under another id: who
// moved the link ended before that was done.
func (o Operator) present(m Member) (Member, error) {
	if m.Link == "" {
		return m, nil
	}
	s, err := o.state(m.Link)
	if err != nil || !s.Was(m.Role, m.Session) {
		return m, err
	}
	return Member{Session: m.Session}, o.Store.DropMember(m.Session)
}

// register notes the process of a session without a link: it tells that hooks run
// there.
func (o Operator) register(m Member, in HookInput) error {
	if !in.Interactive || in.PID == 0 || m.PID == in.PID && m.Start == in.Start {
		return nil
	}
	now := Member{Session: in.SessionID, PID: in.PID, Start: in.Start}
	if m.PID != 0 {
		return o.Store.PutMember(now)
	}
	if err := o.Store.AddMember(now); !errors.Is(err, ErrTaken) {
		return err
	}
	return nil
}

// follow moves a link from the id that a process had before /clear to the one it
// has now.
func (o Operator) follow(in HookInput) (Member, error) {
	members, _ := o.Store.Members()
	for _, old := range members {
		if old.Link == "" || old.Session == in.SessionID || old.PID != in.PID || old.Start != in.Start {
			continue
		}
		// A conversation that its person left in this process keeps its link.
		s, err := o.state(old.Link)
		if err != nil && !errors.Is(err, ErrNoLink) {
			return Member{}, err
		}
		if err != nil || !s.Open() || s.HasLeft(old.Role) {
			continue
		}
		now := Member{Session: in.SessionID, Link: old.Link, Role: old.Role, PID: in.PID, Start: in.Start}
		if err := o.Store.PutMember(now); err != nil {
			return now, err
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
	return Member{Session: in.SessionID}, nil
}

// settle notes where a linked session runs now, what its model has forgotten,
// and frees what was claimed for a process that is dead.
func (o Operator) settle(m Member, in HookInput) error {
	// What the session left behind is freed first: that it is back tells nobody
	// any more that it was away.
	if err := o.free(m); err != nil {
		return err
	}
	_, _, err := o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		var d Decision
		p := s.Party(m.Role)
		moved := p.PID != in.PID || p.Start != in.Start || p.Session != in.SessionID
		// Nobody may have looked between the end of a process and its successor.
		if _, open := s.openTurn(m.Role); open && in.PID != 0 && p.PID != 0 && !o.lives(p.PID, p.Start) {
			d = s.Gone(m.Role, string(GoneProcess))
		}
		if in.PID != 0 && (moved || s.HasLeft(m.Role)) {
			p.Session, p.PID, p.Start = in.SessionID, in.PID, in.Start
			// A session that comes back has another name, unless a person gave it one.
			if registry, err := o.registry(); err == nil {
				if row, ok := registry.Lookup(p.Session); ok && row.PID == p.PID {
					p.Name = row.Name
				}
			}
			d.do(Event{Kind: Moved, Party: p})
		}
		if in.Source == "compact" && !s.PromptDue(m.Role) {
			d.do(Event{Kind: Forgot, Reason: Compacted})
		}
		return d, nil
	})
	if err != nil {
		return err
	}
	if in.PID != 0 && (m.PID != in.PID || m.Start != in.Start) {
		m.PID, m.Start = in.PID, in.Start
		return o.Store.PutMember(m)
	}
	return nil
}

// free puts back what was claimed and can never be shown: its process has ended,
// or its person has left the conversation in between.
func (o Operator) free(m Member) error {
	s, err := o.state(m.Link)
	if err != nil {
		return err
	}
	for _, box := range s.Stranded(m.Role) {
		if !s.HasLeft(m.Role) && o.lives(box.PID, box.Start) {
			continue
		}
		putBack := o.Store.Release
		if slices.Contains(s.boxes[m.Role], Box{From: box.From, Seq: box.Seq, Copy: box.Copy}) { // it was laid down twice
			putBack = o.Store.Withdraw
		}
		if err := putBack(m.Link, m.Role, box); err != nil && !errors.Is(err, ErrTaken) {
			return err
		}
	}
	return nil
}

// asked tells the person of requests that nobody has answered.
func (o Operator) asked(id string) ([]string, error) {
	requests, err := o.Requests(id)
	var lines []string
	for _, request := range requests {
		lines = append(lines, request.line(fullCommand))
	}
	return lines, err
}

// End notes that a session has ended. After /clear the same process goes on.
func (o Operator) End(in HookInput) (Reply, error) {
	m, err := o.member(in.SessionID)
	if err == nil && m.Link == "" && m.PID != 0 {
		return Reply{}, o.Store.DropMember(in.SessionID)
	}
	if err != nil || m.Link == "" || in.Reason == "clear" {
		return Reply{}, err
	}
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) {
		if !s.Open() || s.HasLeft(m.Role) {
			return Decision{}, nil
		}
		return did(Event{Kind: Left, Detail: in.Reason}), nil
	})
	return Reply{}, err
}

// Stop records a turn's end, and sends it where nobody is attached.
func (o Operator) Stop(in HookInput, t Turn) (Reply, error) {
	m, err := o.member(in.SessionID)
	if err != nil || m.Link == "" {
		return Reply{}, err
	}
	if t.Read != nil {
		if o.attached(in.SessionID) {
			return Reply{}, nil // the mod tells what the turn said
		}
		message, ok := t.Read()
		if !ok {
			return o.unread(m, t)
		}
		t.Message = message
	}
	s, d, err := o.decide(m.Link, m.Role, func(s State) (Decision, error) { return s.Record(m.Role, t), nil })
	if err != nil {
		return Reply{}, err
	}
	notices := d.Notices
	if !o.attached(in.SessionID) {
		var more []Notice
		if s, more, err = o.dispatch(m.Link, m.Role); err != nil {
			return Reply{}, err
		}
		notices = append(notices, more...)
	}
	return Reply{Lines: worded(notices, s.Lang(m.Role))}, nil
}

// unread pauses a link after a turn whose words could not be read.
func (o Operator) unread(m Member, t Turn) (Reply, error) {
	s, d, err := o.decide(m.Link, m.Role, func(s State) (Decision, error) { return s.Unread(m.Role, t.Prompt), nil })
	if err != nil || len(d.Events) == 0 {
		return Reply{}, err
	}
	c := CatalogueOf(s.Lang(m.Role))
	return Reply{Lines: []string{c.Say(SayPausedWhy, c.Why(d.Events[0]))}}, nil
}

// StopFailed notes a turn that ended by an error: nothing is sent.
func (o Operator) StopFailed(in HookInput) (Reply, error) {
	m, err := o.member(in.SessionID)
	if err != nil || m.Link == "" {
		return Reply{}, err
	}
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) { return s.Lose(m.Role, Failed), nil })
	return Reply{}, err
}

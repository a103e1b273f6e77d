package relay

import (
	"errors"

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
	// Wake is text to wake the session with: exit code 2. Claimed is what it is of,
	// which is handed over to Client when the text is written.
	Wake    string
	Claimed Claimed
	Client  Attachment
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
	// Transcript is what the client has written down; nil where nobody can look.
	Transcript Transcript
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
	if in.Source == "clear" && in.PID != 0 {
		if m, err = o.follow(m, in); err != nil {
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
	if err != nil {
		return r, err
	}
	r.Lines, err = o.tell(s, m.Role)
	r.Lines = append(worded(notices, s.Lang(m.Role)), r.Lines...)
	return r, err
}

// present forgets what is left of a session that went on under another id: who
// moved the link ended before that was done.
func (o Operator) present(m Member) (Member, error) {
	if m.Link == "" {
		return m, nil
	}
	s, err := o.state(m.Link)
	if errors.Is(err, ErrNoLink) { // somebody took it away
		return Member{Session: m.Session, PID: m.PID, Start: m.Start}, nil
	}
	if err != nil || !s.Was(m.Role, m.Session) {
		return m, err
	}
	return Member{Session: m.Session}, o.Store.DropMember(m.Session)
}

// register notes the process that a session runs in now: it tells that hooks run
// there.
func (o Operator) register(m Member, in HookInput) error {
	if !in.Interactive || in.PID == 0 || m.PID == in.PID && m.Start == in.Start {
		return nil
	}
	return o.Store.PutProcess(in.SessionID, Attachment{PID: in.PID, Start: in.Start})
}

// settle notes where a linked session runs now, what its model has forgotten,
// and frees what was claimed for a process that is dead.
func (o Operator) settle(m Member, in HookInput) error {
	// What the session left behind is freed first: that it is back tells nobody
	// any more that it was away.
	s, err := o.state(m.Link)
	if err != nil {
		return err
	}
	if s, err = o.catchUp(s, m, in, present{}); err != nil {
		return err
	}
	if err := o.free(s, m.Role); err != nil {
		return err
	}
	_, _, err = o.decide(m.Link, m.Role, func(s State) (Decision, error) {
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
		return o.Store.PutProcess(m.Session, Attachment{PID: in.PID, Start: in.Start})
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
	switch {
	case err != nil:
		return Reply{}, err
	case m.Link == "" && in.Reason == "clear":
		return Reply{}, nil
	case m.Link == "":
		return Reply{}, o.Store.DropProcess(in.SessionID)
	}
	// The conversation's own hooks do not come again.
	_, _, err = o.decideCaughtUp(m, in, present{}, func(s State) (Decision, error) {
		if !s.Open() || s.HasLeft(m.Role) || in.Reason == "clear" {
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
	// Only what this turn hands off makes it worth the wait whether it was shown
	// something: else a later hook looks.
	a := ReadAnswer(t.Message)
	now := present{id: t.Prompt, ends: true, patiently: a.Handoff != "" || a.HasDone}
	s, d, err := o.decideCaughtUp(m, in, now, func(s State) (Decision, error) { return s.Record(m.Role, t), nil })
	if err != nil {
		return Reply{}, err
	}
	if o.attached(in.SessionID) {
		return Reply{Lines: worded(d.Notices, s.Lang(m.Role))}, nil
	}
	s, notices, err := o.dispatch(m.Link, m.Role)
	if err != nil {
		return Reply{}, err
	}
	told, err := o.tell(s, m.Role)
	return Reply{Lines: append(worded(append(d.Notices, notices...), s.Lang(m.Role)), told...)}, err
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

package relay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Headless runs both sides of a link by itself: their sessions are runs of two
// agents, which take turns.
type Headless struct {
	Operator
	// Turn has an agent take a turn. It returns the turn's final message, else
	// ErrInterrupted where the turn was cut because ctx was done, a *SilentError, or
	// why there is no message. By then the agent has ended. Until then noted is told
	// what the agent shows of the turn, by one goroutine at a time; an error of it
	// ends the turn and is what Turn returns. When hurry is done, the agent is not
	// waited for.
	Turn func(ctx, hurry context.Context, a Assignment, noted func(Sign) error) (message string, err error)
	// Tell is given each line of relay's own.
	Tell func(string)
}

// Assignment is what is asked of an agent for one turn.
type Assignment struct {
	Role Role
	// Agent is the name of the agent, Dir where it works.
	Agent, Dir string
	// Conversation is the one to go on with; empty for a new one.
	Conversation string
	Prompt       string
}

// Sign is what an agent shows of a turn while it takes it.
type Sign struct {
	// Conversation is what resumes it; empty where it has not told.
	Conversation string
	// Began: the agent has the prompt.
	Began bool
	// Compacted: it has forgotten what it was told.
	Compacted bool
}

// ErrInterrupted reports a turn that the person cut.
var ErrInterrupted = errors.New("interrupted")

// Stand is how a headless run stopped.
type Stand string

// The stands.
const (
	StandDone   Stand = "done"
	StandPaused Stand = "paused"
	StandFailed Stand = "failed"
)

// Result is how a headless run stopped, with what the person should know.
type Result struct {
	Stand Stand
	Lines []string
}

// Headless reports a link whose sides are no sessions of a person.
func (s State) Headless() bool {
	return s.Accepted() && s.Party(Planner).PID == 0 && s.Party(Builder).PID == 0
}

// goesOn is the command that answers the pauses of a link.
func (s State) goesOn() string {
	if s.Headless() {
		return "relay run --continue"
	}
	return "relay resume"
}

// Conversation returns what resumes the agent of a headless side; empty before
// it has told it.
func (s State) Conversation(r Role) string { return s.sides[r].conversation }

// localID is the id of a side that is no session of its own.
func localID(link string, role Role) string { return fmt.Sprintf("run-%s-%s", link, role) }

// byPerson refuses what a model asks for: a run gives consent to all that a link
// needs, and its agents change files. command is what a person types.
func (h Headless) byPerson(command string) error {
	if h.Env.Lookup("CLAUDE_CODE_CHILD_SESSION") != "" {
		return refuse(SayRunPerson, command)
	}
	return nil
}

// Begin makes a link between runs of two agents, by their names, in a directory and
// sets its goal.
func (h Headless) Begin(goal, dir string, agents map[Role]string, t Terms) (link string, err error) {
	if err := h.byPerson("relay run \"<goal>\""); err != nil {
		return "", err
	}
	if link, err = h.Random.Hex(linkBytes); err != nil {
		return "", err
	}
	nonce, err := h.Random.Hex(nonceBytes)
	if err != nil {
		return "", err
	}
	party := func(role Role) Party {
		return Party{Session: localID(link, role), Name: agents[role], Cwd: dir}
	}
	now := h.Clock.Now()
	asked := Ask(nonce, party(Planner), party(Builder), t)
	s := Fold(Log{Link: link, Events: map[Role][]Event{Planner: {asked}}})
	_, accepted, err := s.Accept(party(Builder), t)
	if err != nil {
		return "", err
	}
	goalSet, err := s.SetGoal(Planner, goal, false)
	if err != nil {
		return "", err
	}
	asked.At = now
	for _, part := range []struct {
		role   Role
		events []Event
	}{
		{Planner, []Event{asked}},
		{Builder, s.Number(Builder, accepted.Events, now)},
		{Planner, s.Number(Planner, goalSet.Events, now)},
	} {
		if err := h.write(link, part.role, part.events); err != nil {
			return "", err
		}
	}
	for _, role := range []Role{Planner, Builder} {
		if err := h.Store.AddMember(h.memberOf(party(role), link, role)); err != nil {
			return "", err
		}
	}
	return link, nil
}

// ErrNoRun reports that a directory has had no headless run.
var ErrNoRun = errors.New("relay has not been run here: relay run \"<goal>\" begins")

// LastRun returns the headless link of a directory with the latest event:
// ErrNoRun where there is none.
func (o Operator) LastRun(dir string) (string, error) {
	links, err := o.Store.AllLinks()
	if err != nil {
		return "", err
	}
	last, found := time.Time{}, ""
	var unread error
	for _, link := range links {
		log, err := o.Store.Log(link)
		if errors.Is(err, ErrNoLink) {
			continue
		}
		if err != nil {
			unread = errors.Join(unread, err)
			continue
		}
		if s := Fold(log); !s.Headless() || s.Party(Planner).Cwd != dir {
			continue
		}
		for _, e := range slices.Concat(log.Events[Planner], log.Events[Builder]) {
			if found == "" || e.At.After(last) {
				last, found = e.At, link
			}
		}
	}
	if found == "" {
		return "", errors.Join(ErrNoRun, unread)
	}
	return found, nil
}

// seize makes this process the one that runs a link, and returns what gives it
// up.
func (h Headless) seize(s State) (give func(), err error) {
	self := h.self()
	for _, role := range []Role{Planner, Builder} {
		a, err := h.Store.Attachment(s.Party(role).Session)
		if err == nil && a != self && h.lives(a.PID, a.Start) {
			return nil, refuse(SayRunBusy, a.PID)
		}
		if err != nil && !errors.Is(err, ErrNoSession) {
			return nil, err
		}
	}
	for _, role := range []Role{Planner, Builder} {
		if err := h.Attach(s.Party(role).Session, self); err != nil {
			return nil, err
		}
	}
	return func() {
		for _, role := range []Role{Planner, Builder} {
			_ = h.Detach(s.Party(role).Session, self) // a dead process counts as detached anyway
		}
	}, nil
}

// holds refuses to go on where another process runs the link by now.
func (h Headless) holds(s State) error {
	for _, role := range []Role{Planner, Builder} {
		a, err := h.Store.Attachment(s.Party(role).Session)
		if err != nil {
			return err
		}
		if a != h.self() {
			return refuse(SayRunBusy, a.PID)
		}
	}
	return nil
}

// waits returns the side that has the turn and has ended its last one without a
// block, with the delivery that it was shown last. Nothing is on its way then.
func (s State) waits() (role Role, shown Tracked, ok bool) {
	if s.Phase != Running || len(s.Pauses()) > 0 {
		return "", Tracked{}, false
	}
	role = s.WhoseTurn()
	for _, t := range s.incoming(role) {
		switch {
		case !s.inEpoch(t):
		case t.Receipt == Queued, t.Receipt == Taken:
			return "", Tracked{}, false
		case t.Receipt == WasShown:
			shown, ok = t, true
		}
	}
	return role, shown, ok
}

// again shows the side that waits what it was shown last once more.
func (h Headless) again(link string) error {
	s, err := h.state(link)
	if err != nil {
		return err
	}
	role, t, ok := s.waits()
	if !ok {
		return nil
	}
	_, _, err = h.decide(link, role, func(s State) (Decision, error) {
		if now, _, ok := s.waits(); !ok || now != role {
			return Decision{}, nil
		}
		return did(Event{Kind: Again, From: t.From, Delivery: t.Seq, Copy: t.Copy + 1}), nil
	})
	return err
}

// prepare takes a link up after whatever ended its last run: what was claimed
// and not shown is free again, and a turn that died with that run is known as
// such.
func (h Headless) prepare(link string) error {
	for _, role := range []Role{Planner, Builder} {
		s, err := h.state(link)
		if err != nil {
			return err
		}
		if err := h.free(s, role); err != nil {
			return err
		}
		_, _, err = h.decide(link, role, func(s State) (Decision, error) {
			if _, open := s.openTurn(role); !open {
				return Decision{}, nil
			}
			return s.Gone(role, ""), nil
		})
		if err != nil {
			return err
		}
		if _, _, err := h.dispatch(link, role); err != nil {
			return err
		}
	}
	return nil
}

// StatusOf reads where a link stands, as its planner sees it, and notes who has
// gone.
func (o Operator) StatusOf(link string) (Status, error) {
	s, err := o.Watch(Member{Link: link, Role: Planner})
	if err != nil {
		return Status{}, err
	}
	role := Planner
	if !s.Joined(Planner) {
		role = Builder
	}
	return Status{Session: s.Party(role).Session, Role: role, Linked: true, State: s, Lang: s.Lang(role)}, nil
}

// TrailOf reads the trail of a link.
func (o Operator) TrailOf(link string) (Trail, error) {
	s, err := o.state(link)
	return Trail{state: s}, err
}

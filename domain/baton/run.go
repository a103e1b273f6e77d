package baton

import (
	"context"
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/wall"
)

// Going says how a command goes on at a wall.
type Going struct {
	NoFallback bool
	// Wait: wait for the same agent's reset, for MaxWait at most. Return: go back
	// to the first agent when the next one meets a wall.
	Wait    bool
	MaxWait time.Duration
	Return  bool
}

// RunRequest is what run was asked to do.
type RunRequest struct {
	Place
	Launching
	Going
	Task string
	Diet string
	// Force overrides the gates of a handoff.
	Force bool
	// Primary and Fallback are agents; empty where the flags name none.
	Primary, Fallback string
}

// Run has an agent carry out a task, and the next one go on at a wall.
func (w World) Run(ctx context.Context, sig Signals, q RunRequest) (err error) {
	if err := agent.CheckTask(q.Task); err != nil {
		return usage(err)
	}
	r, err := w.ready(ctx, q.Place)
	if err != nil {
		return err
	}
	first, other, err := r.agents(q.Primary, q.Fallback)
	if err != nil {
		return err
	}
	if _, _, _, err := r.Diet(q.Diet, ""); err != nil {
		return err
	}
	s, err := w.begin(ctx, r, "run")
	if err != nil {
		return err
	}
	defer func() { err = s.finish(err) }()
	return s.run(ctx, sig, q, first, other)
}

func (s *shift) run(ctx context.Context, sig Signals, q RunRequest, first, other string) error {
	if _, err := s.ensure(ctx, q.Task); err != nil {
		return err
	}
	chosen, err := s.choose(q.Diet, "")
	if err != nil {
		return err
	}
	if err := s.Write(TaskFile, withEnd(q.Task)); err != nil {
		return err
	}
	s.announce(q.Launching)
	p := s.pursue(sig, q.Launching, q.Going, first, other)
	p.diet, p.force = chosen, q.Force
	opening, err := p.open(func(agent string) (SessionMeta, error) {
		return p.meta.StartRun(RunStart{
			Task: q.Task, Agent: agent, PrimaryAgent: first, FallbackAgent: other, Diet: chosen.name,
		}, p.course.Began)
	})
	if err != nil {
		return err
	}
	role := wall.AsPrimary
	if opening.Agent != first {
		role = wall.AsFallback
	}
	return p.chase(ctx, opening.Agent, role, q.Task, nil)
}

// pursue prepares the way of a command through its agents.
func (s *shift) pursue(sig Signals, l Launching, g Going, first, other string) *pursuit {
	if other == first || g.NoFallback {
		other = ""
	}
	return &pursuit{
		shift: s, Launching: l, sig: sig,
		course: wall.Course{
			First: first, Other: other, On: s.Config.FallbackOn, Wait: g.Wait, MaxWait: g.MaxWait, Return: g.Return,
			Began: s.Clock.Now(), Limits: s.meta.Limits, Zone: s.Zones.Local, Cut: s.Cut,
		},
	}
}

// open says who begins, and begins. Where the first agent's limit still holds and
// the command says so, it waits first: whoever ends that wait finds a session that
// stands at this command's task, as at a limit on the way.
func (p *pursuit) open(start func(agent string) (SessionMeta, error)) (opening wall.Opening, err error) {
	opening, p.course = p.course.Open(p.Clock.Now())
	for _, notice := range opening.Notices {
		p.Sink.Notice(notice)
	}
	if p.meta, err = start(opening.Agent); err != nil {
		return opening, err
	}
	if !opening.Until.IsZero() {
		if p.meta, err = p.meta.HeldUp(p.course.Limits[opening.Agent]); err != nil {
			return opening, err
		}
		if err := p.await(wall.Waiting{Agent: opening.Agent, Until: opening.Until}); err != nil {
			return opening, err
		}
		if p.meta, err = start(opening.Agent); err != nil {
			return opening, err
		}
	}
	return opening, p.save()
}

// HandoffRequest is what handoff was asked to do.
type HandoffRequest struct {
	Place
	Launching
	To    string
	Diet  string
	Force bool
	// NoRun: the handoff is written, and nobody starts.
	NoRun bool
}

// Written is a handoff that was written.
type Written struct {
	File  string
	Chars int
	Limit int
	Cut   bool
}

// Handoff writes a handoff for an agent and starts it. told is called when the
// handoff is written.
func (w World) Handoff(ctx context.Context, sig Signals, q HandoffRequest, told func(Written)) (err error) {
	r, err := w.ready(ctx, q.Place)
	if err != nil {
		return err
	}
	if err := checkAgent(q.To); err != nil {
		return err
	}
	if _, _, _, err := r.Diet(q.Diet, ""); err != nil {
		return err
	}
	s, err := w.begin(ctx, r, "handoff")
	if err != nil {
		return err
	}
	defer func() { err = s.finish(err) }()
	return s.handoff(ctx, sig, q, told)
}

func (s *shift) handoff(ctx context.Context, sig Signals, q HandoffRequest, told func(Written)) error {
	if _, err := s.ensure(ctx, ""); err != nil {
		return err
	}
	chosen, err := s.choose(q.Diet, s.meta.TokenDietProfile)
	if err != nil {
		return err
	}
	s.meta = s.meta.StartHandoff(s.Clock.Now())
	from, err := s.previous(q.To)
	if err != nil {
		return err
	}
	reason, err := s.reason(from)
	if err != nil {
		return err
	}
	if noted := s.meta.Limits[q.To]; !noted.ResetAt.IsZero() && !noted.Passed(s.Clock.Now()) {
		s.Sink.Notice("warning: " + noted.Told(q.To, s.Clock.Now(), s.Zones.Local))
	}
	p := passing{
		previous: from, next: q.To, reason: reason, resetAt: s.meta.Limits[from].ResetAt,
		profile: chosen.name, budgets: chosen.budgets,
	}
	made, err := s.write(ctx, p)
	if err != nil {
		return err
	}
	if s.meta, err = s.meta.Move(HandoffReady, ByHandoff); err != nil {
		return err
	}
	if err := s.save(); err != nil {
		return err
	}
	told(Written{File: Artifact(HandoffFile), Chars: made.Chars, Limit: chosen.budgets.MaxHandoffChars, Cut: made.Cut})
	forced, err := s.pass(p, made, q.Force)
	if err != nil || q.NoRun {
		return err
	}
	s.announce(q.Launching)
	text, err := s.continuation()
	if err != nil {
		return err
	}
	if s.meta, err = s.meta.StartNext(q.To); err != nil {
		return err
	}
	if err := s.save(); err != nil {
		return err
	}
	pursuit := s.pursue(sig, q.Launching, Going{}, q.To, "")
	pursuit.diet, pursuit.force = chosen, q.Force
	return pursuit.chase(ctx, q.To, wall.AsHandoff, text, forced)
}

// reason is why a person hands over from an agent: what the session keeps, where
// that is what stopped this agent. Where it is older, the person asks for it.
func (s *shift) reason(from string) (string, error) {
	runs, err := s.Runs()
	if err != nil {
		return "", err
	}
	kept := s.meta.FallbackReason
	if kept == "" || s.meta.Status() == FallbackDetected || runs.StoppedAtWall(from) {
		return kept, nil
	}
	earlier := "an earlier run"
	if walled, ok := runs.Walled(); ok {
		earlier = fmt.Sprintf("run %d of %s", walled.N, walled.Agent)
	}
	return fmt.Sprintf("manual handoff; %s had ended at %s", earlier, kept), nil
}

// previous is the agent that a handoff to another comes from.
func (s *shift) previous(to string) (string, error) {
	if s.meta.LastAgent != NoAgent {
		return s.meta.LastAgent, nil
	}
	first, other, err := s.agents("", "")
	if err != nil {
		return "", err
	}
	if first != to {
		return first, nil
	}
	return other, nil
}

// checkAgent refuses an agent that nobody knows.
func checkAgent(id string) error {
	if _, err := agent.ByName(id); err != nil {
		return usage(fmt.Errorf("%w; give one of them", err))
	}
	return nil
}

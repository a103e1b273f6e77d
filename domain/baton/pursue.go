package baton

import (
	"context"
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/baton/wall"
)

// pursuit is one command's way through its agents.
type pursuit struct {
	*shift
	Launching
	sig    Signals
	course wall.Course
	diet   diet
	force  bool
	// pace says when the context may be compressed again.
	pace Pacing
}

// agentEnded is an agent run that is over, with its record.
type agentEnded struct {
	wall.Ended
	// Suspected: a generic agent ended well, but had said something of a wall.
	Suspected bool
	record    wall.RunRecord
	// fault is what baton could not do beside the run, such as write its log. What
	// the run came to is noted all the same.
	fault error
}

// chase runs agents, the first with the prompt that is given, the next ones from
// a handoff, until nothing follows.
func (p *pursuit) chase(ctx context.Context, id string, role wall.Role, text string, forced []wall.Forced) error {
	for {
		ended, err := p.launch(p.sig, p.Launching, id, role, text, forced, p.watch())
		if err != nil {
			return err
		}
		var d wall.Decision
		d, p.course = p.course.Next(ended.Ended, p.Clock.Now())
		if err := joinFirst(p.decided(ended, d, p.course.Limits), ended.fault); err != nil {
			return err
		}
		switch d.Action {
		case wall.Completed:
			return nil
		case wall.Failed:
			return p.failed(ended, d)
		case wall.Fallback, wall.Wait, wall.Return:
		}
		if forced, err = p.hand(ctx, ended, d); err != nil {
			return err
		}
		if text, err = p.continuation(); err != nil {
			return err
		}
		if p.sig.Stop.Err() != nil {
			return p.interrupted(d.Next)
		}
		if p.meta, err = p.meta.StartNext(d.Next); err != nil {
			return err
		}
		if err := p.save(); err != nil {
			return err
		}
		p.Sink.Notice(fmt.Sprintf("%s goes on", d.Next))
		id, role = d.Next, wall.AsFallback
	}
}

// hand waits where that was decided, and hands the work to the next agent.
func (p *pursuit) hand(ctx context.Context, ended agentEnded, d wall.Decision) ([]wall.Forced, error) {
	p.Sink.Notice(ended.Told(p.Cut))
	if !d.Until.IsZero() {
		if err := p.await(wall.Waiting{Agent: d.Next, Until: d.Until}); err != nil {
			return nil, err
		}
	}
	if err := p.lighten(ctx); err != nil {
		return nil, err
	}
	passing := passing{
		previous: ended.Agent, next: d.Next, reason: d.Reason, resetAt: ended.Limit.ResetAt, waitedUntil: d.Until,
		profile: p.diet.name, budgets: p.diet.budgets,
	}
	made, err := p.write(ctx, passing)
	if err != nil {
		return nil, err
	}
	return p.pass(passing, made, p.force)
}

// interrupted ends a command whose next agent was not started yet.
func (p *pursuit) interrupted(next string) error {
	p.meta.LastError = "interrupted"
	stopped := &InterruptedError{
		Signal: signalOf(context.Cause(p.sig.Stop)),
		Text:   fmt.Sprintf("interrupted before %s was started; 'baton handoff --to %s' goes on from here", next, next),
	}
	return joinFirst(p.save(), stopped)
}

// failed words the end of a command whose last agent failed.
func (p *pursuit) failed(ended agentEnded, d wall.Decision) error {
	switch {
	case ended.Signal != 0:
		return &InterruptedError{Signal: ended.Signal, Text: "interrupted; 'baton handoff --to AGENT' goes on from here"}
	case d.Exit == ExitFailed:
		return fmt.Errorf("%s", d.Error) //nolint:perfsprint // a sentence, not a chain
	}
	return &AgentError{Text: d.Error}
}

// await waits for an agent's limit to reset.
func (p *pursuit) await(w wall.Waiting) error {
	p.meta = p.meta.WaitFor(w)
	if err := p.save(); err != nil {
		return err
	}
	interrupted := p.sit(w)
	p.meta = p.meta.StopWaiting()
	if err := p.save(); err != nil {
		return err
	}
	if interrupted != nil {
		return &InterruptedError{Signal: signalOf(interrupted), Text: w.Interrupted()}
	}
	return nil
}

// sit looks at the clock until the wait is over, or a signal ends it.
func (p *pursuit) sit(w wall.Waiting) (interrupted error) {
	var said time.Time
	for {
		now := p.Clock.Now()
		look := w.Look(now, said, p.Sink.Terminal())
		if look.Say {
			p.Sink.Progress(w.Line(now, p.Zones.Local))
			said = now
		}
		if look.Over {
			return nil
		}
		over := make(chan struct{})
		alarm := p.Alarms(look.Again, func() { close(over) })
		select {
		case <-over:
		case <-p.sig.Stop.Done():
			alarm.Stop()
			return context.Cause(p.sig.Stop)
		}
	}
}

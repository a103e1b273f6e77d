// Package headless runs the agents that are the sides of a link without sessions.
package headless

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

// stopGrace is how long an agent may take over the request to stop.
const stopGrace = 5 * time.Second

// Agents starts and resumes agents, one turn at a time.
type Agents struct {
	Runner port.AgentRunner
	// Environ is what the agents inherit, but for what names the session that
	// this process runs in.
	Environ []string
	// Show is given each line of a side, by several goroutines at once.
	Show func(relay.Role, string)
	// Silence is how long an agent may say nothing before it is ended; 0 bears
	// any.
	Silence time.Duration
	Alarm   port.Alarms
}

// Turn is the Turn of a relay.Headless.
func (a Agents) Turn(ctx, hurry context.Context, task relay.Assignment, noted func(relay.Sign) error) (string, error) {
	r := &run{Agents: a, role: task.Role, noted: noted}
	return r.turn(ctx, hurry, task)
}

// run is one run of an agent. Its reader's goroutine writes the fields below
// noted; they are read when the run is over.
type run struct {
	Agents
	role  relay.Role
	noted func(relay.Sign) error

	fault error
	// retry is what the agent said last, where that was that it tries again.
	retry string
	alarm port.Alarm
	abort context.CancelCauseFunc
}

// turn runs the agent and returns its final message, or why there is none.
func (r *run) turn(ctx, hurry context.Context, task relay.Assignment) (string, error) {
	client, err := agent.ByName(task.Agent)
	if err != nil {
		return "", err
	}
	command := client.Command(agent.Turn{
		Prompt: task.Prompt, Conversation: task.Conversation, Writes: r.role == relay.Builder,
	}, task.Dir, r.Environ)
	alive, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	r.abort = abort
	defer r.listen()()
	reader := client.Reader(r.report).Under(command.Dir)
	errs := &lastLine{show: func(line string) { r.Show(r.role, line) }}
	command.Stdout, command.Stderr = reader, errs
	started, err := r.Runner.Start(command)
	if err != nil {
		return "", err
	}
	ending, err := started.Wait(alive)
	if err != nil && alive.Err() != nil {
		ending, err = started.End(hurry, client.Stop(), stopGrace)
	}
	verdict := reader.End()
	errs.end()
	switch {
	case r.fault != nil:
		return "", r.fault
	case verdict.Answered && (ending.Forced || ending.Status() == 0):
		return verdict.Message, nil
	case errors.Is(context.Cause(alive), errSilent):
		return "", &relay.SilentError{Limit: r.Silence, Retry: r.retry}
	case ctx.Err() != nil:
		return "", relay.ErrInterrupted
	case verdict.Failure != "":
		return "", errors.New(verdict.Failure)
	case errs.last != "":
		return "", fmt.Errorf("exit status %d: %s", ending.Status(), errs.last)
	}
	return "", errors.Join(fmt.Errorf("exit status %d without an answer", ending.Status()), err)
}

// report handles what the agent says while it runs.
func (r *run) report(e agent.Report) {
	r.heard(e)
	for _, line := range e.Lines {
		r.Show(r.role, line)
	}
	if r.fault != nil {
		return
	}
	if err := r.noted(relay.Sign{Conversation: e.Conversation, Began: e.Began, Compacted: e.Compacted}); err != nil {
		r.fault = err
		r.abort(err)
	}
}

// errSilent ends an agent that said nothing for too long.
var errSilent = errors.New("silent for too long")

// listen begins to count how long the agent says nothing, and returns what ends
// that.
func (r *run) listen() (end func()) {
	if r.Silence <= 0 {
		return func() {}
	}
	r.alarm = r.Alarm(r.Silence, func() { r.abort(errSilent) })
	return func() { r.alarm.Stop() }
}

// heard counts anew, unless the agent only says that it tries again: some do so
// without end. While a tool call is under way nothing is counted.
func (r *run) heard(e agent.Report) {
	r.retry = e.Retry
	switch {
	case r.alarm == nil:
	case e.Busy:
		r.alarm.Stop()
	case e.Retry == "":
		r.alarm.Reset(r.Silence)
	}
}

package baton

import (
	"fmt"
	"slices"
)

// Status says what a session is doing, or did last.
type Status string

// The statuses.
const (
	Initialized      Status = "initialized"
	Running          Status = "running"
	FallbackDetected Status = "fallback_detected"
	HandoffReady     Status = "handoff_ready"
	RunningFallback  Status = "running_fallback"
	Planning         Status = "planning"
	PlanReady        Status = "plan_ready"
	Executing        Status = "executing"
	Compressing      Status = "compressing"
	Completed        Status = "completed"
	Failed           Status = "failed"
)

// restingStatuses are the statuses in which no work goes on, activeStatuses the others.
var (
	restingStatuses = []Status{Initialized, FallbackDetected, HandoffReady, PlanReady, Completed, Failed}
	activeStatuses  = []Status{Running, RunningFallback, Planning, Executing, Compressing}
)

// Valid says whether s is one of the statuses.
func (s Status) Valid() bool { return s.Active() || slices.Contains(restingStatuses, s) }

// Active says whether the status claims that work is going on.
func (s Status) Active() bool { return slices.Contains(activeStatuses, s) }

// Cause is what changes a status.
type Cause string

// The causes.
const (
	ByInit    Cause = "init"
	ByRun     Cause = "run"
	ByPlan    Cause = "plan"
	ByExecute Cause = "execute, with a plan that passes the gate or is forced"

	// ByPlanGate: the plan passed the gate or was forced. ByPlanFailure:
	// anything else that ends planning. ByPlanWithoutAgent: plan --no-run.
	ByPlanGate         Cause = "plan gate passed or forced"
	ByPlanFailure      Cause = "planning failed"
	ByPlanWithoutAgent Cause = "plan --no-run"

	// ByEnd: the agent ended. ByEndOnward: the fallback agent ended at a wall
	// and --return or --wait says how to go on.
	ByEnd       Cause = "agent ended"
	ByEndOnward Cause = "agent ended, with --return or --wait"

	// ByHandoff: the handoff command wrote its document. ByGates: the gates of
	// the handoff passed or were forced, and the next agent starts.
	ByHandoff Cause = "handoff written"
	ByGates   Cause = "handoff gates passed or forced"

	// ByNoneFree: no next agent is free. ByWaitInterrupted: a signal ended the
	// wait.
	ByNoneFree        Cause = "no next agent free"
	ByWaitInterrupted Cause = "wait interrupted"

	// ByCompression: a compression cycle starts. ByCompressionEnd: it ended,
	// whatever the outcome.
	ByCompression    Cause = "compression cycle starts"
	ByCompressionEnd Cause = "compression cycle ended"

	// ByBreak: an interruption, a start failure, a timeout, or a process that
	// died and was found so later.
	ByBreak Cause = "interruption, start failure, timeout or stale recovery"
)

// Transition is a change of the status and its cause. From is empty where there
// was no session.
type Transition struct {
	From, To Status
	Cause    Cause
}

// transitions are the legal ones by their cause. The end of a compression leads
// back to where it came from, which the table cannot say.
var transitions = map[Cause][]struct{ from, to []Status }{
	ByInit:             {{[]Status{""}, []Status{Initialized}}},
	ByRun:              {{restingStatuses, []Status{Running}}},
	ByPlan:             {{restingStatuses, []Status{Planning}}},
	ByExecute:          {{restingStatuses, []Status{Executing}}},
	ByPlanGate:         {{[]Status{Planning}, []Status{PlanReady}}},
	ByPlanFailure:      {{[]Status{Planning}, []Status{Failed}}},
	ByPlanWithoutAgent: {{restingStatuses, []Status{PlanReady}}},
	ByEnd: {
		{[]Status{Running, Executing}, []Status{Completed, Failed, FallbackDetected}},
		{[]Status{RunningFallback}, []Status{Completed, Failed}},
	},
	ByEndOnward:       {{[]Status{RunningFallback}, []Status{FallbackDetected}}},
	ByHandoff:         {{restingStatuses, []Status{HandoffReady}}},
	ByGates:           {{[]Status{FallbackDetected, HandoffReady}, []Status{RunningFallback}}},
	ByNoneFree:        {{[]Status{FallbackDetected}, []Status{Failed}}},
	ByWaitInterrupted: {{[]Status{FallbackDetected}, []Status{FallbackDetected}}},
	ByCompression:     {{append([]Status{Running, Executing, RunningFallback}, restingStatuses...), []Status{Compressing}}},
	ByCompressionEnd:  {{[]Status{Compressing}, append([]Status{Running, Executing, RunningFallback}, restingStatuses...)}},
	ByBreak:           {{activeStatuses, []Status{Failed}}},
}

// IllegalTransitionError reports a change that the session does not make. What
// asked for it writes nothing.
type IllegalTransitionError struct {
	Transition
	// Why is empty where the table has no such change.
	Why string
}

// Error names the two statuses and the cause.
func (e *IllegalTransitionError) Error() string {
	s := fmt.Sprintf("a session that is %s does not become %s (%s)", e.From, e.To, e.Cause)
	if e.Why != "" {
		s += ": " + e.Why
	}
	return s
}

// Check returns an *IllegalTransitionError for a change that no session makes.
func (t Transition) Check() error {
	for _, legal := range transitions[t.Cause] {
		if slices.Contains(legal.from, t.From) && slices.Contains(legal.to, t.To) {
			return nil
		}
	}
	return &IllegalTransitionError{Transition: t}
}

// Move changes the status of a session. It checks the table, that a session in
// fallback mode has no part in plans, and that a compression leads back.
func (m SessionMeta) Move(to Status, cause Cause) (SessionMeta, error) {
	t := Transition{From: m.status, To: to, Cause: cause}
	if err := t.Check(); err != nil {
		return m, err
	}
	if slices.Contains([]Status{Planning, PlanReady, Executing}, to) && m.Mode() == FallbackMode && cause != ByCompressionEnd {
		return m, &IllegalTransitionError{Transition: t, Why: "its mode is " + string(FallbackMode)}
	}
	switch cause {
	case ByCompression:
		m.before = m.status
	case ByCompressionEnd:
		if to != m.before {
			return m, &IllegalTransitionError{Transition: t, Why: fmt.Sprintf("it came from %s", m.before)}
		}
	}
	if to != Compressing {
		m.before = ""
	}
	m.status = to
	return m, nil
}

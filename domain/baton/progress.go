package baton

import (
	"time"

	"github.com/changeover/changeover/domain/baton/wall"
)

// RunStart is what a run begins with. Agent is who begins, which is the fallback
// agent where the first one's limit holds and the command says so.
type RunStart struct {
	Task          string
	Agent         string
	PrimaryAgent  string
	FallbackAgent string
	Diet          string
}

// StartRun begins a run.
func (m SessionMeta) StartRun(s RunStart, now time.Time) (SessionMeta, error) {
	m, err := m.moveIn(FallbackMode, Running, ByRun)
	if err != nil {
		return m, err
	}
	m.ActiveAgent, m.PrimaryAgent, m.FallbackAgent = s.Agent, s.PrimaryAgent, s.FallbackAgent
	m.Task, m.TokenDietProfile = s.Task, s.Diet
	return m.begin(now), nil
}

// PlanStart is what planning begins with.
type PlanStart struct {
	Task    string
	Planner string
	Diet    string
}

// StartPlan begins planning.
func (m SessionMeta) StartPlan(s PlanStart, now time.Time) (SessionMeta, error) {
	m, err := m.moveIn(PlanExecuteMode, Planning, ByPlan)
	if err != nil {
		return m, err
	}
	m = m.planned(s)
	m.ActiveAgent = s.Planner
	return m.begin(now), nil
}

// PlanWithoutAgent is plan --no-run: the session is ready with the plan that is
// there, whose gate passed or not.
func (m SessionMeta) PlanWithoutAgent(s PlanStart, passed bool, now time.Time) (SessionMeta, error) {
	m, err := m.moveIn(PlanExecuteMode, PlanReady, ByPlanWithoutAgent)
	if err != nil {
		return m, err
	}
	m = m.planned(s)
	m.ActiveAgent = NoAgent
	return m.finalized(passed, now), nil
}

// planned notes a plan of another making than before.
func (m SessionMeta) planned(s PlanStart) SessionMeta {
	m.Task, m.TokenDietProfile = s.Task, s.Diet
	m.PlanAuthor, m.Executor = Some(s.Planner), Some("")
	m.PlanFinalizedAt, m.ExecuteStartedAt = time.Time{}, time.Time{}
	return m
}

// finalized notes when the plan passed its gate, if it did.
func (m SessionMeta) finalized(passed bool, now time.Time) SessionMeta {
	if passed {
		m.PlanFinalizedAt = now
	}
	return m
}

// FinishPlan ends planning with a plan whose gate passed, or was forced.
func (m SessionMeta) FinishPlan(passed bool, now time.Time) (SessionMeta, error) {
	m, err := m.Move(PlanReady, ByPlanGate)
	if err != nil {
		return m, err
	}
	m.LastAgent = m.PlanAuthor.Text
	return m.finalized(passed, now).end(now), nil
}

// FailPlan ends planning without a plan.
func (m SessionMeta) FailPlan(lastError string, now time.Time) (SessionMeta, error) {
	m, err := m.Move(Failed, ByPlanFailure)
	if err != nil {
		return m, err
	}
	m.LastAgent, m.LastError = m.PlanAuthor.Text, lastError
	return m.end(now), nil
}

// ForeignPlan notes a plan from elsewhere, whose gate passed or was forced.
func (m SessionMeta) ForeignPlan(passed bool, now time.Time) SessionMeta {
	m.PlanAuthor, m.PlanFinalizedAt = Some(""), time.Time{}
	return m.finalized(passed, now)
}

// ExecuteStart is what carrying out a plan begins with. Agent is who begins, Head
// the commit, empty without commits.
type ExecuteStart struct {
	Executor string
	Agent    string
	Head     string
}

// StartExecute begins to carry out a plan that passes its gate or is forced.
func (m SessionMeta) StartExecute(s ExecuteStart, now time.Time) (SessionMeta, error) {
	m, err := m.moveIn(PlanExecuteMode, Executing, ByExecute)
	if err != nil {
		return m, err
	}
	m.Executor, m.ActiveAgent = Some(s.Executor), s.Agent
	m.ExecuteStartedAt, m.ExecuteHead = now, Some(s.Head)
	return m.begin(now), nil
}

// StartHandoff begins the handoff command. The status stays until the document
// is written.
func (m SessionMeta) StartHandoff(now time.Time) SessionMeta {
	m.StartedAt, m.EndedAt, m.Duration = now, time.Time{}, 0
	return m
}

// WroteHandoff counts a handoff document.
func (m SessionMeta) WroteHandoff() SessionMeta {
	m.HandoffCount++
	return m
}

// PassedHandoff notes a handoff whose gates passed.
func (m SessionMeta) PassedHandoff(now time.Time) SessionMeta {
	m.LastHandoffAt = now
	return m
}

// StartNext starts an agent from a handoff whose gates passed or were forced.
func (m SessionMeta) StartNext(agent string) (SessionMeta, error) {
	m, err := m.Move(RunningFallback, ByGates)
	if err != nil {
		return m, err
	}
	m.ActiveAgent = agent
	return m.StopWaiting(), nil
}

// AgentEnded notes the end of the active agent's run, what was decided on it,
// and the limits that are known since.
func (m SessionMeta) AgentEnded(d wall.Decision, limits wall.Limits, now time.Time) (SessionMeta, error) {
	to, cause := Completed, ByEnd
	switch d.Action {
	case wall.Completed:
	case wall.Failed:
		to = Failed
	case wall.Fallback, wall.Wait, wall.Return:
		to = FallbackDetected
		if m.status == RunningFallback {
			cause = ByEndOnward
		}
	}
	m, err := m.Move(to, cause)
	if err != nil {
		return m, err
	}
	m.Limits, m.LastError = limits, d.Error
	if d.Reason != "" {
		m.FallbackReason = d.Reason
	}
	m.LastAgent, m.ActiveAgent = orNone(m.ActiveAgent), NoAgent
	if to == FallbackDetected {
		return m, nil
	}
	return m.end(now), nil
}

// HeldUp notes a command that has begun and waits for its agent, whose limit was
// noted in an earlier run, before that starts.
func (m SessionMeta) HeldUp(at wall.Noted) (SessionMeta, error) {
	m, err := m.Move(FallbackDetected, ByEnd)
	if err != nil {
		return m, err
	}
	m.ActiveAgent, m.FallbackReason = NoAgent, at.Reason()
	return m, nil
}

// NoneFree ends a session that waited for a handoff which nobody can take.
func (m SessionMeta) NoneFree(lastError string, now time.Time) (SessionMeta, error) {
	m, err := m.Move(Failed, ByNoneFree)
	if err != nil {
		return m, err
	}
	m.LastError = lastError
	return m.end(now), nil
}

// Break ends active work that was interrupted, could not be started or took too
// long.
func (m SessionMeta) Break(lastError string, now time.Time) (SessionMeta, error) {
	m, err := m.Move(Failed, ByBreak)
	if err != nil {
		return m, err
	}
	if m.ActiveAgent != NoAgent {
		m.LastAgent, m.ActiveAgent = m.ActiveAgent, NoAgent
	}
	m.LastError = lastError
	return m.StopWaiting().end(now), nil
}

// WaitFor notes whom baton waits for.
func (m SessionMeta) WaitFor(w wall.Waiting) SessionMeta {
	m.Waiting = w
	return m
}

// StopWaiting notes that baton waits for nobody.
func (m SessionMeta) StopWaiting() SessionMeta {
	m.Waiting = wall.Waiting{}
	return m
}

// StartCompression begins a compression cycle.
func (m SessionMeta) StartCompression() (SessionMeta, error) {
	return m.Move(Compressing, ByCompression)
}

// EndCompression goes back to where the cycle began; what it came to is nil
// where it did not hold.
func (m SessionMeta) EndCompression(held *LastCompression) (SessionMeta, error) {
	m, err := m.Move(m.before, ByCompressionEnd)
	if err == nil && held != nil {
		m.LastCompression = held
	}
	return m, err
}

// moveIn moves a session that works in a mode from there on.
func (m SessionMeta) moveIn(mode Mode, to Status, cause Cause) (SessionMeta, error) {
	in := m
	in.WorkflowMode = mode
	in, err := in.Move(to, cause)
	if err != nil {
		return m, err
	}
	return in, nil
}

// begin stamps the beginning of a command and clears what the last one left.
func (m SessionMeta) begin(now time.Time) SessionMeta {
	m.StartedAt, m.EndedAt, m.Duration = now, time.Time{}, 0
	m.FallbackReason, m.LastError, m.SuspectedFallback = "", "", ""
	return m
}

// end stamps the end of a command.
func (m SessionMeta) end(now time.Time) SessionMeta {
	m.ActiveAgent, m.EndedAt, m.Duration = NoAgent, now, 0
	if !m.StartedAt.IsZero() {
		m.Duration = now.Sub(m.StartedAt)
	}
	return m
}

package baton_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
)

// metaNew is a session right after init.
func metaNew() baton.SessionMeta {
	return baton.Init(baton.NewSession{ID: "s-1", RepoRoot: "/repo", Task: "old", PrimaryAgent: "codex", FallbackAgent: "claude", Diet: "balanced"}, metaNow)
}

// metaOld is a session that something ran in and failed.
func metaOld(t *testing.T) baton.SessionMeta {
	t.Helper()
	return metaAt(t, baton.Failed, `,"task":"old","startedAt":"2026-01-01T00:00:00Z","endedAt":"2026-01-01T01:00:00Z","durationMs":3600000,`+
		`"fallbackReason":"r","lastError":"e","suspectedFallback":"s","workflowMode":"plan-execute","planAuthor":"codex","executor":"codex",`+
		`"planFinalizedAt":"2026-01-01T00:00:00Z","executeStartedAt":"2026-01-01T00:00:00Z","handoffCount":3,"lastAgent":"codex"`)
}

// Row 3.
func TestStartRun_ClearsTheLastEnd(t *testing.T) {
	is := is.New(t)
	m, err := metaOld(t).StartRun(baton.RunStart{Task: "new", Agent: "claude", PrimaryAgent: "claude", FallbackAgent: "codex", Diet: "lite"}, metaNow)
	is.NoErr(err)
	file := string(m.Bytes(metaNow))
	for _, gone := range []string{"endedAt", "durationMs", "suspectedFallback"} {
		is.True(!strings.Contains(file, gone)) // not in the file
	}
	for _, line := range []string{
		`"status": "running"`, `"workflowMode": "fallback"`, `"activeAgent": "claude"`, `"primaryAgent": "claude"`, `"fallbackAgent": "codex"`,
		`"task": "new"`, `"tokenDietProfile": "lite"`, `"startedAt": "2026-05-28T09:00:00.000Z"`, `"fallbackReason": null`, `"lastError": null`,
		`"handoffCount": 3`, `"lastAgent": "codex"`,
	} {
		is.True(strings.Contains(file, line)) // in the file
	}
}

func TestRun_ToItsEnd(t *testing.T) {
	is := is.New(t)
	m, err := metaNew().StartRun(baton.RunStart{Task: "t", Agent: "codex", PrimaryAgent: "codex", FallbackAgent: "claude", Diet: "lite"}, metaNow)
	is.NoErr(err)
	m, err = m.AgentEnded(wall.Decision{Action: wall.Completed}, nil, metaLater)
	is.NoErr(err)
	is.Equal(m.Status(), baton.Completed)
	is.Equal([2]string{m.LastAgent, m.ActiveAgent}, [2]string{"codex", "none"})
	is.Equal(m.EndedAt, metaLater)
	is.Equal(m.Duration, 90*time.Second)
}

// Rows 58, 95: a failed agent leaves a failed session with what went wrong.
func TestAgentEnded_Failed(t *testing.T) {
	is := is.New(t)
	for _, status := range []baton.Status{baton.Running, baton.Executing, baton.RunningFallback} {
		m := metaAt(t, status, `,"activeAgent":"claude","startedAt":"2026-05-28T09:00:00Z"`)
		limits := wall.Limits{"claude": {Class: wall.UsageLimit, SeenAt: metaLater}}
		m, err := m.AgentEnded(wall.Decision{Action: wall.Failed, Error: "claude ended with exit code 3", Reason: "why"}, limits, metaLater)
		is.NoErr(err)
		is.Equal(m.Status(), baton.Failed)
		is.Equal(m.LastError, "claude ended with exit code 3")
		is.Equal(m.FallbackReason, "why") // recorded
		is.Equal(m.LastAgent, "claude")
		is.Equal(m.Duration, 90*time.Second)
		is.Equal(cmp.Diff(m.Limits, limits), "")
	}
}

// Row 4: every handoff counts. Row 94: the first agent goes on after the other.
func TestRun_ThroughHandoffsAndBack(t *testing.T) {
	is := is.New(t)
	m, err := metaNew().StartRun(baton.RunStart{Task: "t", Agent: "codex", PrimaryAgent: "codex", FallbackAgent: "claude"}, metaNow)
	is.NoErr(err)
	for i, d := range []wall.Decision{{Action: wall.Fallback, Next: "claude", Reason: "r1"}, {Action: wall.Return, Next: "codex", Reason: "r2"}, {Action: wall.Wait, Next: "codex", Reason: "r3"}} {
		m, err = m.AgentEnded(d, nil, metaLater)
		is.NoErr(err)
		is.Equal(m.Status(), baton.FallbackDetected)
		is.Equal(m.FallbackReason, d.Reason)
		is.Equal(m.ActiveAgent, "none")
		is.True(m.EndedAt.IsZero()) // the command goes on
		m = m.WroteHandoff().PassedHandoff(metaLater)
		is.Equal(m.HandoffCount, i+1)
		m, err = m.StartNext(d.Next)
		is.NoErr(err)
		is.Equal(m.Status(), baton.RunningFallback)
		is.Equal(m.ActiveAgent, d.Next)
	}
	is.Equal(m.LastHandoffAt, metaLater)
	is.Equal(m.StartedAt, metaNow)
}

// Row 92: what a wait adds to the file goes with it.
func TestWait_LeavesTheFileAsItWas(t *testing.T) {
	is := is.New(t)
	before := metaRead(t, metaFixture(t, "session.fallback.json"))
	waiting := before.WaitFor(wall.Waiting{Agent: "codex", Until: metaLater})
	is.True(strings.Contains(string(waiting.Bytes(metaNow)), `"waitingFor": "codex"`))
	reread := metaRead(t, waiting.Bytes(metaNow))
	after, err := reread.StopWaiting().Move(baton.FallbackDetected, baton.ByWaitInterrupted)
	is.NoErr(err)
	is.Equal(cmp.Diff(string(after.Bytes(metaNow)), string(before.Bytes(metaNow))), "")
}

func TestPlan_ToItsEnd(t *testing.T) {
	is := is.New(t)
	m, err := metaOld(t).StartPlan(baton.PlanStart{Task: "new", Planner: "claude", Diet: "ultra"}, metaNow)
	is.NoErr(err)
	is.Equal(m.Status(), baton.Planning)
	is.Equal([5]string{m.PlanAuthor.Text, m.ActiveAgent, m.Task, m.TokenDietProfile, m.FallbackReason + m.LastError}, [5]string{"claude", "claude", "new", "ultra", ""})
	is.Equal(m.Executor, baton.Some(""))
	is.True(m.PlanFinalizedAt.IsZero() && m.ExecuteStartedAt.IsZero() && m.EndedAt.IsZero())
	passed, err := m.FinishPlan(true, metaLater)
	is.NoErr(err)
	is.Equal(passed.Status(), baton.PlanReady)
	is.Equal([2]string{passed.LastAgent, passed.ActiveAgent}, [2]string{"claude", "none"})
	is.Equal(passed.PlanFinalizedAt, metaLater)
	is.Equal(passed.Duration, 90*time.Second)
	forced, err := m.FinishPlan(false, metaLater)
	is.NoErr(err)
	is.Equal(forced.Status(), baton.PlanReady)
	is.True(forced.PlanFinalizedAt.IsZero()) // forced is not finalized
	failed, err := m.FailPlan("planner wrote no plan", metaLater)
	is.NoErr(err)
	is.Equal(failed.Status(), baton.Failed)
	is.Equal(failed.LastError, "planner wrote no plan")
	is.Equal(failed.EndedAt, metaLater)
}

// Row 55: a plan without an agent makes a session ready.
func TestPlanWithoutAgent(t *testing.T) {
	is := is.New(t)
	m, err := metaNew().PlanWithoutAgent(baton.PlanStart{Task: "t", Planner: "claude", Diet: "lite"}, false, metaNow)
	is.NoErr(err)
	is.Equal(m.Status(), baton.PlanReady)
	is.Equal(m.WorkflowMode, baton.PlanExecuteMode)
	is.Equal(m.PlanAuthor, baton.Some("claude"))
	is.Equal(m.ActiveAgent, "none")
	is.True(m.PlanFinalizedAt.IsZero())
	m, err = m.PlanWithoutAgent(baton.PlanStart{Planner: "claude"}, true, metaLater)
	is.NoErr(err)
	is.Equal(m.PlanFinalizedAt, metaLater)
}

// Row 57: executor and executeStartedAt are recorded before the agent starts.
func TestExecute_IsRecordedBeforeTheAgentStarts(t *testing.T) {
	is := is.New(t)
	m, err := metaOld(t).StartExecute(baton.ExecuteStart{Executor: "codex", Agent: "codex", Head: "abc"}, metaNow)
	is.NoErr(err)
	is.Equal(m.Status(), baton.Executing)
	is.Equal(m.Executor, baton.Some("codex"))
	is.Equal(m.ExecuteHead, baton.Some("abc"))
	is.Equal(m.ExecuteStartedAt, metaNow)
	is.Equal(m.ActiveAgent, "codex")
	is.Equal(m.FallbackReason+m.LastError, "")
	is.True(m.EndedAt.IsZero())
	m, err = m.Break("codex is not on PATH", metaLater)
	is.NoErr(err)
	is.Equal(m.Status(), baton.Failed)
	is.Equal([2]string{m.LastAgent, m.ActiveAgent}, [2]string{"codex", "none"})
	is.Equal(m.LastError, "codex is not on PATH")
	is.Equal(m.Executor, baton.Some("codex"))
}

func TestForeignPlan_HasNoAuthor(t *testing.T) {
	is := is.New(t)
	m := metaOld(t).ForeignPlan(true, metaLater)
	is.Equal(m.PlanAuthor, baton.Some(""))
	is.Equal(m.PlanFinalizedAt, metaLater)
	is.True(m.ForeignPlan(false, metaLater).PlanFinalizedAt.IsZero())
}

func TestHandoff_StampsItsBeginning(t *testing.T) {
	is := is.New(t)
	m := metaOld(t).StartHandoff(metaNow)
	is.Equal(m.StartedAt, metaNow)
	is.True(m.EndedAt.IsZero())
	is.Equal(m.Duration, time.Duration(0))
	is.Equal(m.FallbackReason, "r") // it is the reason of the handoff
}

// A command that waits before its first agent stands at its own task meanwhile.
func TestHeldUp_WaitsAtTheNewTask(t *testing.T) {
	is := is.New(t)
	m, err := metaOld(t).StartExecute(baton.ExecuteStart{Executor: "codex", Agent: "codex"}, metaNow)
	is.NoErr(err)
	m, err = m.HeldUp(wall.Noted{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Weekly}, Text: "Weekly limit reached"})
	is.NoErr(err)
	is.Equal(m.Status(), baton.FallbackDetected)
	is.Equal(m.ActiveAgent, "none")
	is.Equal(m.FallbackReason, "usage_limit (weekly), noted in an earlier run: Weekly limit reached")
	is.Equal(m.LastError, "")
	m, err = m.StartExecute(baton.ExecuteStart{Executor: "codex", Agent: "codex"}, metaNow)
	is.NoErr(err) // after the wait
	is.Equal(m.Status(), baton.Executing)
	is.Equal(m.FallbackReason, "")
	_, err = m.Move(baton.FallbackDetected, baton.ByRun)
	is.True(err != nil)
}

func TestNoneFree_Fails(t *testing.T) {
	is := is.New(t)
	m, err := metaAt(t, baton.FallbackDetected, `,"startedAt":"2026-05-28T09:00:00Z"`).NoneFree("no agent is free", metaLater)
	is.NoErr(err)
	is.Equal(m.Status(), baton.Failed)
	is.Equal(m.LastError, "no agent is free")
	is.Equal(m.Duration, 90*time.Second)
}

// A step that does not fit changes nothing.
func TestProgress_RefusedStepsChangeNothing(t *testing.T) {
	is := is.New(t)
	m := metaAt(t, baton.Running, `,"task":"old"`)
	before := string(m.Bytes(metaNow))
	steps := map[string]func() (baton.SessionMeta, error){
		"run":  func() (baton.SessionMeta, error) { return m.StartRun(baton.RunStart{Task: "x"}, metaLater) },
		"plan": func() (baton.SessionMeta, error) { return m.StartPlan(baton.PlanStart{Task: "x"}, metaLater) },
		"no run": func() (baton.SessionMeta, error) {
			return m.PlanWithoutAgent(baton.PlanStart{Task: "x"}, true, metaLater)
		},
		"finish":     func() (baton.SessionMeta, error) { return m.FinishPlan(true, metaLater) },
		"fail":       func() (baton.SessionMeta, error) { return m.FailPlan("x", metaLater) },
		"execute":    func() (baton.SessionMeta, error) { return m.StartExecute(baton.ExecuteStart{Executor: "x"}, metaLater) },
		"next":       func() (baton.SessionMeta, error) { return m.StartNext("x") },
		"none free":  func() (baton.SessionMeta, error) { return m.NoneFree("x", metaLater) },
		"compressed": func() (baton.SessionMeta, error) { return m.EndCompression(&baton.LastCompression{}) },
		"ended": func() (baton.SessionMeta, error) {
			return metaAt(t, baton.Completed, `,"task":"old"`).AgentEnded(wall.Decision{}, nil, metaLater)
		},
		"broken": func() (baton.SessionMeta, error) {
			return metaAt(t, baton.Completed, `,"task":"old"`).Break("x", metaLater)
		},
	}
	for name, step := range steps {
		after, err := step()
		is.True(err != nil) // refused
		if got := strings.Replace(string(after.Bytes(metaNow)), "completed", "running", 1); got != before {
			t.Errorf("%s: %s", name, cmp.Diff(got, before))
		}
	}
}

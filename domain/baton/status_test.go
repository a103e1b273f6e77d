package baton_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/wall"
)

var statuses = []baton.Status{
	"", baton.Initialized, baton.Running, baton.FallbackDetected, baton.HandoffReady, baton.RunningFallback, baton.Planning,
	baton.PlanReady, baton.Executing, baton.Compressing, baton.Completed, baton.Failed,
}

var causes = []baton.Cause{
	baton.ByInit, baton.ByRun, baton.ByPlan, baton.ByExecute, baton.ByPlanGate, baton.ByPlanFailure, baton.ByPlanWithoutAgent, baton.ByEnd,
	baton.ByEndOnward, baton.ByHandoff, baton.ByGates, baton.ByNoneFree, baton.ByWaitInterrupted, baton.ByCompression,
	baton.ByCompressionEnd, baton.ByBreak,
}

func TestStatus_RestingAndActive(t *testing.T) {
	is := is.New(t)
	var active []baton.Status
	for _, s := range statuses {
		is.Equal(s.Valid(), s != "")
		if s.Active() {
			active = append(active, s)
		}
	}
	is.Equal(active, []baton.Status{baton.Running, baton.RunningFallback, baton.Planning, baton.Executing, baton.Compressing})
	is.True(!baton.Status("busy").Valid())
}

// The whole table: what is not in it is an error.
func TestTransition_Check(t *testing.T) {
	resting := []baton.Status{baton.Initialized, baton.FallbackDetected, baton.HandoffReady, baton.PlanReady, baton.Completed, baton.Failed}
	legal := map[baton.Transition]bool{}
	allow := func(cause baton.Cause, from []baton.Status, to ...baton.Status) {
		for _, f := range from {
			for _, t := range to {
				legal[baton.Transition{From: f, To: t, Cause: cause}] = true
			}
		}
	}
	one := func(s ...baton.Status) []baton.Status { return s }
	allow(baton.ByInit, one(""), baton.Initialized)
	allow(baton.ByRun, resting, baton.Running)
	allow(baton.ByPlan, resting, baton.Planning)
	allow(baton.ByPlanGate, one(baton.Planning), baton.PlanReady)
	allow(baton.ByPlanFailure, one(baton.Planning), baton.Failed)
	allow(baton.ByPlanWithoutAgent, resting, baton.PlanReady)
	allow(baton.ByExecute, resting, baton.Executing)
	allow(baton.ByNoneFree, one(baton.FallbackDetected), baton.Failed)
	allow(baton.ByWaitInterrupted, one(baton.FallbackDetected), baton.FallbackDetected)
	allow(baton.ByEnd, one(baton.Running, baton.Executing), baton.Completed, baton.Failed, baton.FallbackDetected)
	allow(baton.ByEnd, one(baton.RunningFallback), baton.Completed, baton.Failed)
	allow(baton.ByEndOnward, one(baton.RunningFallback), baton.FallbackDetected)
	allow(baton.ByGates, one(baton.FallbackDetected, baton.HandoffReady), baton.RunningFallback)
	allow(baton.ByHandoff, resting, baton.HandoffReady)
	working := append(one(baton.Running, baton.Executing, baton.RunningFallback), resting...)
	allow(baton.ByCompression, working, baton.Compressing)
	allow(baton.ByCompressionEnd, one(baton.Compressing), working...)
	allow(baton.ByBreak, one(baton.Running, baton.RunningFallback, baton.Planning, baton.Executing, baton.Compressing), baton.Failed)
	for _, cause := range append(slices.Clone(causes), "whim") {
		for _, from := range statuses {
			for _, to := range statuses {
				move := baton.Transition{From: from, To: to, Cause: cause}
				err := move.Check()
				if (err == nil) != legal[move] {
					t.Errorf("%v: %v", move, err)
				}
				var illegal *baton.IllegalTransitionError
				if err != nil && (!errors.As(err, &illegal) || illegal.Transition != move) {
					t.Errorf("%v: %v", move, err)
				}
			}
		}
	}
}

// metaAt is a session in a status, read from its file.
func metaAt(t interface{ Fatal(args ...any) }, status baton.Status, more string) baton.SessionMeta {
	m, err := baton.ReadSession(fmt.Appendf(nil, `{"id":"s-1","status":%q%s}`, status, more))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMove_FallbackModeHasNoPartInPlans(t *testing.T) {
	for _, to := range []struct {
		status baton.Status
		cause  baton.Cause
	}{{baton.Planning, baton.ByPlan}, {baton.PlanReady, baton.ByPlanWithoutAgent}, {baton.Executing, baton.ByExecute}} {
		for _, mode := range []string{"", `,"workflowMode":"fallback"`} {
			t.Run(string(to.status)+mode, func(t *testing.T) {
				is := is.New(t)
				m := metaAt(t, baton.Completed, mode)
				after, err := m.Move(to.status, to.cause)
				var illegal *baton.IllegalTransitionError
				is.True(errors.As(err, &illegal))
				is.Equal(after.Status(), baton.Completed) // as before
				_, err = metaAt(t, baton.Completed, `,"workflowMode":"plan-execute"`).Move(to.status, to.cause)
				is.NoErr(err)
			})
		}
	}
}

func TestMove_CompressionLeadsBack(t *testing.T) {
	is := is.New(t)
	for _, from := range []baton.Status{baton.Running, baton.Executing, baton.RunningFallback, baton.FallbackDetected, baton.PlanReady, baton.Failed} {
		m, err := metaAt(t, from, "").StartCompression()
		is.NoErr(err)
		is.Equal(m.Status(), baton.Compressing)
		is.Equal(m.BeforeCompression(), from)
		m, err = baton.ReadSession(m.Bytes(time.Time{})) // the file tells too
		is.NoErr(err)
		_, err = m.Move(baton.HandoffReady, baton.ByCompressionEnd)
		is.True(err != nil) // not where it came from
		back, err := m.EndCompression(nil)
		is.NoErr(err)
		is.Equal(back.Status(), from)
		is.Equal(back.BeforeCompression(), baton.Status(""))
		is.Equal(back.LastCompression, nil)
		held := &baton.LastCompression{Before: 9, After: 3}
		back, err = m.EndCompression(held)
		is.NoErr(err)
		is.Equal(back.LastCompression, held)
	}
	_, err := metaAt(t, baton.Planning, "").StartCompression()
	is.True(err != nil)
}

// Whatever a session goes through, each step is in the table or changes nothing.
func TestMove_OnlyLegalSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := metaAt(t, rapid.SampledFrom(statuses[1:]).Draw(t, "status"), `,"workflowMode":"plan-execute"`)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			to, cause := rapid.SampledFrom(statuses).Draw(t, "to"), rapid.SampledFrom(causes).Draw(t, "cause")
			from := m.Status()
			next, err := m.Move(to, cause)
			legal := baton.Transition{From: from, To: to, Cause: cause}.Check() == nil
			switch {
			case err == nil && (!legal || next.Status() != to):
				t.Fatalf("%s became %s by %s", from, next.Status(), cause)
			case err != nil && next.Status() != from:
				t.Fatalf("a refused step left %s for %s", from, next.Status())
			case err != nil && legal && cause != baton.ByCompressionEnd:
				t.Fatal(err)
			}
			m = next
			if (m.BeforeCompression() != "") != (m.Status() == baton.Compressing) && from != baton.Compressing {
				t.Fatalf("%s, before %q", m.Status(), m.BeforeCompression())
			}
		}
	})
}

// A handoff that starts no agent never runs one.
func TestMove_HandoffWithoutRun(t *testing.T) {
	is := is.New(t)
	m, err := metaAt(t, baton.FallbackDetected, "").Move(baton.HandoffReady, baton.ByHandoff)
	is.NoErr(err)
	_, err = m.Move(baton.RunningFallback, baton.ByHandoff)
	is.True(err != nil)
}

func TestLimits_SurviveTheFile(t *testing.T) {
	is := is.New(t)
	seen := time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC)
	m := metaAt(t, baton.Completed, "")
	m.Limits = wall.Limits{
		"codex":  {Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Weekly, ResetAt: seen.Add(time.Hour), Exact: true}, Text: "said", SeenAt: seen},
		"claude": {Class: wall.RateLimit, SeenAt: seen},
	}
	back, err := baton.ReadSession(m.Bytes(seen))
	is.NoErr(err)
	is.Equal(back.Limits, m.Limits)
}

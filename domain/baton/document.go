package baton

import (
	"context"
	"math"
	"time"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

// RunDocument is what a command that started agents prints with --json: how the
// session stands, and the last run.
func (w World) RunDocument(ctx context.Context, place Place) (jsondoc.Object, error) {
	r, err := w.Status(ctx, place)
	if err != nil {
		return nil, err
	}
	doc := r.Document()
	doc.Add("run", r.lastRun())
	return doc, nil
}

// Document is the report as JSON. Missing values are null, never absent.
func (r Report) Document() jsondoc.Object {
	if !r.There {
		return jsondoc.Object{{Key: "session", Value: false}}
	}
	m := r.Meta
	return jsondoc.Object{
		{Key: "session", Value: true},
		{Key: "task", Value: orNull(m.Task)},
		{Key: "status", Value: string(m.Status())},
		{Key: "workflowMode", Value: string(m.Mode())},
		{Key: "activeAgent", Value: m.ActiveAgent},
		{Key: "lastAgent", Value: m.LastAgent},
		{Key: "primaryAgent", Value: orNull(m.PrimaryAgent)},
		{Key: "fallbackAgent", Value: orNull(m.FallbackAgent)},
		{Key: "fallbackReason", Value: orNull(m.FallbackReason)},
		{Key: "tokenDietProfile", Value: orNull(m.TokenDietProfile)},
		{Key: "changedFiles", Value: append([]string{}, r.Changed()...)},
		{Key: "handoffExists", Value: r.HandoffExists},
		{Key: "contextBudgetExists", Value: r.BudgetExists},
		{Key: "lastError", Value: orNull(m.LastError)},
		{Key: "timing", Value: r.timing()},
		{Key: "plan", Value: r.plan()},
		{Key: "compression", Value: r.compression()},
		{Key: "limits", Value: r.limits()},
		{Key: "waiting", Value: r.waiting()},
		{Key: "lastRun", Value: r.lastRun()},
		{Key: "stale", Value: r.Stale},
		{Key: "git", Value: r.git()},
	}
}

func (r Report) lastRun() any {
	if r.Last == nil {
		return nil
	}
	return r.Last.Document()
}

// timeOrNull is an instant, or null for none.
func timeOrNull(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return stamp.Text(at)
}

func (r Report) timing() jsondoc.Object {
	m := r.Meta
	var duration any
	if !m.EndedAt.IsZero() {
		duration = m.Duration.Milliseconds()
	}
	return jsondoc.Object{
		{Key: "startedAt", Value: timeOrNull(m.StartedAt)},
		{Key: "endedAt", Value: timeOrNull(m.EndedAt)},
		{Key: "durationMs", Value: duration},
		{Key: "handoffCount", Value: m.HandoffCount},
		{Key: "lastHandoffAt", Value: timeOrNull(m.LastHandoffAt)},
	}
}

func (r Report) plan() jsondoc.Object {
	codes := []string{}
	if r.Plan.Exists {
		codes = append(codes, r.Plan.Report.Codes()...)
	}
	return jsondoc.Object{
		{Key: "exists", Value: r.Plan.Exists},
		{Key: "state", Value: r.Plan.Name(!r.Meta.PlanFinalizedAt.IsZero())},
		{Key: "failures", Value: codes},
		{Key: "steps", Value: r.Plan.Report.Steps},
		{Key: "planAuthor", Value: orNull(r.Meta.PlanAuthor.Text)},
		{Key: "executor", Value: orNull(r.Meta.Executor.Text)},
		{Key: "planFinalizedAt", Value: timeOrNull(r.Meta.PlanFinalizedAt)},
		{Key: "executeStartedAt", Value: timeOrNull(r.Meta.ExecuteStartedAt)},
	}
}

// hundredths is a share with two decimals.
func hundredths(x float64) jsondoc.Number { return shownRatio(math.Round(x*100) / 100) }

func (r Report) compression() jsondoc.Object {
	c := r.Config.Compression
	var last any
	if held := r.Meta.LastCompression; held != nil {
		last = held.document()
	}
	return jsondoc.Object{
		{Key: "total", Value: r.Weight.Total},
		{Key: "budget", Value: r.Weight.Budget},
		{Key: "ratio", Value: hundredths(r.Weight.Ratio())},
		{Key: "threshold", Value: shownRatio(c.Threshold)},
		{Key: "enabled", Value: c.Enabled},
		{Key: "auto", Value: c.Auto},
		{Key: "active", Value: r.Meta.Status() == Compressing && !r.Stale},
		{Key: "rotatedLogs", Value: r.Rotated},
		{Key: "last", Value: last},
	}
}

func (r Report) limits() []jsondoc.Object {
	list := []jsondoc.Object{}
	for _, agent := range r.Meta.Limits.Agents() {
		n := r.Meta.Limits[agent]
		list = append(list, jsondoc.Object{
			{Key: "agent", Value: agent},
			{Key: "class", Value: string(n.Class)},
			{Key: "kind", Value: orNull(string(n.Kind))},
			{Key: "resetAt", Value: timeOrNull(n.ResetAt)},
			{Key: "resetExact", Value: n.Exact},
			{Key: "seenAt", Value: timeOrNull(n.SeenAt)},
			{Key: "passed", Value: n.Passed(r.Now)},
		})
	}
	return list
}

func (r Report) waiting() any {
	if r.Meta.Waiting.Agent == "" {
		return nil
	}
	return jsondoc.Object{{Key: "agent", Value: r.Meta.Waiting.Agent}, {Key: "until", Value: timeOrNull(r.Meta.Waiting.Until)}}
}

func (r Report) git() jsondoc.Object {
	there := r.TreeFault == nil
	staged, unstaged, untracked := r.Count()
	doc := jsondoc.Object{
		{Key: "available", Value: there}, {Key: "branch", Value: orNull(r.Tree.Branch)}, {Key: "head", Value: orNull(r.Tree.Head)},
	}
	for _, c := range []struct {
		key   string
		value any
	}{
		{"clean", len(r.Tree.Changes) == 0},
		{"changed", len(r.Tree.Changes)},
		{"staged", staged},
		{"unstaged", unstaged},
		{"untracked", untracked},
	} {
		value := c.value
		if !there {
			value = nil
		}
		doc.Add(c.key, value)
	}
	return doc
}

// Document is an explained run as JSON.
func (e Explained) Document() jsondoc.Object {
	doc := e.RunRecord.Document()
	var now any
	if e.Now != nil {
		now = jsondoc.Object{{Key: "file", Value: e.Now.File}, {Key: "line", Value: e.Now.Line}}
	}
	for i, m := range doc {
		if evidence, ok := m.Value.(jsondoc.Object); ok && m.Key == "evidence" {
			evidence.Add("now", now)
			doc[i].Value = evidence
		}
	}
	return doc
}

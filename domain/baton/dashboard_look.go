package baton

import (
	"context"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// looking is one look of a dashboard.
type looking struct {
	Repo
	world   World
	view    *View
	memory  *memory
	budgets compact.Profile
}

// all reads every part, each for itself.
func (l *looking) all(ctx context.Context) {
	l.repository()
	there, err := l.Exists()
	if err != nil {
		l.nothing(err)
	} else {
		l.view.Session = part(l.standing())
	}
	meta := l.view.Session.Value.Meta
	l.diet(meta)
	if l.view.Tree = (Part[port.WorkTree]{Fault: l.Missing}); l.Missing == nil {
		l.view.Tree = part(l.world.Git.Status(ctx, l.Top(), SessionDir))
	}
	if err != nil || !there {
		return
	}
	warning, err := l.unlocked(meta, wall.Runs{})
	if l.view.Session.Fault == nil && err == nil {
		l.warn(warning)
	}
	l.view.Plan = part(l.plan())
	l.view.Weight = part(l.weigh())
	l.view.Rotated = part(l.rotated())
	l.view.Budget = part(l.spent())
	l.view.Handoff = part(l.lastHandoff(meta.HandoffCount))
	l.view.Compact = part(l.excerpt(CompactStateFile, atStart))
	l.view.Log = part(l.excerpt(LogFile, atEnd))
	l.view.Errors = part(l.excerpt(ErrorsFile, atEnd))
}

// nothing gives every part of the session the same fault.
func (l *looking) nothing(err error) {
	l.view.Session.Fault, l.view.Plan.Fault, l.view.Weight.Fault, l.view.Rotated.Fault = err, err, err, err
	l.view.Budget.Fault, l.view.Handoff.Fault, l.view.Compact.Fault, l.view.Log.Fault, l.view.Errors.Fault = err, err, err, err, err
}

func (l *looking) warn(lines ...string) {
	for _, line := range lines {
		if line != "" && !slices.Contains(l.view.Warnings, line) {
			l.view.Warnings = append(l.view.Warnings, line)
		}
	}
}

// repository tells what is to be known of the repository.
func (l *looking) repository() {
	l.warn(l.Notices...)
	if l.Missing != nil {
		l.warn(l.Missing.Error())
	}
	if l.Invalid != nil {
		l.warn(l.Invalid.Error() + "; the defaults are used")
	}
	l.warn(l.dubious())
	l.view.Diets = l.Config.DietNames()
}

// standing reads the session and who works on it.
func (l *looking) standing() (Standing, error) {
	r := Report{Repo: l.Repo}
	err := l.world.observe(&r)
	l.warn(r.Warnings...)
	return Standing{There: r.There, Meta: r.Meta, Stale: r.Stale}, err
}

// diet is the one that the session goes by.
func (l *looking) diet(meta SessionMeta) {
	var warnings []string
	var err error
	l.view.Profile, l.budgets, warnings, err = l.Diet("", meta.TokenDietProfile)
	l.warn(warnings...)
	if err != nil {
		l.warn(err.Error())
	}
}

// plan asks the gate about the plan.
func (l *looking) plan() (PlanState, error) {
	key, err := l.seen(PlanFile, LogFile, "../"+codexInstructions, "../"+claudeInstructions)
	if err != nil {
		return PlanState{}, err
	}
	return l.memory.plans.recall(planSeen{key, l.budgets.MaxPlanChars}, func() (PlanState, error) {
		raw, there, err := l.Read(PlanFile)
		if err != nil {
			return PlanState{}, err
		}
		gate, err := l.world.gate(l.Repo, PlanFile, l.budgets.MaxPlanChars)
		if err != nil || !there {
			return PlanState{Report: gate.Missing()}, err
		}
		return PlanState{Exists: true, Report: gate.Check(raw)}, nil
	})
}

// weigh weighs the context.
func (l *looking) weigh() (compact.Weight, error) {
	var w compact.Weights
	for _, file := range []struct {
		name string
		to   *int
	}{{StateFile, &w.State}, {LogFile, &w.Log}, {DecisionsFile, &w.Decisions}, {ErrorsFile, &w.Errors}} {
		var err error
		if *file.to, err = l.count(file.name); err != nil {
			return compact.Weight{}, err
		}
	}
	return compact.Weigh(w, l.budgets), nil
}

// count is the length of an artifact, of which one that seems unchanged is not read
// again.
func (l *looking) count(name string) (int, error) {
	key, err := l.seen(name)
	if err != nil {
		return 0, err
	}
	return l.memory.chars.recall(key, func() (int, error) { return l.chars(name) })
}

// rotated counts the raw copies of the log.
func (l *looking) rotated() (int, error) {
	names, err := l.List()
	n := 0
	for _, name := range names {
		if strings.HasPrefix(name, LogFile+".full.") {
			n++
		}
	}
	return n, err
}

// spent measures what the artifacts take of their budgets.
func (l *looking) spent() (s Spent, err error) {
	s.HandoffLimit, s.PlanLimit = l.budgets.MaxHandoffChars, l.budgets.MaxPlanChars
	if s.Handoff, err = l.count(HandoffFile); err != nil {
		return s, err
	}
	if s.Plan = l.view.Plan.Value.Report.Chars; l.view.Plan.Fault != nil {
		return s, l.view.Plan.Fault
	}
	raw, there, err := l.Read(BudgetFile)
	if err != nil || !there {
		return s, err
	}
	last, ok, err := handoff.ReadBudget([]byte(raw))
	if ok && err == nil {
		s.Cut = &last.Truncated
	}
	return s, err
}

// LastHandoff is what is known of the handoffs of a session.
type LastHandoff struct {
	// Count is how many the session has written, Kept how many lie there.
	Count, Kept int
	// Newest is the zero value where there is none.
	Newest handoff.Entry
}

// lastHandoff finds the newest handoff.
func (l *looking) lastHandoff(count int) (LastHandoff, error) {
	last := LastHandoff{Count: count}
	names, err := l.List()
	if err != nil {
		return last, err
	}
	var entries []handoff.Entry
	for _, name := range names {
		if !handoff.InHistory(name) {
			continue
		}
		info, err := l.world.Files.Lstat(l.Path(name))
		if err != nil {
			return last, err
		}
		entries = append(entries, handoff.Entry{Name: name, ModifiedAt: info.ModTime})
	}
	if last.Kept = len(entries); last.Kept == 0 {
		return last, nil
	}
	last.Newest, err = l.world.entry(l.Desk, handoff.History(entries)[0].Name)
	return last, err
}

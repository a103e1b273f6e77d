package baton

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/prompt"
	"github.com/changeover/changeover/domain/baton/wall"
)

// PlanRequest is what plan was asked to do.
type PlanRequest struct {
	Place
	Launching
	Task string
	// With is the planner, Executor who is to carry the plan out at once; empty
	// where the flags name none.
	With     string
	Executor string
	Diet     string
	Force    bool
	// NoRun: no agent starts.
	NoRun bool
}

// Planned is a session that has a plan.
type Planned struct {
	File   string
	Report plan.Report
	// Template: the plan is the empty template; Kept: it was there and left alone.
	Template, Kept bool
	// Changed says what changed against the plan before; empty for nothing to
	// tell.
	Changed string
	// Touched are files outside the session that changed meanwhile.
	Touched []string
}

// Plan has an agent write a plan, and checks it.
func (w World) Plan(ctx context.Context, sig Signals, q PlanRequest) (result Planned, err error) {
	if err := agent.CheckTask(q.Task); err != nil {
		return result, usage(err)
	}
	r, err := w.ready(ctx, q.Place)
	if err != nil {
		return result, err
	}
	if q.With == "" {
		q.With = r.Config.PlanExecute.Planner
	}
	if err := checkAgent(q.With); err != nil {
		return result, err
	}
	if q.Executor != "" {
		if err := checkAgent(q.Executor); err != nil {
			return result, err
		}
	}
	_, budgets, _, err := r.Diet(q.Diet, "")
	if err != nil {
		return result, err
	}
	if err := agent.CheckPrompt(prompt.Planner(q.Task, budgets.MaxPlanChars)); err != nil {
		return result, usage(err)
	}
	s, err := w.begin(ctx, r, "plan")
	if err != nil {
		return result, err
	}
	defer func() { err = s.finish(err) }()
	return s.plan(ctx, sig, q)
}

func (s *shift) plan(ctx context.Context, sig Signals, q PlanRequest) (result Planned, err error) {
	result.File = Artifact(PlanFile)
	if _, err := s.ensure(ctx, q.Task); err != nil {
		return result, err
	}
	chosen, err := s.choose(q.Diet, "")
	if err != nil {
		return result, err
	}
	if err := s.Write(TaskFile, withEnd(q.Task)); err != nil {
		return result, err
	}
	if _, err := s.refresh(ctx, s.Desk, chosen.budgets); err != nil {
		return result, err
	}
	start := PlanStart{Task: q.Task, Planner: q.With, Diet: chosen.name}
	if q.NoRun {
		return s.planByHand(start, chosen, result)
	}
	s.announce(q.Launching)
	if s.meta, err = s.meta.StartPlan(start, s.Clock.Now()); err != nil {
		return result, err
	}
	if err := s.save(); err != nil {
		return result, err
	}
	return s.planBy(ctx, sig, q, chosen, result)
}

// planByHand makes the session ready for a plan that a person writes.
func (s *shift) planByHand(start PlanStart, chosen diet, result Planned) (Planned, error) {
	made, err := s.Add(PlanFile, plan.Template(start.Task))
	if err != nil {
		return result, err
	}
	result.Template, result.Kept = made, !made
	raw, err := s.Text(PlanFile)
	if err != nil {
		return result, err
	}
	gate, err := s.gate(s.Repo, PlanFile, chosen.budgets.MaxPlanChars)
	if err != nil {
		return result, err
	}
	result.Report = gate.Check(raw)
	if s.meta, err = s.meta.PlanWithoutAgent(start, result.Report.Passed(), s.Clock.Now()); err != nil {
		return result, err
	}
	return result, s.save()
}

// planBy has the planner write the plan. The one before it is back in the end
// where the planner left none.
func (s *shift) planBy(ctx context.Context, sig Signals, q PlanRequest, chosen diet, result Planned) (_ Planned, err error) {
	old, err := s.backUpPlan()
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, s.restorePlan(old)) }()
	tree, err := s.snapshot(ctx)
	if err != nil {
		return result, err
	}
	ended, err := s.launch(sig, q.Launching, q.With, wall.AsPlanner, prompt.Planner(q.Task, chosen.budgets.MaxPlanChars), nil, nil)
	if err != nil {
		return result, err
	}
	d := wall.Decide(ended.Ended, s.Config.FallbackOn, "", s.Cut)
	limits := s.meta.Limits.After(ended.Ended, s.Clock.Now(), s.Cut)
	if err := s.record(ended.record.Record(ended.Ended, d, s.Cut)); err != nil {
		return result, err
	}
	s.tell(ended, d)
	s.meta.Limits = limits
	if ended.fault != nil {
		return result, joinFirst(s.failPlan(oneLine(ended.fault)), ended.fault)
	}
	if d.Action != wall.Completed {
		return result, s.planFailed(ended, d)
	}
	now, _, err := s.Read(PlanFile)
	if err != nil {
		return result, err
	}
	if plan.Read(now).Blank() || old.there && now == old.raw {
		return result, s.refusePlan(&GateError{What: "the plan", Failures: []string{q.With + " wrote no plan"}, Hints: []string{
			"The end of " + Artifact(LogFile) + " tells what it did instead. Say more in the task and run 'baton plan \"TASK\"' again, or write the plan yourself: 'baton plan \"TASK\" --no-run'.",
		}})
	}
	if result.Touched, err = s.touched(ctx, tree); err != nil {
		return result, err
	}
	if old.there {
		result.Changed = plan.Compare(old.copy, plan.Read(old.raw), PlanFile, plan.Read(now), func(string, string) string { return "" }).Summary()
	}
	return s.judgePlan(q, chosen, now, result)
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// restorePlan puts an earlier plan back where there is none now, and takes its
// backup away where that says the same.
func (s *shift) restorePlan(old earlier) error {
	if !old.there {
		return nil
	}
	now, err := s.Text(PlanFile)
	if err != nil {
		return err
	}
	if isBlank(now) && !isBlank(old.raw) {
		if s.Files.Rename(s.Path(old.copy), s.Path(PlanFile)) == nil { // which needs no room
			return nil
		}
		if err := s.Write(PlanFile, old.raw); err != nil {
			return err
		}
	}
	return s.dropTwin(old)
}

// judgePlan runs the gate on a plan that was written.
func (s *shift) judgePlan(q PlanRequest, chosen diet, raw string, result Planned) (Planned, error) {
	gate, err := s.gate(s.Repo, PlanFile, chosen.budgets.MaxPlanChars)
	if err != nil {
		return result, err
	}
	result.Report = gate.Check(raw)
	if _, err := s.passPlan(result.Report, q.Force); err != nil {
		return result, s.refusePlan(err)
	}
	if s.meta, err = s.meta.FinishPlan(result.Report.Passed(), s.Clock.Now()); err != nil {
		return result, err
	}
	return result, s.save()
}

// planFailed notes a planner that failed.
func (s *shift) planFailed(ended agentEnded, d wall.Decision) error {
	text := d.Error
	if d.Reason != "" {
		text = fmt.Sprintf("%s met a wall: %s", ended.Agent, d.Reason)
	}
	if err := s.failPlan(text); err != nil {
		return err
	}
	p := pursuit{shift: s}
	d.Error = text
	return p.failed(ended, d)
}

// failPlan ends planning without a plan.
func (s *shift) failPlan(text string) error {
	meta, err := s.meta.FailPlan(text, s.Clock.Now())
	if err != nil {
		return err
	}
	s.meta = meta
	return s.save()
}

// refusePlan notes a plan that was refused.
func (s *shift) refusePlan(refused error) error {
	said := refused.Error()
	var gate *GateError
	if errors.As(refused, &gate) {
		said = (&GateError{What: gate.What, Failures: gate.Failures}).Error()
	}
	return joinFirst(s.failPlan(strings.ReplaceAll(said, "\n", " ")), refused)
}

// ComparePlan compares the plan with an earlier one: from names a backup, empty
// for the newest. ok is false where there is no backup.
func (w World) ComparePlan(ctx context.Context, place Place, from string, differ plan.Differ) (d plan.Diff, ok bool, err error) {
	r, err := w.ready(ctx, place)
	if err != nil {
		return d, false, err
	}
	raw, there, err := r.Read(PlanFile)
	if err != nil {
		return d, false, err
	}
	if !there {
		return d, false, usagef("there is no %s: make one with 'baton plan \"TASK\"'", Artifact(PlanFile))
	}
	names, err := r.List()
	if err != nil {
		return d, false, err
	}
	backups := plan.Backups(names)
	switch {
	case from == "" && len(backups) == 0:
		return plan.Compare("", plan.Read(""), PlanFile, plan.Read(raw), differ), false, nil
	case from == "":
		from = backups[0]
	case !slices.Contains(backups, from):
		return d, false, usagef("%s is no backup of the plan: %s", from, known(backups))
	}
	older, err := r.Text(from)
	return plan.Compare(from, plan.Read(older), PlanFile, plan.Read(raw), differ), true, err
}

// known lists what could be named.
func known(names []string) string {
	if len(names) == 0 {
		return "there is none"
	}
	return "there are " + strings.Join(names, ", ")
}

// CheckPlan runs the gate on the plan, or on one from elsewhere, and writes
// nothing.
func (w World) CheckPlan(ctx context.Context, place Place, from, dietFlag string) (plan.Report, error) {
	r, err := w.ready(ctx, place)
	if err != nil {
		return plan.Report{}, err
	}
	meta, _, err := r.ReadMeta()
	if err != nil {
		return plan.Report{}, unreadable(err)
	}
	_, budgets, warnings, err := r.Diet(dietFlag, meta.TokenDietProfile)
	w.tellAll(warnings)
	if err != nil {
		return plan.Report{}, err
	}
	gate, err := w.gate(r, from, budgets.MaxPlanChars)
	if err != nil {
		return plan.Report{}, err
	}
	source, err := w.source(r, from)
	if errors.Is(err, errNoPlan) {
		return gate.Missing(), nil
	}
	return gate.Check(source.raw), err
}

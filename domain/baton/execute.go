package baton

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/prompt"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// ExecuteRequest is what execute was asked to do.
type ExecuteRequest struct {
	Place
	Launching
	Going
	// With is the executor; empty where the flags name none.
	With string
	// From is the plan to carry out; empty for the session's.
	From  string
	Diet  string
	Force bool
	// Following: the command has planned before, and told what is to be known of
	// the repository and the keys.
	Following bool
}

// Execute has an agent carry out a plan, and the next one go on at a wall.
func (w World) Execute(ctx context.Context, sig Signals, q ExecuteRequest) (err error) {
	open := w.ready
	if q.Following {
		open = w.valid
	}
	r, err := open(ctx, q.Place)
	if err != nil {
		return err
	}
	executor, err := r.executor(q.With)
	if err != nil {
		return err
	}
	if _, _, _, err := r.Diet(q.Diet, ""); err != nil {
		return err
	}
	meta, _, err := r.ReadMeta()
	if err != nil {
		return unreadable(err)
	}
	_, budgets, _, err := r.Diet(q.Diet, meta.TokenDietProfile)
	if err != nil {
		return err
	}
	source, err := w.source(r, q.From)
	if err != nil {
		return err
	}
	gate, err := w.gate(r, source.name, budgets.MaxPlanChars)
	if err != nil {
		return err
	}
	report := gate.Check(source.raw)
	forced, err := w.passPlan(report, q.Force)
	if err != nil {
		return err
	}
	s, err := w.begin(ctx, r, "execute")
	if err != nil {
		return err
	}
	defer func() { err = s.finish(err) }()
	return s.execute(ctx, sig, q, executor, source, report.Passed(), forced)
}

// executor is the agent that carries plans out.
func (r Repo) executor(named string) (string, error) {
	if named == "" {
		named = r.Config.PlanExecute.Executor
	}
	return named, checkAgent(named)
}

// planSource is a plan that is to be carried out.
type planSource struct {
	// name is what messages call it, own that it is the session's own.
	name string
	own  bool
	raw  string
}

// errNoPlan reports that there is no plan where one was looked for.
var errNoPlan = errors.New("there is no plan")

// planLimit bounds a plan from elsewhere, in bytes.
const planLimit = 16 << 20

// source finds the plan to carry out.
func (w World) source(r Repo, from string) (planSource, error) {
	own := r.Path(PlanFile)
	if from == "" || w.same(w.absolute(from), own) {
		raw, there, err := r.Read(PlanFile)
		if err != nil {
			return planSource{}, err
		}
		if !there {
			return planSource{}, usagef("%w %s: make one with 'baton plan \"TASK\"', or name one with --from", errNoPlan, Artifact(PlanFile))
		}
		return planSource{name: PlanFile, own: true, raw: raw}, nil
	}
	data, err := w.Files.ReadLinked(w.absolute(from), planLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return planSource{}, usagef("%w %s: make one with 'baton plan \"TASK\"'", errNoPlan, from)
	case errors.Is(err, port.ErrNotRegular), errors.Is(err, port.ErrTooLarge):
		return planSource{}, usage(err)
	}
	return planSource{name: from, raw: string(data)}, err
}

// gate is the plan gate of a repository.
func (w World) gate(r Repo, name string, limit int) (plan.Gate, error) {
	sources, err := r.copiable()
	return plan.Gate{Name: name, Limit: limit, Sources: sources, Environment: w.secrets(r.Config.Auth.Blocked)}, err
}

// passPlan refuses a plan that its gate refuses, or warns where that is overridden.
func (w World) passPlan(report plan.Report, force bool) ([]wall.Forced, error) {
	for _, issue := range report.Warnings {
		w.Sink.Notice("warning: " + issue.Message)
	}
	if report.Passed() {
		return nil, nil
	}
	if !force {
		return nil, refusedPlan(report)
	}
	var forced []wall.Forced
	for _, issue := range report.Failures {
		w.Sink.Notice("warning: the plan gate is overridden: " + issue.Message)
		forced = append(forced, wall.Forced{Gate: gatePlan, Detail: issue.Code})
	}
	return forced, nil
}

func refusedPlan(report plan.Report) error {
	refused := &GateError{What: "the plan", Hints: []string{"Mend it and look with 'baton plan --check', or override the gate with --force."}}
	for _, issue := range report.Failures {
		refused.Failures = append(refused.Failures, issue.Message)
	}
	return refused
}

func (s *shift) execute(ctx context.Context, sig Signals, q ExecuteRequest, executor string, source planSource, passed bool, forced []wall.Forced) error {
	goal := plan.Read(source.raw).Goal()
	if _, err := s.ensure(ctx, goal); err != nil {
		return err
	}
	chosen, err := s.choose(q.Diet, s.meta.TokenDietProfile)
	if err != nil {
		return err
	}
	if !source.own {
		if err := s.adopt(source.raw, passed); err != nil {
			return err
		}
	}
	tree, err := s.refresh(ctx, s.Desk, chosen.budgets)
	if err != nil {
		return err
	}
	if !q.Following {
		s.announce(q.Launching)
	}
	first, other, err := s.agents("", "")
	if err != nil {
		return err
	}
	p := s.pursue(sig, q.Launching, q.Going, executor, after(executor, other, first))
	p.diet, p.force = chosen, q.Force
	opening, err := p.open(func(agent string) (SessionMeta, error) {
		return p.meta.StartExecute(ExecuteStart{Executor: executor, Agent: agent, Head: tree.Head}, p.course.Began)
	})
	if err != nil {
		return err
	}
	before, err := s.Text(PlanFile)
	if err != nil {
		return err
	}
	text := prompt.Executor(s.prompts(), prompt.Receipts{
		Asked: s.Config.PlanExecute.Receipts, There: plan.Read(before).HasReceipts(),
	})
	role := wall.AsExecutor
	if opening.Agent != executor {
		role = wall.AsFallback
	}
	err = p.chase(ctx, opening.Agent, role, text, forced)
	if now, readErr := s.Text(PlanFile); readErr == nil && plan.Hash(now) != plan.Hash(before) {
		s.Sink.Notice(fmt.Sprintf("warning: %s was rewritten while it was carried out; 'baton plan --diff' compares it with the last backup", Artifact(PlanFile)))
	}
	return err
}

// after is the agent that goes on after another: of two, the first that is not
// the same.
func after(id string, candidates ...string) string {
	for _, candidate := range candidates {
		if candidate != id {
			return candidate
		}
	}
	return ""
}

// adopt makes a plan from elsewhere the session's own.
func (s *shift) adopt(raw string, passed bool) error {
	old, err := s.backUpPlan()
	if err != nil {
		return err
	}
	body, _ := plan.Split(raw)
	if err := s.Write(PlanFile, body); err != nil {
		return joinFirst(err, s.dropTwin(old))
	}
	s.meta = s.meta.ForeignPlan(passed, s.Clock.Now())
	return s.save()
}

// earlier is the plan that was there before; there is false where none was.
type earlier struct {
	raw   string
	there bool
	// copy is the name of its backup.
	copy string
}

// backUpPlan keeps a copy of the plan that is there.
func (s *shift) backUpPlan() (old earlier, err error) {
	if old.raw, old.there, err = s.Read(PlanFile); err != nil || !old.there {
		return old, err
	}
	old.copy, err = s.AddStamped("plan.", stamp.File(s.Clock.Now()), ".md", old.raw)
	return old, err
}

// dropTwin takes a backup away again that says what the plan says.
func (s *shift) dropTwin(old earlier) error {
	if !old.there {
		return nil
	}
	now, err := s.Text(PlanFile)
	if err != nil || now != old.raw {
		return err
	}
	return s.Drop(old.copy)
}

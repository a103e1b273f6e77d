package baton

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/jsondoc"
)

// StepResult is how a step of verify came out.
type StepResult string

// The results.
const (
	StepPassed StepResult = "PASS"
	StepWarned StepResult = "WARN"
	StepFailed StepResult = "FAIL"
)

// VerifyStep is one thing that verify tried.
type VerifyStep struct {
	Name   string
	Result StepResult
	// Text says what came of it, Details more.
	Text    string
	Details []string
}

// Verification is everything that verify tried.
type Verification struct {
	Steps []VerifyStep
	// Kept is the temporary repository; empty where it is gone again.
	Kept string
}

// VerifyRequest is what verify was asked to do.
type VerifyRequest struct {
	Place
	Diet string
	// KeepTemp: the temporary repository stays.
	KeepTemp bool
}

// Count counts the steps with a result.
func (v Verification) Count(result StepResult) int {
	n := 0
	for _, step := range v.Steps {
		if step.Result == result {
			n++
		}
	}
	return n
}

// Failed reports that a step failed.
func (v Verification) Failed() bool { return v.Count(StepFailed) > 0 }

// Summary counts the steps in one line.
func (v Verification) Summary() string {
	return fmt.Sprintf("%d passed, %s, %s", v.Count(StepPassed), Counted(v.Count(StepWarned), "warning"), Counted(v.Count(StepFailed), "failure"))
}

// Document is the verification as JSON.
func (v Verification) Document() jsondoc.Object {
	steps := []jsondoc.Object{}
	for _, step := range v.Steps {
		steps = append(steps, jsondoc.Object{
			{Key: "name", Value: step.Name},
			{Key: "result", Value: string(step.Result)},
			{Key: "text", Value: step.Text},
			{Key: "details", Value: append([]string{}, step.Details...)},
		})
	}
	return jsondoc.Object{
		{Key: "passed", Value: !v.Failed()},
		{Key: "pass", Value: v.Count(StepPassed)},
		{Key: "warn", Value: v.Count(StepWarned)},
		{Key: "fail", Value: v.Count(StepFailed)},
		{Key: "steps", Value: steps},
		{Key: "temp", Value: orNull(v.Kept)},
	}
}

// trial is one run of verify.
type trial struct {
	World
	Repo
	Verification
	diet diet
}

// Verify tries out what a session goes through, without any agent: on samples, and
// in a temporary repository. The session of the repository is not touched.
func (w World) Verify(ctx context.Context, q VerifyRequest) (v Verification, err error) {
	e := &examination{World: w}
	if err := e.place(ctx, q.Place); err != nil {
		return v, err
	}
	if e.Invalid != nil {
		return v, usage(e.Invalid)
	}
	t := &trial{World: w, Repo: e.Repo}
	if t.diet.name, t.diet.budgets, _, err = e.Diet(q.Diet, ""); err != nil {
		return v, err
	}
	e.core(ctx)
	t.core(e.Checkup)
	t.detector()
	t.keys()
	t.planGate()
	t.secretsGate()
	t.streams()
	err = t.inside(ctx, q.KeepTemp)
	return t.Verification, joinFirst(ctx.Err(), err)
}

// add notes a step. Without a fault it passed.
func (v *Verification) add(name, passed string, faults []string, details ...string) {
	step := VerifyStep{Name: name, Result: StepPassed, Text: passed, Details: details}
	if len(faults) > 0 {
		step.Result, step.Text, step.Details = StepFailed, faults[0], slices.Concat(faults[1:], details)
	}
	v.Steps = append(v.Steps, step)
}

// warn notes a step that did not fail, but is to be looked at.
func (v *Verification) warn(name, text string, details ...string) {
	v.Steps = append(v.Steps, VerifyStep{Name: name, Result: StepWarned, Text: text, Details: details})
}

// fault is what an error says as the fault of a step.
func fault(err error) []string {
	if err == nil {
		return nil
	}
	return []string{err.Error()}
}

// core takes over what doctor found.
func (t *trial) core(c Checkup) {
	var details, faults, warnings []string
	for _, check := range c.Checks {
		line := check.Label + ": " + check.Value
		switch check.Mark {
		case MarkFail:
			faults = append(faults, line)
		case MarkWarn:
			warnings = append(warnings, line)
		case MarkOK, MarkInfo:
			details = append(details, line)
		}
	}
	const name = "core checks"
	if len(faults) == 0 && len(warnings) > 0 {
		t.warn(name, warnings[0], append(warnings[1:], details...)...)
		return
	}
	t.add(name, c.Summary(), faults, append(warnings, details...)...)
}

// inside tries out what needs a repository, in one that is made for it.
func (t *trial) inside(ctx context.Context, keep bool) (err error) {
	dir, remove, err := t.TempDir()
	if err != nil {
		return fmt.Errorf("make a temporary directory: %w", err)
	}
	if keep {
		t.Kept = dir
	} else {
		defer func() { err = errors.Join(err, remove()) }()
	}
	s, err := t.ground(ctx, dir)
	if err != nil {
		t.add("temporary repository", "", fault(err))
		return nil
	}
	t.handoffStep(ctx, s)
	t.compression(s)
	return s.end()
}

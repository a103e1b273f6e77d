package baton

import (
	"context"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/jsondoc"
)

// BudgetReport is what the artifacts take of the profile's budgets, in
// characters.
type BudgetReport struct {
	Profile string
	Budgets compact.Profile
	Files   []FileChars
	// Cut: the last handoff was cut to fit; nil where there was none.
	Cut      *bool
	Weight   compact.Weight
	Warnings []string
}

// FileChars is how long an artifact is.
type FileChars struct {
	Name  string
	Chars int
}

// Budget measures the artifacts. Without a session everything is 0.
func (w World) Budget(ctx context.Context, place Place, dietFlag string) (b BudgetReport, err error) {
	r, err := w.Visit(ctx, place)
	if err != nil {
		return b, err
	}
	b.Warnings = r.Notices
	if r.Missing != nil {
		b.Warnings = append(b.Warnings, r.Missing.Error())
	}
	if r.Invalid != nil {
		b.Warnings = append(b.Warnings, r.Invalid.Error()+"; the defaults are used")
	}
	if _, err := r.Exists(); err != nil {
		b.Warnings = append(b.Warnings, err.Error())
	}
	meta, _, err := r.ReadMeta()
	if err != nil {
		b.Warnings = append(b.Warnings, err.Error())
	}
	var warnings []string
	b.Profile, b.Budgets, warnings, err = r.Diet(dietFlag, meta.TokenDietProfile)
	b.Warnings = append(b.Warnings, warnings...)
	if err != nil {
		return b, err
	}
	for _, name := range []string{HandoffFile, PlanFile, RepoMapFile, DiffFile, LogFile, StateFile, CompactStateFile} {
		chars, err := r.chars(name)
		if err != nil {
			return b, err
		}
		if name == PlanFile {
			raw, err := r.Text(name)
			if err != nil {
				return b, err
			}
			chars = plan.Read(raw).Chars()
		}
		b.Files = append(b.Files, FileChars{Name: name, Chars: chars})
	}
	raw, there, err := r.Read(BudgetFile)
	if err != nil {
		return b, err
	}
	if there {
		last, ok, err := handoff.ReadBudget([]byte(raw))
		if err != nil {
			b.Warnings = append(b.Warnings, err.Error())
		} else if ok {
			b.Cut = &last.Truncated
		}
	}
	weights, err := r.Weights()
	b.Weight = compact.Weigh(weights, b.Budgets)
	return b, err
}

// Document is the report as JSON.
func (b BudgetReport) Document() jsondoc.Object {
	var files jsondoc.Object
	for _, f := range b.Files {
		files.Add(f.Name, f.Chars)
	}
	var cut any
	if b.Cut != nil {
		cut = *b.Cut
	}
	return jsondoc.Object{
		{Key: "profile", Value: b.Profile},
		{Key: "maxHandoffChars", Value: b.Budgets.MaxHandoffChars},
		{Key: "maxPlanChars", Value: b.Budgets.MaxPlanChars},
		{Key: "chars", Value: files},
		{Key: "lastHandoffCut", Value: cut},
		{Key: "context", Value: jsondoc.Object{
			{Key: "total", Value: b.Weight.Total}, {Key: "budget", Value: b.Weight.Budget}, {Key: "ratio", Value: hundredths(b.Weight.Ratio())},
		}},
	}
}

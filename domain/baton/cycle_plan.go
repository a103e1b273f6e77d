package baton

import (
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/baton/compact"
)

// Trigger says what began a cycle of compression.
type Trigger string

// The triggers.
const (
	AutoTrigger    Trigger = "auto"
	HandoffTrigger Trigger = "handoff"
	ManualTrigger  Trigger = "manual"
)

// CompressionPlan is what a cycle of compression makes of the context, before
// anything of it is written.
type CompressionPlan struct {
	// Loss says what goes, of the files that change alone.
	Loss compact.LossReport
	// Files are all that the context is made of, in the order of the report.
	Files  []Shrinking
	Budget int
	// Faults are what is wrong with the new contents.
	Faults []string
}

// Shrinking is what becomes of one file, in characters.
type Shrinking struct {
	File          string
	Before, After int
	// Notices is how much of Before tells of earlier cycles and counts nowhere.
	Notices int
	// Changed: the cycle writes the file anew. Kept says why it does not where
	// it would have; empty for no reason but that nothing is to be had.
	Changed bool
	Kept    string
}

// net is the change without the notices of earlier cycles.
func (s Shrinking) net() (before, after int) {
	if s.Changed {
		return s.Before - s.Notices, s.After
	}
	return s.Before - s.Notices, s.After - s.Notices
}

// Before is the weight of the context as it was, After what it would be.
func (p CompressionPlan) Before() compact.Weight {
	return p.weight(func(s Shrinking) int { return s.Before })
}

// After is what the context weighs when the cycle holds.
func (p CompressionPlan) After() compact.Weight {
	return p.weight(func(s Shrinking) int { return s.After })
}

func (p CompressionPlan) weight(of func(Shrinking) int) compact.Weight {
	w := compact.Weight{Budget: p.Budget}
	for _, s := range p.Files {
		w.Total += of(s)
	}
	return w
}

// summed is the plan with the totals of its report.
func (p CompressionPlan) summed() CompressionPlan {
	p.Loss.Before, p.Loss.After = p.Before().Total, p.After().Total
	return p
}

// without is the plan of a cycle that leaves a file alone.
func (p CompressionPlan) without(file, why string) CompressionPlan {
	files := append([]Shrinking(nil), p.Files...)
	for i, s := range files {
		if s.File == file {
			files[i] = Shrinking{File: file, Before: s.Before, After: s.Before, Notices: s.Notices, Kept: why}
		}
	}
	p.Files = files
	p.Loss = withoutFile(p.Loss, file)
	return p.summed()
}

// withoutFile is a report that does not speak of a file.
func withoutFile(r compact.LossReport, file string) compact.LossReport {
	switch file {
	case LogFile:
		r.Log = nil
	case StateFile:
		r.State = nil
	case DecisionsFile:
		r.Decisions = nil
	case ErrorsFile:
		r.Errors = nil
	}
	return r
}

// rawIn is the name of a file's raw copy in a report; empty where it has none.
func rawIn(r compact.LossReport, file string) string {
	switch {
	case file == LogFile && r.Log != nil:
		return r.Log.Raw
	case file == StateFile && r.State != nil:
		return r.State.Raw
	case file == DecisionsFile && r.Decisions != nil:
		return r.Decisions.Raw
	case file == ErrorsFile && r.Errors != nil:
		return r.Errors.Raw
	}
	return ""
}

// named is a report with the names of the raw copies.
func named(r compact.LossReport, name func(file string) string) compact.LossReport {
	if r.Log != nil {
		log := *r.Log
		log.Raw, r.Log = name(LogFile), &log
	}
	if r.State != nil {
		state := *r.State
		state.Raw, r.State = name(StateFile), &state
	}
	for file, entries := range map[string]**compact.EntriesLoss{DecisionsFile: &r.Decisions, ErrorsFile: &r.Errors} {
		if *entries != nil {
			of := **entries
			of.Raw, *entries = name(file), &of
		}
	}
	return r
}

// Gate says whether the plan is one that may hold.
func (p CompressionPlan) Gate() GateReport {
	g := GateReport{Failures: p.lighter()}
	g.Failures = append(g.Failures, p.Faults...)
	return g
}

// lighter says what is not lighter than before.
func (p CompressionPlan) lighter() (failures []string) {
	var before, after int
	for _, s := range p.Files {
		was, is := s.net()
		before, after = before+was, after+is
		if is > was {
			failures = append(failures, fmt.Sprintf("%s would grow from %d to %d chars", s.File, was, is))
		}
	}
	if after >= before {
		failures = append(failures, fmt.Sprintf("nothing can be taken away: %d chars before, %d after", before, after))
	}
	return failures
}

// GateReport is what the gate of a cycle found.
type GateReport struct{ Failures []string }

// Passed reports that the cycle holds.
func (g GateReport) Passed() bool { return len(g.Failures) == 0 }

// record is the record of a cycle that holds.
func (p CompressionPlan) record() *LastCompression {
	before, after := p.Before(), p.After()
	return &LastCompression{
		At: p.Loss.At, Trigger: p.Loss.Trigger, Before: before.Total, After: after.Total,
		RatioBefore: before.Ratio(), RatioAfter: after.Ratio(),
	}
}

// newPlan is the plan of a cycle that has not looked at anything yet.
func newPlan(o pressure, at time.Time) CompressionPlan {
	return CompressionPlan{
		Loss: compact.LossReport{
			At: at, Trigger: string(o.trigger), Profile: o.diet.name, Threshold: o.threshold,
		},
		Budget: compact.Weigh(compact.Weights{}, o.diet.budgets).Budget,
	}
}

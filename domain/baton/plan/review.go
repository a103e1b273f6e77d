package plan

import (
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
)

// Touch is how the files that changed compare with what a step names.
type Touch string

// The states of a step in a review.
const (
	// Touched: a file of one of its paths changed.
	Touched Touch = "touched"
	// Untouched: it names paths, and none changed.
	Untouched Touch = "untouched"
	// Uncorrelated: it names no path.
	Uncorrelated Touch = "uncorrelated"
)

// sessionDir holds baton's own files, which are no part of the work.
const sessionDir = ".ai-session/"

// Review compares what changed with what a plan names.
type Review struct {
	// Base is what the working tree was compared with.
	Base  string
	Steps []StepReview
	Files []FileReview
	// Contradictions are steps whose receipt says otherwise.
	Contradictions []StepReview
}

// StepReview is one step, the paths it names and the files of those that
// changed. Receipt is Open where the step has none.
type StepReview struct {
	Step    Step
	State   Touch
	Receipt Mark
	Paths   []string
	Files   []string
}

// FileReview is a file that changed. InScope: no step names it, but the scope
// of the plan does.
type FileReview struct {
	Path    string
	Steps   []int
	InScope bool
}

// Unplanned returns the files that neither a step nor the scope names.
func (r Review) Unplanned() []string {
	var paths []string
	for _, f := range r.Files {
		if len(f.Steps) == 0 && !f.InScope {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// Count returns how many steps are in a state.
func (r Review) Count(state Touch) int {
	n := 0
	for _, s := range r.Steps {
		if s.State == state {
			n++
		}
	}
	return n
}

// Review compares the plan with the files that changed since base. The files
// are relative to the repository; their order does not matter.
func (p Plan) Review(base string, changed []string) Review {
	r := Review{Base: base}
	changed = slices.Compact(slices.Sorted(slices.Values(changed)))
	changed = slices.DeleteFunc(changed, func(file string) bool { return strings.HasPrefix(file, sessionDir) })
	steps := map[string][]int{}
	for _, t := range p.Trail().Steps {
		s := StepReview{Step: t.Step, Receipt: t.Latest.Mark, Paths: paths(t.Step.Whole)}
		s.Files = among(changed, s.Paths)
		switch {
		case len(s.Paths) == 0:
			s.State = Uncorrelated
		case len(s.Files) == 0:
			s.State = Untouched
		default:
			s.State = Touched
		}
		for _, file := range s.Files {
			steps[file] = append(steps[file], s.Step.N)
		}
		r.Steps = append(r.Steps, s)
		if s.Receipt == Done && s.State == Untouched || s.Receipt == Skipped && s.State == Touched {
			r.Contradictions = append(r.Contradictions, s)
		}
	}
	scope := paths(p.Body(Scope))
	for _, file := range changed {
		f := FileReview{Path: file, Steps: steps[file]}
		f.InScope = len(f.Steps) == 0 && len(among([]string{file}, scope)) > 0
		r.Files = append(r.Files, f)
	}
	return r
}

// among returns the files that one of the paths leads to.
func among(files, named []string) []string {
	var found []string
	for _, file := range files {
		if slices.ContainsFunc(named, func(p string) bool { return leadsTo(p, file) }) {
			found = append(found, file)
		}
	}
	return found
}

// Document renders the review for a script.
func (r Review) Document() jsondoc.Object {
	steps := []jsondoc.Object{}
	for _, s := range r.Steps {
		var receipt any
		if s.Receipt != Open {
			receipt = string(s.Receipt)
		}
		steps = append(steps, jsondoc.Object{
			{Key: "n", Value: s.Step.N},
			{Key: "text", Value: s.Step.Text},
			{Key: "state", Value: string(s.State)},
			{Key: "receipt", Value: receipt},
			{Key: "paths", Value: append([]string{}, s.Paths...)},
			{Key: "files", Value: append([]string{}, s.Files...)},
		})
	}
	files := []jsondoc.Object{}
	for _, f := range r.Files {
		files = append(files, jsondoc.Object{
			{Key: "path", Value: f.Path}, {Key: "steps", Value: numbers(f.Steps)}, {Key: "inScope", Value: f.InScope},
		})
	}
	contradictions := []jsondoc.Object{}
	for _, s := range r.Contradictions {
		contradictions = append(contradictions, jsondoc.Object{
			{Key: "n", Value: s.Step.N}, {Key: "receipt", Value: string(s.Receipt)}, {Key: "state", Value: string(s.State)},
		})
	}
	return jsondoc.Object{
		{Key: "base", Value: r.Base},
		{Key: "steps", Value: steps},
		{Key: "files", Value: files},
		{Key: "unplanned", Value: append([]string{}, r.Unplanned()...)},
		{Key: "contradictions", Value: contradictions},
	}
}

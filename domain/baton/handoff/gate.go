package handoff

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/jsondoc"
)

// Report is what a gate says about a handoff.
type Report struct{ Failures, Warnings []plan.Issue }

// Passed reports that there is no failure.
func (r Report) Passed() bool { return len(r.Failures) == 0 }

func (r *Report) fail(code, message string) {
	r.Failures = append(r.Failures, plan.Issue{Code: code, Message: message})
}

func (r *Report) warn(code, message string) {
	r.Warnings = append(r.Warnings, plan.Issue{Code: code, Message: message})
}

// Document renders the report for a script.
func (r Report) Document() jsondoc.Object {
	list := func(issues []plan.Issue) []jsondoc.Object {
		out := []jsondoc.Object{}
		for _, issue := range issues {
			out = append(out, jsondoc.Object{{Key: "code", Value: issue.Code}, {Key: "message", Value: issue.Message}})
		}
		return out
	}
	return jsondoc.Object{{Key: "failures", Value: list(r.Failures)}, {Key: "warnings", Value: list(r.Warnings)}}
}

// Artifacts is what the gates look at in the session directory.
type Artifacts struct {
	// Task, Handoff and Session are the texts of task.md, handoff.md and
	// session.json, empty where there is no such file.
	Task, Handoff, Session string
	// Has reports that there is an artifact of that name.
	Has func(name string) bool
}

// missing notes the artifacts that are not there.
func (a Artifacts) missing(r *Report, names ...string) {
	for _, name := range names {
		if !a.Has(name) {
			r.fail("missing:"+name, name+" is missing")
		}
	}
}

// outline is the handoff by its headings.
func (a Artifacts) outline() markdown.Outline {
	body, _ := markdown.Read(a.Handoff)
	return markdown.ReadOutline(markdown.Lines(body))
}

// CheckQuality tells whether an agent can start from the handoff.
func CheckQuality(a Artifacts) Report {
	var r Report
	for _, file := range []struct{ name, text string }{{"task.md", a.Task}, {File, a.Handoff}, {"session.json", a.Session}} {
		if strings.TrimSpace(markdown.Clean(file.text)) == "" {
			r.fail("missing:"+file.name, file.name+" is missing or blank")
		}
	}
	a.missing(&r, "changed-files.md", "repo-map.md")
	o := a.outline()
	for _, name := range []string{Goal, Previous, Next, Changed, KnownErrors, NextSteps} {
		body, count := o.Find(name)
		switch {
		case count == 0:
			r.fail("section:"+name, fmt.Sprintf("%s has no section ## %s", File, name))
		case (name == Goal || name == NextSteps) && !holds(body):
			r.fail("empty:"+name, fmt.Sprintf("the section ## %s of %s is empty", name, File))
		}
	}
	return r
}

// holds reports that a body is more than the marker of what was cut.
func holds(body []markdown.Line) bool {
	return strings.TrimSpace(strings.ReplaceAll(markdown.Join(body), compact.Marker, "")) != ""
}

// DietGate tells whether a handoff keeps to the token diet.
type DietGate struct {
	// Profile is the name of the profile, Budgets what it allows.
	Profile string
	Budgets compact.Profile
	// Cut: something in the handoff was cut to fit.
	Cut bool
	// Sources must not be copied into the handoff: commands.log, and AGENTS.md
	// and CLAUDE.md at the repository's top.
	Sources []plan.Source
}

// Check reports on the handoff.
func (g DietGate) Check(a Artifacts) Report {
	var r Report
	a.missing(&r, "full-diff.patch", "compact-state.md", BudgetFile)
	if n := compact.Chars(a.Handoff); n > g.Budgets.MaxHandoffChars {
		r.fail("too-long", fmt.Sprintf("%s has %d chars, and %d is the limit", File, n, g.Budgets.MaxHandoffChars))
	}
	o := a.outline()
	if _, count := o.Find(Diet); count == 0 {
		r.fail("section:"+Diet, fmt.Sprintf("%s has no section ## %s", File, Diet))
	}
	for _, source := range g.Sources {
		text := a.Handoff
		if source.Name == plan.LogName {
			text = withoutErrors(a.Handoff)
		}
		for _, name := range plan.Inlined(text, []plan.Source{source}) {
			r.fail("inline:"+name, fmt.Sprintf("text of %s is copied into %s", name, File))
		}
	}
	diff, _ := o.Find(Diff)
	if n := compact.Chars(markdown.Join(diff)); g.strict() && n > g.Budgets.MaxDiffChars {
		r.fail("diff-too-long", fmt.Sprintf("## %s has %d chars, and %d is the limit", Diff, n, g.Budgets.MaxDiffChars))
	}
	if g.Cut && !strings.Contains(a.Handoff, compact.Marker) {
		r.warn("no-marker", "something was cut, and nothing in "+File+" says where")
	}
	for _, name := range []string{"Full Diff", "Long Logs", "Full Git Status"} {
		if _, count := o.Find(name); g.Profile == "ultra" && count > 0 {
			r.warn("full:"+name, fmt.Sprintf("profile ultra, and a section ## %s", name))
		}
	}
	return r
}

// withoutErrors returns the handoff without its known errors. They are lines of the
// log on purpose, and each may be longer than what counts as copied.
func withoutErrors(raw string) string {
	body, _ := markdown.Read(raw)
	lines := markdown.Lines(body)
	var rest []string
	from := 0
	for _, s := range markdown.ReadOutline(lines).Sections {
		if s.Is(KnownErrors) {
			rest = append(rest, texts(lines[from:s.At])...)
			from = s.At + len(s.Body) + 1
		}
	}
	return strings.Join(append(rest, texts(lines[from:])...), "\n")
}

func texts(lines []markdown.Line) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = line.Text
	}
	return list
}

// strict reports a profile for which the diff has a limit of its own.
func (g DietGate) strict() bool { return g.Profile == "caveman" || g.Profile == "ultra" }

// SectionAt returns the section that a line of the handoff stands in, counted
// from 1; empty where it stands in none.
func SectionAt(raw string, line int) string {
	body, _ := markdown.Read(raw)
	name := ""
	for _, s := range markdown.ReadOutline(markdown.Lines(body)).Sections {
		if s.At+1 > line {
			break
		}
		name = s.Heading
	}
	return name
}

package plan

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/secret"
	"github.com/changeover/changeover/domain/jsondoc"
)

// Issue is one thing that a gate found. Code is stable; Message is for people.
type Issue struct{ Code, Message string }

// Report is what the gate says about a plan.
type Report struct {
	Failures []Issue
	Warnings []Issue
	// Steps is how many steps the plan has, Chars its length, Limit the most it
	// may have.
	Steps, Chars, Limit int
}

// Passed reports that there is no failure.
func (r Report) Passed() bool { return len(r.Failures) == 0 }

// Codes returns the codes of the failures.
func (r Report) Codes() []string { return codes(r.Failures) }

func codes(issues []Issue) []string {
	list := make([]string, len(issues))
	for i, issue := range issues {
		list[i] = issue.Code
	}
	return list
}

// Document renders the report for a script.
func (r Report) Document() jsondoc.Object {
	return jsondoc.Object{
		{Key: "failures", Value: issueDocuments(r.Failures)},
		{Key: "warnings", Value: issueDocuments(r.Warnings)},
		{Key: "steps", Value: r.Steps},
		{Key: "chars", Value: r.Chars},
		{Key: "limit", Value: r.Limit},
	}
}

func issueDocuments(issues []Issue) []jsondoc.Object {
	list := []jsondoc.Object{}
	for _, issue := range issues {
		list = append(list, jsondoc.Object{{Key: "code", Value: issue.Code}, {Key: "message", Value: issue.Message}})
	}
	return list
}

// Gate tells whether a plan may be executed.
type Gate struct {
	// Name is what messages call the plan; empty for plan.md.
	Name string
	// Limit is the effective plan budget in characters.
	Limit int
	// Sources must not be copied into the plan: commands.log, AGENTS.md,
	// CLAUDE.md.
	Sources []Source
	// Environment holds the blocked variables with their values.
	Environment map[string]string
}

// Missing reports that there is no plan at all.
func (g Gate) Missing() Report {
	return Report{Limit: g.Limit, Failures: []Issue{{"missing", g.name() + " is missing"}}}
}

// Check reports on a plan.md of any form.
func (g Gate) Check(raw string) Report {
	p := Read(raw)
	r := Report{Steps: len(p.steps), Chars: p.Chars(), Limit: g.Limit}
	if p.Blank() {
		r.fail("empty", g.name()+" is empty")
		return r
	}
	g.checkSections(p, &r)
	if r.Chars > g.Limit {
		r.fail("too-long", fmt.Sprintf("%s has %d chars, and %d is the limit", g.name(), r.Chars, g.Limit))
	}
	g.checkInlined(p, &r)
	for _, f := range secret.Scan(g.name(), p.body, g.Environment) {
		r.fail(fmt.Sprintf("secret:%s:%d", f.Kind, f.Line), "secret in "+f.String())
	}
	warn(p, &r)
	return r
}

func (g Gate) name() string {
	if g.Name == "" {
		return File
	}
	return g.Name
}

func (g Gate) checkSections(p Plan, r *Report) {
	for _, name := range Sections() {
		if _, count := p.outline.Find(name); count == 0 {
			r.fail("section:"+name, fmt.Sprintf("the section ## %s is missing", name))
		}
	}
	if _, count := p.outline.Find(Steps); count > 0 && len(p.steps) == 0 {
		r.fail("steps-empty", "## Steps holds no step: it must be a numbered list of concrete actions")
	}
	if lines, count := p.outline.Find(NextStep); count > 0 && !anySays(lines) {
		r.fail("next-step-empty", "## Next step says nothing: it must be exactly one bullet")
	}
}

func (g Gate) checkInlined(p Plan, r *Report) {
	copies := Inlined(p.body, g.Sources)
	if looksLikeLog(p.lines) {
		r.inlined(LogName, fmt.Sprintf("%d or more lines on end look like those of %s; refer to it by its path", logLines, LogName))
	}
	for _, name := range copies {
		r.inlined(name, fmt.Sprintf("text of %s is copied into it; refer to it by its path", name))
	}
	if holdsLargeDiff(p.lines) {
		r.inlined("diff", fmt.Sprintf("it holds a diff of more than %d lines or %d chars; name the files instead", diffLines, diffChars))
	}
}

func (r *Report) inlined(name, message string) {
	code := "inline:" + name
	for _, issue := range r.Failures {
		if issue.Code == code {
			return
		}
	}
	r.fail(code, message)
}

func (r *Report) fail(code, message string) { r.Failures = append(r.Failures, Issue{code, message}) }

func (r *Report) warn(code, message string) { r.Warnings = append(r.Warnings, Issue{code, message}) }

// pathless is the number of steps from which on one is expected to name a path.
const pathless = 3

// warn notes what is doubtful in a plan and no reason to refuse it.
func warn(p Plan, r *Report) {
	next, _ := p.outline.Find(NextStep)
	count := 0
	for _, it := range items(next) {
		if it.real() {
			count++
		}
	}
	if count > 1 {
		r.warn("next-step-not-one", fmt.Sprintf("## Next step holds %d items instead of one", count))
	}
	for _, name := range Sections() {
		lines, there := p.outline.Find(name)
		if name != Steps && name != NextStep && there > 0 && !anySays(lines) {
			r.warn("hollow:"+name, fmt.Sprintf("## %s holds nothing but a placeholder", name))
		}
	}
	for _, name := range p.duplicates() {
		r.warn("duplicate:"+name, fmt.Sprintf("the section %q stands more than once; all of its bodies count", name))
	}
	if strings.TrimSpace(p.outline.Title) == "" {
		r.warn("no-title", "it has no title: # "+Title)
	}
	if len(p.steps) >= pathless && !p.namesPath() {
		r.warn("steps-name-no-path", "## Steps names no file or directory at all")
	}
}

func (p Plan) namesPath() bool {
	lines, _ := p.outline.Find(Steps)
	return namesPath(markdown.Join(lines))
}

// Package plan holds what plan.md means: its template, its sections and steps,
// the gate that it passes before anybody executes it, what changed between two
// plans, the receipts that stand behind it, and how the files that changed
// compare with what it names.
package plan

import (
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// File is the name of the plan in the session directory.
const File = "plan.md"

// Title is the heading that a plan begins with.
const Title = "relay-baton plan"

// The sections that a plan must have.
const (
	Goal         = "Goal"
	Scope        = "Scope (in)"
	OutOfScope   = "Out of scope"
	Approach     = "Approach"
	Steps        = "Steps"
	Risks        = "Risks"
	Verification = "Verification"
	NextStep     = "Next step"
)

// Sections returns them in the order of the template.
func Sections() []string {
	return []string{Goal, Scope, OutOfScope, Approach, Steps, Risks, Verification, NextStep}
}

// canonical returns a heading as the template spells it, where it means one of
// the required sections.
func canonical(heading string) string {
	for _, name := range Sections() {
		if markdown.Name(heading) == markdown.Name(name) {
			return name
		}
	}
	return strings.TrimSpace(heading)
}

// Plan is a plan that was read. The receipts behind it are no part of it.
type Plan struct {
	body     string
	lines    []markdown.Line
	outline  markdown.Outline
	steps    []Step
	receipts string
}

// Read reads a plan.md of any form.
func Read(raw string) Plan {
	part, receipts := Split(raw)
	body, _ := markdown.Read(part)
	lines := markdown.Lines(body)
	p := Plan{body: body, lines: lines, outline: markdown.ReadOutline(lines), receipts: receipts}
	steps, _ := p.outline.Find(Steps)
	p.steps = readSteps(steps)
	return p
}

// Body returns the text of a section, without blank lines around it; that of
// all of them where the plan has it several times, and nothing where it has
// none.
func (p Plan) Body(name string) string {
	lines, _ := p.outline.Find(name)
	return markdown.Join(lines)
}

// Steps returns the steps, numbered from 1.
func (p Plan) Steps() []Step { return append([]Step(nil), p.steps...) }

// Goal returns the first thing that the section Goal says; empty where it says
// nothing.
func (p Plan) Goal() string {
	lines, _ := p.outline.Find(Goal)
	for _, line := range lines {
		if says(line) {
			return payload(line.Text)
		}
	}
	return ""
}

// Chars is the length of the plan.
func (p Plan) Chars() int { return utf8.RuneCountInString(p.body) }

// Blank reports that there is nothing in it.
func (p Plan) Blank() bool { return strings.TrimSpace(p.body) == "" }

// duplicates returns the headings that stand more than once, in lower case and
// in the order of the plan.
func (p Plan) duplicates() []string {
	var names []string
	count := map[string]int{}
	for _, s := range p.outline.Sections {
		name := markdown.Name(s.Heading)
		if count[name]++; count[name] == 2 {
			names = append(names, name)
		}
	}
	return names
}

// Package prompt holds what baton says to an agent when it starts it. A prompt is
// plain text; it refers to files by their paths and holds the content of none.
package prompt

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/baton/plan"
)

// Where the agent finds what a prompt names.
const (
	dir        = ".ai-session/"
	taskPath   = dir + "task.md"
	statePath  = dir + "state.md"
	mapPath    = dir + "repo-map.md"
	errorsPath = dir + "errors.md"
	planPath   = dir + plan.File
)

// Settings is what the configuration adds to a prompt.
type Settings struct {
	// Test and Build are the commands for them; empty for none.
	Test, Build string
	// Concise: the agent is asked for short output.
	Concise bool
}

// Continuation is the prompt of an agent that goes on where another one
// stopped. planned: there is a plan that it goes on with.
func Continuation(s Settings, planned bool) string {
	var p page
	p.line("This is a handoff through relay-baton. It is not a new task: another agent has worked on it in this repository, and you go on.")
	p.list(
		"Read these files first:",
		"AGENTS.md and CLAUDE.md, if present",
		taskPath, dir+"handoff.md", dir+"compact-state.md", dir+"changed-files.md", mapPath, dir+"test-results.md",
	)
	rules := []string{
		"Do not start over.",
		"The repository as it is now beats any assumption, and anything that a file says about it.",
		"Inspect the git diff before you edit.",
		"Go on from Next Steps of the handoff.",
		"Keep the architecture, the names and the style.",
		"Make small, targeted changes.",
		"Update " + statePath + " after each meaningful step.",
		"Run the relevant tests, or say why not.",
		"Do not auto-commit.",
	}
	p.list("Rules:", append(rules, s.commands()...)...)
	if planned {
		p.list(
			"There is a plan:",
			planPath+" is the contract.",
			"Continue at the first step that is not done.",
			"Do not rewrite the plan.",
			"When reality differs from it, write that to "+errorsPath+".",
		)
	}
	p.list("Token diet rules:", s.diet()...)
	if planned {
		p.line("Immediate task: read the handoff, then carry out the first step of " + planPath + " that is not done.")
	} else {
		p.line("Immediate task: read the handoff, then carry out the first of its Next Steps.")
	}
	return p.String()
}

// Planner is the prompt of the agent that writes the plan. limit is the most
// characters that the plan may have.
func Planner(task string, limit int) string {
	var p page
	p.line("You are the planner. Your only output is the file " + planPath + ". Do not write or edit source code, nor any other file.")
	p.list("Read these files by yourself:", "AGENTS.md and CLAUDE.md, if present", taskPath, mapPath)
	p.line("The plan begins with the title and has these eight sections, with exactly these headings. A plan in which one is missing or empty is rejected.")
	headings := "# " + plan.Title
	for _, name := range plan.Sections() {
		headings += "\n## " + name
	}
	p.line(headings)
	p.list(
		"Rules:",
		"Every section is present, and none is empty.",
		"Steps is a numbered list of concrete actions, each with the files it is about.",
		"Next step is exactly one bullet.",
		"What is uncertain goes to Risks; do not guess in Steps.",
		"Reference files by their paths. Never inline diffs, logs, AGENTS.md or CLAUDE.md.",
		"The plan is a contract for the agent that will execute it, not a transcript of how you came to it.",
		fmt.Sprintf("The plan has at most %d chars.", limit),
		"Stop after writing it.",
	)
	p.line("The task:")
	p.line(task)
	return p.String()
}

// Receipts is how the executor deals with receipts.
type Receipts struct {
	// Asked: it writes one after each step.
	Asked bool
	// There: the plan has some already.
	There bool
}

// Executor is the prompt of the agent that carries the plan out.
func Executor(s Settings, r Receipts) string {
	var p page
	p.line("You are the executor. Carry out the plan in " + planPath + ".")
	p.list("Read these files first:", planPath+", before all others", "AGENTS.md and CLAUDE.md, if present", mapPath)
	rules := []string{
		"Follow Steps in their order, beginning with Next step.",
		"Inspect the git diff before you edit.",
		"Update " + statePath + " after each step.",
		"When reality diverges from the plan, STOP and write it to " + errorsPath + " instead of improvising.",
		"Make targeted changes.",
		"Run what Verification says, or say why not.",
		"Do not rewrite " + planPath + ".",
		"Do not auto-commit.",
	}
	if r.There {
		rules = append(rules, "Steps that are marked under Execution receipts at the end of the plan are finished.")
	}
	if r.Asked {
		rules = append(rules, "After each step run `baton receipt done <n>`, or `baton receipt skip <n> --note \"<why>\"` with the step's number; "+
			"if that is not possible, go on.")
	}
	p.list("Rules:", append(rules, s.commands()...)...)
	p.list("Token diet rules:", s.diet()...)
	p.line("Immediate task: read the plan and carry it out.")
	return p.String()
}

// commands names the commands that are set.
func (s Settings) commands() []string {
	var list []string
	if s.Test != "" {
		list = append(list, "The tests run with: "+s.Test)
	}
	if s.Build != "" {
		list = append(list, "The build runs with: "+s.Build)
	}
	return list
}

// diet is how the agent keeps its context small.
func (s Settings) diet() []string {
	list := []string{
		"Open no full logs unless you need them.",
		"Open the full diff only if the summary is not enough.",
		"Do not paste instruction files.",
		"Keep updates of the state short.",
		"No unrelated analysis.",
	}
	if s.Concise {
		list = append(list, "Answer in concise bullets.", "Do not repeat the handoff or the plan.")
	}
	return list
}

// page is a prompt made of paragraphs.
type page struct{ parts []string }

func (p *page) line(text string) { p.parts = append(p.parts, text) }

func (p *page) list(head string, items ...string) {
	p.line(head + "\n- " + strings.Join(items, "\n- "))
}

func (p *page) String() string { return strings.Join(p.parts, "\n\n") }

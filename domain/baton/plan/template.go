package plan

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// Template returns a plan that is still to be filled in, and that does not pass
// the gate before it is. The task, if there is one, is its goal.
func Template(task string) string {
	goal := markdown.Embed(task, 2)
	if goal == "" {
		goal = "(what is to be reached, and why)"
	}
	var out strings.Builder
	out.WriteString("# " + Title + "\n")
	for _, section := range []struct{ name, body string }{
		{Goal, goal},
		{Scope, "(what is covered)"},
		{OutOfScope, "(what is not)"},
		{Approach, "(how it is to be done, and why that way)"},
		{Steps, "1. (first concrete action)"},
		{Risks, "(open questions, and what may go wrong)"},
		{Verification, "(how to tell that it works)"},
		{NextStep, "- (exactly one bullet)"},
	} {
		out.WriteString("\n## " + section.name + "\n" + section.body + "\n")
	}
	return out.String()
}

package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// What is offered is that of the repository which the line names.
func TestCompletion_LooksWhereTheLineLeads(t *testing.T) {
	s := newScene(t)
	s.write(earlier, goodPlan)
	s.write(".ai-session/plan.md", goodPlan)
	s.write(".ai-session/handoff.2026-05-28T09-00-00-000Z.md", "# Relay Baton Handoff\n")
	other := s.repository("other")
	t.Chdir(other)
	for _, tt := range []struct{ line, want string }{
		{"plan --diff --path ../repo --from ", "plan.2026-05-28T09-00-00-000Z.md\n"},
		{"handoff show --path ../repo --file ", "handoff.2026-05-28T09-00-00-000Z.md\tRelay Baton Handoff\n"},
		{"receipt done --path ../repo ", "1\tAdd the column in src/model.go\n"},
		{"receipt skip --path ../repo ", "1\tAdd the column in src/model.go\n"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			is.True(strings.HasPrefix(s.must(append([]string{"__complete"}, strings.Split(tt.line, " ")...)...).out, tt.want))
			here := strings.Split(strings.Replace(tt.line, "--path ../repo ", "", 1), " ")
			is.True(!strings.Contains(s.must(append([]string{"__complete"}, here...)...).out, tt.want))
		})
	}
}

package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

func TestCompletion(t *testing.T) {
	s := newScene(t)
	s.configure(map[string]any{"tokenDiet": map[string]any{"profiles": map[string]any{"own": map[string]any{"maxHandoffChars": 9000}}}})
	s.must("project", "add", ".")
	s.write(earlier, goodPlan)
	s.write(".ai-session/plan.md", goodPlan)
	s.write(".ai-session/handoff.md", "# Relay Baton Handoff\n")
	before := s.files()
	diets := []string{"off", "lite", "balanced", "caveman", "ultra", "own"}
	agents := []string{"claude", "codex"}
	tests := []struct {
		line string
		want []string
	}{
		{"run --diet ", diets},
		{"budget --diet ", diets},
		{"verify --diet ", diets},
		{"project add --diet ", diets},
		{"run --primary ", agents},
		{"run --fallback ", agents},
		{"plan --with ", agents},
		{"plan --planner ", agents},
		{"plan --executor ", agents},
		{"execute --with ", agents},
		{"handoff --to ", agents},
		{"project add --primary ", agents},
		{"login ", []string{"codex", "claude", "all"}},
		{"status --project ", []string{"repo\t" + s.dir}},
		{"project switch ", []string{"repo\t" + s.dir}},
		{"project remove ", []string{"repo\t" + s.dir}},
		{"plan --from ", []string{"plan.2026-05-28T09-00-00-000Z.md"}},
		{"handoff show --file ", []string{"handoff.md\tRelay Baton Handoff"}},
		{"receipt done ", []string{"1\tAdd the column in src/model.go", "2\tServe the counter in src/server.go", "3\tTalk to the users"}},
		{"receipt skip ", []string{"1\tAdd the column in src/model.go", "2\tServe the counter in src/server.go", "3\tTalk to the users"}},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			got := s.must(append([]string{"__complete"}, strings.Split(tt.line, " ")...)...)
			lines := strings.Split(strings.TrimSpace(got.out), "\n")
			is.Equal(cmp.Diff(tt.want, lines[:len(lines)-1]), "")
			is.Equal(cmp.Diff(before, s.files()), "")
		})
	}
}

func TestCompletion_OfTheRepositoryThatIsNamed(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.configure(map[string]any{"tokenDiet": map[string]any{"profiles": map[string]any{"own": map[string]any{"maxHandoffChars": 9000}}}})
	other := s.repository("other")
	t.Chdir(other)
	is.True(!strings.Contains(s.must("__complete", "budget", "--diet", "").out, "own\n"))
	is.True(strings.Contains(s.must("__complete", "budget", "--path", "../repo", "--diet", "").out, "own\n"))
}

func TestCompletion_Scripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		is := is.New(t)
		is.True(strings.Contains(newScene(t).must("completion", shell).out, "baton"))
	}
}

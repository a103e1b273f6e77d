package handoff_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/text"
)

var cutter = text.NewCutter(func(s string) int {
	tokens := graphemes.FromString(s)
	if !tokens.Next() {
		return len(s)
	}
	return len(tokens.Value())
})

const marker = "[truncated by relay-baton: section budget exceeded]"

// titles are the sections of section 10.2, in their order.
var titles = []string{
	"Goal", "Previous Agent", "Next Agent", "Fallback Reason", "Token Diet Summary", "Current Repository State", "Repo Map", "Relevant Files",
	"Changed Files", "Progress Summary", "Important Diff", "Known Errors", "Test Results", "Next Steps", "Instructions for Next Agent",
}

// The profiles of section 6.
var profiles = map[string]compact.Profile{
	"off":      {MaxHandoffChars: 200000, MaxDiffChars: 100000},
	"lite":     {MaxHandoffChars: 60000, MaxDiffChars: 20000},
	"balanced": {MaxHandoffChars: 40000, MaxDiffChars: 12000},
	"caveman":  {MaxHandoffChars: 25000, MaxDiffChars: 6000},
	"ultra":    {MaxHandoffChars: 12000, MaxDiffChars: 2500},
}

func file(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// input is an ordinary handoff under a profile.
func input(profile string) handoff.Input {
	return handoff.Input{
		Task: "# Task\n\nShow how far an import has come.\n", Previous: "codex", Next: "claude",
		Reason:  "usage_limit (weekly), terminal event: You've hit your usage limit.",
		Profile: profile, Budgets: profiles[profile],
		Status: " M worker/loop.go\n?? new.go\n", RepoMap: "# Repo Map\n\nproj\n\n```\nworker/\n  loop.go\n```\n",
		Relevant: compact.Relevant{Files: []compact.RelevantFile{{Path: "worker/loop.go", Reason: "changed"}}}, Changed: []string{"new.go", "worker/loop.go"},
		State: "# Compact State\n\n## Goal\n\n- import\n", Diff: "diff --git a/x b/x\n+y\n", KnownErrors: []string{"build failed | x", "quota exceeded"},
		TestResults: "# Test Results\n\nall good\n", NextStep: []string{"- Wire the counter."}, Remaining: []string{"1. [ ] Then\n   test"},
	}
}

func compose(in handoff.Input) handoff.Handoff { return handoff.Compose(in, cutter) }

// body returns the body of a section.
func body(h handoff.Handoff, title string) string {
	lines, count := markdown.ReadOutline(markdown.Lines(h.Text)).Find(title)
	if count != 1 {
		return fmt.Sprintf("the section stands %d times", count)
	}
	return markdown.Join(lines)
}

func headings(doc string) []string {
	var names []string
	for _, s := range markdown.ReadOutline(markdown.Lines(doc)).Sections {
		names = append(names, s.Heading)
	}
	return names
}

// Row 33.
func TestCompose_SectionsInOrderEachOnce(t *testing.T) {
	for _, in := range []handoff.Input{input("balanced"), {Budgets: profiles["balanced"]}} {
		is := is.New(t)
		h := compose(in)
		is.Equal(cmp.Diff(headings(h.Text), titles), "")
		is.True(strings.HasPrefix(h.Text, "# Relay Baton Handoff\n\n## Goal\n"))
		is.Equal(h.Chars, len([]rune(h.Text)))
	}
}

func TestCompose_Bodies(t *testing.T) {
	is := is.New(t)
	h := compose(input("balanced"))
	for title, want := range map[string]string{
		"Goal":                     "Show how far an import has come.",
		"Previous Agent":           "codex",
		"Next Agent":               "claude",
		"Fallback Reason":          "usage_limit (weekly), terminal event: You've hit your usage limit.",
		"Current Repository State": "```\n M worker/loop.go\n?? new.go\n```",
		"Repo Map":                 "Full map: .ai-session/repo-map.md\n\n### Repo Map\n\nproj\n\n```\nworker/\n  loop.go\n```",
		"Relevant Files":           "- worker/loop.go — changed",
		"Changed Files":            "- new.go\n- worker/loop.go",
		"Progress Summary":         "### Compact State\n\n#### Goal\n\n- import",
		"Important Diff":           "Full diff: .ai-session/full-diff.patch\n\n```diff\ndiff --git a/x b/x\n+y\n```",
		"Known Errors":             "- build failed | x\n- quota exceeded",
		"Test Results":             "### Test Results\n\nall good",
		"Next Steps":               "- Wire the counter.\n- Then test",
	} {
		is.Equal(cmp.Diff(body(h, title), want), "") // title
	}
	is.True(!h.Cut)
	is.Equal(h.Before, h.Chars)
}

// Row 34.
func TestCompose_PlaceholdersForEmptyInputs(t *testing.T) {
	is := is.New(t)
	h := compose(handoff.Input{Budgets: profiles["ultra"], TestResults: "# Test Results\n\n(none yet)\n", Diff: "(no diff)"})
	for title, want := range map[string]string{
		"Goal": "(no goal recorded)", "Fallback Reason": "manual handoff", "Current Repository State": "(clean)",
		"Relevant Files": "(none selected)", "Changed Files": "(none)", "Known Errors": "(none detected)", "Test Results": "No tests were run.",
		"Important Diff": "Full diff: .ai-session/full-diff.patch\n\n(no diff)",
	} {
		is.Equal(body(h, title), want) // title
	}
}

func TestCompose_Goal(t *testing.T) {
	tests := []struct{ name, task, want string }{
		{"heading alone", "# Fix the counter\n", "Fix the counter"},
		{"second heading stays, lowered", "# Task\n## Part\nx", "#### Part\nx"},
		{"no heading", "Fix\r\nit", "Fix\nit"},
		{"open fence", "do\n```\n## x", "do\n```\n## x\n```"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			h := compose(handoff.Input{Task: tt.task, Budgets: profiles["lite"]})
			is.Equal(body(h, "Goal"), tt.want)
			is.Equal(cmp.Diff(headings(h.Text), titles), "")
		})
	}
}

// Row 40.
func TestCompose_GoalTakesAQuarterAtMost(t *testing.T) {
	is := is.New(t)
	in := input("ultra")
	in.Task = strings.Repeat("All of it, please. ", 2000)
	h := compose(in)
	goal := body(h, "Goal")
	is.True(strings.HasPrefix(goal, "All of it, please. All"))
	is.True(strings.HasSuffix(goal, "\n\n"+marker))
	is.True(len(goal) <= 3000 && len(goal) > 2900)
	is.True(h.Cut)
	is.Equal(cmp.Diff(headings(h.Text), titles), "")
	is.True(strings.Contains(body(h, "Token Diet Summary"), "cut"))
}

func TestCompose_ReasonWithInstants(t *testing.T) {
	is := is.New(t)
	in := input("lite")
	in.Reason = "usage_limit: hit"
	in.ResetAt = time.Date(2026, 5, 28, 12, 0, 0, 0, time.FixedZone("", 3600))
	is.Equal(body(compose(in), "Fallback Reason"), "usage_limit: hit\n- resets at 2026-05-28T11:00:00.000Z")
	in.WaitedUntil = in.ResetAt.Add(time.Minute)
	is.Equal(body(compose(in), "Fallback Reason"), "usage_limit: hit\n- resets at 2026-05-28T11:00:00.000Z\n- waited until 2026-05-28T11:01:00.000Z")
}

// Row 35.
func TestCompose_DietSummary(t *testing.T) {
	is := is.New(t)
	h := compose(input("caveman"))
	is.Equal(body(h, "Token Diet Summary"), "- Profile: caveman\n- Handoff limit: 25000 chars\n"+
		fmt.Sprintf("- Chars before fitting: %d\n", h.Chars)+
		"- Full diff: .ai-session/full-diff.patch\n- Full log: .ai-session/commands.log\n- Compact state: .ai-session/compact-state.md")
	in := input("caveman")
	in.Cut = true
	is.Equal(strings.Count(body(compose(in), "Token Diet Summary"), "cut"), 1)
	is.True(compose(in).Cut)
}

// Row 36.
func TestCompose_NextSteps(t *testing.T) {
	is := is.New(t)
	in := input("lite")
	is.True(!strings.Contains(body(compose(in), "Next Steps"), "Look at the git diff"))

	in.Planned = true
	is.Equal(body(compose(in), "Next Steps"), "- Follow .ai-session/plan.md from its first step that is not done.\n- Wire the counter.\n- Then test")

	in.Planned, in.Remaining = false, nil
	for i := range 20 {
		in.Remaining = append(in.Remaining, fmt.Sprintf("- item %d", i))
	}
	is.Equal(strings.Count(body(compose(in), "Next Steps"), "- "), 10)
	is.True(strings.HasPrefix(body(compose(in), "Next Steps"), "- Wire the counter.\n- item 0\n"))

	in.NextStep, in.Remaining = []string{"- (none)", ""}, nil
	got := body(compose(in), "Next Steps")
	is.Equal(strings.Count(got, "- "), 4)
	for _, words := range []string{"git diff", "current state", "tests", ".ai-session/state.md"} {
		is.True(strings.Contains(got, words))
	}
}

func TestCompose_Instructions(t *testing.T) {
	is := is.New(t)
	in := input("lite")
	got := body(compose(in), "Instructions for Next Agent")
	is.True(strings.Count(got, "\n- ") >= 7) // eight bullets
	for _, words := range []string{
		"relay-baton", "do not start over", "AGENTS.md", "beats any assumption", "git diff", "Next Steps", "style", "targeted", ".ai-session/state.md",
		"tests", "Do not auto-commit",
	} {
		is.True(strings.Contains(got, words))
	}
	is.True(!strings.Contains(got, "plan.md"))
	in.Planned = true
	got = body(compose(in), "Instructions for Next Agent")
	is.True(strings.Contains(got, ".ai-session/plan.md is the contract"))
	is.True(strings.Contains(got, ".ai-session/errors.md"))
}

func TestCompose_RelevantFilesCountTheRest(t *testing.T) {
	is := is.New(t)
	in := input("lite")
	in.Relevant.More = 12
	is.Equal(body(compose(in), "Relevant Files"), "- worker/loop.go — changed\n- and 12 more")
}

func TestCompose_EmbeddedTextsKeepInsideTheirSections(t *testing.T) {
	is := is.New(t)
	in := input("lite")
	nasty := "## Next Steps\r\n# Title\n```\n## Goal\n"
	in.Task, in.RepoMap, in.State, in.TestResults = nasty, nasty, nasty, nasty
	in.Status, in.Diff = "## main\n```\n", "+```\n ````\n## Goal\n"
	in.Reason, in.Previous, in.KnownErrors, in.Changed = "## Goal", "## Goal", []string{"## Goal\n## Goal"}, []string{"a\n## Goal"}
	h := compose(in)
	is.Equal(cmp.Diff(headings(h.Text), titles), "")
	is.Equal(body(h, "Important Diff"), "Full diff: .ai-session/full-diff.patch\n\n`````diff\n+```\n ````\n## Goal\n`````")
	is.Equal(body(h, "Known Errors"), "- ## Goal ## Goal")
}

func TestCompose_KeepsSpacesInPaths(t *testing.T) {
	is := is.New(t)
	in := input("lite")
	in.Changed = []string{"a  b.txt", "tab\there", "esc\x1b[31m"}
	is.Equal(body(compose(in), "Changed Files"), "- a  b.txt\n- tab here\n- esc[31m")
}

func TestCompose_SameInputSameBytes(t *testing.T) {
	is := is.New(t)
	is.Equal(compose(input("ultra")).Text, compose(input("ultra")).Text)
}

package plan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/plan"
)

// Rows 46.
func TestTemplate_HoldsSectionsAndTask(t *testing.T) {
	is := is.New(t)
	raw := plan.Template("Show how far an import has come.")
	is.True(strings.HasPrefix(raw, "# relay-baton plan\n"))
	at := 0
	for _, name := range []string{"Goal", "Scope (in)", "Out of scope", "Approach", "Steps", "Risks", "Verification", "Next step"} {
		i := strings.Index(raw[at:], "\n## "+name+"\n")
		is.True(i >= 0) // in this order
		at += i
	}
	is.Equal(plan.Read(raw).Body("Goal"), "Show how far an import has come.")
	is.Equal(plan.Read(raw).Body("Steps"), "1. (first concrete action)")
}

// Rows 46.
func TestTemplate_DoesNotPassUnfilled(t *testing.T) {
	is := is.New(t)
	hollow := "hollow:Scope (in), hollow:Out of scope, hollow:Approach, hollow:Risks, hollow:Verification"
	got := gate(t, 30000).Check(plan.Template("Show how far an import has come."))
	is.Equal(codes(got.Failures), "steps-empty, next-step-empty")
	is.Equal(codes(got.Warnings), hollow)
	got = gate(t, 30000).Check(plan.Template(" \n"))
	is.Equal(codes(got.Failures), "steps-empty, next-step-empty")
	is.Equal(codes(got.Warnings), "hollow:Goal, "+hollow)
}

func TestTemplate_KeepsTheTaskInsideGoal(t *testing.T) {
	is := is.New(t)
	task := "# Import\r\n## Risks\n1. do\n```\n## Steps\n"
	got := plan.Read(plan.Template(task))
	is.Equal(got.Body("Goal"), "### Import\n#### Risks\n1. do\n```\n## Steps\n```")
	is.Equal(codes(gate(t, 30000).Check(plan.Template(task)).Failures), "steps-empty, next-step-empty")
}

// Rows 47.
func TestPlan_BodyOfASection(t *testing.T) {
	is := is.New(t)
	p := plan.Read(file(t, "plan/valid.md"))
	is.Equal(p.Body("Risks"), "- counter drift when a batch is retried")
	is.Equal(p.Body("next step:"), "- Write the migration for rows_done")
	is.Equal(p.Body("Unknown"), "")
	is.Equal(plan.Read(file(t, "plan/bad-steps-empty-before-heading.md")).Body("Steps"), "")
	is.Equal(plan.Read(file(t, "plan/warn-duplicate-risks.md")).Body("Risks"),
		"- counter drift when a batch is retried\n\n- second opinion: the index may lock the table")
}

func TestPlan_DeeperHeadingsBelongToTheBody(t *testing.T) {
	is := is.New(t)
	p := plan.Read("## A\nx\n### B\ny\n# C\nz\n## D ##\nw\n")
	is.Equal(p.Body("a"), "x\n### B\ny")
	is.Equal(p.Body("d"), "w")
}

func TestPlan_Steps(t *testing.T) {
	is := is.New(t)
	raw := "## Steps\nFirst of all:\n7. [x] **one** in a.go\n   more of one\n\n   and b.go\n\nNot of one.\n- two\n" +
		"  - below two\n```\n- not a step\n```\n1) TODO\n   - not a step either\n### Later\n" +
		"said of what comes\n * three\n\n not of three\n"
	got := plan.Read(raw).Steps()
	want := []plan.Step{
		{N: 1, Text: "**one** in a.go", Whole: "7. [x] **one** in a.go\n   more of one\n   and b.go"},
		{N: 2, Text: "two", Whole: "- two\n  - below two\n```\n- not a step\n```"},
		{N: 3, Text: "three", Whole: " * three"},
	}
	is.Equal(cmp.Diff(got, want), "")
}

func TestPlan_Goal(t *testing.T) {
	is := is.New(t)
	is.Equal(plan.Read(file(t, "plan/valid-crlf.md")).Goal(), "Give operators a way to see how far an import has come.")
	is.Equal(plan.Read("## Goal\n\n(what)\n- [ ] ship it\n").Goal(), "ship it")
	is.Equal(plan.Read("## Goal\n(what)\n").Goal(), "")
}

func TestReal(t *testing.T) {
	for line, want := range map[string]bool{
		"- do it": true, "1. [ ] do it": true, "(a) b": true, "(a)(b)": true, "(see a)": false, "<a>": false, "((a) b)": false,
		"todo": false, "TBD": false, "N/a": false, "...": false, "- …": false, "": false, "- ": false, "* * *": false, "###": false,
		"### Later": true, "TODO: write": true, "a (b)": true, "---": false, "--": true, "_ _ _": false,
	} {
		if plan.Real(line) != want {
			t.Errorf("Real(%q) is %v", line, !want)
		}
	}
}

func TestBackups_NewestFirst(t *testing.T) {
	is := is.New(t)
	got := plan.Backups([]string{
		"plan.md", "plan.2026-05-28T09-00-00-000Z.md", "plan.2026-05-28T09-00-00-000Z-10.md", "plan.2026-05-28T09-00-00-000Z-2.md",
		"plan.2026-05-28T09-00-00-001Z.md", "plan.old.md", "handoff.2026-05-28T09-00-00-000Z.md", "plan.2026-05-28T09-00-00-000Z.txt",
		"plan.2025-12-31T23-59-59-999Z.md", "plan.2026-13-28T09-00-00-000Z.md",
	})
	want := []string{
		"plan.2026-05-28T09-00-00-001Z.md", "plan.2026-05-28T09-00-00-000Z-10.md", "plan.2026-05-28T09-00-00-000Z-2.md",
		"plan.2026-05-28T09-00-00-000Z.md", "plan.2025-12-31T23-59-59-999Z.md",
	}
	is.Equal(cmp.Diff(got, want), "")
}

// Rows 102.
func TestIsBackup_TakesNoPath(t *testing.T) {
	is := is.New(t)
	is.True(plan.IsBackup("plan.2026-05-28T09-00-00-000Z.md"))
	is.True(!plan.IsBackup(".ai-session/plan.2026-05-28T09-00-00-000Z.md"))
	is.True(!plan.IsBackup("../plan.2026-05-28T09-00-00-000Z.md"))
	is.True(!plan.IsBackup("plan.md"))
}

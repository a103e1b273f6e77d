package plan_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/jsondoc"
)

// whole is a differ that replaces everything.
func whole(from, to string) string {
	out := "@@ -1 +1 @@\n"
	for line := range strings.SplitSeq(strings.TrimSuffix(from, "\n"), "\n") {
		out += "-" + line + "\n"
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(to, "\n"), "\n") {
		out += "+" + line + "\n"
	}
	return out
}

func compare(older, newer string) plan.Diff {
	return plan.Compare("plan.2026-05-28T09-00-00-000Z.md", plan.Read(older), "plan.md", plan.Read(newer), whole)
}

// Rows 102.
func TestCompare_Sections(t *testing.T) {
	is := is.New(t)
	older := "# P\n## Goal\nsame\n## Risks\n- old\n## Out of scope\n- gone\n- too\n"
	newer := "# P\n## Verification\nrun\nit\n\n## Risks: ##\n- new\n- more\n## GOAL\nsame\n"
	got := compare(older, newer).Sections
	want := []plan.SectionDiff{
		{Name: "Verification", State: plan.Added, Added: 2},
		{Name: "Risks", State: plan.Changed, Added: 2, Removed: 1, Diff: "@@ -1 +1 @@\n-- old\n+- new\n+- more\n"},
		{Name: "Goal", State: plan.Unchanged},
		{Name: "Out of scope", State: plan.Removed, Removed: 2},
	}
	is.Equal(cmp.Diff(got, want), "")
}

// Rows 102.
func TestCompare_Steps(t *testing.T) {
	steps := func(lines ...string) string { return "## Steps\n" + strings.Join(lines, "\n") + "\n" }
	tests := []struct {
		name         string
		older, newer string
		want         plan.StepDiff
	}{
		{"same by key", steps("1. Do  it.", "2. [x] Then that"), steps("- [ ] do it;", "* Done: then THAT!"), plan.StepDiff{}},
		{"added", steps("- a", "- b"), steps("- x", "- a", "- b"), plan.StepDiff{Added: []int{1}}},
		{"removed", steps("- a", "- b"), steps("- b"), plan.StepDiff{Removed: []int{1}}},
		{"moved up", steps("- a", "- b", "- c"), steps("- c", "- a", "- b"), plan.StepDiff{Moved: []plan.StepMove{{From: 3, To: 1}}}},
		{"moved down", steps("- a", "- b", "- c"), steps("- b", "- c", "- a"), plan.StepDiff{Moved: []plan.StepMove{{From: 1, To: 3}}}},
		{
			"all three", steps("- a", "- b", "- c", "- d"), steps("- d", "- x", "- a", "- c"),
			plan.StepDiff{Added: []int{2}, Removed: []int{2}, Moved: []plan.StepMove{{From: 4, To: 1}}},
		},
		{"repeated", steps("- a", "- a"), steps("- a", "- a", "- a"), plan.StepDiff{Added: []int{3}}},
		{"lines below count", steps("- a", "  x"), steps("- a", "  y"), plan.StepDiff{Added: []int{1}, Removed: []int{1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cmp.Diff(compare(tt.older, tt.newer).Steps, tt.want), "")
		})
	}
}

// Each step of either plan is told once, and what is not told keeps its order.
func TestCompare_AccountsForEveryStep(t *testing.T) {
	list := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}), 0, 8)
	rapid.Check(t, func(t *rapid.T) {
		older, newer := list.Draw(t, "older"), list.Draw(t, "newer")
		doc := func(steps []string) string { return "## Steps\n- " + strings.Join(steps, "\n- ") + "\n" }
		got := compare(doc(older), doc(newer)).Steps
		without := func(steps []string, gone map[int]bool) string {
			var rest []string
			for i, s := range steps {
				if !gone[i+1] {
					rest = append(rest, s)
				}
			}
			return strings.Join(rest, " ")
		}
		goneOld, goneNew := map[int]bool{}, map[int]bool{}
		for _, n := range got.Removed {
			goneOld[n] = true
		}
		for _, n := range got.Added {
			goneNew[n] = true
		}
		for _, m := range got.Moved {
			if older[m.From-1] != newer[m.To-1] {
				t.Fatalf("%+v moved to another step", m)
			}
			goneOld[m.From], goneNew[m.To] = true, true
		}
		if a, b := without(older, goneOld), without(newer, goneNew); a != b {
			t.Fatalf("%q stayed in one, %q in the other", a, b)
		}
	})
}

// Rows 102.
func TestCompare_WithoutABackupEverySectionIsAdded(t *testing.T) {
	is := is.New(t)
	got := plan.Compare("", plan.Plan{}, "plan.md", plan.Read("## Steps\n- a\n## Risks\n"), nil)
	is.Equal(string(jsondoc.Line(got.Document())), `{"from":null,"to":"plan.md","sections":[`+
		`{"name":"Steps","state":"added","added":1,"removed":0,"diff":null},{"name":"Risks","state":"added","added":0,"removed":0,"diff":null}],`+
		`"steps":{"added":[1],"removed":[],"moved":[]}}`)
}

func TestDiff_Document(t *testing.T) {
	is := is.New(t)
	got := compare("## Steps\n- a\n- b\n", "## Steps\n- b\n- a\n## Goal\nx\n")
	is.Equal(string(jsondoc.Line(got.Document())), `{"from":"plan.2026-05-28T09-00-00-000Z.md","to":"plan.md","sections":[`+
		`{"name":"Steps","state":"changed","added":2,"removed":2,"diff":"@@ -1 +1 @@\n-- a\n-- b\n+- b\n+- a\n"},`+
		`{"name":"Goal","state":"added","added":1,"removed":0,"diff":null}],`+
		`"steps":{"added":[],"removed":[],"moved":[{"from":2,"to":1}]}}`)
}

// Rows 102.
func TestCompare_LeavesReceiptsOut(t *testing.T) {
	is := is.New(t)
	got := compare(file(t, "plan/valid.md"), file(t, "plan/valid-receipts.md"))
	is.Equal(got.Summary(), "")
	for _, s := range got.Sections {
		is.Equal(s.State, plan.Unchanged)
	}
}

// Rows 108.
func TestCompare_LineEndsDoNotMatter(t *testing.T) {
	is := is.New(t)
	raw := file(t, "plan/valid.md")
	is.Equal(compare(raw, "\uFEFF"+strings.ReplaceAll(raw, "\n", "\r\n")).Summary(), "")
}

func TestDiff_Summary(t *testing.T) {
	is := is.New(t)
	older := "## Steps\n- a\n- b\n## Risks\n- r\n## Goal\ng\n## Notes\nn\n"
	newer := "## Steps\n- b\n- c\n- d\n## Risks\n- s\n## Goal\ng\n## Approach\na\n"
	is.Equal(compare(older, newer).Summary(), "Steps +2 -1, Risks, Approach added, Notes removed")
	is.Equal(compare("## Steps\n- a\n- b\n", "## Steps\n- b\n- a\n").Summary(), "Steps")
}

package compact_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/compact"
)

func restate(raw string, limit int) string {
	return compact.NewStateCompactor(cutter, limit).Restate(raw)
}

// section returns the lines of one section of a compact form.
func section(t *testing.T, result, name string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(result, "\n## "+name+"\n")
	if !ok {
		t.Fatalf("no section %s in %q", name, result)
	}
	body, _, _ := strings.Cut("\n"+rest, "\n\n## ")
	if body = strings.Trim(body, "\n"); body == "" {
		return nil
	}
	return strings.Split(body, "\n")
}

// Row 29.
func TestStateCompactor_Samples(t *testing.T) {
	const state, compacted = "state", "compact"
	tests := []struct {
		in, form string
		limit    int
		want     string
	}{
		{"forty-done.md", state, 6000, "forty-done.state.md"},
		{"forty-done.md", state, 600, "forty-done.max600.md"},
		{"repeated-done.md", state, 6000, "repeated-done.state.md"},
		{"repeated-done.md", compacted, 6000, "repeated-done.compact.md"},
		{"repeated-done.crlf.md", state, 6000, "repeated-done.state.md"}, // row 108
		{"repeated-done.crlf.md", compacted, 6000, "repeated-done.compact.md"},
		{"no-sections.md", state, 6000, "no-sections.state.md"},
	}
	for _, tt := range tests {
		t.Run(tt.in+" to "+tt.want, func(t *testing.T) {
			is := is.New(t)
			c := compact.NewStateCompactor(cutter, tt.limit)
			in, want := fixture(t, "state/"+tt.in), fixture(t, "expected/state/"+tt.want)
			got := c.Restate(in)
			if tt.form == compacted {
				got = c.Compact(in)
			}
			is.Equal(cmp.Diff(want, got), "")
		})
	}
}

// Row 29.
func TestStateCompactor_WritesAllSectionsWithTheirContent(t *testing.T) {
	is := is.New(t)
	names := []string{"Goal", "Done", "In Progress", "Remaining", "Decisions", "Risks", "Next Step"}
	in, want := "", "# Compact State\n"
	for n := range names {
		name := names[len(names)-1-n] // in any order
		in += "## " + name + "\n- of " + name + "\n\n"
		want += "\n## " + names[n] + "\n- of " + names[n] + "\n"
	}
	is.Equal(compact.NewStateCompactor(cutter, 6000).Compact(in), want)
}

func TestStateCompactor_LeavesTheTemplateAsItIs(t *testing.T) {
	is := is.New(t)
	template := fixture(t, "state/template.md")
	is.Equal(restate(template, 6000), template)
	is.Equal(restate("", 6000), template)
}

func TestStateCompactor_RemovesInOrderUntilItFits(t *testing.T) {
	// Each section loses its only item and gets a line of the same length, but
	// one character, so that each further character off the limit takes one.
	line := "- " + strings.Repeat("x", 24)
	var in strings.Builder
	for _, s := range []string{"Goal", "Done", "In Progress", "Remaining", "Decisions", "Risks", "Next Step", "Notes"} {
		in.WriteString("## " + s + "\n" + line + s + "\n")
	}
	whole := restate(in.String(), 6000)
	order := []string{"Notes", "Done", "Decisions", "Risks", "Remaining", "In Progress"}
	limit := compact.Chars(whole)
	for n := range len(order) + 1 {
		got := restate(in.String(), limit)
		for i, s := range order {
			left := section(t, got, s)
			if gone := strings.HasSuffix(left[0], "elided)"); gone != (i < n) {
				t.Fatalf("limit %d: %s holds %q", limit, s, left)
			}
		}
		limit = compact.Chars(got) - 1
	}
}

func TestStateCompactor_RemovesTheOldestButOfRemainingTheLast(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("y", 60)
	in := "## Remaining\n- first " + long + "\n- last " + long
	got := section(t, restate(in, compact.Chars(restate(in, 6000))-1), "Remaining")
	is.Equal(got, []string{"- (1 earlier items elided)", "- first " + long})
	in = strings.ReplaceAll(in, "Remaining", "In Progress")
	got = section(t, restate(in, compact.Chars(restate(in, 6000))-1), "In Progress")
	is.Equal(got, []string{"- (1 earlier items elided)", "- last " + long})
}

func TestStateCompactor_SaysOnceWhatIsEqualAfterAClip(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("z", 250)
	got := restate("## Goal\n- "+long+"1\n- "+long+"2\n", 100)
	is.Equal(section(t, got, "Goal"), []string{"- " + long[:197] + "…"})
}

func TestStateCompactor_LeavesFencesClosedWhenItClips(t *testing.T) {
	blank, long := strings.Repeat(" ", 250), strings.Repeat("x", 250)
	tests := []struct {
		name, in string
		want     []string
	}{
		{"a fence with blanks behind it", "```" + blank + "\nx\n```" + blank, []string{"```", "x", "```"}},
		{"no fence, for a backtick follows", "``` " + long + "`", []string{"``` " + long + "`"}},
		{"a long fence", strings.Repeat("`", 250) + "\nx\n" + strings.Repeat("`", 250), []string{strings.Repeat("`", 250), "x", strings.Repeat("`", 250)}},
		{"a line inside", "```\n``` " + long + "\n```", []string{"```", "``` " + long[:195] + "…", "```"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(section(t, restate("## Goal\n"+tt.in+"\n", 10), "Goal"), tt.want)
		})
	}
}

// Rows 29, 109.
func TestStateCompactor_NeverRemovesGoalOrNextStep(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("z", 198)
	in := "## Goal\n- " + long + "z\n- short\n\n## Next Step\n- " + long[1:] + family + "\n  " + long + "\n"
	got := restate(in, 300)
	is.Equal(section(t, got, "Goal"), []string{"- " + long[1:] + "…", "- short"})
	is.Equal(section(t, got, "Next Step"), []string{"- " + long[1:] + "…", "  " + long}) // 200 characters stay
}

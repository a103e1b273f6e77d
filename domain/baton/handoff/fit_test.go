package handoff_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/markdown"
)

// Row 32.
func TestCompose_SmallHandoffIsNotCut(t *testing.T) {
	is := is.New(t)
	h := compose(input("ultra"))
	in := input("ultra")
	in.Budgets.MaxHandoffChars = h.Chars // just fits
	h = compose(in)
	is.True(!h.Cut)
	is.True(!strings.Contains(h.Text, marker))
}

// limited is an input with a limit of its own and the whole room for the diff.
func limited(limit int) handoff.Input {
	in := input("off")
	in.Budgets.MaxHandoffChars = limit
	return in
}

// lines is n numbered lines.
func lines(word string, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "%s %d\n", word, i)
	}
	return out.String()
}

// Row 32.
func TestCompose_LowPriorityGoesFirst(t *testing.T) {
	is := is.New(t)
	in := limited(12000)
	in.Diff = lines("+added", 1500)
	in.RepoMap = lines("entry", 300)
	h := compose(in)
	is.True(h.Chars <= 12000)
	is.True(h.Cut)
	is.True(strings.HasSuffix(body(h, "Important Diff"), "\n```\n\n"+marker)) // the fence is closed
	is.True(!strings.Contains(body(h, "Repo Map"), marker))
	is.Equal(strings.Count(h.Text, marker), 1)
	is.True(h.Before > 12000)
	is.True(strings.Contains(body(h, "Token Diet Summary"), fmt.Sprint(h.Before)))
}

func TestCompose_BodyIsHalvedUntilItFits(t *testing.T) {
	is := is.New(t)
	in := limited(12000)
	in.TestResults = strings.Repeat("a", 14000)
	got := body(compose(in), "Test Results")
	is.Equal(got, strings.Repeat("a", 7000)+"\n\n"+marker)
	in.TestResults = strings.Repeat("a", 30000)
	got = body(compose(in), "Test Results")
	is.Equal(got, strings.Repeat("a", 7500)+"\n\n"+marker) // twice, and one marker
}

func TestCompose_CutsNoMoreThanItMust(t *testing.T) {
	is := is.New(t)
	in := limited(9999)
	in.TestResults = strings.Repeat("a", 14000)
	h := compose(in)
	in.Budgets.MaxHandoffChars = h.Chars // as many digits
	is.Equal(body(compose(in), "Test Results"), body(h, "Test Results"))
	in.Budgets.MaxHandoffChars--
	is.True(body(compose(in), "Test Results") != body(h, "Test Results"))
}

// The half of 396 characters is 198, one less than two lines of 99.
func TestCompose_HalfOfTheKnownErrors(t *testing.T) {
	is := is.New(t)
	in := limited(9999)
	in.KnownErrors = []string{strings.Repeat("a", 194), strings.Repeat("b", 97), strings.Repeat("c", 97)}
	in.Budgets.MaxHandoffChars = compose(in).Chars - 1
	is.Equal(body(compose(in), "Known Errors"), marker+"\n\n- "+strings.Repeat("c", 97))
}

func TestCompose_MediumBeforeHighAndFloor(t *testing.T) {
	is := is.New(t)
	in := limited(4500)
	in.Diff, in.RepoMap, in.State, in.TestResults = lines("+d", 900), lines("m", 900), lines("s", 900), lines("t", 900)
	in.Changed = strings.Split(strings.TrimSpace(lines("changed file", 200)), "\n")
	h := compose(in)
	is.True(h.Chars <= 4500)
	for _, title := range []string{"Important Diff", "Repo Map", "Progress Summary", "Test Results"} {
		got := strings.TrimSuffix(body(h, title), "\n\n"+marker)
		is.True(len(got) <= 120 && len(got) > 60) // at the floor
	}
	is.True(strings.HasPrefix(body(h, "Changed Files"), "- changed file 0\n"))
	is.True(strings.HasSuffix(body(h, "Changed Files"), marker))
	is.True(strings.Contains(body(h, "Token Diet Summary"), "commands.log")) // baton's own words stay
}

func TestCompose_KnownErrorsLoseTheOldest(t *testing.T) {
	is := is.New(t)
	in := limited(6000)
	in.KnownErrors = strings.Split(strings.TrimSpace(lines("error", 1000)), "\n")
	got := body(compose(in), "Known Errors")
	is.True(strings.HasPrefix(got, marker+"\n\n- error "))
	is.True(strings.HasSuffix(got, "\n- error 999"))
}

func TestCompose_OneLongErrorKeepsItsBeginning(t *testing.T) {
	is := is.New(t)
	in := limited(4500)
	in.KnownErrors = []string{"first", "E:" + strings.Repeat("x", 20000)}
	got := body(compose(in), "Known Errors")
	is.True(strings.HasPrefix(got, marker+"\n\n- E:xx"))
	is.True(strings.HasSuffix(got, "x…"))
}

func TestCompose_NextStepsKeepTheirBeginning(t *testing.T) {
	is := is.New(t)
	in := limited(4500)
	in.NextStep = []string{strings.Repeat("n", 3000), strings.Repeat("m", 3000)}
	got := body(compose(in), "Next Steps")
	is.True(strings.HasPrefix(got, "- nnn"))
	is.True(strings.HasSuffix(got, marker))
}

func TestCompose_DropsLowAndMediumBodiesAtLast(t *testing.T) {
	is := is.New(t)
	in := limited(1600)
	in.Diff, in.RepoMap, in.State, in.TestResults = lines("+d", 900), lines("m", 900), lines("s", 900), lines("t", 900)
	h := compose(in)
	is.True(h.Chars <= 1600)
	is.Equal(body(h, "Important Diff"), marker)
	is.Equal(body(h, "Goal"), "Show how far an import has come.")
	is.Equal(cmp.Diff(headings(h.Text), titles), "")
}

// A cut inside "#### Goal" would leave a heading of another level.
func TestCompose_CutLeavesNoOtherHeading(t *testing.T) {
	for extra := range 40 {
		is := is.New(t)
		in := limited(4000)
		in.State = strings.Repeat("x", extra) + "\n" + strings.Repeat("## Goal\n\n- a\n", 400)
		is.Equal(cmp.Diff(headings(compose(in).Text), titles), "")
	}
}

// Row 39.
func TestCompose_DiffKeepsToItsOwnBudget(t *testing.T) {
	is := is.New(t)
	in := input("caveman")
	in.Diff = lines("+a line of code", 40<<10/16)
	h := compose(in)
	is.True(compact.Chars(body(h, "Important Diff")) <= 6000)
	is.True(h.Cut)

	in.Diff = strings.Repeat("d", handoff.DiffRoom(6000))
	h = compose(in)
	is.True(!h.Cut)
	is.True(compact.Chars(body(h, "Important Diff")) <= 6000)
	is.True(compact.Chars(body(h, "Important Diff")) > 5990)
}

// Row 109.
func TestCompose_CutsNoCluster(t *testing.T) {
	for _, cluster := range []string{"👨\u200d👩\u200d👧", "🇩🇪", "e\u0301\u0323", "\u1112\u1161\u11ab"} {
		is := is.New(t)
		in := limited(9000)
		long := strings.Repeat(cluster, 4000)
		in.Task, in.State, in.KnownErrors, in.Diff, in.TestResults = long, long, []string{long}, long, long
		h := compose(in)
		is.True(h.Chars <= 9000)
		rest := strings.ReplaceAll(h.Text, cluster, "")
		for _, r := range cluster {
			is.True(!strings.ContainsRune(rest, r) || r == 'e') // no part of one is left
		}
	}
}

func TestLeast_IsTheHeadingsAlone(t *testing.T) {
	is := is.New(t)
	want := "# Relay Baton Handoff\n"
	for _, title := range titles {
		want += "\n## " + title + "\n"
	}
	is.Equal(handoff.Least(), len(want))
	h := compose(limited(handoff.Least()))
	is.Equal(h.Text, want)
	is.Equal(compose(limited(1)).Text, want) // headings are never removed
}

// nasty draws texts full of what cuts and headings stumble over.
func nasty() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"# a\n", "## Goal\n", "#### b ##\n", "```\n", "````go\n", "~~~\n", "- x\n", "\n", "\n\n\n", " \r\n", "\r", "text ", "👨\u200d👩\u200d👧", "🇩🇪",
		"e\u0301", "\u1112\u1161\u11ab", "\x00\x1b[3m", "\xff", "\uFEFF", "\tx", "+```\n", strings.Repeat("w", 300), strings.Repeat("\u0301", 90),
		strings.Repeat("line of some length\n", 30), marker, "   ## c\n", "\u2028",
	})
	return rapid.Map(rapid.SliceOfN(piece, 0, 60), func(p []string) string { return strings.Join(p, "") })
}

func drawInput(t *rapid.T) handoff.Input {
	texts := func(label string) []string { return rapid.SliceOfN(nasty(), 0, 8).Draw(t, label) }
	in := handoff.Input{
		Task: nasty().Draw(t, "task"), Previous: nasty().Draw(t, "previous"), Next: "claude", Reason: nasty().Draw(t, "reason"),
		Status: nasty().Draw(t, "status"), RepoMap: nasty().Draw(t, "map"), Changed: texts("changed"), State: nasty().Draw(t, "state"),
		Diff: nasty().Draw(t, "diff"), KnownErrors: texts("errors"), TestResults: nasty().Draw(t, "tests"), NextStep: texts("next"),
		Remaining: texts("remaining"), Planned: rapid.Bool().Draw(t, "planned"), Relevant: compact.Relevant{
			Files: []compact.RelevantFile{{Path: nasty().Draw(t, "path"), Reason: "changed"}}, More: rapid.IntRange(0, 2).Draw(t, "more"),
		},
	}
	in.Profile = rapid.SampledFrom([]string{"off", "lite", "balanced", "caveman", "ultra"}).Draw(t, "profile")
	in.Budgets = profiles[in.Profile]
	if rapid.Bool().Draw(t, "own limit") {
		in.Budgets.MaxHandoffChars = rapid.IntRange(handoff.Least(), 20000).Draw(t, "limit")
		in.Budgets.MaxDiffChars = rapid.IntRange(100, 5000).Draw(t, "diff limit")
	}
	return in
}

// Rows 33, 37: whatever the input, the handoff keeps to its budget and has all its
// headings, and only those.
func TestCompose_FitsAnyInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		h := compose(in)
		n := utf8.RuneCountInString(h.Text)
		if n > in.Budgets.MaxHandoffChars || n != h.Chars {
			t.Fatalf("%d characters, said to be %d, for a limit of %d", n, h.Chars, in.Budgets.MaxHandoffChars)
		}
		if !utf8.ValidString(h.Text) {
			t.Fatal("not valid UTF-8")
		}
		if diff := cmp.Diff(headings(h.Text), titles); diff != "" {
			t.Fatalf("%s\n%s", diff, h.Text)
		}
		if o := markdown.ReadOutline(markdown.Lines(h.Text)); o.Title != "Relay Baton Handoff" || strings.Count("\n"+h.Text, "\n# ") < 1 {
			t.Fatal("no title")
		}
		if h.Cut != strings.Contains(body(h, "Token Diet Summary"), "Sections were cut") && n > 4000 {
			t.Fatalf("cut is %v in %q", h.Cut, body(h, "Token Diet Summary"))
		}
	})
}

// The limits of the profiles, with inputs far beyond them.
func TestCompose_FitsEveryProfile(t *testing.T) {
	for profile := range profiles {
		t.Run(profile, func(t *testing.T) {
			is := is.New(t)
			in := input(profile)
			huge := strings.Repeat("## H 🇩🇪\n\n```\ncode\n```\ntext 👨\u200d👩\u200d👧\n", 2000)
			in.Task, in.RepoMap, in.State, in.Diff, in.TestResults, in.Status = huge, huge, huge, huge, huge, huge
			in.KnownErrors = strings.Split(huge, "\n")
			in.Changed, in.NextStep, in.Remaining = in.KnownErrors, in.KnownErrors, in.KnownErrors
			h := compose(in)
			is.True(h.Chars <= in.Budgets.MaxHandoffChars) // Row 37
			is.True(h.Cut)
			is.Equal(cmp.Diff(headings(h.Text), titles), "")
			is.True(passes(h.Text))
		})
	}
}

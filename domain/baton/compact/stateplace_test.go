package compact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/compact"
)

// Row 108: state.md keeps its own form.
func TestInPlace_KeepsTheFormOfTheFile(t *testing.T) {
	lf := fixture(t, "state/repeated-done.md")
	want := fixture(t, "expected/state/repeated-done.state.md")
	crlf := strings.NewReplacer("\n", "\r\n")
	tests := []struct{ name, in, want string }{
		{"LF", lf, want},
		{"CRLF", fixture(t, "state/repeated-done.crlf.md"), crlf.Replace(want)},
		{"lone CR", strings.ReplaceAll(lf, "\n", "\r"), strings.ReplaceAll(want, "\n", "\r")},
		{"mix", strings.Replace(crlf.Replace(lf), "\r\n", "\n", 9), crlf.Replace(want)},
		{"mark", "\uFEFF" + lf, "\uFEFF" + want},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, loss, changed := compact.NewStateCompactor(cutter, 6000).InPlace(tt.in)
			is.True(changed)
			is.Equal(cmp.Diff(tt.want, got), "")
			is.Equal(loss.CharsBefore, utf8.RuneCountInString(tt.in))
			is.Equal(loss.CharsAfter, utf8.RuneCountInString(tt.want))
		})
	}
}

func TestInPlace_LeavesAloneWhatGetsNoSmaller(t *testing.T) {
	tests := map[string]string{
		"blank":           " \r\n\n",
		"empty":           "",
		"template":        fixture(t, "state/template.md"),
		"without heading": fixture(t, "state/no-sections.md"),
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			got, loss, changed := compact.NewStateCompactor(cutter, 6000).InPlace(in)
			is.True(!changed)
			is.True(loss == nil)
			is.Equal(got, in)
		})
	}
}

func TestInPlace_SaysWhatWasLostAndWhy(t *testing.T) {
	is := is.New(t)
	in := `# Current State

## Goal
- goal

## Done
- (4 earlier items elided)
- a
- a
- Done: b
  - how
` + items(11) + `
## In Progress
- B
- ` + strings.Repeat("w", 400) + `

## Next Step
- next
`
	_, loss, changed := compact.NewStateCompactor(cutter, 460).InPlace(in)
	is.True(changed)
	want := []compact.SectionLoss{
		{Section: "Goal", ItemsBefore: 1, ItemsAfter: 1},
		{Section: "Done", ItemsBefore: 14, ItemsAfter: 0, Lost: []compact.Loss{
			{Reason: compact.Duplicate, Count: 1, Lines: []compact.Span{{From: 8, To: 8}}},
			{Reason: compact.Capped, Count: 1, Lines: []compact.Span{{From: 9, To: 9}}},
			{Reason: compact.Cut, Count: 12, Lines: []compact.Span{
				{From: 10, To: 11},
				{From: 12, To: 12},
				{From: 13, To: 13},
				{From: 14, To: 14},
				{From: 15, To: 15},
				{From: 16, To: 16},
				{From: 17, To: 17},
				{From: 18, To: 18},
				{From: 19, To: 19},
				{From: 20, To: 20},
				{From: 21, To: 21},
				{From: 22, To: 22},
			}},
			{Reason: compact.Earlier, Count: 4},
		}},
		{Section: "In Progress", ItemsBefore: 2, ItemsAfter: 0, Lost: []compact.Loss{
			{Reason: compact.Superseded, Count: 1, Lines: []compact.Span{{From: 25, To: 25}}},
			{Reason: compact.Cut, Count: 1, Lines: []compact.Span{{From: 26, To: 26}}},
		}},
		{Section: "Remaining"},
		{Section: "Decisions"},
		{Section: "Risks"},
		{Section: "Next Step", ItemsBefore: 1, ItemsAfter: 1},
	}
	is.Equal(cmp.Diff(want, loss.Sections), "")
}

func TestInPlace_ReportsClippedLinesAsCut(t *testing.T) {
	is := is.New(t)
	_, loss, _ := compact.NewStateCompactor(cutter, 100).InPlace("## Goal\n- g\n\n  " + strings.Repeat("w", 600))
	is.Equal(cmp.Diff(loss.Sections[0], compact.SectionLoss{
		Section: "Goal", ItemsBefore: 1, ItemsAfter: 1,
		Lost: []compact.Loss{{Reason: compact.Cut, Count: 1, Lines: []compact.Span{{From: 4, To: 4}}}},
	}), "")
}

func TestInPlace_NamesEachPartOfAScatteredItem(t *testing.T) {
	is := is.New(t)
	_, loss, _ := compact.NewStateCompactor(cutter, 6000).InPlace(
		"## Risks\n- a\n\n  b\n## Done\n- x\n## Risks\n  c\n- d\n- a\n  b\n  c\n" + strings.Repeat("\n", 90))
	is.Equal(cmp.Diff(loss.Sections[5].Lost, []compact.Loss{
		{Reason: compact.Duplicate, Count: 1, Lines: []compact.Span{{From: 2, To: 4}, {From: 8, To: 8}}},
	}), "")
}

func TestInPlace_ListsAThousandLinesAndCountsTheRest(t *testing.T) {
	is := is.New(t)
	_, loss, _ := compact.NewStateCompactor(cutter, 6000).InPlace("## Done\n" + strings.Repeat("- same\n", 3001))
	lost := loss.Sections[1].Lost[0]
	is.Equal(lost.Count, 3000)
	is.Equal(len(lost.Lines), 1000)
	is.Equal(lost.More, 2000)
}

package compact_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
)

// stateText draws a state.md with everything that the rules look at.
func stateText() *rapid.Generator[string] {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{
			"", " ", "# Title", "## Goal", "## Done", "## In Progress", "## Remaining:", "## Next Steps", "## Env", "## Risks ##", "### deep",
			"- a", "- A.", "* b", "1. c", " - a", "  - sub", "    deep", "\ttab", "a", "b c", "-", "- [x] a", "- [ ]",
			"- Done: a", "- Done:", "- In Progress: Done: b", "- In Progress: Done:", "- [ ] Done: [x] a", "- Done: [x] Done: a", "- Done: (3 earlier items elided)",
			"- (5 earlier items elided)", "(6 earlier items elided)", "- (0 earlier items elided)", "- (999999999999999999 earlier items elided)",
			"```", "```go", "~~~", "````", "  ```", "    ```", "``` a`b", "\uFEFF", "---", "***", "> quote", "-\u00a0x",
			"- " + strings.Repeat("long ", 60), "- " + strings.Repeat("long ", 60) + "end", "``` " + strings.Repeat("x", 250) + "`",
			strings.Repeat("`", 230), strings.Repeat("~", 210), "```" + strings.Repeat(" ", 230), "-" + strings.Repeat(" ", 230) + "x",
			strings.Repeat(family, 60), strings.Repeat(" ", 230) + "x", strings.Repeat("#", 230), "### " + strings.Repeat(accent, 90),
		}),
		rapid.Map(rapid.IntRange(0, 40), func(n int) string { return fmt.Sprintf("- item %d", n) }),
		anyText(),
	)
	end := rapid.SampledFrom([]string{"\n", "\r\n", "\r", "\n", "\n"})
	return rapid.Custom(func(t *rapid.T) string {
		var out strings.Builder
		for range rapid.IntRange(0, 60).Draw(t, "lines") {
			out.WriteString(line.Draw(t, "line") + end.Draw(t, "end"))
		}
		return out.String()
	})
}

// Row 109.
func TestStateCompactor_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := stateText().Draw(t, "in")
		limit := rapid.SampledFrom([]int{1, 150, 300, 600, 1200, 1800, 6000, 1 << 30}).Draw(t, "limit")
		c := compact.NewStateCompactor(cutter, limit)
		once := c.Restate(in)
		if twice := c.Restate(once); twice != once {
			t.Fatalf("twice differs from once:\n%s", cmp.Diff(once, twice))
		}
		if !utf8.ValidString(once) {
			t.Fatalf("%q is not valid UTF-8", once)
		}
		doc := compact.ReadState(once)
		if compact.Chars(once) > limit {
			for _, s := range []compact.Section{compact.Done, compact.InProgress, compact.Remaining, compact.Decisions, compact.Risks, compact.Notes} {
				if len(doc.Items(s)) > 0 {
					t.Fatalf("over the limit, and %s still holds %d items:\n%s", s, len(doc.Items(s)), once)
				}
			}
		}
		if faults := compact.CheckState(in, once); len(faults) > 0 {
			t.Fatalf("%q in\n%s", faults, once)
		}
		written, loss, changed := c.InPlace(in)
		if changed != (loss != nil) || changed && compact.Chars(written) >= compact.Chars(in) || !changed && written != in {
			t.Fatalf("changed %v, loss %v", changed, loss)
		}
		if again, _, changed := c.InPlace(written); changed {
			t.Fatalf("in place twice differs from once:\n%s", cmp.Diff(written, again))
		}
	})
}

// Row 109.
func TestStateCompactor_ClipsBetweenClusters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"a", family, flag, accent, hangul}), 210, 300).Draw(t, "pieces")
		line := strings.Join(pieces, "")
		got := restate("## Goal\n"+line, 10)
		kept, ok := strings.CutSuffix(strings.TrimPrefix(strings.SplitN(got, "\n", 5)[3], ""), "…")
		if !ok || utf8.RuneCountInString(kept) > 199 || !strings.HasPrefix(line, kept) || splits(line, kept) {
			t.Fatalf("%q became %q", line, kept)
		}
	})
}

// What grows with the square of its input would not end before the test does.
func TestStateCompactor_ReadsMegabytes(t *testing.T) {
	tests := map[string]string{
		"items":             "## Done\n" + items(150_000),
		"one item":          "## Done\n- a\n" + strings.Repeat("  more of it\n", 150_000),
		"one line":          "## Done\n- " + strings.Repeat("word ", 1_000_000),
		"labels":            "- " + strings.Repeat("Done: ", 500_000) + "a",
		"sections":          strings.Repeat("## Goal\n- a\n", 150_000),
		"titles and orphan": strings.Repeat("# T\n  a\n", 150_000),
		"open fence":        "## Done\n```\n" + strings.Repeat("## Done\n\n", 150_000),
		"blank":             "## Done\n- a" + strings.Repeat("\n", 3_000_000) + "- b",
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			result := restate(in, 6000)
			if again := restate(result, 6000); again != result {
				t.Error("twice differs from once")
			}
		})
	}
}

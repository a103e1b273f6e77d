package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/plan"
)

func inlined(doc, source string) bool {
	return len(plan.Inlined(doc, []plan.Source{{Name: "S", Text: source}})) > 0
}

// Rows 52.
func TestInlined_TakesTwoHundredCharactersFromALineStart(t *testing.T) {
	is := is.New(t)
	line := ""
	for i := range 300 {
		line += string(rune(0x4e00 + i)) // no two alike
	}
	source := "short\n" + line + "\nend\n"
	head := string([]rune(line)[:200])
	is.True(inlined("x "+head, source))
	is.True(!inlined("x "+string([]rune(line)[:199]), source))
	is.True(!inlined("x "+string([]rune(line)[1:250]), source)) // not from a line start
	is.True(inlined("> "+line+" and more", source))
}

func TestInlined_WindowsSpanLines(t *testing.T) {
	is := is.New(t)
	source := strings.Repeat("- one rule of many\n", 30)
	is.True(inlined("# T\n\n"+source[:220]+"…", source))
	is.True(!inlined("# T\n\n"+source[:150], source))
}

func TestInlined_PassesOverShortSources(t *testing.T) {
	is := is.New(t)
	short := strings.Repeat("ab", 100)
	is.True(!inlined("x"+short+"x", short)) // 200 characters
	is.True(inlined("x"+short+"y", short+"y"))
}

// Rows 108.
func TestInlined_LineEndsAndSpaceAtThemDoNotMatter(t *testing.T) {
	source := strings.Repeat("- a rule \n", 40)
	for _, doc := range []string{
		strings.ReplaceAll(source, "\n", "\r\n"), strings.ReplaceAll(source, " \n", "\n"), strings.ReplaceAll(source, "\n", "\t \r"),
	} {
		is := is.New(t)
		is.True(inlined("\uFEFF# T\n"+doc, source))
		is.True(inlined("# T\n"+source, "\uFEFF"+doc))
	}
}

func TestInlined_BlankStretchesAreNoText(t *testing.T) {
	is := is.New(t)
	blank := strings.Repeat("\n", 400)
	is.True(!inlined("a"+blank+"b", "c"+blank+"d"+blank))
}

func TestInlined_NamesEachSource(t *testing.T) {
	is := is.New(t)
	a, b := strings.Repeat("alpha beta\n", 30), strings.Repeat("gamma delta\n", 30)
	got := plan.Inlined("x\n"+b+"\n"+a, []plan.Source{{Name: "A", Text: a}, {Name: "none", Text: strings.Repeat("z\n", 200)}, {Name: "B", Text: b}})
	is.Equal(cmp.Diff(got, []string{"A", "B"}), "")
}

func TestInlined_OfTheLogOnlyTheEndCounts(t *testing.T) {
	is := is.New(t)
	early := strings.Repeat("early line\n", 40)
	late := strings.Repeat("late line\n", 40)
	log := early + strings.Repeat(strings.Repeat("x", 99)+"\n", 1<<20/100) + late
	sources := []plan.Source{{Name: "commands.log", Text: log}}
	is.Equal(len(plan.Inlined(early, sources)), 0)
	is.Equal(len(plan.Inlined(late, sources)), 1)
	is.Equal(len(plan.Inlined(early, []plan.Source{{Name: "AGENTS.md", Text: log}})), 1)
}

// The specification read as plainly as can be.
func plainly(doc, source string) bool {
	tidy := func(s string) string {
		lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRight(line, " \t")
		}
		return strings.Join(lines, "\n")
	}
	doc, source = tidy(doc), tidy(source)
	runes := []rune(source)
	if len(runes) <= 200 {
		return false
	}
	for i := 0; i+200 <= len(runes); i++ {
		if i > 0 && runes[i-1] != '\n' {
			continue
		}
		if s := string(runes[i : i+200]); strings.TrimSpace(s) != "" && strings.Contains(doc, s) {
			return true
		}
	}
	return false
}

func TestInlined_AgreesWithTheRule(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b ", "\n", "ü", "\r\n", strings.Repeat("x", 70), strings.Repeat("y\n", 40), "🎉"})
	text := rapid.Map(rapid.SliceOfN(piece, 0, 60), func(p []string) string { return strings.Join(p, "") })
	rapid.Check(t, func(t *rapid.T) {
		source := text.Draw(t, "source")
		from := rapid.IntRange(0, len(source)).Draw(t, "from")
		doc := text.Draw(t, "before") + source[from:rapid.IntRange(from, len(source)).Draw(t, "to")] + text.Draw(t, "after")
		if got, want := inlined(doc, source), plainly(strings.ToValidUTF8(doc, "\uFFFD"), source); got != want && strings.ToValidUTF8(doc, "") == doc {
			t.Fatalf("%v for %q of %q", got, doc, source)
		}
	})
}

// A search per line of the log would not end in time.
func TestInlined_TakesOneLookAtALongLog(t *testing.T) {
	is := is.New(t)
	var log, doc strings.Builder
	for i := 0; log.Len() < 1<<20; i++ {
		fmt.Fprintf(&log, "%d\n", i)
	}
	for i := 0; doc.Len() < 150_000; i++ {
		fmt.Fprintf(&doc, "%d,", i)
	}
	sources := []plan.Source{{Name: "commands.log", Text: log.String()}, {Name: "AGENTS.md", Text: strings.Repeat("\n", 1<<20)}}
	is.Equal(len(plan.Inlined(doc.String(), sources)), 0)
}

// within puts a text into the section Risks of a valid plan.
func within(t *testing.T, body string) plan.Report {
	t.Helper()
	return gate(t, 30000).Check(sectioned(t, "Risks", "- drift\n\n"+body))
}

func TestGate_LogLookAlike(t *testing.T) {
	tags := []string{
		"[session] a", "[agent] a", "[think] a", "[tool] $ ls", "[out] a", "[edit] add x", "[retry] 1/5", "[note] a", "[api] a", "[error] a",
		"[result] ok", "[stdout] a", "[stderr] a", "[out]", "[out] ",
	}
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"twenty of every tag", append(append([]string{}, tags...), tags[:5]...), "inline:commands.log"},
		{"nineteen", append(append([]string{}, tags...), tags[:4]...), "-"},
		{"interrupted", append(append(append([]string{}, tags...), ""), tags...), "-"},
		{"another tag", append(append(append([]string{}, tags...), "[x] a"), tags...), "-"},
		{"no space", strings.Split(strings.Repeat("[out]a\n", 25), "\n"), "-"},
		{"links", strings.Split(strings.Repeat("[out](a)\n", 25), "\n"), "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(codes(within(t, strings.Join(tt.lines, "\n")).Failures), tt.want)
			is.Equal(codes(within(t, "~~~\n"+strings.Join(tt.lines, "\n")+"\n~~~").Failures), tt.want)
		})
	}
}

func TestGate_NamesTheLogOnce(t *testing.T) {
	is := is.New(t)
	log := strings.Repeat("[stdout] one line of it\n", 30)
	g := gate(t, 30000)
	g.Sources[0].Text = log
	is.Equal(codes(g.Check(sectioned(t, "Risks", log)).Failures), "inline:commands.log")
}

func TestGate_LargeDiff(t *testing.T) {
	lines := func(n int) string { return strings.TrimSuffix(strings.Repeat("+x\n", n), "\n") }
	tests := []struct{ name, body, want string }{
		{"30 lines fenced", "```diff\n" + lines(30) + "\n```", "-"},
		{"31 lines fenced", "```diff\n" + lines(31) + "\n```", "inline:diff"},
		{"patch", "~~~ Patch\n" + lines(31) + "\n~~~", "inline:diff"},
		{"other language", "```go\n" + lines(31) + "\n```", "-"},
		{"1500 chars", "```diff\n" + strings.Repeat("ü", 1500) + "\n```", "-"},
		{"1501 chars", "```diff\n" + strings.Repeat("ü", 1501) + "\n```", "inline:diff"},
		{"header inside", "```\n" + lines(29) + "\ndiff --git a/x b/x\n" + lines(1) + "\n```", "inline:diff"},
		{"hunk inside", "```\n" + lines(30) + "\n@@ -1 +1,2 @@ func f() {\n```", "inline:diff"},
		{"no hunk header", "```\n" + lines(30) + "\n@@ -a +b @@\n```", "-"},
		{"unfenced", "@@ -1,3 +1,4 @@\n" + lines(30), "inline:diff"},
		{"unfenced, 30 lines", "@@ -1,3 +1,4 @@\n" + lines(29), "-"},
		{"blank lines inside", "@@ -1,3 +1,4 @@\n" + lines(14) + "\n\n" + lines(14), "-"},
		{"one line more", "@@ -1,3 +1,4 @@\n" + lines(14) + "\n\n" + lines(15), "inline:diff"},
		{"unfenced up to a heading", "diff --git a/x b/x\n" + lines(20) + "\n### More\n" + lines(20), "-"},
		{"unfenced up to a fence", "diff --git a/x b/x\n" + lines(20) + "\n```\n" + lines(20) + "\n```", "-"},
		{"two small ones", "```diff\n" + lines(20) + "\n```\n```diff\n" + lines(20) + "\n```", "-"},
		{"second is large", "```diff\n" + lines(20) + "\n```\n```diff\n" + lines(40) + "\n```", "inline:diff"},
		{"indented", "  diff --git a/x b/x\n" + lines(30), "inline:diff"},
		{"never closed", "```diff\n" + lines(40), "inline:diff"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := ""
			for _, issue := range within(t, tt.body).Failures {
				if strings.HasPrefix(issue.Code, "inline:") {
					got = issue.Code
				}
			}
			is.Equal(got, strings.TrimPrefix(tt.want, "-"))
		})
	}
}

package compact_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
)

// fileDiff returns git's diff of a file that got these lines.
func fileDiff(name string, lines ...string) string {
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nindex 1..2 100644\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1 +1,%[2]d @@\n+%[3]s\n",
		name, len(lines), strings.Join(lines, "\n+"))
}

func compactDiff(diff string, limit int) string {
	return compact.NewDiffCompactor(cutter, limit).Compact(diff).Text
}

// Row 27.
func TestDiffCompactor_OnlyNamesLockFiles(t *testing.T) {
	is := is.New(t)
	source, last := fileDiff("src/a.go", "x"), fileDiff("src/b.go", "y")
	got := compact.NewDiffCompactor(cutter, 6000).Compact(source + fileDiff("web/package-lock.json", "secret") + last)
	is.Equal(got.Text, source+last+"Not shown:\n- web/package-lock.json (lock file)")
	is.True(!got.Cut)
}

func TestDiffCompactor_OnlyNamesWhatIsNotWritten(t *testing.T) {
	tests := []struct{ name, reason string }{
		{"package-lock.json", "lock file"},
		{"pnpm-lock.yaml", "lock file"},
		{"yarn.lock", "lock file"},
		{"npm-shrinkwrap.json", "lock file"},
		{"bun.lockb", "lock file"},
		{"Cargo.lock", "lock file"},
		{"tools/go.sum", "lock file"},
		{"poetry.lock", "lock file"},
		{"uv.lock", "lock file"},
		{"composer.lock", "lock file"},
		{"Gemfile.lock", "lock file"},
		{"dist/a.js", "build output"},
		{"web/build/a.js", "build output"},
		{"a.min.js", "minified"},
		{"a.min.css", "minified"},
		{"a.js.map", "source map"},
		{"vendor/x/y.go", "third party"},
		{"web/node_modules/x.js", "third party"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(compactDiff(fileDiff(tt.name, "x"), 6000), "Not shown:\n- "+tt.name+" ("+tt.reason+")")
		})
	}
	for _, name := range []string{"build", "dist.go", "src/builder/a.go", "map.go", "a.js", "min.js", "go.summary"} {
		t.Run(name+" is shown", func(t *testing.T) {
			is := is.New(t)
			is.Equal(compactDiff(fileDiff(name, "x"), 6000)+"\n", fileDiff(name, "x"))
		})
	}
}

func TestDiffCompactor_FindsTheNameOfAFile(t *testing.T) {
	tests := []struct{ name, diff, want string }{
		{"of a new file", "diff --git a/x b/x\n--- /dev/null\n+++ b/dist/n\n@@ -0,0 +1 @@\n+a\n", "dist/n"},
		{"of a deleted file", "diff --git a/x b/x\n--- a/dist/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "dist/o"},
		{"in the header", "diff --git a/dist/h b/dist/h\nold mode 1\nnew mode 2\n", "dist/h"},
		{"with spaces in the header", "diff --git a/dist/a b/c b/dist/a b/c\nold mode 1\n", "dist/a b/c"},
		{"quoted in the header", `diff --git "a/dist/\303\244 \"b\"" "b/dist/\303\244 \"b\""` + "\nold mode 1\n", `dist/ä "b"`},
		{"with a space", "diff --git a/dist/a b b/dist/a b\n--- a/dist/a b\t\n+++ b/dist/a b\t\n@@ -1 +1 @@\n", "dist/a b"},
		{"quoted", "diff --git x\n--- \"a/dist/\\303\\244\"\n+++ \"b/dist/\\303\\244\"\n@@ -1 +1 @@\n", "dist/ä"},
		{"of a rename", "diff --git a/src/a b/dist/b\nsimilarity index 100%\nrename from src/a\nrename to dist/b\n", "dist/b"},
		{"of a copy", "diff --git a/src/a b/dist/b c\ncopy from src/a\ncopy to dist/b c\n", "dist/b c"},
		{"without git", "--- old/dist/a\t2026-01-01\n+++ new/dist/a\t2026-01-01\n@@ -1 +1 @@\n", "new/dist/a"},
		{"with a line end of its own", "diff --git a/dist/h b/dist/h\r\n--- a/dist/h\r\n+++ b/dist/h\r\n@@ -1 +1 @@\r\n", "dist/h"},
		{"made printable", "diff --git \"a/dist/a\\nb\\033[1m\" \"b/dist/a\\nb\\033[1m\"\nold mode 1\n", "dist/ab[1m"},
		{"not in the change", "diff --git a/dist/h b/dist/h\n--- a/dist/h\n+++ b/dist/h\n@@ -1 +1 @@\n--- a/no\n+++ b/no\n", "dist/h"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(compactDiff(tt.diff, 6000), "Not shown:\n- "+tt.want+" (build output)")
		})
	}
}

func TestDiffCompactor_OnlyNamesBinaryChanges(t *testing.T) {
	for _, change := range []string{"Binary files a/x.go and b/x.go differ", "GIT binary patch\nliteral 3\nKc$`a\n"} {
		t.Run(change, func(t *testing.T) {
			is := is.New(t)
			is.Equal(compactDiff("diff --git a/x.go b/x.go\nindex 1..2\n"+change+"\n", 6000), "Not shown:\n- x.go (binary)")
		})
	}
}

func TestDiffCompactor_CutsEachFileAtALineEnd(t *testing.T) {
	is := is.New(t)
	lines := make([]string, 100)
	for n := range lines {
		lines[n] = fmt.Sprintf("line %03d of some length", n)
	}
	long := fileDiff("src/a.go", lines...)
	got := compact.NewDiffCompactor(cutter, 6000).Compact(long + fileDiff("src/b.go", "x"))
	first, rest, _ := strings.Cut(got.Text, "diff --git a/src/b.go")
	is.True(got.Cut)
	is.True(utf8.RuneCountInString(first) <= 1200)
	is.True(utf8.RuneCountInString(first) > 1150)
	is.True(strings.HasSuffix(rest, "+x"))
	kept := strings.Count(first, "\n") - 1
	is.True(strings.HasPrefix(long, strings.Join(strings.SplitAfter(first, "\n")[:kept], "")))
	is.True(strings.HasSuffix(first, fmt.Sprintf("\n[… %d more lines of this file]\n", 105-kept)))
}

func TestDiffCompactor_GoesOnWithTheNextFileThatFits(t *testing.T) {
	is := is.New(t)
	small, big, tiny := fileDiff("a.go", "x"), fileDiff("big.go", strings.Repeat("y", 900)), fileDiff("c.go", "z")
	got := compact.NewDiffCompactor(cutter, 600).Compact(small + big + tiny)
	is.Equal(got.Text, small+tiny+"Not shown:\n- big.go (over the budget)")
	is.True(got.Cut)
}

func TestDiffCompactor_CountsTheNamesThatDoNotFit(t *testing.T) {
	is := is.New(t)
	var diff strings.Builder
	for n := range 100 {
		diff.WriteString(fileDiff(fmt.Sprintf("dist/file%03d.js", n), "x"))
	}
	got := compact.NewDiffCompactor(cutter, 120).Compact(diff.String())
	is.Equal(got.Text, "Not shown:\n- dist/file000.js (build output)\n- dist/file001.js (build output)\n- and 98 more files")
	is.True(got.Cut)
}

func TestDiffCompactor_KeepsRoomForNames(t *testing.T) {
	is := is.New(t)
	var diff strings.Builder
	for n := range 60 {
		diff.WriteString(fileDiff(fmt.Sprintf("%02d.go", n), "x"))
	}
	got := compactDiff(diff.String(), 2000)
	shown, names, _ := strings.Cut(got, "Not shown:\n")
	is.True(utf8.RuneCountInString(shown) > 1400) // a quarter at most is kept for names
	is.True(strings.Count(names, "(over the budget)") > 15)
	is.True(strings.HasSuffix(names, " more files"))
}

func TestDiffCompactor_SaysWhenThereIsNone(t *testing.T) {
	for _, diff := range []string{"", "\n", " \r\n"} {
		is := is.New(t)
		is.Equal(compactDiff(diff, 6000), "(no diff)")
	}
}

// Row 39: what the handoff holds of it.
func TestDiffCompactor_HoldsABoundedPartOfALongDiff(t *testing.T) {
	is := is.New(t)
	var diff strings.Builder
	for n := range 20 {
		diff.WriteString(fileDiff(fmt.Sprintf("src/file%02d.go", n), strings.Repeat(strings.Repeat("z", 60)+"\n+", 32)+"end"))
	}
	is.True(diff.Len() > 40_000)
	got := compactDiff(diff.String(), 6000)
	is.True(utf8.RuneCountInString(got) <= 6000)
	is.True(utf8.RuneCountInString(got) > 5000)
	for n := range 20 { // each is shown or named
		is.True(strings.Contains(got, fmt.Sprintf("src/file%02d.go", n)))
	}
}

func TestDiffCompactor_Properties(t *testing.T) {
	name := rapid.SampledFrom([]string{"a.go", "b c.md", "dist/x", "go.sum", "ä/ö.ts", strings.Repeat("long/", 40) + "x.go"})
	file := rapid.Custom(func(t *rapid.T) string {
		return fileDiff(name.Draw(t, "name"), rapid.SliceOfN(rapid.OneOf(anyText(), rapid.String()), 0, 5).Draw(t, "lines")...)
	})
	rapid.Check(t, func(t *rapid.T) {
		diff := strings.Join(rapid.SliceOfN(rapid.OneOf(file, file, anyText()), 0, 12).Draw(t, "files"), "")
		limit := rapid.IntRange(0, 5000).Draw(t, "limit")
		got := compactDiff(diff, limit)
		if utf8.RuneCountInString(got) > limit || !utf8.ValidString(got) {
			t.Fatalf("limit %d: %q", limit, got)
		}
		if again := compactDiff(diff, limit); again != got {
			t.Fatal("the same input gave another result")
		}
	})
}

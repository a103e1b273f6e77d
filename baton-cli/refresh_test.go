package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// diffed are the files that the diff shows.
func (s *scene) diffed() []string {
	s.t.Helper()
	var names []string
	for line := range strings.Lines(s.read(".ai-session/full-diff.patch")) {
		if rest, ok := strings.CutPrefix(line, "diff --git a/"); ok {
			name, _, _ := strings.Cut(rest, " b/")
			names = append(names, name)
		}
	}
	return names
}

// New files are a part of the diff, as long as they are text and not too long.
func TestRefresh_ShowsNewFiles(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	whole := strings.Repeat("0123456789abcde\n", 4096) // 64 KiB
	s.write("a.txt", whole)
	s.write("b-longer.txt", whole+"x")
	s.write("c-binary", "a\x00b")
	s.write("d-no-utf8", "a\xff")
	s.write("e-empty", "")
	s.write("f-open", "no line end")
	s.must("compact")
	is.Equal(s.diffed(), []string{"a.txt", "e-empty", "f-open"})
	diff := s.read(".ai-session/full-diff.patch")
	is.True(strings.Contains(diff, "diff --git a/f-open b/f-open\nnew file mode 100644\n--- /dev/null\n+++ b/f-open\n@@ -0,0 +1,1 @@\n+no line end\n\\ No newline at end of file\n"))
	is.True(strings.HasSuffix(s.read(".ai-session/changed-files.md"), "- a.txt\n- b-longer.txt\n- c-binary\n- d-no-utf8\n- e-empty\n- f-open\n"))

	for _, name := range []string{"b.txt", "c.txt", "d.txt", "e.txt"} {
		s.write(name, whole)
	}
	s.must("compact")
	is.Equal(s.diffed(), []string{"a.txt", "b.txt", "c.txt", "d.txt", "e-empty"}) // 256 KiB

	s.write(".gitignore", "*.txt\n")
	s.must("compact")
	is.Equal(s.diffed(), []string{".gitignore", "e-empty", "f-open"})
}

// What a refresh needs grows with the number of new files, and not with its square.
func TestRefresh_OfManyNewFiles(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for n := range 4000 {
		s.write(fmt.Sprintf("%04d", n), "")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.must("compact")
	runtime.ReadMemStats(&after)
	is.True(strings.HasSuffix(s.read(".ai-session/changed-files.md"), "\n- 3999\n"))
	is.True(after.TotalAlloc-before.TotalAlloc < 32<<20) // with the square, the list alone takes 56 MB
}

// Without commits the diff is against an empty tree.
func TestRefresh_WithoutCommits(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("staged.txt", "one\n")
	git(t, s.dir, "add", "staged.txt")
	s.write("staged.txt", "one\ntwo\n")
	s.must("compact")
	is.Equal(s.diffed(), []string{"staged.txt"})
	is.True(strings.Contains(s.read(".ai-session/full-diff.patch"), "+one\n+two\n"))
	s.fakeAgent("ok")
	s.write("plan.md", goodPlan)
	s.must("execute", "--from", "plan.md")
	head, there := s.session()["executeHead"]
	is.True(there && head == nil)
}

// A git that fails is no clean repository.
func TestRefresh_AFailingGitIsAnError(t *testing.T) {
	s := newScene(t)
	s.fakeAgent("ok")
	s.write("plan.md", goodPlan)
	s.write("changed.txt", "x\n")
	s.must("compact")
	s.write(".git/index", "no index")
	before := s.read(".ai-session/full-diff.patch")
	for _, args := range [][]string{
		{"compact"},
		{"run", "t"},
		{"plan", "t"},
		{"execute", "--from", "plan.md"},
		{"handoff", "--to", "claude"},
		{"init"},
	} {
		t.Run(args[0], func(t *testing.T) {
			is := is.New(t)
			got := s.call(args...)
			is.Equal(got.code, 1)
			is.True(strings.Contains(got.notice, "git status"))
			is.Equal(s.read(".ai-session/full-diff.patch"), before)
			is.True(!s.has(".ai-session/runs.jsonl")) // nobody was started
			is.Equal(s.session()["activeAgent"], "none")
		})
	}
	is.New(t).Equal(s.must("status").lines()["git"], "not available")
}

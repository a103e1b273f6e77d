package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/flock"
)

// planned is a scene with a plan that passes its gate.
func planned(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.must("plan", "t", "--no-run")
	s.write(".ai-session/plan.md", goodPlan)
	return s
}

// Row 99.
func TestReceipt_BesideAnExecutor(t *testing.T) {
	is := is.New(t)
	s := planned(t)
	lock, err := flock.Locker{}.TryLock(s.at(".ai-session/.lock"), 0o600) // as execute holds it
	is.NoErr(err)
	defer func() { is.NoErr(lock.Release()) }()
	chars := s.must("budget").lines()["plan.md"]
	check := s.must("plan", "--check").out

	is.Equal(s.must("receipt", "done", "1", "--note", "with\tits \x1b[31mtest").out, "step 1: done\n")
	is.Equal(s.must("receipt", "skip", "2").out, "step 2: skipped\n")
	plan := s.read(".ai-session/plan.md")
	is.True(strings.HasPrefix(plan, goodPlan)) // byte for byte
	is.True(regexp.MustCompile(`\n## Execution receipts\n- \d{4}-\d\d-\d\dT[\d:.]+Z \[done\] 1 — with its test\n- \S+ \[skipped\] 2\n$`).
		MatchString(plan))
	is.Equal(s.must("budget").lines()["plan.md"], chars) // its size
	is.Equal(s.must("plan", "--check").out, check)       // its gate

	is.Equal(s.must("receipt", "skip", "2").out, "step 2 is noted as skipped already\n")
	is.Equal(s.read(".ai-session/plan.md"), plan) // a repeated one
	for _, n := range []string{"0", "4", "-1", "x"} {
		got := s.call("receipt", "done", n)
		is.Equal(got.code, 2) // no such step
	}
	is.True(strings.Contains(s.call("receipt", "done", "4").notice, "1 to 3"))
	is.Equal(s.read(".ai-session/plan.md"), plan)
	is.Equal(s.must("receipt", "done", "2").out, "step 2: done\n") // a correction is one more
}

func TestReceipt_List(t *testing.T) {
	is := is.New(t)
	s := planned(t)
	s.write(".ai-session/plan.md", goodPlan+"\n## Execution receipts\n"+
		"- 2026-05-28T09:20:00.000Z [skipped] 1\n- 2026-05-28T09:30:00.000Z [done] 1 — after all\n- yesterday [done] 2\n- 2026-05-28T09:40:00.000Z [done] 9\n")
	is.Equal(s.must("receipt", "list").out, strings.Join([]string{
		"1  done     Add the column in src/model.go  (2026-05-28T09:30:00.000Z: after all; 2 receipts)",
		"2  open     Serve the counter in src/server.go",
		"3  open     Talk to the users",
		"unreadable: - yesterday [done] 2",
		"unreadable: - 2026-05-28T09:40:00.000Z [done] 9",
	}, "\n")+"\n")
	var doc struct {
		Steps []struct {
			N, Count int
			State    string
			At, Note *string
		}
		Unreadable []string
	}
	s.document(&doc, "receipt", "list", "--json")
	is.Equal(doc.Steps[0].State, "done")
	is.Equal(*doc.Steps[0].Note, "after all")
	is.Equal(doc.Steps[0].Count, 2)
	is.Equal(doc.Steps[1].At, nil)
	is.Equal(len(doc.Unreadable), 2)
}

func TestReceipt_NeedsAPlan(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for _, args := range [][]string{{"receipt", "done", "1"}, {"receipt", "list"}, {"review"}} {
		got := s.call(args...)
		is.Equal(got.code, 2)
		is.True(strings.Contains(got.notice, "baton plan"))
	}
	is.Equal(len(s.files()), 1)
}

func TestReceipt_NeedsNoSessionAndNoHome(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/plan.md", goodPlan)
	is.NoErr(os.Mkdir(filepath.Dir(s.registry()), 0o755))
	is.NoErr(os.WriteFile(s.registry(), []byte("{"), 0o600))
	is.NoErr(os.Chmod(s.home, 0o500))
	s.must("receipt", "done", "1")
	data, err := os.ReadFile(s.registry())
	is.NoErr(err)
	is.Equal(string(data), "{") // nobody looked there
	t.Setenv("HOME", "")
	s.must("receipt", "done", "2")
	is.NoErr(os.Chmod(s.home, 0o700))
}

func TestReceipt_TheWorkingDirectoryComesBeforeTheActiveProject(t *testing.T) {
	is := is.New(t)
	s := planned(t)
	s.must("project", "add", s.repository("other"))
	s.must("receipt", "done", "1")
	is.True(strings.Contains(s.read(".ai-session/plan.md"), "[done] 1"))
	is.Equal(s.call("receipt", "done", "1", "--project", "other").code, 2)
}

// Row 100.
func TestReceipt_TwoWritersAtOnce(t *testing.T) {
	is := is.New(t)
	s := planned(t)
	first, second := s.program("baton", "receipt", "done", "1"), s.program("baton", "receipt", "skip", "2")
	is.NoErr(first.Start())
	is.NoErr(second.Start())
	is.NoErr(first.Wait())
	is.NoErr(second.Wait())
	plan := s.read(".ai-session/plan.md")
	is.True(strings.HasPrefix(plan, goodPlan))
	is.Equal(strings.Count(plan, "[done] 1\n"), 1)
	is.Equal(strings.Count(plan, "[skipped] 2\n"), 1)
	is.Equal(strings.Count(plan, "## Execution receipts\n"), 1)
}

func TestReceipt_ABusyWriterIsWaitedForAWhile(t *testing.T) {
	is := is.New(t)
	s := planned(t)
	lock, err := flock.Locker{}.TryLock(s.at(".ai-session/.receipts.lock"), 0o600)
	is.NoErr(err)
	before := s.files()
	is.Equal(s.call("receipt", "done", "1").code, 5)
	is.Equal(cmp.Diff(before, s.files()), "")
	is.NoErr(lock.Release())
	s.must("receipt", "done", "1")
}

// Row 101.
func TestReview(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for _, name := range []string{"src/model.go", "src/server.go", "docs/import.md", "other.txt"} {
		s.write(name, "before\n")
	}
	git(t, s.dir, "add", ".")
	git(t, s.dir, "commit", "-q", "-m", "first")
	s.write(".ai-session/plan.md", goodPlan)
	s.must("receipt", "done", "2")
	s.must("receipt", "skip", "1")
	for _, name := range []string{"src/model.go", "docs/import.md", "new.txt"} {
		s.write(name, "after\n")
	}
	before := s.files()
	got := s.must("review")
	is.Equal(got.out, strings.Join([]string{
		"compared with HEAD",
		"+ step 1 [skipped] Add the column in src/model.go: src/model.go",
		"- step 2 [done] Serve the counter in src/server.go",
		"? step 3 [open] Talk to the users",
		"! unplanned: new.txt",
		"! step 1 is noted as skipped, but touched",
		"! step 2 is noted as done, but untouched",
		"1 step touched, 1 untouched, 1 without a path; 3 files changed, 1 unplanned",
	}, "\n")+"\n")
	var doc struct {
		Base  string
		Steps []struct{ State string }
		Files []struct {
			Path    string
			InScope bool
		}
		Unplanned      []string
		Contradictions []struct {
			N              int
			Receipt, State string
		}
	}
	s.document(&doc, "review", "--json")
	is.Equal(doc.Base, "HEAD")
	is.Equal([]string{doc.Steps[0].State, doc.Steps[1].State, doc.Steps[2].State}, []string{"touched", "untouched", "uncorrelated"})
	is.Equal(doc.Files[0].Path, "docs/import.md")
	is.True(doc.Files[0].InScope)
	is.Equal(doc.Unplanned, []string{"new.txt"})
	is.Equal(len(doc.Contradictions), 2)

	git(t, s.dir, "add", "-A", ":!.ai-session")
	git(t, s.dir, "commit", "-q", "-m", "second")
	is.True(strings.Contains(s.must("review").out, "0 files changed"))
	is.True(strings.Contains(s.must("review", "--base", "HEAD~1").out, "3 files changed"))
	is.Equal(s.call("review", "--base", "no-such-commit").code, 2)
	is.Equal(s.call("review", "--base", "--output=x").code, 2) // no option of git's
	is.Equal(cmp.Diff(before, s.files()), "")
}

func TestReview_FromWhereTheExecutorStarted(t *testing.T) {
	is := is.New(t)
	s := planned(t)
	s.fakeAgent("ok")
	s.write("src/model.go", "before\n")
	git(t, s.dir, "add", "src")
	git(t, s.dir, "commit", "-q", "-m", "first")
	s.must("execute")
	head := fmt.Sprint(s.session()["executeHead"])
	s.write("src/model.go", "after\n")
	git(t, s.dir, "commit", "-q", "-a", "-m", "second")
	got := s.must("review")
	is.True(strings.HasPrefix(got.out, "compared with "+head+"\n+ step 1 "))
}

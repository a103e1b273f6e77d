package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// Row 55.
func TestPlan_WithoutAnAgent(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	got := s.must("plan", "add a counter", "--no-run")
	is.Equal(got.out, "")
	plan := s.read(".ai-session/plan.md")
	is.True(strings.Contains(plan, "## Goal\nadd a counter\n"))
	is.True(strings.Contains(got.notice, "template written: .ai-session/plan.md"))
	is.True(strings.Contains(got.notice, "still to do: ")) // what the gate would say
	meta := s.session()
	is.Equal(meta["workflowMode"], "plan-execute")
	is.Equal(meta["status"], "plan_ready")
	is.Equal(meta["planAuthor"], "claude")
	is.Equal(meta["activeAgent"], "none")
	is.Equal(meta["planFinalizedAt"], nil)
	is.True(!s.has(".ai-session/runs.jsonl")) // nobody ran

	s.write(".ai-session/plan.md", goodPlan)
	got = s.must("plan", "add a counter", "--no-run")
	is.Equal(s.read(".ai-session/plan.md"), goodPlan)
	is.True(strings.Contains(got.notice, "the plan that was there stays"))
	is.True(s.session()["planFinalizedAt"] != nil)
}

func TestPlanCheck(t *testing.T) {
	type report struct {
		Failures, Warnings  []struct{ Code, Message string }
		Steps, Chars, Limit int
	}
	is := is.New(t)
	s := newScene(t)
	var got report
	is.Equal(s.document(&got, "plan", "--check", "--json").code, 3)
	is.Equal(got.Failures[0].Code, "missing")
	is.Equal(len(got.Failures), 1)
	is.Equal(s.call("plan", "--check", "--from", "gone.md").code, 3)
	is.Equal(len(s.files()), 1) // nothing was written

	s.write("docs/plan.md", goodPlan)
	is.Equal(s.document(&got, "plan", "--check", "--from", "docs/plan.md", "--json").code, 0)
	is.Equal(got.Failures, []struct{ Code, Message string }{})
	is.Equal([]int{got.Steps, got.Chars, got.Limit}, []int{3, len(goodPlan), 30000})
	is.Equal(s.document(&got, "plan", "--check", "--from", "docs/plan.md", "--diet", "ultra", "--json").code, 0)
	is.Equal(got.Limit, 9000)

	unsafe := strings.Replace(goodPlan, "## Risks\n- drift on retries\n\n", "", 1)
	s.write(".ai-session/plan.md", unsafe)
	before := s.files()
	failed := s.call("plan", "--check")
	is.Equal(failed.code, 3)
	is.Equal(failed.out, fmt.Sprintf("fail  the section ## Risks is missing\nthe plan does not pass: 3 steps, %d of 30000 chars\n", len(unsafe)))
	is.Equal(failed.notice, "")
	is.Equal(cmp.Diff(before, s.files()), "")
}

// earlier is a backup of a plan.
const earlier = ".ai-session/plan.2026-05-28T09-00-00-000Z.md"

// Row 102.
func TestPlanDiff(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	is.Equal(s.call("plan", "--diff").code, 2) // no plan
	s.write(".ai-session/plan.md", goodPlan+"\n## Execution receipts\n- 2026-05-28T09:20:00.000Z [done] 1\n")
	none := s.must("plan", "--diff")
	is.True(strings.Contains(none.out, "no earlier plan"))
	var doc struct {
		From, To *string
		Sections []struct {
			Name, State, Diff string
			Added, Removed    int
		}
		Steps struct {
			Added, Removed []int
			Moved          []struct{ From, To int }
		}
	}
	s.document(&doc, "plan", "--diff", "--json")
	is.Equal(doc.From, nil)
	for _, section := range doc.Sections {
		is.Equal(section.State, "added")
	}

	old := strings.Replace(goodPlan, "## Risks\n- drift on retries\n\n", "", 1)
	old = strings.Replace(old, "1. Add the column in src/model.go\n2. Serve the counter in src/server.go\n3. Talk to the users\n",
		"1. Serve the counter in src/server.go\n2. Ask around\n3. Add the column in src/model.go\n", 1)
	s.write(earlier, old+"\n## Notes\nx\n")
	before := s.files()
	got := s.must("plan", "--diff")
	for _, line := range []string{
		"plan.2026-05-28T09-00-00-000Z.md -> plan.md\n", "unchanged Goal\n", "added     Risks\n", "removed   Notes\n", "changed   Steps\n",
		"  +3. Talk to the users\n", "  -2. Ask around\n", "step 3 added\n", "step 2 of the earlier plan removed\n", "moved from",
	} {
		is.True(strings.Contains(got.out, line))
	}
	is.True(!strings.Contains(got.out, "receipts")) // they are no part of it
	s.document(&doc, "plan", "--diff", "--json")
	is.Equal(*doc.From, "plan.2026-05-28T09-00-00-000Z.md")
	is.Equal(doc.Steps.Added, []int{3})
	is.Equal(doc.Steps.Removed, []int{2})
	is.Equal(len(doc.Steps.Moved), 1)
	is.Equal(s.must("plan", "--diff", "--from", filepath.Base(earlier)).out, got.out)
	for _, from := range []string{earlier, "plan.md", "../plan.md", "plan.2027-01-01T00-00-00-000Z.md"} {
		is.Equal(s.call("plan", "--diff", "--from", from).code, 2) // no name of a backup
	}
	is.Equal(cmp.Diff(before, s.files()), "")
}

// Row 56.
func TestExecute_NeedsAPlanThatPasses(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	got := s.call("execute")
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.notice, "baton plan"))
	is.True(!s.has(".ai-session"))

	s.must("plan", "t", "--no-run")
	before := s.files()
	got = s.call("execute")
	is.Equal(got.code, 3)
	is.True(strings.Contains(got.notice, "## Steps"))
	is.True(strings.Contains(got.notice, "baton plan --check"))
	is.Equal(cmp.Diff(before, s.files()), "")

	s.write("docs/mine.md", "# relay-baton plan\n")
	before = s.files()
	is.Equal(s.call("execute", "--from", "docs/mine.md").code, 3)
	is.Equal(cmp.Diff(before, s.files()), "")
}

// Row 57.
func TestExecute_AMissingProgram(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "no-such-program", "args": []string{}}}})
	s.must("plan", "t", "--no-run")
	s.write(".ai-session/plan.md", goodPlan)
	got := s.call("execute")
	is.Equal(got.code, 1)
	is.True(strings.Contains(got.notice, `"no-such-program" was not found; install it and put it on PATH`))
	is.True(!strings.Contains(got.notice, "gate"))
	meta := s.session()
	is.Equal(meta["status"], "failed")
	is.Equal(meta["executor"], "codex")
	is.True(meta["executeStartedAt"] != nil)
	is.True(meta["endedAt"] != nil)
}

// Row 58.
func TestExecute_AnAgentThatFails(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("fail")
	s.must("plan", "t", "--no-run")
	s.write(".ai-session/plan.md", goodPlan)
	got := s.call("execute")
	is.Equal(got.code, 4)
	is.True(strings.Contains(got.out, "could not build"))
	meta := s.session()
	is.Equal(meta["status"], "failed")
	is.Equal(meta["lastError"], "codex ended with exit code 3")
	is.Equal(meta["lastAgent"], "codex")
}

func TestExecute_MakesASessionFromThePlansGoal(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("ok")
	s.write("mine.md", goodPlan)
	s.must("execute", "--from", "mine.md")
	meta := s.session()
	is.Equal(meta["task"], "Show import progress.")
	is.Equal(meta["status"], "completed")
	is.Equal(meta["planAuthor"], nil)
	is.True(meta["planFinalizedAt"] != nil)
}

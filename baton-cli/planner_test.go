package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// planner makes claude a client without a JSON mode that does what a script says.
func (s *scene) planner(script string) {
	s.t.Helper()
	s.client("planner", script)
	s.configure(map[string]any{"agents": map[string]any{"claude": map[string]any{"command": "planner", "args": []string{}}}})
}

// backups are the backups of the plan.
func (s *scene) backups() []string {
	s.t.Helper()
	found, err := filepath.Glob(s.at(".ai-session/plan.2*"))
	is.New(s.t).NoErr(err)
	return found
}

func TestPlan_ABlankPlanIsNoneAlsoByForce(t *testing.T) {
	for name, script := range map[string]string{
		"nothing":  "true\n",
		"empty":    ": > .ai-session/plan.md\n",
		"blank":    "printf ' \\n\\n' > .ai-session/plan.md\n",
		"mark":     "printf '\\357\\273\\277\\n' > .ai-session/plan.md\n",
		"receipts": "printf '## Execution receipts\\n' > .ai-session/plan.md\n",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.planner(script)
			for _, args := range [][]string{{"plan", "t"}, {"plan", "t", "--force"}, {"plan", "t", "--force", "--then-execute"}} {
				got := s.call(args...)
				is.Equal(got.code, 3)
				is.True(strings.Contains(got.notice, "claude wrote no plan"))
				is.Equal(s.session()["status"], "failed")
				is.True(strings.Contains(fmt.Sprint(s.session()["lastError"]), "claude wrote no plan"))
			}
		})
	}
}

func TestPlan_TheEarlierPlanIsBackWhereThePlannerLeftNone(t *testing.T) {
	for name, script := range map[string]string{
		"removed": "rm .ai-session/plan.md\n", "emptied": ": > .ai-session/plan.md\n", "blank": "echo > .ai-session/plan.md\n",
	} {
		for end, code := range map[string]int{"exit 0": 3, "exit 7": 4} {
			t.Run(name+", "+end, func(t *testing.T) {
				is := is.New(t)
				s := newScene(t)
				s.write(".ai-session/plan.md", goodPlan)
				s.planner(script + end + "\n")
				is.Equal(s.call("plan", "t").code, code)
				is.Equal(s.read(".ai-session/plan.md"), goodPlan)
				is.Equal(len(s.backups()), 0) // it says what the plan says
			})
		}
	}
}

func TestPlan_AFailedPlannersPlanStays(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/plan.md", goodPlan)
	s.planner("echo half > .ai-session/plan.md; exit 7\n")
	is.Equal(s.call("plan", "t").code, 4)
	is.Equal(s.read(".ai-session/plan.md"), "half\n")
	is.Equal(len(s.backups()), 1)
	is.Equal(s.session()["lastError"], "claude ended with exit code 7")
}

// What changes under the session directory is no change of the repository, also
// where git does not ignore it.
func TestPlan_TellsOfFilesOutsideTheSession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("kept.txt", "as it was\n")
	s.write("changed.txt", "as it was\n")
	s.write("plan.txt", goodPlan)
	s.planner("cp plan.txt .ai-session/plan.md; echo x > .ai-session/notes.md\n")
	is.True(!strings.Contains(s.must("plan", "t").notice, "outside the session"))

	s.planner("cp plan.txt .ai-session/plan.md; echo >> .ai-session/plan.md; for i in 0 1 2 3 4 5 6 7 8 9; do echo x > new$i.txt; done; echo y > changed.txt\n")
	got := s.must("plan", "t")
	is.True(strings.Contains(got.notice, "warning: files outside the session changed while the planner ran: "+
		"changed.txt, new0.txt, new1.txt, new2.txt, new3.txt, new4.txt, new5.txt, new6.txt, new7.txt, new8.txt, +1 more\n"))
	is.Equal(s.session()["status"], "plan_ready") // the plan stays valid
}

func TestPlan_ThenExecuteTellsEverythingOnce(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("plan.txt", goodPlan)
	s.planner("cp plan.txt .ai-session/plan.md\n")
	s.must("project", "add", ".")
	elsewhere := s.repository("elsewhere")
	t.Chdir(elsewhere)
	t.Setenv("OPENAI_API_KEY", "a-value-that-is-long")
	got := s.must("plan", "t", "--then-execute", "--executor", "claude")
	is.Equal(strings.Count(got.notice, "OPENAI_API_KEY is set and kept from the agents"), 1)
	is.Equal(strings.Count(got.notice, "the active project"), 1)
	is.Equal(s.session()["status"], "completed")
	got = s.must("execute", "--with", "claude")
	is.Equal(strings.Count(got.notice, "OPENAI_API_KEY is set and kept from the agents"), 1)
	is.Equal(strings.Count(got.notice, "the active project"), 1)
}

func TestPlan_AnInterruptedPlannerFailsTheSession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/plan.md", goodPlan)
	s.planner("echo begun > begun; exec sleep 600\n")
	out := s.interrupted("begun", "plan", "t", "--then-execute", "--json")
	meta := s.session()
	is.Equal(meta["status"], "failed")
	is.Equal(meta["lastError"], "interrupted")
	is.Equal(meta["lastAgent"], "claude")
	is.Equal(meta["activeAgent"], "none")
	is.Equal(s.read(".ai-session/plan.md"), goodPlan)
	is.Equal(len(s.backups()), 0)
	is.True(strings.Contains(out, `"role": "planner"`)) // the document of --json
	is.True(strings.HasSuffix(s.read(".ai-session/commands.log"), "--- exit 130 ---\n"))
}

// interrupted calls the program, interrupts it when a file has appeared, and
// returns what it printed.
func (s *scene) interrupted(file string, args ...string) string {
	s.t.Helper()
	is := is.New(s.t)
	var out strings.Builder
	cmd := s.program("baton", args...)
	cmd.Stdout = &out
	is.NoErr(cmd.Start())
	s.until(file, func() bool { return s.has(file) })
	is.NoErr(cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // its exit code tells
	is.Equal(cmd.ProcessState.ExitCode(), 130)
	return out.String()
}

package batonkills_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/e2e/killing"
)

// planners are what the planner does: it writes a plan, empties the one that is there
// before it does, or goes on until somebody ends it, before or after it has written.
func planners() []*plot {
	const writes = "copy new-plan .ai-session/plan.md\n"
	return []*plot{
		{name: "writes", claude: "say at work\n" + writes + lastStep + "\nsay done"},
		{name: "empties and writes", claude: "say at work\nedit .ai-session/plan.md \\n\ntool make => fine\n" + writes + lastStep + "\nsay done"},
		{name: "empties and hangs", claude: "say at work\nedit .ai-session/plan.md \\n\n" + lastStep + "\nhang"},
		{name: "writes and hangs", claude: "say at work\n" + writes + lastStep + "\nhang"},
	}
}

// planOf is a whole plan that can be told from others.
func planOf(n int) string { return strings.Replace(aPlan, "A parser\n", goalOf(n), 1) }

func goalOf(n int) string { return fmt.Sprintf("parser number %d.\n", n) }

// planWith has the planner write a plan once it comes to that.
func (s *stage) planWith(n int) {
	s.t.Helper()
	s.must(os.WriteFile(filepath.Join(s.agents, "new-plan"), []byte(planOf(n)), 0o600))
}

// TestPlan_KilledAtAnyMoment kills baton while a planner writes a plan. The plan before
// it stands, as the plan or as its backup, and the next planner writes a whole one.
func TestPlan_KilledAtAnyMoment(t *testing.T) {
	stamp.Read(t)
	rng := killing.Source(t, *seed)
	s := bare(t, rng)
	kinds := planners()
	for _, p := range kinds {
		p.took = s.planTakes(p)
	}
	key := toll.Key{Tool: "baton", Verb: "plan", Fault: "kill -9"}
	for n := 0; count.Of(key).Hit < *wanted && !t.Failed(); n += 3 {
		p := kinds[rng.IntN(len(kinds))]
		s.must(os.WriteFile(s.artifact(baton.PlanFile), []byte(planOf(n)), 0o644))
		s.planWith(n + 1)
		s.play(p)
		s.forget("last-step")
		after := time.Duration(rng.Int64N(int64(p.took) * 5 / 4))
		where := fmt.Sprintf("plan %d, of a planner that %s, killed after %s", n, p.name, after)
		e, err := killing.Run(s.command("plan", "Plan it", "--diet", "ultra"), after)
		s.must(err)
		c := toll.Counts{Tries: 1}
		if e.Killed {
			c.Hit++
		}
		if s.holding(n) == 0 {
			c.Lost++
		}
		s.planWith(n + 2)
		s.goesOn(where, p.hangs(), []string{"plan", "Go on", "--diet", "ultra"}, plot{claude: "say fine\ncopy new-plan .ai-session/plan.md"}, baton.PlanReady)
		if string(s.read(baton.PlanFile)) != planOf(n+2) {
			c.Unreadable++
		}
		switch s.holding(n) {
		case 0:
			c.Lost++
		case 1, 2: // a backup of what was not replaced may be left of each plan
		default:
			c.Twice++
		}
		if t.Failed() {
			c.Stuck++ // what it was stands above
		}
		count.Add(key, c)
		if !c.Clean() {
			t.Errorf("%s: %+v", where, c)
		}
	}
	t.Logf("\n%s", &count)
}

// holding is how many files of the session hold a whole plan.
func (s *stage) holding(n int) (files int) {
	s.t.Helper()
	names, err := filepath.Glob(s.artifact("plan*.md"))
	s.must(err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		s.must(err)
		if string(data) == planOf(n) {
			files++
		}
	}
	return files
}

// planTakes is how long a plan takes, until the planner's last step.
func (s *stage) planTakes(p *plot) time.Duration {
	s.t.Helper()
	s.planWith(-1)
	s.play(p)
	took := s.toLastStep("plan", "Plan it", "--diet", "ultra")
	s.until("the end of its planner", func() bool { return len(s.living()) == 0 })
	return took
}

package faults_test

import (
	"strings"
	"testing"

	"github.com/changeover/changeover/domain/baton"
)

// TestRecovery_FaultsAtEveryCall has a baton die whose agent works on, and the
// command that recovers from that go wrong as well: the one after it still ends the
// agent.
func TestRecovery_FaultsAtEveryCall(t *testing.T) {
	for _, how := range []way{once, full, dies, tears} {
		t.Run(string(how), func(t *testing.T) {
			t.Parallel()
			prepared := newGround(t)
			used(prepared)
			for at := 0; ; at++ {
				g := prepared.twin()
				g.leaveAgent()
				err := compacts(g, g.begin(how, at))
				broke, broken := g.life.fault()
				told := g.told("still ran and is ended")
				if !broken {
					if at < 20 {
						t.Fatalf("only %d calls", at)
					}
					return
				}
				g.must(compacts(g, g.begin(sound, 0)))
				meta, _, metaErr := g.meta()
				switch {
				case metaErr != nil, meta.Status() != baton.Failed, !strings.HasPrefix(meta.LastError, "interrupted"):
					t.Errorf("%s at call %d, %v (%v): the session is %s, %q, %v", how, at, broke, err, meta.Status(), meta.LastError, metaErr)
				case len(g.living()) > 0:
					t.Errorf("%s at call %d, %v (%v): agents %v still run", how, at, broke, err, g.living())
				case !told && !g.told("still ran and is ended"):
					t.Errorf("%s at call %d, %v (%v): nothing was told of the agent: %q", how, at, broke, err, g.heard)
				}
				for name := range g.files() {
					if strings.Contains(name, ".tmp-") {
						t.Errorf("%s at call %d, %v: %s is left", how, at, broke, name)
					}
				}
			}
		})
	}
}

// leaveAgent runs an agent whose baton dies.
func (g *ground) leaveAgent() {
	g.t.Helper()
	twin := g.twin()
	g.must(runs(twin, twin.begin(sound, 0)))
	notes := 0
	for at, asked := range twin.life.calls {
		if strings.HasPrefix(asked.op, "note") {
			notes++
		}
		if notes == 2 && asked.name == baton.LogFile { // the second note is of the agent
			_ = runs(g, g.begin(dies, at)) // nobody is told
			break
		}
	}
	if meta, _, err := g.meta(); err != nil || !meta.Status().Active() || len(g.living()) != 1 {
		g.t.Fatalf("no agent was left: %s, %v", meta.Status(), err)
	}
}

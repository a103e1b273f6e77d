package batonkills_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/e2e/killing"
)

// aPlan is a plan that passes its gate.
const aPlan = "# relay-baton plan\n\n## Goal\nA parser\n\n## Scope (in)\n- app.go\n\n## Out of scope\n- docs\n\n## Approach\n- small steps\n\n" +
	"## Steps\n1. Mend app.go\n2. Test app.go\n\n## Risks\n- none known\n\n## Verification\n- go test\n\n## Next step\n- Mend app.go\n"

// bare is a stage whose session has a plan and a log.
func bare(t *testing.T, rng *rand.Rand) *stage {
	t.Helper()
	s := newStageOf(t, rng, nil, nil)
	s.play(&plot{codex: "say fine", claude: "say fine"})
	if code, _, told := s.call("run", "Mend it", "--diet", "ultra"); code != 0 {
		t.Fatalf("run: %d\n%s", code, told)
	}
	s.must(os.WriteFile(s.artifact(baton.PlanFile), []byte(aPlan), 0o644))
	return s
}

// logs gives a session a log that is worth a compression.
func (s *stage) logs() {
	s.t.Helper()
	var log strings.Builder
	for n := range 3000 {
		fmt.Fprintf(&log, "[stdout] working on item %d of a long job\n", n)
	}
	s.must(os.WriteFile(s.artifact(baton.LogFile), []byte(log.String()), 0o644))
}

// TestShortVerbs_KilledAtAnyMoment kills the verbs that run no agent. The files stay
// whole, what was there stays, and the same verb does its work the next time.
func TestShortVerbs_KilledAtAnyMoment(t *testing.T) {
	stamp.Read(t)
	rng := killing.Source(t, *seed)
	for name, args := range map[string]func(n int) []string{
		"receipt":          func(n int) []string { return []string{"receipt", "done", "1", "--note", fmt.Sprintf("note %d", n)} },
		"receipt skip":     func(n int) []string { return []string{"receipt", "skip", "1", "--note", fmt.Sprintf("note %d", n)} },
		"handoff --no-run": func(int) []string { return []string{"handoff", "--to", "claude", "--no-run"} },
		"compact":          func(int) []string { return []string{"compact"} },
		"compress-context": func(int) []string { return []string{"compress-context", "--force"} },
	} {
		t.Run(name, func(t *testing.T) {
			s := bare(t, rng)
			moments := killing.NewMoments(rng)
			key := toll.Key{Tool: "baton", Verb: name, Fault: "kill -9"}
			for n := 0; count.Of(key).Hit < *wanted; n++ {
				s.logs()
				at := moments.Draw(name)
				e, err := killing.Run(s.command(args(n)...), at)
				s.must(err)
				c := toll.Counts{Tries: 1}
				if e.Killed {
					c.Hit++
				} else {
					moments.Took(name, e.Took)
				}
				trail := plan.Read(string(s.read(baton.PlanFile))).Trail()
				if _, err := baton.ReadSession(s.read(baton.MetaFile)); err != nil || len(trail.Steps) != 2 || len(trail.Unreadable) > 0 {
					c.Unreadable++
				}
				if n > 0 && !strings.Contains(string(s.read(baton.PlanFile)), "Mend app.go") {
					c.Lost++
				}
				if code, _, _ := s.call("status"); code != 0 {
					c.Stuck++
				}
				if again, err := killing.Run(s.command(args(n)...), killing.Never); err != nil || again.Code != 0 && again.Code != baton.ExitGate { // there may be nothing left to take away
					c.Stuck++
					t.Logf("%+v", again)
				}
				if strings.HasPrefix(name, "receipt") {
					switch strings.Count(string(s.read(baton.PlanFile)), fmt.Sprintf("note %d\n", n)) {
					case 0:
						c.Lost++
					case 1:
					default:
						c.Twice++
					}
				}
				count.Add(key, c)
				if !c.Clean() {
					t.Fatalf("%+v, killed %t after %s: %+v", c, e.Killed, at, e)
				}
			}
			s.call("compact") // whoever has the session to itself clears away what is left
			s.tidy(name)
		})
	}
	t.Logf("\n%s", &count)
}

// Writers that all add receipts at once: each that was told that it is noted is noted
// once, and each that was refused is told so.
func TestReceipts_ManyAtOnce(t *testing.T) {
	stamp.Read(t)
	const writers = 8
	s := bare(t, killing.Source(t, *seed))
	var mu sync.Mutex
	noted := map[string]bool{}
	c := toll.Counts{}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range *writes {
				note := fmt.Sprintf("writer %d number %d.", w, n)
				var e killing.Ending
				for { // until its turn comes
					var err error
					e, err = killing.Run(s.receipt(note), killing.Never)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					c.Tries++
					if e.Code != 0 {
						c.Hit++
					}
					mu.Unlock()
					if e.Code != baton.ExitBusy {
						break
					}
				}
				mu.Lock()
				noted[note] = e.Code == 0
				if e.Code != 0 {
					c.Stuck++
					t.Errorf("%+v", e)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	written := string(s.read(baton.PlanFile))
	for note, ok := range noted {
		switch n := strings.Count(written, note+"\n"); {
		case n > 1:
			c.Twice++
		case n == 0 && ok:
			c.Lost++
		}
	}
	if len(plan.Read(written).Trail().Unreadable) > 0 {
		c.Unreadable++
	}
	count.Add(toll.Key{Tool: "baton", Verb: "receipt", Fault: "8 writers at once"}, c)
	t.Logf("\n%s", &count)
	if !c.Clean() {
		t.Errorf("%+v", c)
	}
}

func (s *stage) receipt(note string) *exec.Cmd {
	return s.command("receipt", "done", "1", "--note", note)
}

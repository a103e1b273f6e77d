// Package batonkills_test ends baton itself by kill -9 at random moments while it
// runs agents, and looks at what the next command makes of that.
package batonkills_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/e2e/fresh"
	"github.com/changeover/changeover/e2e/killing"
	"github.com/changeover/changeover/e2e/scripted"
)

var (
	wanted = flag.Int("kills", 24, "how often baton is killed while it runs agents, and as often in each verb that runs none")
	writes = flag.Int("writes", 5, "how many receipts each of the writers adds that write at once")
	seed   = flag.Uint64("seed", 0, "what the moments are drawn from; 0: the time")
)

// bin holds the program under test and the agents.
var bin string

const stamp fresh.Stamp = "../artifacts/batonkills"

func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) { // as an agent
	case "codex":
		scripted.Codex()
	case "claude":
		scripted.Claude()
	}
	flag.Parse()
	os.Exit(killing.Suite{Tool: "baton", Programs: []string{"baton"}, Stamp: stamp, Prepare: installAgents}.Run(m, &bin, &count))
}

// installAgents has this program be the agents.
func installAgents(dir string) error {
	self, err := os.Executable()
	for _, name := range []string{"codex", "claude"} {
		if err == nil {
			err = os.Symlink(self, filepath.Join(dir, name))
		}
	}
	return err
}

// count is what the tests came to.
var count toll.Table

// tally counts what the kills came to.
type tally struct {
	mu                                     sync.Mutex
	kills, early, late, stale, ended, lost int
}

// stages is how many repositories there are at once.
const stages = 2

// TestRun_KilledAtAnyMoment kills baton while it runs agents. The status says that
// nobody works there any more; the next run ends the agent that was left, and then
// goes its way.
func TestRun_KilledAtAnyMoment(t *testing.T) {
	stamp.Read(t)
	from := killing.Source(t, *seed).Uint64()
	var kills tally
	t.Run("stages", func(t *testing.T) {
		for n := range stages {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				s := newStage(t, rand.New(rand.NewPCG(from, uint64(n))), &kills)
				for range (*wanted + n) / stages {
					s.kill()
					if t.Failed() {
						return
					}
				}
				s.inTheEnd()
			})
		}
	})
	t.Logf("%d kills: %d before the session claimed work, %d after the agents had ended, %d while it did; %d agents were ended, %d went by themselves",
		kills.kills, kills.early, kills.late, kills.stale, kills.ended, kills.lost)
	t.Logf("\n%s", &count)
}

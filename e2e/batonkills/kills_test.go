// Package batonkills_test ends baton itself by kill -9 at random moments while it
// runs agents, and looks at what the next command makes of that.
package batonkills_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/scripted"
)

var (
	wanted = flag.Int("kills", 40, "how often baton is killed")
	seed   = flag.Uint64("seed", 0, "what the moments are drawn from; 0: the time")
)

// bin holds the program under test and the agents.
var bin string

func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) { // as an agent
	case "codex":
		scripted.Codex()
	case "claude":
		scripted.Claude()
	}
	flag.Parse()
	os.Exit(built(m))
}

func built(m *testing.M) int {
	dir, err := os.MkdirTemp("", "batonkills")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary directory
	bin = dir
	cmd := exec.Command("go", "build", "-C", filepath.Join("..", "..", "baton-cli"), "-o", filepath.Join(dir, "baton"), ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build baton: %v\n%s", err, out)
		return 1
	}
	self, err := os.Executable()
	for _, name := range []string{"codex", "claude"} {
		if err == nil {
			err = os.Symlink(self, filepath.Join(dir, name))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// neverCached keeps go test from answering with an earlier result: it cannot know
// that the program comes from another module, but keeps no result of a test that has
// read a file just written.
func neverCached(t *testing.T) {
	t.Helper()
	stamp := filepath.Join("..", "artifacts", "batonkills")
	err := os.MkdirAll(filepath.Dir(stamp), 0o755)
	if err == nil {
		err = os.WriteFile(stamp, []byte(bin+"\n"), 0o644)
	}
	if err == nil {
		_, err = os.ReadFile(stamp)
	}
	if err != nil {
		t.Fatal(err)
	}
}

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
	neverCached(t)
	from := cmp.Or(*seed, uint64(time.Now().UnixNano()))
	t.Logf("-seed %d", from)
	var count tally
	t.Run("stages", func(t *testing.T) {
		for n := range stages {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				s := newStage(t, rand.New(rand.NewPCG(from, uint64(n))), &count)
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
		count.kills, count.early, count.late, count.stale, count.ended, count.lost)
}

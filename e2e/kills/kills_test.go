// Package kills_test ends the processes of relay at random points while two sessions
// work together, and counts what comes of it.
package kills_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	wanted = flag.Int("kills", 0, "how many processes are killed in each of the two ways; 0: a few")
	seed   = flag.Uint64("seed", 0, "what the order of things is drawn from; 0: the time")
)

// few are the kills of an ordinary test run.
const (
	fewReal  = 60
	fewCalls = 300
)

// bin is where the programs under test lie.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(built(m))
}

func built(m *testing.M) int {
	dir, err := os.MkdirTemp("", "kills")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary directory
	bin = dir
	for name, source := range map[string]string{"relay": "relay-cli", "hookd": "hookd"} {
		cmd := exec.Command("go", "build", "-C", filepath.Join("..", "..", source), "-o", filepath.Join(dir, name), ".")
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", name, err, out)
			return 1
		}
	}
	return m.Run()
}

// neverCached keeps go test from answering with an earlier result: it cannot know
// that the programs come from other modules, but keeps no result of a test that has
// read a file just written.
func neverCached(t *testing.T) {
	t.Helper()
	stamp := filepath.Join("..", "artifacts", "kills")
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

// tally counts kills, and what came of the links in which they fell.
type tally struct {
	limit int
	kills map[string]int
	total int
	last  string
	links int
	came  map[string]score
	sum   score
	stuck map[string]int
}

func newTally(limit int) *tally {
	return &tally{limit: limit, kills: map[string]int{}, came: map[string]score{}, stuck: map[string]int{}}
}

func (t *tally) wants() bool { return t.total < t.limit }

func (t *tally) killed(how, what string) {
	t.last = how + "\t" + what
	t.kills[t.last]++
	t.total++
}

// ended adds a link. What went wrong in it is put down to the last kill.
func (t *tally) ended(s score) {
	t.links++
	came := t.came[t.last]
	came.lost, came.twice = came.lost+s.lost, came.twice+s.twice
	t.came[t.last] = came
	t.sum.deliveries, t.sum.lost, t.sum.twice = t.sum.deliveries+s.deliveries, t.sum.lost+s.lost, t.sum.twice+s.twice
	if s.stuck {
		t.stuck[t.last]++
		t.sum.stuck = true
	}
}

// table shows it to a person.
func (t *tally) table() string {
	var b strings.Builder
	line := func(how, what string, kills, lost, twice, stuck any) {
		fmt.Fprintf(&b, "%-14s%-24s%8v%8v%8v%8v\n", how, what, kills, lost, twice, stuck)
	}
	line("how", "what was killed", "tries", "lost", "twice", "stuck")
	stuck := 0
	keys := slices.Sorted(maps.Keys(t.kills))
	for _, key := range keys {
		how, what, _ := strings.Cut(key, "\t")
		line(how, what, t.kills[key], t.came[key].lost, t.came[key].twice, t.stuck[key])
		stuck += t.stuck[key]
	}
	line("all", fmt.Sprintf("%d links, %d texts", t.links, t.sum.deliveries), t.total, t.sum.lost, t.sum.twice, stuck)
	return b.String()
}

func (t *tally) check(test *testing.T) {
	test.Helper()
	test.Logf("\n%s", t.table())
	if t.sum.lost > 0 || t.sum.twice > 0 || t.sum.stuck {
		test.Error("what two sessions hand each other was lost, shown twice, or stuck")
	}
}

// source is what a test draws from. It says how to draw the same again.
func source(t *testing.T) *rand.Rand {
	t.Helper()
	from := cmp.Or(*seed, uint64(time.Now().UnixNano()))
	t.Logf("-seed %d", from)
	return rand.New(rand.NewPCG(from, 0))
}

// perPair is how many links one pair of sessions works off, one after the other.
const perPair = 5

// kill has pairs of sessions work until enough processes were killed on the machines
// given.
func kill(t *testing.T, few int, open func(*rand.Rand, *tally) machine) {
	t.Helper()
	neverCached(t)
	rng := source(t)
	count := newTally(cmp.Or(*wanted, few))
	for count.wants() {
		m := open(rng, count)
		planner, builder := m.opens(plannerID), m.opens(builderID)
		for n := 0; n < perPair && count.wants(); n++ {
			m.pair(n > 0)
			g := &game{machine: m, name: fmt.Sprintf("link %d", count.links), order: rng, planner: planner, builder: builder, tell: t.Logf}
			count.ended(g.play())
		}
	}
	count.check(t)
}

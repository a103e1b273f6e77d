// Package kills_test ends the processes of relay at random points while two sessions
// work together, has their calls fail and their clocks jump, and counts what comes of it.
package kills_test

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/e2e/fresh"
	"github.com/changeover/changeover/e2e/killing"
)

var (
	wanted = flag.Int("kills", 0, "how many processes of each verb are killed, in each of the ways; 0: a few")
	writes = flag.Int("writes", 25, "how much each of the writers writes that write at once")
	seed   = flag.Uint64("seed", 0, "what the order of things is drawn from; 0: the time")
)

// few are the kills of each verb in an ordinary test run.
const (
	fewReal  = 6
	fewCalls = 10
)

// bin is where the programs under test lie, and count what the tests came to.
var (
	bin   string
	count toll.Table
)

const stamp fresh.Stamp = "../artifacts/kills"

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(killing.Suite{Tool: "relay", Programs: []string{"relay", "hookd"}, Stamp: stamp}.Run(m, &bin, &count))
}

// verbs are what is run of relay, by persons and by clients.
var verbs = []string{
	"relay planner", "relay builder", "relay goal", "relay pause", "relay resume", "relay status",
	"hook FileChanged", "hook UserPromptSubmit", "hook Stop", "relay event turn", "relay attach",
}

// tally counts the faults of one kind, and what came of the links in which they fell.
type tally struct {
	// how is the kind of fault, limit how many of each verb are wanted.
	how    string
	limit  int
	faults map[string]int
	// offset is at which call they begin.
	offset int
	last   string
	links  int
	idle   int
	sum    score
}

func newTally(how string, limit int) *tally {
	return &tally{how: how, limit: limit, faults: map[string]int{}}
}

// wants says whether a verb is to meet another fault.
func (t *tally) wants(what string) bool { return t.faults[what] < t.limit }

// mostIdle is after how many links without any fault none is waited for: some verbs
// have no call that can go wrong in every way.
const mostIdle = 10

// done says whether every verb has met enough of them, or meets no more.
func (t *tally) done() bool { return t.idle > mostIdle || !slices.ContainsFunc(verbs, t.wants) }

func (t *tally) key(what string) toll.Key { return toll.Key{Tool: "relay", Verb: what, Fault: t.how} }

// met notes a fault.
func (t *tally) met(what string) {
	t.last = what
	t.faults[what]++
	t.idle = 0
	count.Add(t.key(what), toll.Counts{Tries: 1, Hit: 1})
}

// ended adds a link. What went wrong in it is put down to the last fault.
func (t *tally) ended(s score) {
	t.links++
	t.idle++
	c := toll.Counts{Lost: s.lost, Twice: s.twice}
	if s.stuck {
		c.Stuck++
	}
	t.sum.deliveries, t.sum.lost, t.sum.twice, t.sum.stuck = t.sum.deliveries+s.deliveries, t.sum.lost+s.lost, t.sum.twice+s.twice, t.sum.stuck || s.stuck
	if !c.Clean() {
		count.Add(t.key(cmp.Or(t.last, verbs[0])), c)
	}
}

func (t *tally) check(test *testing.T) {
	test.Helper()
	test.Logf("%s: %d links, %d texts\n%s", t.how, t.links, t.sum.deliveries, &count)
	if t.sum.lost > 0 || t.sum.twice > 0 || t.sum.stuck {
		test.Error("what two sessions hand each other was lost, shown twice, or stuck")
	}
}

// perPair is how many links one pair of sessions works off, one after the other.
const perPair = 5

// kill has pairs of sessions work until each verb has met enough faults on the machines
// given.
func kill(t *testing.T, how string, few int, open func(*rand.Rand, *tally) machine) {
	t.Helper()
	stamp.Read(t)
	rng := killing.Source(t, *seed)
	tally := newTally(how, cmp.Or(*wanted, few))
	tally.offset = rng.IntN(1000)
	for !tally.done() {
		m := open(rng, tally)
		planner, builder := m.opens(plannerID), m.opens(builderID)
		for n := 0; n < perPair && !tally.done(); n++ {
			g := &game{machine: m, name: fmt.Sprintf("link %d", tally.links), order: rng, planner: planner, builder: builder, tell: t.Logf}
			m.pair(n > 0)
			tally.ended(g.play())
		}
	}
	tally.check(t)
}

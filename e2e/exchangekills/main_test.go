// Package exchangekills_test has the verbs of the exchange go wrong in every way that
// a machine can: calls that fail, processes that are killed, clocks that jump, and
// writers that all write at once; and counts what comes of it.
package exchangekills_test

import (
	"flag"
	"os"
	"testing"

	"github.com/changeover/changeover/adapters/toll"
	"github.com/changeover/changeover/e2e/fresh"
	"github.com/changeover/changeover/e2e/killing"
)

var (
	wanted = flag.Int("kills", 6, "how many processes of each verb are killed")
	writes = flag.Int("writes", 25, "how much each of the writers writes that write at once")
	seed   = flag.Uint64("seed", 0, "what the moments are drawn from; 0: the time")
)

// bin is where the programs under test lie, and count what the tests came to.
var (
	bin   string
	count toll.Table
)

const (
	tool              = "exchange"
	stamp fresh.Stamp = "../artifacts/exchangekills"
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(killing.Suite{Tool: tool, Programs: []string{"exchange", "hookd"}, Stamp: stamp}.Run(m, &bin, &count))
}

// check fails a test in which something was lost, and shows what was counted.
func check(t *testing.T) {
	t.Helper()
	t.Logf("\n%s", &count)
	if !count.Sum().Clean() {
		t.Error("something was lost, written twice, stuck or half-written")
	}
}

package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/casefold"
	"github.com/changeover/changeover/adapters/claudereg"
	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/osfs"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

const ledgerMarker = `{"name": "harbour", "legacy_ledger": {"path": "notes.md", "routes": {"Dock": {"repo": "dock"}}}}`

// ledgerOf writes a ledger with an entry for each headline, those closed that
// end in an exclamation mark.
func ledgerOf(p place, headlines ...string) {
	p.t.Helper()
	text := "## Open questions / handoffs\n"
	for _, headline := range headlines {
		name, isClosed := strings.CutSuffix(headline, "!")
		status := "OPEN"
		if isClosed {
			status = "DONE"
		}
		text += fmt.Sprintf("\n**[Crane → Dock]** 2026-03-02 — **%s.** **Status:** %s\n", name, status)
	}
	p.write("harbour/notes.md", text)
}

// newLedgerPlace is a root that declares a ledger of three entries; one has been
// imported and is closed in the ledger since.
func newLedgerPlace(t *testing.T) place {
	t.Helper()
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", ledgerMarker)
	ledgerOf(p, "One")
	if r, err := importLedger(p, osfs.New()); err != nil || len(r.Problems()) > 0 {
		t.Fatal(err, r.Problems())
	}
	ledgerOf(p, "One!", "Two", "Three")
	return p
}

func importLedger(p place, files port.FS) (exchange.ImportReport, error) {
	world := newWorld(files)
	world.Env = port.Environment{Lookup: func(string) string { return "" }, Home: p.path("home"), Executable: world.Env.Executable}
	world.Sessions = claudereg.Open(files, world.Env)
	return exchange.Importer{World: world, Fold: casefold.New()}.Import(p.path("harbour"), true)
}

// imported fails where the store is not exactly what the ledger says.
func imported(t *testing.T, p place) {
	t.Helper()
	is := is.New(t)
	store, err := fsstore.NewOpener(osfs.New())(p.path("harbour"))
	is.NoErr(err)
	shelf := store.Handoffs()
	is.Equal(len(shelf.Problems()), 0)
	is.Equal(len(store.Inspect().Leftovers)+len(store.Inspect().Orphans), 0)
	statuses := map[string]exchange.Status{}
	for _, f := range shelf.Items {
		statuses[f.Imported.Headline] = f.Status()
	}
	is.Equal(len(shelf.Items), 3) // one record per entry
	is.Equal(statuses, map[string]exchange.Status{"one": exchange.Closed, "two": exchange.Open, "three": exchange.Open})
}

// moves counts the move files below handoffs/.
func moves(t *testing.T, p place) int {
	t.Helper()
	names, err := filepath.Glob(p.path("harbour/.claude/exchange/handoffs/*.d/*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// Each write goes wrong in turn: the others are made, what is missing is said,
// and the next run makes it.
func TestImport_EachWriteFails(t *testing.T) {
	for broken, from := 0, 1; from > 0; broken++ {
		t.Run(fmt.Sprintf("write %d", broken), func(t *testing.T) {
			is := is.New(t)
			p := newLedgerPlace(t)
			left := broken
			r, err := importLedger(p, porttest.Tap(osfs.New(), func(c porttest.Call) error {
				if c.Op != "Create" {
					return nil
				}
				if left--; left == -1 {
					return &os.PathError{Op: "write", Path: c.Path, Err: syscall.ENOSPC}
				}
				return nil
			}))
			is.NoErr(err)
			if left >= 0 { // there is no such write
				from = 0
				is.Equal(broken, 3)
				is.Equal(len(r.Problems()), 0)
			} else {
				is.Equal(len(r.Problems()), 2)
				is.True(strings.Contains(r.Problems()[0], "no space left on device"))
				is.True(strings.HasPrefix(r.Problems()[1], "2 of 3 write(s) made; run it again"))
				again, err := importLedger(p, osfs.New())
				is.NoErr(err)
				is.Equal(len(again.Problems()), 0)
			}
			imported(t, p)
			is.Equal(moves(t, p), 1)
		})
	}
}

var errGone = errors.New("killed")

// The process ends before each of its calls: what it has written is whole, and
// the next run makes the rest.
func TestImport_KilledAtEachCall(t *testing.T) {
	for n, ended := 0, true; ended; n++ {
		ended = false
		p := newLedgerPlace(t)
		left := n
		func() {
			defer func() {
				if r := recover(); r != nil && r != any(errGone) {
					panic(r)
				}
			}()
			_, _ = importLedger(p, porttest.Tap(osfs.New(), func(porttest.Call) error {
				if left--; left == -1 {
					ended = true
					panic(errGone)
				}
				return nil
			})) // it ends or is ended
		}()
		again, err := importLedger(p, osfs.New())
		if err != nil || len(again.Problems()) > 0 {
			t.Fatalf("before call %d: %v %q", n, err, again.Problems())
		}
		imported(t, p)
		if got := moves(t, p); got != 1 {
			t.Fatalf("before call %d: %d moves", n, got)
		}
	}
}

// One import takes place whole before each call of another.
func TestImport_MeetsAnother(t *testing.T) {
	for n, met := 0, true; met; n++ {
		met = false
		p := newLedgerPlace(t)
		left := n
		_, err := importLedger(p, porttest.Tap(osfs.New(), func(porttest.Call) error {
			if left--; left == -1 {
				met = true
				if r, err := importLedger(p, osfs.New()); err != nil || len(r.Problems()) > 0 {
					t.Errorf("before call %d: %v %q", n, err, r.Problems())
				}
			}
			return nil
		}))
		if err != nil {
			t.Fatalf("before call %d: %v", n, err)
		}
		imported(t, p)
	}
}

// Real processes import one ledger at once.
func TestImport_ManyAtOnce(t *testing.T) {
	is := is.New(t)
	const processes, entries = 4, 60
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", ledgerMarker)
	p.mkdir("harbour/dock")
	var headlines []string
	for i := range entries {
		headlines = append(headlines, fmt.Sprintf("Entry %d", i))
	}
	ledgerOf(p, headlines...)
	outcomes := make([]outcome, processes)
	var wg sync.WaitGroup
	for i := range processes {
		wg.Go(func() { outcomes[i] = p.order("harbour", "exchange", "migrate", "--step", "4", "--apply").run() })
	}
	wg.Wait()
	posted := 0
	for _, out := range outcomes {
		is.Equal(out.Err, "")
		posted += len(lines(out.Stdout, "posted "))
	}
	is.Equal(posted, entries) // each by one process
	records, err := filepath.Glob(p.path("harbour/.claude/exchange/handoffs/*.json"))
	is.NoErr(err)
	is.Equal(len(records), entries)

	again := p.exchange("harbour", "migrate", "--step", "4", "--apply")
	is.Equal(again.Code, 0)
	is.Equal(len(lines(again.Stdout, "counts    60 parsed, 0 to create, 0 to close, 60 unchanged, ")), 1)
}

package exchange_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

const ledgerPath = root + "/notes/handoffs.md"

// fold is enough of case folding for these ledgers.
func fold(s string) string { return strings.ReplaceAll(strings.ToLower(s), "ß", "ss") }

// kept is a scene whose marker declares a ledger of the fixtures.
func kept(t *testing.T, name string) *scene {
	t.Helper()
	s := newScene(t)
	marker, err := os.ReadFile("testdata/marker-with-ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	s.mark(string(marker))
	s.rewrite(name)
	return s
}

// rewrite puts another ledger of the fixtures in the place of the first.
func (s *scene) rewrite(name string) {
	s.t.Helper()
	data, err := os.ReadFile("ledger/testdata/" + name)
	if err != nil {
		s.t.Fatal(err)
	}
	s.files.file(ledgerPath, string(data))
}

// entries is a scene whose ledger holds these entries for the dock.
func entries(t *testing.T, blocks ...string) *scene {
	t.Helper()
	s := newScene(t)
	s.mark(`{"name":"harbour","legacy_ledger":{"path":"notes/handoffs.md","routes":{"Dock":{"repo":"dock"}}}}`)
	s.holding(blocks...)
	return s
}

func (s *scene) holding(blocks ...string) {
	s.files.file(ledgerPath, "## Open questions / handoffs\n\n"+strings.Join(blocks, "\n\n")+"\n")
}

func importing(s *scene, apply bool) exchange.ImportReport {
	s.t.Helper()
	return importingInto(s, s.store, apply)
}

func importingInto(s *scene, store exchange.Store, apply bool) exchange.ImportReport {
	s.t.Helper()
	world := s.world()
	world.Open = func(string) (exchange.Store, error) { return store, nil }
	r, err := exchange.Importer{World: world, Fold: fold}.Import(root+"/dock", apply)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// tally is the line of counts, without its label.
func tally(t *testing.T, r exchange.ImportReport) string {
	t.Helper()
	at := lineOf(r.Lines(), "counts    ")
	if at < 0 {
		t.Fatalf("nothing is counted: %q", r.Lines())
	}
	return strings.TrimPrefix(r.Lines()[at], "counts    ")
}

const counts = "%d parsed, %d to create, %d to close, %d unchanged, %d closed and skipped, %d stored with no entry, %d drifted, %d stranded open, %d problem(s)"

// The counts that the fixtures state.
func TestImport_FirstRun(t *testing.T) {
	is := is.New(t)
	s := kept(t, "ledger-shapes.md")
	dry := importing(s, false)
	is.Equal(tally(t, dry), fmt.Sprintf(counts, 14, 12, 0, 0, 2, 0, 0, 0, 0))
	is.Equal(len(s.store.log), 0)
	is.Equal(dry.Lines()[0], "ledger    "+ledgerPath)
	is.True(has(dry.Lines(), "create    2026-03-02  dock  Winch limits moved into the shared file; reload before you t +14 more chars"))
	is.True(has(dry.Lines(), "create    undated", "  lighthouse  Undated note about the spare lens"))
	is.True(has(dry.Lines(), "create    2026-03-06  dock  Gantry paint peels on the north side"))
	is.True(has(dry.Lines(), "create    2026-03-03  shared: tides  Tide table is off by one hour in March"))
	is.True(has(dry.Lines(), "dry run   nothing was written; "))

	real := importing(s, true)
	is.Equal(len(real.Problems()), 0)
	is.Equal(len(s.store.log), 12)
	is.True(has(real.Lines(), "posted    20260302T000000Z-a28328e6c792  Winch limits"))
	is.True(!has(real.Lines(), "dry run"))
	want := exchange.Handoff{
		ID:   "20260303T000000Z-095ab7e52d5f",
		From: exchange.Sender{Name: "Dock & Ferry", Cwd: root},
		To:   exchange.Address{Repo: "shared", Paths: []string{"tides"}},
		Body: "**[Dock & Ferry → Crane + Lighthouse]** 2026-03-03 14:3x — **Tide table is off by one hour in March.** **Status:** open",
		Imported: &exchange.Imported{
			Route: "dock&ferry>crane+lighthouse", Headline: "tide table is off by one hour in march", Date: "2026-03-03",
		},
		Created: time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC),
	}
	if diff := cmp.Diff(want, s.store.shelf[want.ID+".json"].Handoff); diff != "" {
		t.Error(diff)
	}
	is.Equal(s.store.shelf["undated-80c9ccebd593.json"].Created, noon)
	is.Equal(len(s.store.shelf["undated-80c9ccebd593.json"].Moves), 0)
}

func TestImport_ASecondRunChangesNothing(t *testing.T) {
	is := is.New(t)
	s := kept(t, "ledger-shapes.md")
	importing(s, true)
	s.store.log = nil
	again := importing(s, true)
	is.Equal(tally(t, again), fmt.Sprintf(counts, 14, 0, 0, 12, 2, 0, 0, 0, 0))
	is.Equal(len(s.store.log), 0)
	is.Equal(len(again.Problems()), 0)
}

func TestImport_AWeekLater(t *testing.T) {
	is := is.New(t)
	s := kept(t, "ledger-shapes.md")
	importing(s, true)
	s.store.log = nil
	s.rewrite("ledger-second-run.md")
	real := importing(s, true)
	is.Equal(tally(t, real), fmt.Sprintf(counts, 4, 1, 1, 1, 0, 9, 2, 9, 0))
	is.Equal(s.store.log, []string{"post 20260312T000000Z-9d2a6c112845", "move 20260302T000000Z-a28328e6c792.d/0000-ababab.json"})
	is.True(has(real.Lines(), "close     20260302T000000Z-a28328e6c792  closed in the ledger"))
	is.True(has(real.Lines(), "drift     20260302T000000Z-a28328e6c792  body, reported, not written"))
	is.True(has(real.Lines(), "drift     20260303T000000Z-095ab7e52d5f  body, reported, not written")) // acknowledged in place: one key
	is.True(has(real.Lines(), "stranded  undated-80c9ccebd593  "))
	is.True(has(real.Lines(), "closed    20260302T000000Z-a28328e6c792"))
	want := []exchange.Move{{At: noon, Status: exchange.Closed, By: "exchange migrate --step 4", Note: "closed in the ledger"}}
	if diff := cmp.Diff(want, s.store.shelf["20260302T000000Z-a28328e6c792.json"].Moves); diff != "" {
		t.Error(diff)
	}
	s.store.log = nil
	importing(s, true)
	is.Equal(len(s.store.log), 0) // closed once
}

func TestImport_AnyProblemBlocksEveryWrite(t *testing.T) {
	good := "**[Crane → Dock]** 2026-03-01 — **Fine.**"
	tests := []struct {
		name    string
		prepare func(*scene)
		pieces  []string
	}{
		{"two entries with one key", func(s *scene) {
			s.holding(good, "**[crane →  DOCK]** 2026-03-01 — **fine. Was: FINE** again")
		}, []string{"one key", `"Fine"`}},
		{"an entry without a route", func(s *scene) { s.holding(good, "**→ for nobody**") }, []string{"no route", "for nobody"}},
		{"recipients nobody declared", func(s *scene) { s.holding(good, "**[Crane → Ferry]** **x**") }, []string{"no route", `"Ferry"`}},
		{"a date that is no day", func(s *scene) { s.holding(good, "**[Crane → Dock]** 2026-13-41 **x**") }, []string{"2026-13-41"}},
		{"an entry without a headline", func(s *scene) { s.holding(good, "**[Crane → Dock]** 2026-03-02") }, []string{"imported.headline"}},
		{"an entry that no record holds", func(s *scene) { s.holding(good, "**[Crane → Dock]** **x** "+strings.Repeat("x", 1<<20)) }, []string{"1 MiB"}},
		{"prose alone", func(s *scene) { s.rewrite("ledger-prose-only.md") }, []string{"no entry"}},
		{"no section", func(s *scene) { s.files.file(ledgerPath, "# Notes\n") }, []string{"no heading"}},
		{"no ledger", func(s *scene) { delete(s.files.nodes, ledgerPath) }, []string{ledgerPath, "could not be read"}},
		{"no text", func(s *scene) { s.files.file(ledgerPath, "\xff") }, []string{"UTF-8"}},
		{"a broken record in the store", func(s *scene) { s.store.shelfProblems = []string{"h.json is invalid: x"} }, []string{"h.json is invalid"}},
		{"a tie", func(s *scene) {
			s.handoff("tied", 0, toDock, at(0, exchange.Closed), at(0, exchange.Accepted))
		}, []string{"tied: ", "cannot be worked out"}},
		{"two records for one entry", func(s *scene) {
			for _, id := range []string{"one", "two"} {
				s.store.file(exchange.Handoff{ID: id, Imported: &exchange.Imported{Route: "Crane>DOCK", Headline: "Fine", Date: "2026-03-01"}})
			}
		}, []string{"one", "two", "one entry"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := entries(t, good)
			tt.prepare(s)
			for _, apply := range []bool{false, true} {
				r := importing(s, apply)
				is.Equal(len(r.Problems()), 1)
				is.True(has(r.Lines(), append(tt.pieces, "problem   ")...))
				is.True(has(r.Lines(), "1 problem(s)"))
				is.True(has(r.Lines(), "nothing was written"))
			}
			is.Equal(len(s.store.log), 0)
		})
	}
}

func TestImport_TheAmbiguousLedger(t *testing.T) {
	is := is.New(t)
	s := kept(t, "ledger-ambiguous.md")
	r := importing(s, true)
	is.Equal(len(r.Problems()), 2)
	is.True(has(r.Lines(), "3 parsed, ", ", 2 problem(s)"))
	is.Equal(len(s.store.log), 0)
}

func TestImport_APrunedLedgerIsEmpty(t *testing.T) {
	is := is.New(t)
	r := importing(kept(t, "ledger-pruned.md"), true)
	is.Equal(tally(t, r), fmt.Sprintf(counts, 0, 0, 0, 0, 0, 0, 0, 0, 0))
	is.Equal(len(r.Problems()), 0)
}

func TestImport_StoreAheadOfTheLedgerIsDriftOnly(t *testing.T) {
	for _, status := range []exchange.Status{exchange.Closed, exchange.Accepted} {
		is := is.New(t)
		s := entries(t, "**[Crane → Dock]** 2026-03-01 — **Fine.** Status: OPEN")
		importing(s, true)
		id := onlyOne(s).ID
		is.NoErr(s.store.AddMove(id, exchange.Move{At: noon, Status: status}, "aaaaaa"))
		s.store.log = nil
		r := importing(s, true)
		is.Equal(tally(t, r), fmt.Sprintf(counts, 1, 0, 0, 0, 0, 0, 1, 0, 0))
		is.True(has(r.Lines(), "drift     "+id+"  status, reported, not written"))
		is.Equal(len(s.store.log), 0)
	}
}

func TestImport_FieldsThatDriftAreSorted(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Crane → Dock]** 2026-03-01 — **Fine.**")
	s.store.file(exchange.Handoff{ID: "x", Body: "other", Imported: &exchange.Imported{Route: "CRANE > Dock", Headline: "fine", Date: "2026-03-01"}}, closed)
	is.True(has(importing(s, false).Lines(), "drift     x  body, imported, status, reported, not written"))
}

// Handoffs that no ledger named are nobody's business here.
func TestImport_NativeHandoffsAreUntouched(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Crane → Dock]** 2026-03-01 — **Fine.** DONE")
	s.handoff("native", 0, toDock)
	is.Equal(tally(t, importing(s, true)), fmt.Sprintf(counts, 1, 0, 0, 0, 1, 0, 0, 0, 0))
	is.Equal(len(s.store.log), 0)
}

func TestImport_AnEntryThatIsGone(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Crane → Dock]** 2026-03-01 — **Fine.**")
	importing(s, true)
	id := onlyOne(s).ID
	s.holding()
	r := importing(s, false)
	is.Equal(tally(t, r), fmt.Sprintf(counts, 0, 0, 0, 0, 0, 1, 0, 1, 0))
	is.True(has(r.Lines(), "stranded  "+id+"  open"))
	is.NoErr(s.store.AddMove(id, closed, "aaaaaa"))
	r = importing(s, false)
	is.Equal(tally(t, r), fmt.Sprintf(counts, 0, 0, 0, 0, 0, 1, 0, 0, 0))
	is.True(has(r.Lines(), "orphan    "+id+"  "))
}

// What was archived is not imported again.
func TestImport_LooksIntoTheArchive(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Crane → Dock]** 2026-03-01 — **Fine.** DONE")
	s.store.file(exchange.Handoff{
		ID: "x", Body: "**[Crane → Dock]** 2026-03-01 — **Fine.** DONE",
		Imported: &exchange.Imported{Route: "crane>dock", Headline: "fine. done", Date: "2026-03-01"},
	}, closed)
	is.NoErr(s.store.Archive(onlyOne(s)))
	is.Equal(tally(t, importing(s, true)), fmt.Sprintf(counts, 1, 0, 0, 1, 0, 0, 0, 0, 0))

	s.holding()
	is.True(has(importing(s, true).Lines(), "orphan    x"))

	s.holding("**[Crane → Dock]** 2026-03-01 — **Fine. DONE**\n\nOPEN again, Status: open") // the key is the same
	s.store.log = nil
	importing(s, true)
	is.Equal(len(s.store.log), 0)
}

// Another process archives while this one reads.
func TestImport_WhatIsSeenInBothPlacesCountsOnce(t *testing.T) {
	is := is.New(t)
	s := entries(t)
	f := exchange.NewFiled("x.json", exchange.Handoff{ID: "x", Imported: &exchange.Imported{Route: "crane>dock", Headline: "fine"}},
		[]exchange.Move{closed}, nil)
	s.store.shelf["x.json"], s.store.archive["x.json"] = f, f
	is.Equal(tally(t, importing(s, false)), fmt.Sprintf(counts, 0, 0, 0, 0, 0, 1, 0, 0, 0))
}

// hindered is a store with a moves directory in the way of a record, or in which
// somebody is quicker.
type hindered struct {
	*memory
	leftover string
	quicker  func()
}

func (h hindered) Post(handoff exchange.Handoff) error {
	if handoff.ID == h.leftover {
		return fmt.Errorf("%s.d already exists; no handoff can be posted under that id", handoff.ID)
	}
	return h.memory.Post(handoff)
}

func (h hindered) Handoff(id string) (exchange.Filed, error) {
	if h.quicker != nil {
		h.quicker()
	}
	return h.memory.Handoff(id)
}

func TestImport_FailuresDoNotStopTheRest(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Crane → Dock]** 2026-03-02 — **Two.** Status: open")
	importing(s, true)
	s.holding("**[Crane → Dock]** 2026-03-01 — **One.**", "**[Crane → Dock]** 2026-03-02 — **Two.** Status: done",
		"**[Crane → Dock]** 2026-03-03 — **Three.**")
	const first = "20260301T000000Z-1b40868752f9"
	r := importingInto(s, hindered{memory: s.store, leftover: first}, true)
	is.Equal(len(r.Problems()), 2)
	is.True(has(r.Lines(), "problem   ", `"One"`, first+".d"))
	is.True(has(r.Lines(), "problem   2 of 3 write(s) made; run it again"))
	is.True(has(r.Lines(), "posted    20260303T000000Z-"))
	is.True(has(r.Lines(), "closed    20260302T000000Z-"))
	is.True(!has(r.Lines(), "applied"))

	again := importing(s, true)
	is.Equal(len(again.Problems()), 0)
	is.Equal(tally(t, again), fmt.Sprintf(counts, 3, 1, 0, 1, 0, 0, 1, 0, 0))
}

func TestImport_WhatWasClosedMeanwhileIsNotClosedTwice(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Crane → Dock]** 2026-03-01 — **One.** Status: open")
	importing(s, true)
	s.holding("**[Crane → Dock]** 2026-03-01 — **One.** Status: done")
	quicker := func() { is.NoErr(s.store.AddMove(onlyOne(s).ID, closed, "aaaaaa")) }
	r := importingInto(s, hindered{memory: s.store, quicker: quicker}, true)
	is.True(has(r.Lines(), "problem   ", "is already closed"))
	is.Equal(len(onlyOne(s).Moves), 1)
}

func TestImport_WhatWasArchivedMeanwhileIsNotClosed(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Crane → Dock]** 2026-03-01 — **One.** Status: open")
	importing(s, true)
	s.holding("**[Crane → Dock]** 2026-03-01 — **One.** Status: done")
	quicker := func() { is.NoErr(s.store.Archive(onlyOne(s))) }
	r := importingInto(s, hindered{memory: s.store, quicker: quicker}, true)
	is.True(has(r.Lines(), "problem   ", "is archived: exchange handoff restore "))
}

func onlyOne(s *scene) exchange.Filed {
	for _, f := range s.store.shelf {
		return f
	}
	s.t.Fatal("nothing is stored")
	return exchange.Filed{}
}

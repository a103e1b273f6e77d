package exchange_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
)

func TestImport_NamesWhatItMayHaveMisread(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Crane → Dock]** — **One.** **Status:** open, nothing is done", "**[Crane → Dock]** — **Two.** Status: Accepted, merged soon",
		"**[Crane → Dock]** — **Three.** Status: done", "**[Crane → Dock]** — **Four.** Status: open")
	r := importing(s, false)
	is.True(has(r.Lines(), "4 parsed, 1 to create, ", " 3 closed and skipped, "))
	is.True(has(r.Lines(), "check     One  "))
	is.True(has(r.Lines(), "check     Two  "))
	is.True(!has(r.Lines(), "check     Three"))
	is.True(!has(r.Lines(), "check     Four"))
	is.Equal(len(r.Problems()), 0)
}

// The ledger is other people's prose.
func TestImport_ShowsNothingThatATerminalObeys(t *testing.T) {
	is := is.New(t)
	s := entries(t, "**[Cr\x1b[31mane → Dock]** — **One \u202etwo\x07.** Status: open")
	for _, apply := range []bool{false, true} {
		for _, line := range importing(s, apply).Lines() {
			is.True(!strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }))
		}
	}
	is.True(strings.Contains(onlyOne(s).Body, "\x1b[31m")) // stored as it was
}

func TestImport_Document(t *testing.T) {
	is := is.New(t)
	s := kept(t, "ledger-shapes.md")
	importing(s, true)
	s.rewrite("ledger-second-run.md")
	value, err := jsondoc.Decode(jsondoc.Shown(importing(s, false).Document()))
	is.NoErr(err)
	doc, ok := value.(map[string]any)
	is.True(ok)
	is.Equal(doc["root"], root)
	is.Equal(doc["ledger"], ledgerPath)
	is.Equal(doc["counts"], map[string]any{
		"parsed": jsondoc.Number("4"), "to_create": jsondoc.Number("1"), "to_close": jsondoc.Number("1"), "unchanged": jsondoc.Number("1"),
		"closed_and_skipped": jsondoc.Number("0"), "stored_with_no_entry": jsondoc.Number("9"), "drifted": jsondoc.Number("2"),
		"stranded_open": jsondoc.Number("9"), "problems": jsondoc.Number("0"),
	})
	is.Equal(doc["create"], []any{map[string]any{
		"id": "20260312T000000Z-9d2a6c112845", "date": "2026-03-12", "headline": "A new entry",
		"to": map[string]any{"repo": "cranes", "paths": []any{"winch", "brakes"}},
	}})
	is.Equal(doc["close"], []any{"20260302T000000Z-a28328e6c792"})
	drifted, ok := doc["drift"].([]any)
	is.True(ok && len(drifted) == 2)
	is.Equal(drifted[0], map[string]any{"id": "20260302T000000Z-a28328e6c792", "fields": []any{"body"}})
	is.Equal(doc["orphan"], []any{})
	is.Equal(doc["problems"], []any{})
	is.Equal(doc["dry_run"], true)
}

func TestImport_DocumentWithoutALedger(t *testing.T) {
	is := is.New(t)
	value, err := jsondoc.Decode(jsondoc.Shown(importing(newScene(t), false).Document()))
	is.NoErr(err)
	doc, ok := value.(map[string]any)
	is.True(ok)
	is.Equal(doc["ledger"], nil)
	is.Equal(doc["problems"], []any{})
}

// Section 9.4, step 4.
func TestDoctor_StepOfTheLedger(t *testing.T) {
	entry := "**[Crane → Dock]** 2026-03-01 — **Fine.** Status: open"
	tests := []struct {
		name    string
		prepare func(*scene)
		mark    string
		why     string
	}{
		{"something to create", func(*scene) {}, " ", "outstanding: 1 to create, 0 to close"},
		{"all is there", func(s *scene) { importing(s, true) }, "x", ""},
		{"something to close", func(s *scene) {
			importing(s, true)
			s.holding(strings.ReplaceAll(entry, "open", "done"))
		}, " ", "outstanding: 0 to create, 1 to close"},
		{"the store is ahead", func(s *scene) {
			importing(s, true)
			_ = s.store.AddMove(onlyOne(s).ID, closed, "aaaaaa")
		}, "x", ""},
		{"stranded", func(s *scene) {
			importing(s, true)
			s.holding()
		}, " ", "outstanding: 1 handoff(s) are open"},
		{"an orphan is no reason", func(s *scene) {
			importing(s, true)
			_ = s.store.AddMove(onlyOne(s).ID, closed, "aaaaaa")
			s.holding()
		}, "x", ""},
		{"problems", func(s *scene) { s.holding(entry, entry, "**[nobody]**") }, " ", "outstanding: 2 problem(s)"},
		{"no section", func(s *scene) { s.files.file(ledgerPath, "text") }, " ", "outstanding: 1 problem(s)"},
		{"no ledger", func(s *scene) { delete(s.files.nodes, ledgerPath) }, "?", "not checkable here: the ledger " + ledgerPath},
		{"no text", func(s *scene) { s.files.file(ledgerPath, "\xff") }, "?", "not checkable here: the ledger " + ledgerPath},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := entries(t, entry)
			tt.prepare(s)
			s.store.log = nil
			lines := examine(s).Lines()
			at := lineOf(lines, "  ["+tt.mark+"] 4. open handoffs imported")
			is.True(at >= 0)
			if tt.why != "" {
				is.True(strings.HasPrefix(lines[at+1], "        "+tt.why))
			}
			is.Equal(len(s.store.log), 0)
		})
	}
}

// blocks are entries of either shape, dated or not, in any state.
var blocks = rapid.Custom(func(t *rapid.T) string {
	header := rapid.SampledFrom([]string{
		"**[Crane → Dock]** 2026-03-0%d — **", "**[Dock ← Crane]** — **%d ", "**→ dock, from Crane 2026-03-0%d 9:00 — ", "**[DOCK]** 2026-04-0%d **",
	}).Draw(t, "header")
	return fmt.Sprintf(header, rapid.IntRange(1, 9).Draw(t, "day")) +
		rapid.StringMatching(`[A-Za-z ßé.:*—]{0,90}`).Draw(t, "headline") +
		rapid.SampledFrom([]string{"**", ".** **Status:** open", " Was: x** Status: done", "** DONE", "**\n\nText.\n\n- more"}).Draw(t, "rest")
})

// Whatever a ledger holds: with a problem nothing is written, and without one
// a second run has nothing to do.
func TestImport_ASecondRunNeverChangesAnything(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := entries(t, rapid.SliceOfN(blocks, 1, 8).Draw(r, "blocks")...)
		dry := importing(s, false)
		if len(s.store.log) > 0 {
			r.Fatalf("a dry run writes: %q", s.store.log)
		}
		real := importing(s, true)
		if len(dry.Problems()) > 0 {
			if len(s.store.log) > 0 || len(real.Problems()) != len(dry.Problems()) {
				r.Fatalf("%q are problems, and still: %q", dry.Problems(), s.store.log)
			}
			return
		}
		if len(real.Problems()) > 0 {
			r.Fatal(real.Problems())
		}
		s.store.log = nil
		again := importing(s, true)
		if len(s.store.log) > 0 || len(again.Problems()) > 0 || !has(again.Lines(), ", 0 to create, 0 to close, ", ", 0 drifted, ") {
			r.Fatalf("a second run: %q\n%s", s.store.log, strings.Join(again.Lines(), "\n"))
		}
		for _, f := range s.store.shelf {
			if _, err := exchange.ParseHandoff(f.File, must(f.Encode(f.File))); err != nil {
				r.Fatal(err)
			}
		}
	})
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

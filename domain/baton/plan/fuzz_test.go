package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/plan"
)

// FuzzRead reads a plan and adds a receipt: the plan keeps its bytes and its hash, and
// the receipt is read back.
func FuzzRead(f *testing.F) {
	names, err := filepath.Glob("testdata/plan/*.md")
	if err != nil || len(names) == 0 {
		f.Fatalf("no fixtures: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), "it works", uint8(1))
		f.Add(string(data)+"\n## Execution receipts\n- 2026-05-28T09:00:00.000Z [done] 1 — x\n```\n", "a — b\x1b[31m", uint8(2))
	}
	f.Add("## Steps\r1. a\r\n```\n## Execution receipts", "\xff", uint8(1))
	at := time.Date(2026, 5, 28, 10, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, raw, note string, step uint8) {
		part, receipts := plan.Split(raw)
		if part+receipts != raw {
			t.Fatalf("%q and %q are not %q", part, receipts, raw)
		}
		r := plan.NewReceipt(at, plan.Done, int(step), note, cutter)
		if !utf8.ValidString(r.Note) || strings.ContainsAny(r.Note, "\r\n") || utf8.RuneCountInString(r.Note) > 200 {
			t.Fatalf("%q makes the note %q", note, r.Note)
		}
		next, added, err := plan.Add(raw, r)
		if err != nil || !added {
			if next != raw {
				t.Fatalf("nothing was added, and %q is %q: %v", raw, next, err)
			}
			return
		}
		if !strings.HasPrefix(next, raw) {
			t.Fatalf("%q becomes %q", raw, next)
		}
		if same, _ := plan.Split(next); same != part && strings.TrimRight(same, " \t\r\n") != strings.TrimRight(part, " \t\r\n") {
			t.Fatalf("the plan of %q was %q and is %q", raw, part, same)
		}
		if plan.Hash(next) != plan.Hash(raw) {
			t.Fatalf("the hash of %q changes with a receipt", raw)
		}
		steps := plan.Read(next).Trail().Steps
		if int(step) > len(steps) || steps[step-1].Latest != r {
			t.Fatalf("%+v is read back as %+v, of %q", r, steps, next)
		}
		if _, added, err := plan.Add(next, r); added || err != nil {
			t.Fatalf("the same is added twice: %v", err)
		}
	})
}

package plan_test

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

var cutter = text.NewCutter(func(s string) int {
	tokens := graphemes.FromString(s)
	if !tokens.Next() {
		return len(s)
	}
	return len(tokens.Value())
})

var noon = time.Date(2026, 5, 28, 14, 0, 0, 5_000_000, time.FixedZone("", 2*3600))

func receipt(mark plan.Mark, step int, note string) plan.Receipt {
	return plan.NewReceipt(noon, mark, step, note, cutter)
}

func added(t *testing.T, raw string, r plan.Receipt) string {
	t.Helper()
	next, ok, err := plan.Add(raw, r)
	if err != nil || !ok {
		t.Fatalf("added is %v, %v", ok, err)
	}
	return next
}

// Rows 99.
func TestAdd_WritesTheHeadingOnFirstUse(t *testing.T) {
	is := is.New(t)
	raw := strings.TrimRight(file(t, "plan/valid.md"), "\n") + "\n"
	first := added(t, raw, receipt(plan.Done, 1, "migration and its test"))
	is.Equal(first, raw+"\n## Execution receipts\n- 2026-05-28T12:00:00.005Z [done] 1 — migration and its test\n")
	is.Equal(added(t, first, receipt(plan.Skipped, 2, "")), first+"- 2026-05-28T12:00:00.005Z [skipped] 2\n")
}

func TestAdd_GoesOnWithAnUnfinishedLine(t *testing.T) {
	is := is.New(t)
	raw := strings.TrimRight(file(t, "plan/valid-receipts.md"), "\n")
	is.Equal(added(t, raw, receipt(plan.Done, 3, "")), raw+"\n- 2026-05-28T12:00:00.005Z [done] 3\n")
}

// Rows 99.
func TestAdd_ChangesNothingThatTheGateSees(t *testing.T) {
	for _, row := range expected(t) {
		raw := file(t, "plan/"+row[0])
		if len(plan.Read(raw).Steps()) == 0 {
			continue
		}
		t.Run(row[0], func(t *testing.T) {
			is := is.New(t)
			next := added(t, added(t, raw, receipt(plan.Done, 1, "x")), receipt(plan.Skipped, 1, "```"))
			is.True(strings.HasPrefix(next, raw)) // the bytes of the plan
			is.Equal(plan.Hash(next), plan.Hash(raw))
			is.Equal(cmp.Diff(gate(t, 30000).Check(next), gate(t, 30000).Check(raw)), "")
		})
	}
}

// Rows 99.
func TestAdd_WritesNothingTwice(t *testing.T) {
	is := is.New(t)
	raw := file(t, "plan/valid-receipts.md")
	for _, r := range []plan.Receipt{receipt(plan.Done, 1, "migration and its test"), receipt(plan.Done, 2, "needed after all")} {
		next, ok, err := plan.Add(raw, r)
		is.NoErr(err)
		is.True(!ok)
		is.Equal(next, raw)
	}
	for _, r := range []plan.Receipt{receipt(plan.Done, 1, ""), receipt(plan.Skipped, 1, "migration and its test"), receipt(plan.Skipped, 2, "")} {
		_, ok, err := plan.Add(raw, r)
		is.NoErr(err)
		is.True(ok) // differs from the latest
	}
}

// Rows 99.
func TestAdd_RefusesAStepThatIsNotThere(t *testing.T) {
	is := is.New(t)
	raw := file(t, "plan/valid.md")
	for _, n := range []int{0, 4, -1} {
		next, ok, err := plan.Add(raw, receipt(plan.Done, n, ""))
		var wrong *plan.StepError
		is.True(errors.As(err, &wrong))
		is.Equal(cmp.Diff(*wrong, plan.StepError{Step: n, Steps: 3}), "")
		is.True(strings.Contains(err.Error(), "steps 1 to 3"))
		is.True(!ok)
		is.Equal(next, raw)
	}
	_, _, err := plan.Add(file(t, "plan/bad-steps-prose.md"), receipt(plan.Done, 1, ""))
	is.True(strings.Contains(err.Error(), "no steps"))
	_, ok, err := plan.Add(" \n", receipt(plan.Done, 1, ""))
	is.True(!ok)
	is.True(errors.Is(err, plan.ErrNone))
}

// Rows 108.
func TestAdd_KeepsTheFormOfTheFile(t *testing.T) {
	is := is.New(t)
	raw := "\uFEFF## Steps\r\n- a\r\n- b"
	next := added(t, raw, receipt(plan.Done, 2, ""))
	is.Equal(next, raw+"\r\n## Execution receipts\r\n- 2026-05-28T12:00:00.005Z [done] 2\r\n")
	is.Equal(added(t, "## Steps\r- a\r", receipt(plan.Done, 1, "")),
		"## Steps\r- a\r\r## Execution receipts\r- 2026-05-28T12:00:00.005Z [done] 1\r")
	is.True(strings.HasPrefix(added(t, "## Steps\n- a\n- b\r", receipt(plan.Done, 1, "")), "## Steps\n- a\n- b\r\r## Exec"))
}

// Whatever plan it is: its bytes stay, and it is told apart from the receipts again.
func TestAdd_IsUndoneBySplit(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"## Steps", "- a", "1. b", "```", "~~~~", "## Execution receipts", "## Other", "# T", "", "  - c", "- 2026-05-28T12:00:00.005Z [done] 1", "text",
	})
	end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"})
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SampledFrom([]string{"", "\uFEFF"}).Draw(t, "mark") + "## Steps\n- a\n"
		for range rapid.IntRange(0, 12).Draw(t, "lines") {
			raw += piece.Draw(t, "line") + end.Draw(t, "end")
		}
		raw += rapid.SampledFrom([]string{"", "x", "  "}).Draw(t, "last")
		part, receipts := plan.Split(raw)
		if part+receipts != raw {
			t.Fatalf("%q and %q", part, receipts)
		}
		r := receipt(plan.Done, 1, rapid.StringN(0, 20, -1).Draw(t, "note"))
		next, _, err := plan.Add(raw, r)
		if err != nil {
			return // the steps are inside a fence, or behind the heading
		}
		if after, _ := plan.Split(next); after != part {
			t.Fatalf("the plan %q became %q", part, after)
		}
		latest := plan.Read(next).Trail().Steps[0].Latest
		if latest.Mark != r.Mark || latest.Note != r.Note {
			t.Fatalf("%+v reads %+v in %q", r, latest, next)
		}
		if again, ok, err := plan.Add(next, r); ok || err != nil || again != next {
			t.Fatalf("added again to %q: %v", next, err)
		}
	})
}

func TestSplit_FindsTheLastHeading(t *testing.T) {
	const r = "## Execution receipts\n"
	tests := []struct{ name, raw, want string }{
		{"none", "a\n", "a\n"},
		{"one", "a\n\n" + r + "- x\n", "a\n"},
		{"directly behind", "a\n" + r, "a"},
		{"any spelling", "a\n\n## execution receipts: ##\n- x\n", "a\n"},
		{"two on end", "a\n\n" + r + "- x\n" + r + "- y\n", "a\n"},
		{"not the last", "a\n" + r + "- x\n## Risks\n- y\n", "a\n" + r + "- x\n## Risks\n- y\n"},
		{"in a fence", "a\n```\n" + r + "```\n", "a\n```\n" + r + "```\n"},
		{"behind a fence that never ends", "a\n```\nb\n\n" + r + "- x\n", "a\n```\nb\n"},
		{"level three", "a\n#" + r, "a\n#" + r},
		{"nothing before it", r + "- x\n", ""},
		{"a title behind it", "a\n\n" + r + "# T\n", "a\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			part, receipts := plan.Split(tt.raw)
			is.Equal(part, tt.want)
			is.Equal(part+receipts, tt.raw)
		})
	}
}

func TestHash_SeesThePlanAlone(t *testing.T) {
	is := is.New(t)
	is.Equal(plan.Hash(file(t, "plan/valid.md")), plan.Hash(file(t, "plan/valid-receipts.md")))
	is.True(plan.Hash("a\n") != plan.Hash("b\n"))
	is.True(plan.Hash("a\nb\n") != plan.Hash("a\r\nb\n"))
}

func TestNewReceipt_CleansTheNote(t *testing.T) {
	family := "👨\u200d👩\u200d👧" // 5 characters
	tests := []struct{ name, note, want string }{
		{"lines and tabs", " a\r\n\tb\u2028c ", "a b c"},
		{"control characters", "a\x00b\x1b[31mred\u202e", "abred"},
		{"fits", strings.Repeat("ü", 200), strings.Repeat("ü", 200)},
		{"too long", strings.Repeat("ü", 201), strings.Repeat("ü", 199) + "…"},
		{"invalid bytes", "a\xff", "a\uFFFD"},
		{"family", "a " + family, "a " + family},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(receipt(plan.Done, 1, tt.note).Note, tt.want)
		})
	}
}

// Rows 109.
func TestNewReceipt_CutsNoClusterOfTheNote(t *testing.T) {
	for _, cluster := range []string{"👨\u200d👩\u200d👧", "🇩🇪", "e\u0301\u0323", "\u1112\u1161\u11ab"} {
		size := utf8.RuneCountInString(cluster)
		for lead := 200 - size; lead <= 200; lead++ {
			is := is.New(t)
			head := strings.Repeat("a", lead)
			note := receipt(plan.Done, 1, head+cluster+"zz").Note
			is.True(utf8.RuneCountInString(note) <= 200)
			is.True(note == head+"…" || note == head[:min(lead, 199)]+"…" || note == head+cluster+"…" || note == head+cluster+"zz")
		}
	}
}

// Rows 99.
func TestTrail_SaysWhatBecameOfEachStep(t *testing.T) {
	is := is.New(t)
	got := plan.Read(file(t, "plan/valid-receipts.md") + "- 2026-05-28T10:00:00Z [done] 4\nnot one\n\n- soon [done] 1\n" +
		"- 2026-05-28T10:00:00Z [open] 1\n- 2026-05-28T10:00:00Z [done] 01\n").Trail()
	is.Equal(string(jsondoc.Line(got.Document())), `{"steps":[`+
		`{"n":1,"text":"Add rows_done to import_jobs in db/migrations","state":"done","at":"2026-05-28T09:20:00.000Z","note":"migration and its test","count":1},`+
		`{"n":2,"text":"Bump it in worker/loop.go after each batch","state":"done","at":"2026-05-28T09:40:00.000Z","note":"needed after all","count":2},`+
		`{"n":3,"text":"Serve it from api/progress.go","state":"open","at":null,"note":null,"count":0}],`+
		`"unreadable":["- 2026-05-28T10:00:00Z [done] 4","not one","- soon [done] 1","- 2026-05-28T10:00:00Z [open] 1","- 2026-05-28T10:00:00Z [done] 01"]}`)
}

func TestTrail_OfAPlanWithoutReceipts(t *testing.T) {
	is := is.New(t)
	p := plan.Read(file(t, "plan/valid.md"))
	is.True(!p.HasReceipts())
	is.True(plan.Read(file(t, "plan/valid-receipts.md")).HasReceipts())
	is.Equal(len(p.Trail().Steps), 3)
	is.Equal(string(jsondoc.Line(plan.Read("x").Trail().Document())), `{"steps":[],"unreadable":[]}`)
}

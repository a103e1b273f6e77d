package compact_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
)

var (
	handedOff = time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC)
	never     time.Time
)

func trim(raw string) (string, *compact.EntriesLoss, bool) {
	return compact.NewEntryTrimmer(cutter, handedOff, never).Trim(raw)
}

func TestTrim_Samples(t *testing.T) {
	for _, name := range []string{"decisions", "errors"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			got, loss, changed := trim(fixture(t, "md/"+name+".md"))
			is.True(changed)
			is.Equal(cmp.Diff(fixture(t, "expected/"+name+".after-2026-05-28T09-00.md"), got), "")
			is.Equal(loss.CharsAfter, utf8.RuneCountInString(got))
			again, _, changed := trim(got)
			is.True(!changed)
			is.Equal(again, got)
		})
	}
}

func TestTrim_SaysWhatWasDropped(t *testing.T) {
	is := is.New(t)
	_, decisions, _ := trim(fixture(t, "md/decisions.md"))
	is.Equal(cmp.Diff(decisions.Dropped, []compact.Dropped{
		{Title: "2026-05-20T08:00:00Z one queue table", Span: compact.Span{From: 5, To: 7}, Date: time.Date(2026, 5, 20, 8, 0, 0, 0, time.UTC)},
		{Title: "2026-05-27 lease column", Span: compact.Span{From: 8, To: 10}, Date: time.Date(2026, 5, 27, 0, 0, 0, 0, time.UTC)},
	}), "")
	is.Equal(decisions.CharsBefore, utf8.RuneCountInString(fixture(t, "md/decisions.md")))
	_, errors, _ := trim(fixture(t, "md/errors.md"))
	is.Equal(cmp.Diff(errors.Dropped, []compact.Dropped{
		{Title: "2026-05-26T12:00:00Z migration failed: column exists", Span: compact.Span{From: 3, To: 4}, Date: time.Date(2026, 5, 26, 12, 0, 0, 0, time.UTC)},
	}), "")
}

func TestTrim_NeedsAHandoff(t *testing.T) {
	is := is.New(t)
	in := fixture(t, "md/decisions.md")
	got, loss, changed := compact.NewEntryTrimmer(cutter, never, never).Trim(in)
	is.True(!changed)
	is.True(loss == nil)
	is.Equal(got, in)
}

func TestTrim_KeepsWhatTheCurrentExecutionWrote(t *testing.T) {
	is := is.New(t)
	in := "- 2026-05-28T07:59:59Z a\n- 2026-05-28T08:00:00Z b\n- 2026-05-28T10:00:00Z c\n"
	began := time.Date(2026, 5, 28, 8, 0, 0, 0, time.UTC)
	got, _, _ := compact.NewEntryTrimmer(cutter, handedOff, began).Trim(in)
	is.Equal(got, "- 2026-05-28T08:00:00Z b\n- 2026-05-28T10:00:00Z c\n")
	got, _, _ = compact.NewEntryTrimmer(cutter, handedOff, handedOff.Add(2*time.Hour)).Trim(in)
	is.Equal(got, "- 2026-05-28T10:00:00Z c\n") // an execution after the handoff changes nothing
}

func TestTrim_ReadsTheFirstDate(t *testing.T) {
	tests := []struct {
		line string
		old  bool
	}{
		{"2026-05-28T08:59:59.999Z x", true},
		{"2026-05-28T09:00:00Z x", false},
		{"2026-05-28T09:00:00.001Z x", false},
		{"2026-05-28 x", true},
		{"2026-05-29 x", false},
		{"2026-05-28T10:59+02:00 x", true},
		{"2026-05-28T11:00+02:00 x", false},
		{"2026-05-28T03:59:00-0500 x", true},
		{"2026-05-28T04:00:00-0500 x", false},
		{"2026-05-28T10:59:00+02 x", true},
		{"2026-05-28 08:59 x", true},
		{"2026-05-28 09:00 x", false},
		{"2026-05-28T08:59:59,9 x", true},
		{"x (2026-05-27) and 2026-05-29", true},
		{"x (2026-05-29) and 2026-05-27", false},
		{"2026-13-27 and 2026-05-29", false},
		{"2026-02-30 x", false},
		{"12026-05-27 x", false},
		{"2026-05-277 x", false},
		{"2026-5-7 x", false},
		{"2026-05-29T25:00 x", false},
		{"2026-05-28T25:00 x", true}, // no time: the date alone
		{"x", false},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			is := is.New(t)
			_, _, changed := trim("## " + tt.line + "\nbody\n")
			is.Equal(changed, tt.old)
			_, _, changed = trim("- " + tt.line + "\n")
			is.Equal(changed, tt.old)
		})
	}
}

func TestTrim_KnowsWhereAnEntryEnds(t *testing.T) {
	const old = "2026-01-01 old"
	tests := []struct{ name, in, want string }{
		{"the date must stand in the first line", "## x\n" + old + "\n", "## x\n" + old + "\n"},
		{"bullets below headings are no entries", "- " + old + "\n## x\n- " + old + "\n", "- " + old + "\n## x\n- " + old + "\n"},
		{"deeper headings belong to it", "## " + old + "\n### sub\n- a\n## x\n", "## x\n"},
		{"a title ends it", "## " + old + "\na\n# T\nstays\n", "# T\nstays\n"},
		{"a heading in a fence does not", "## " + old + "\n```\n## x\n```\n## y\n", "## y\n"},
		{"nor does a fence that stays open", "## " + old + "\n```\n## y\n", "## " + old + "\n```\n## y\n"},
		{"blank lines go with it", "- a\n\n- " + old + "\n\n\n- b\n", "- a\n\n- b\n"},
		{"so do indented and following lines", "- " + old + "\nmore\n\n  more\n\n  - sub\n- b\n", "- b\n"},
		{"a paragraph ends a bullet", "- " + old + "\n\nstays\n- b\n", "stays\n- b\n"},
		{"so does a heading", "- " + old + "\n### x\n  stays\n", "### x\n  stays\n"},
		{"its fence goes with it", "- " + old + "\n```\n- x\n\ny\n```\n- b\n", "- b\n"},
		{"an indented bullet is none of its own", "- a\n  - " + old + "\n", "- a\n  - " + old + "\n"},
		{"the last line without an end", "- " + old + "\n- b", "- b"},
		{"nothing is left", "- " + old, ""},
		{"numbers are bullets too", "1. " + old + "\n2) b\n", "2) b\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, _, _ := trim(tt.in)
			is.Equal(got, tt.want)
		})
	}
}

// Row 108: the same for decisions.md and errors.md.
func TestTrim_KeepsTheFormOfTheFile(t *testing.T) {
	lf := fixture(t, "md/decisions.md")
	want := fixture(t, "expected/decisions.after-2026-05-28T09-00.md")
	crlf := strings.NewReplacer("\n", "\r\n")
	tests := []struct{ name, in, want string }{
		{"CRLF", crlf.Replace(lf), crlf.Replace(want)},
		{"lone CR", strings.ReplaceAll(lf, "\n", "\r"), strings.ReplaceAll(want, "\n", "\r")},
		{"mix", strings.Replace(crlf.Replace(lf), "\r\n", "\n", 5), crlf.Replace(want)},
		{"mark", "\uFEFF" + lf, "\uFEFF" + want},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, _, changed := trim(tt.in)
			is.True(changed)
			is.Equal(cmp.Diff(tt.want, got), "")
		})
	}
}

func TestTrim_ClipsTitlesAndCountsEntries(t *testing.T) {
	is := is.New(t)
	title := "2026-01-01 " + strings.Repeat("é", 300)
	_, loss, _ := trim(strings.Repeat("## "+title+"\n", 1200))
	is.Equal(loss.Dropped[0].Title, "2026-01-01 "+strings.Repeat("é", 188)+"…")
	is.Equal(len(loss.Dropped), 1000)
	is.Equal(loss.More, 200)
}

func TestTrim_Properties(t *testing.T) {
	// Bullets are entries only where no heading is one, so each kind for itself.
	headings := []string{"## 2026-01-01 a", "## 2026-09-01 b", "## c", "- d"}
	bullets := []string{"- 2026-01-02T10:00 d", "- 2026-10-01 e", "- f"}
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([][]string{headings, bullets}).Draw(t, "kind")
		line := rapid.OneOf(rapid.SampledFrom(kind), rapid.SampledFrom([]string{"# T", "  more", "text", "", "```", "~~~~", "2026-01-01"}), anyText())
		lines := rapid.SliceOfN(line, 0, 30).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "end")
		in := strings.Join(lines, end)
		got, loss, changed := trim(in)
		if !changed {
			if got != in || loss != nil {
				t.Fatalf("%q became %q", in, got)
			}
			return
		}
		if utf8.RuneCountInString(got) >= utf8.RuneCountInString(in) || !utf8.ValidString(got) {
			t.Fatalf("%q became %q", in, got)
		}
		if again, _, changed := trim(got); changed {
			t.Fatalf("twice differs from once:\n%s", cmp.Diff(got, again))
		}
	})
}

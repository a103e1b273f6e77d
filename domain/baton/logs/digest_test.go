package logs_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/phrase"
)

var balanced = compact.Profile{MaxLogTailChars: 5000, MaxErrorChars: 4000}

func digest(t fataler, log string, budget compact.Profile) logs.Digest {
	t.Helper()
	got, err := logs.Digester{Phrases: phrase.Defaults(), Cutter: cutter}.Digest(strings.NewReader(log), budget)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Row 28; row 41: a hit in the log shows its phrase.
func TestDigest_OfALongLog(t *testing.T) {
	log := fixture(t, "log/long-run.log")
	got := digest(t, log, balanced)
	want := []string{
		"[stderr] npm ERR! build failed in packages/worker",
		"usage limit reached: [stdout] retry note 30: größenprüfung für Datei 30 läuft | " +
			"[stderr] ERROR: Usage limit reached for this billing period | [stdout] saving partial work",
		"rate limit exceeded: [stdout] claude step 400: editing worker | " +
			"[stdout] I documented how the rate limit exceeded case is handled | [stdout] claude step 401: editing worker",
	}
	if diff := cmp.Diff(want, got.Errors); diff != "" {
		t.Fatal(diff)
	}
	is := is.New(t)
	is.Equal(got.ExitCodes, []int{1, 0})
	is.True(utf8.RuneCountInString(got.Tail) <= 5000)
	is.True(utf8.RuneCountInString(got.Tail) > 4000) // the line before is a long one
	is.True(strings.HasSuffix(log, "\n"+got.Tail))
}

func TestDigest_OfClientErrors(t *testing.T) {
	is := is.New(t)
	got := digest(t, "[agent] hi\n[error] first line\n[error]   and the\tsecond\n[result] failed\n[error] first line\n[error] and the second", balanced)
	is.Equal(got.Errors, []string{"first line and the second"})
	got = digest(t, "[error] one\n--- exit 1 ---\n[error] two\n", balanced)
	is.Equal(got.Errors, []string{"one", "two"})
	got = digest(t, "[error] "+strings.Repeat("word ", 100)+"\n[error] more\n", balanced)
	is.Equal(utf8.RuneCountInString(got.Errors[0]), 240)
	is.True(strings.HasPrefix(got.Errors[0], "word word "))
	got = digest(t, fixture(t, "log/json-run.log"), balanced)
	is.Equal(len(got.Errors), 2)
	is.Equal(got.Errors[0], "[out] build failed in pkg181")
	is.True(strings.HasPrefix(got.Errors[1], "You’ve hit your usage limit. Upgrade to Pro"))
}

func TestDigest_TheLinesAroundAHit(t *testing.T) {
	is := is.New(t)
	got := digest(t, "[stderr] Error: quota exceeded", balanced)
	is.Equal(got.Errors, []string{"quota exceeded: [stderr] Error: quota exceeded"})
	got = digest(t, "\n[stderr] Error: quota exceeded\n\n", balanced)
	is.Equal(got.Errors, []string{"quota exceeded: [stderr] Error: quota exceeded"})
	got = digest(t, "[5 lines elided]\n[stderr] quota limit\n[relay-baton] context compressed: 1 -> 2 chars\n[stderr] \x1b[31mquota\x1b[0m limit\n", balanced)
	is.Equal(got.Errors, []string{
		"quota limit: [stderr] quota limit | [stderr] quota limit", "quota limit: [stderr] quota limit | [stderr] quota limit",
	}[:1]) // the same, once
	got = digest(t, strings.Repeat("x", 300)+"\n[stderr] quota limit\nz\n", balanced)
	is.Equal(got.Errors, []string{"quota limit: " + strings.Repeat("x", 226) + "…"})
	got = digest(t, "[stderr] command not found: quota limit\n", balanced)
	is.Equal(got.Errors, []string{"[stderr] command not found: quota limit", "quota limit: [stderr] command not found: quota limit"})
	got = digest(t, "[stdout] "+strings.Repeat("y", 100_000)+" quota limit\n", balanced)
	is.Equal(got.Errors, []string{"quota limit: [stdout] " + strings.Repeat("y", 217) + "…"})
}

func TestDigest_KeepsTheNewestErrors(t *testing.T) {
	is := is.New(t)
	log := "[out] build failed 1\n[out] build failed 2\n[out] build failed 3\n[out] build failed 1\n"
	// Each takes 20 characters, and 3 in a list.
	for _, tt := range []struct {
		most int
		want []string
	}{
		{69, []string{"[out] build failed 2", "[out] build failed 3", "[out] build failed 1"}},
		{68, []string{"[out] build failed 3", "[out] build failed 1"}},
		{23, []string{"[out] build failed 1"}},
		{22, []string{"[out] build failed…"}},
	} {
		is.Equal(digest(t, log, compact.Profile{MaxLogTailChars: 10, MaxErrorChars: tt.most}).Errors, tt.want)
	}
	is.Equal(len(digest(t, log, compact.Profile{MaxLogTailChars: 10, MaxErrorChars: 1}).Errors), 0)
}

func TestDigest_Tail(t *testing.T) {
	is := is.New(t)
	for _, tt := range []struct {
		log  string
		most int
		want string
	}{
		{"", 5, ""},
		{"ab\ncd\n", 6, "ab\ncd\n"},
		{"ab\ncd\n", 5, "cd\n"},
		{"ab\ncd\n", 3, "cd\n"},
		{"ab\ncd\nef\n", 6, "cd\nef\n"},
		{"ab\ncd\n", 2, "d\n"},
		{"ab\ncdefgh", 4, "efgh"},
		{"äö\nüß\n", 3, "üß\n"},
		{"x\n👨\u200d👩\u200d👧👨\u200d👩\u200d👧", 9, "👨\u200d👩\u200d👧"},
	} {
		is.Equal(digest(t, tt.log, compact.Profile{MaxLogTailChars: tt.most, MaxErrorChars: 100}).Tail, tt.want) // tt.log
	}
}

func TestDigest_KeepsTheNewestExitCodes(t *testing.T) {
	is := is.New(t)
	var log strings.Builder
	for i := range 1100 {
		fmt.Fprintf(&log, "--- exit %d ---\n", i)
	}
	got := digest(t, log.String(), balanced).ExitCodes
	is.Equal(len(got), 1000)
	is.Equal(got[0], 100)
	is.Equal(got[999], 1099)
}

func TestDigest_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := randomLog(t)
		budget := compact.Profile{MaxLogTailChars: rapid.IntRange(1, 3000).Draw(t, "tail"), MaxErrorChars: rapid.IntRange(1, 3000).Draw(t, "errors")}
		got := digest(t, log, budget)
		if utf8.RuneCountInString(got.Tail) > budget.MaxLogTailChars || !strings.HasSuffix(log, got.Tail) {
			t.Fatalf("the tail is %q", got.Tail)
		}
		total, seen := 0, map[string]bool{}
		for _, text := range got.Errors {
			total += utf8.RuneCountInString(text) + len("- \n")
			if seen[text] || !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r\x1b") || utf8.RuneCountInString(text) > 240 {
				t.Fatalf("a known error is %q", text)
			}
			seen[text] = true
		}
		if total > budget.MaxErrorChars {
			t.Fatalf("known errors of %d characters", total)
		}
	})
}

package logs_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
)

func TestFind(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("long", 400_000)
	log := strings.NewReader("\n[error] a\nb\n[stdout] a\na\nb\n[out] " + long + "\n[other] b")
	for _, tt := range []struct {
		text      string
		was, want int
	}{
		{"a", 2, 2},
		{"a", 3, 2},
		{"a", 4, 4},
		{"a", 9, 5},
		{"[error] a", 9, 2},
		{"[out] a", 9, 0},
		{"b", 1, 3}, // none up to there: the next
		{"b", 99, 6},
		{"", 1, 1},
		{"error] a", 9, 0},
		{long, 99, 0}, // too long to be looked into
		{"[out] " + long, 99, 7},
		{long[4:], 99, 0},
		{"x" + long[1:], 99, 0},
	} {
		got, ok, err := logs.Find(log, tt.text, tt.was)
		is.NoErr(err)
		is.Equal(got, tt.want) // tt.text
		is.Equal(ok, tt.want > 0)
	}
}

// Row 97: after a cycle a hit is found at its new place, or in the raw copy.
func TestFind_AfterACompression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := randomLog(t)
		short, result := compress(t, log, 5)
		at := result.Before.LastHit
		if at.None() {
			return
		}
		text := log[at.From:][:at.Size]
		number, ok, err := logs.Find(strings.NewReader(short), text, at.Line)
		if err != nil || !ok || strings.Split(short, "\n")[number-1] != text {
			t.Fatalf("line %d: %v", number, err)
		}
		if number, _, _ := logs.Find(strings.NewReader(log), text, at.Line); number != at.Line {
			t.Fatalf("in the log as it was: line %d", number)
		}
	})
}

func TestRunEnds(t *testing.T) {
	is := is.New(t)
	raw := strings.NewReader("one\n[out] \x1b[31mtwo\x1b[0m\tthree\n" + strings.Repeat("é", 200) + "\nfour\n" + strings.Repeat("x", 2<<20) + "\nsix\n")
	got, err := logs.RunEnds(raw, []compact.Elision{{From: 1, To: 2, Count: 2}, {From: 3, To: 3, Count: 9}, {From: 5, To: 6, Count: 2}}, cutter, 100)
	is.NoErr(err)
	is.Equal(got, []logs.Ends{
		{First: "one", Last: "[out] two three"},
		{First: strings.Repeat("é", 99) + "…", Last: strings.Repeat("é", 99) + "…"},
		{First: strings.Repeat("x", 99) + "…", Last: "six"},
	})
	got, err = logs.RunEnds(strings.NewReader("one\n"), []compact.Elision{{From: 1, To: 3}, {From: 7, To: 9}}, cutter, 100)
	is.NoErr(err)
	is.Equal(got, []logs.Ends{{First: "one"}, {}}) // a copy that is shorter than it was
}

package exchange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
)

func at(after int, status exchange.Status) exchange.Move {
	return exchange.Move{At: ten, Status: status, After: after}
}

func filed(moves ...exchange.Move) exchange.Filed {
	return exchange.NewFiled("h.json", exchange.Handoff{ID: "h", Created: ten}, moves, nil)
}

func TestFiled_Status(t *testing.T) {
	const open, accepted, closed = exchange.Open, exchange.Accepted, exchange.Closed
	tests := []struct {
		name     string
		moves    []exchange.Move
		want     exchange.Status
		tied     []exchange.Status
		next     int
		problems int
	}{
		{"never moved", nil, open, nil, 0, 0},
		{"accepted", []exchange.Move{at(0, accepted)}, accepted, nil, 1, 0},
		{"accepted, then closed", []exchange.Move{at(0, accepted), at(1, closed)}, closed, nil, 2, 0},
		{"file names sort otherwise", []exchange.Move{at(1, closed), at(0, accepted)}, closed, nil, 2, 0},
		{"reopened", []exchange.Move{at(0, closed), at(1, accepted)}, accepted, nil, 2, 0},
		{"positions may have gaps", []exchange.Move{at(7, closed), at(3, accepted)}, closed, nil, 8, 0},
		{"equal moves at one position", []exchange.Move{at(0, closed), at(0, closed)}, closed, nil, 1, 0},
		{"tie at the last position", []exchange.Move{at(0, accepted), at(0, closed)}, closed, []exchange.Status{accepted, closed}, 1, 1},
		{"the status shown at a tie is the last in order", []exchange.Move{at(0, closed), at(0, accepted)}, accepted, []exchange.Status{accepted, closed}, 1, 1},
		{"tie at an earlier position", []exchange.Move{at(0, accepted), at(0, closed), at(1, closed)}, closed, nil, 2, 1},
		{
			"one problem for each that disagrees",
			[]exchange.Move{at(0, accepted), at(0, closed), at(0, open)},
			open,
			[]exchange.Status{accepted, closed, open},
			1, 2,
		},
		{
			"ties at two positions",
			[]exchange.Move{at(0, accepted), at(0, closed), at(1, accepted), at(1, closed)},
			closed,
			[]exchange.Status{accepted, closed},
			2, 2,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			f := filed(tt.moves...)
			is.Equal(f.Status(), tt.want)
			is.Equal(f.Tied(), tt.tied)
			is.Equal(f.Settled(), tt.tied == nil)
			is.Equal(f.Next(), tt.next)
			is.Equal(len(f.Problems()), tt.problems)
		})
	}
}

func TestFiled_TheClockDecidesNothing(t *testing.T) {
	is := is.New(t)
	late, early := at(0, exchange.Accepted), at(1, exchange.Closed)
	late.At, early.At = ten.Add(time.Hour), ten.Add(-time.Hour)
	is.Equal(filed(late, early).Status(), exchange.Closed)
}

func TestFiled_SaysWhatATieIs(t *testing.T) {
	is := is.New(t)
	problems := filed(at(0, exchange.Open), at(3, exchange.Accepted), at(3, exchange.Closed)).Problems()
	is.Equal(len(problems), 1)
	for _, piece := range []string{"h: ", "position 3", "accepted", "closed", "cannot be worked out"} {
		is.True(strings.Contains(problems[0], piece))
	}
}

func TestFiled_ReportsAWrongName(t *testing.T) {
	is := is.New(t)
	f := exchange.NewFiled("b.json", exchange.Handoff{ID: "a"}, []exchange.Move{at(0, exchange.Closed)}, nil)
	is.Equal(f.Status(), exchange.Closed) // listed all the same
	is.Equal(len(f.Problems()), 1)
	is.True(strings.Contains(f.Problems()[0], "b.json holds the id a"))
	is.True(strings.Contains(f.Problems()[0], "not to be trusted"))
}

func TestFiled_AnUnreadMoveHidesNothing(t *testing.T) {
	is := is.New(t)
	f := exchange.NewFiled("h.json", exchange.Handoff{ID: "h"}, []exchange.Move{at(0, exchange.Accepted)}, []string{"h: 0001-x.json is broken"})
	is.Equal(f.Status(), exchange.Accepted)
	is.Equal(f.Problems(), []string{"h: 0001-x.json is broken"})
}

func TestFiled_LastMoved(t *testing.T) {
	is := is.New(t)
	is.True(filed().LastMoved().Equal(ten)) // when it was posted
	late := at(1, exchange.Closed)
	late.At = ten.Add(time.Hour)
	is.True(filed(late, at(0, exchange.Open)).LastMoved().Equal(ten.Add(time.Hour)))
}

func TestShelf_ReportsEachOfTwoFilesWithOneID(t *testing.T) {
	is := is.New(t)
	one := exchange.NewFiled("a.json", exchange.Handoff{ID: "a"}, nil, nil)
	two := exchange.NewFiled("b.json", exchange.Handoff{ID: "a"}, nil, nil)
	problems := exchange.Shelf{Items: []exchange.Filed{one, two}, Unread: []string{"c.json is invalid: x"}}.Problems()
	is.Equal(problems[0], "c.json is invalid: x")
	is.True(has(problems, "a.json holds the id a", "2 files"))
	is.True(has(problems, "b.json holds the id a", "2 files"))
}

func TestShelf_NotClosed(t *testing.T) {
	is := is.New(t)
	shelf := exchange.Shelf{Items: []exchange.Filed{filed(), filed(at(0, exchange.Accepted)), filed(at(0, exchange.Closed))}}
	is.Equal(shelf.NotClosed(), 2)
}

func TestParseStatus(t *testing.T) {
	is := is.New(t)
	for _, s := range []exchange.Status{exchange.Open, exchange.Accepted, exchange.Closed} {
		got, err := exchange.ParseStatus(string(s))
		is.NoErr(err)
		is.Equal(got, s)
	}
	for _, s := range []string{"", "Open", "done", "open ", "closed\n"} {
		_, err := exchange.ParseStatus(s)
		is.True(err != nil)
	}
}

// histories draws moves with few positions, so that they meet.
var histories = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) exchange.Move {
	return at(rapid.IntRange(0, 4).Draw(t, "after"), statuses.Draw(t, "status"))
}), 0, 8)

// Only the order of files that share a position can matter, and that only to
// the status shown at a tie.
func TestFiled_IsIndependentOfTheOrderOfFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moves := histories.Draw(t, "moves")
		shuffled := rapid.Permutation(moves).Draw(t, "shuffled")
		a, b := filed(moves...), filed(shuffled...)
		if a.Next() != b.Next() || a.Settled() != b.Settled() || !slices.Equal(a.Tied(), b.Tied()) {
			t.Fatalf("%v and %v", a.Moves, b.Moves)
		}
		if a.Settled() && a.Status() != b.Status() {
			t.Fatalf("settled as %s and as %s", a.Status(), b.Status())
		}
	})
}

func TestFiled_KeepsTheOrderOfFilesAtOnePosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moves := histories.Draw(t, "moves")
		for i := range moves {
			moves[i].Note = fmt.Sprint(i)
		}
		want := slices.Clone(moves)
		slices.SortStableFunc(want, func(a, b exchange.Move) int { return a.After - b.After })
		if diff := cmp.Diff(want, filed(moves...).Moves); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestFiled_NextIsPastTheHighest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moves := histories.Draw(t, "moves")
		want := 0
		for _, m := range moves {
			want = max(want, m.After+1)
		}
		if got := filed(moves...).Next(); got != want {
			t.Fatalf("%d, not %d", got, want)
		}
	})
}

func TestFiled_OneMoreMoveSettlesATie(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moves := histories.Draw(t, "moves")
		before := filed(moves...)
		status := statuses.Draw(t, "status")
		after := filed(append(slices.Clone(moves), at(before.Next(), status))...)
		if !after.Settled() || after.Status() != status {
			t.Fatalf("%s after a move to %s", after.Status(), status)
		}
		if len(after.Problems()) != len(before.Problems()) {
			t.Fatal("the old tie is no longer reported")
		}
	})
}

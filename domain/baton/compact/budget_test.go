package compact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
)

const marker = "[truncated by relay-baton: section budget exceeded]"

// Row 25.
func TestFit_CountsTheMarker(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("ab\n", 100)
	head, cut := compact.Head(cutter, long, 60)
	is.True(cut)
	is.Equal(head, "ab\nab\nab"+"\n"+marker) // 8 + 1 + 51
	tail, cut := compact.Tail(cutter, long, 60)
	is.True(cut)
	is.Equal(tail, marker+"\n"+"b\nab\nab\n")
}

// Row 26.
func TestFit_LeavesWhatFitsAsItIs(t *testing.T) {
	is := is.New(t)
	for _, body := range []string{"", "short", strings.Repeat("é", 60)} {
		head, cut := compact.Head(cutter, body, 60)
		is.True(!cut)
		is.Equal(head, body)
		tail, cut := compact.Tail(cutter, body, 60)
		is.True(!cut)
		is.Equal(tail, body)
	}
}

func TestFit_HasRoomForTheMarkerAlone(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("x", 100)
	for limit, want := range map[int]string{52: marker, 51: marker, 4: "[tru", 0: "", -1: ""} {
		head, _ := compact.Head(cutter, long, limit)
		is.Equal(head, want)
		tail, _ := compact.Tail(cutter, long, limit)
		is.Equal(tail, want)
	}
}

// Row 109.
func TestFit_CutsBetweenClusters(t *testing.T) {
	for name, cluster := range map[string]string{"family": family, "flag": flag, "accent": accent, "hangul": hangul} {
		t.Run(name, func(t *testing.T) {
			size := utf8.RuneCountInString(cluster)
			for limit := 53; limit < 53+2*size; limit++ {
				is := is.New(t)
				whole := (limit - 52) / size // clusters that fit beside the marker and a line end
				want := strings.Repeat(cluster, whole)
				head, _ := compact.Head(cutter, strings.Repeat(cluster, 60), limit)
				is.Equal(head, want+"\n"+marker)
				tail, _ := compact.Tail(cutter, strings.Repeat(cluster, 60), limit)
				is.Equal(tail, marker+"\n"+want)
			}
		})
	}
}

// Rows 25, 26.
func TestFit_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := anyText().Draw(t, "body")
		limit := rapid.IntRange(0, 400).Draw(t, "limit")
		fits := utf8.RuneCountInString(body) <= limit
		head, headCut := compact.Head(cutter, body, limit)
		tail, tailCut := compact.Tail(cutter, body, limit)
		for _, got := range []string{head, tail} {
			if utf8.RuneCountInString(got) > limit {
				t.Fatalf("%q is over the limit of %d", got, limit)
			}
			if fits && got != body {
				t.Fatalf("%q fits and became %q", body, got)
			}
		}
		if headCut == fits || tailCut == fits {
			t.Fatalf("fits %v, but cut %v and %v", fits, headCut, tailCut)
		}
		if again, cut := compact.Head(cutter, head, limit); cut || again != head {
			t.Fatal("a second pass cuts again")
		}
	})
}

func TestBudget_KeepsAccount(t *testing.T) {
	is := is.New(t)
	b := compact.NewBudget(cutter)
	is.True(!b.Cut())
	is.Equal(b.Head("goal", "äö", 10), "äö")
	is.True(!b.Cut())
	is.Equal(b.Tail("log", strings.Repeat("x", 100), 55), marker+"\nxxx")
	is.True(b.Cut())
	is.Equal(b.Total(), 57)
	is.Equal(cmp.Diff(b.Used(), []compact.Used{{Section: "goal", Chars: 2}, {Section: "log", Chars: 55, Cut: true}}), "")
}

package text_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/text"
)

// firstCluster returns the length in bytes of the first grapheme cluster.
func firstCluster(s string) int {
	tokens := graphemes.FromString(s)
	if !tokens.Next() {
		return len(s)
	}
	return len(tokens.Value())
}

var cutter = text.NewCutter(firstCluster)

const (
	family = "👨\u200d👩\u200d👧" // 5 code points
	flag   = "🇩🇪"              // 2
	accent = "e\u0301\u0323"   // 3
	hangul = "\u1112\u1161\u11ab"
)

func TestCap_Counts(t *testing.T) {
	tests := []struct {
		name, in string
		n        int
		want     string
	}{
		{"empty", "", 5, ""},
		{"shorter", "abc", 5, "abc"},
		{"just fits", "abcde", 5, "abcde"},
		{"one more", "abcdef", 5, "abcde +1 more chars"},
		{"code points, not bytes", "äöüß€", 5, "äöüß€"},
		{"astral code points count once", "🎉🎉🎉🎉", 3, "🎉🎉🎉 +1 more chars"},
		{"nothing kept", "abc", 0, " +3 more chars"},
		{"right to left", "שלום עולם", 4, "שלום +5 more chars"},
		{"section 16", strings.Repeat("x", 400), 20, strings.Repeat("x", 20) + " +380 more chars"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cutter.Cap(tt.in, tt.n), tt.want)
		})
	}
}

// The n-th code point inside a cluster sends the whole cluster.
func TestCap_KeepsClustersWhole(t *testing.T) {
	const limit = 10
	for name, cluster := range map[string]string{"family": family, "flag": flag, "accent": accent, "hangul": hangul} {
		size := utf8.RuneCountInString(cluster)
		for lead := limit - size; lead <= limit; lead++ {
			t.Run(fmt.Sprintf("%s after %d", name, lead), func(t *testing.T) {
				is := is.New(t)
				head := strings.Repeat("a", lead)
				want := head + cluster // it fits
				if lead+size > limit {
					want = fmt.Sprintf("%s +%d more chars", head, size)
				}
				is.Equal(cutter.Cap(head+cluster, limit), want)
			})
		}
	}
}

func TestCap_EmojiAtTheLimit(t *testing.T) {
	is := is.New(t)
	const limit = 240
	fits := strings.Repeat("a", limit-1) + "🎉"
	is.Equal(cutter.Cap(fits, limit), fits)
	is.Equal(cutter.Cap("a"+fits, limit), strings.Repeat("a", limit)+" +1 more chars")
}

func TestCap_CutsOnlyClustersLongerThan64(t *testing.T) {
	is := is.New(t)
	marks := func(n int) string { return "e" + strings.Repeat("\u0301", n-1) }
	is.Equal(cutter.Cap("ab"+marks(64), 10), "ab +64 more chars")
	is.Equal(cutter.Cap("ab"+marks(65), 10), "ab"+marks(8)+" +57 more chars")
}

func TestCap_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := clustered().Draw(t, "in")
		n := rapid.IntRange(0, 90).Draw(t, "n")
		got := cutter.Cap(in, n)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not valid UTF-8", got)
		}
		if utf8.RuneCountInString(in) <= n {
			if got != in {
				t.Fatalf("%q fits, but reads %q", in, got)
			}
			return
		}
		head, gone := splitCapped(t, got)
		if !strings.HasPrefix(in, head) {
			t.Fatalf("%q does not begin with %q", in, head)
		}
		kept := utf8.RuneCountInString(head)
		if kept > n || kept+gone != utf8.RuneCountInString(in) {
			t.Fatalf("of %q, %d code points are kept and %d counted as gone", in, kept, gone)
		}
		cluster, whole := clusterAt(in, len(head))
		size := utf8.RuneCountInString(cluster)
		switch {
		case size <= 64 && !whole:
			t.Fatalf("%q is cut", cluster)
		case size <= 64 && kept+size <= n:
			t.Fatalf("%q would have fitted", cluster)
		case size > 64 && kept != n:
			t.Fatalf("%d code points are kept before a long cluster", kept)
		}
	})
}

// splitCapped takes the count off a capped text.
func splitCapped(t *rapid.T, s string) (head string, gone int) {
	rest, ok := strings.CutSuffix(s, " more chars")
	at := strings.LastIndex(rest, " +")
	if !ok || at < 0 {
		t.Fatalf("%q counts nothing", s)
	}
	gone, err := strconv.Atoi(rest[at+2:])
	if err != nil {
		t.Fatal(err)
	}
	return rest[:at], gone
}

// clusterAt returns the cluster that the byte at belongs to, and whether the
// cluster begins there.
func clusterAt(s string, at int) (cluster string, whole bool) {
	start := 0
	for tokens := graphemes.FromString(s); tokens.Next(); {
		end := start + len(tokens.Value())
		if at < end {
			return s[start:end], at == start
		}
		start = end
	}
	return "", true
}

// clustered draws text full of clusters of several code points.
func clustered() *rapid.Generator[string] {
	long := "o" + strings.Repeat("\u0308", 70)
	piece := rapid.SampledFrom([]string{"a", " ", "ß", "🎉", family, flag, accent, hangul, "\u0301", "\u200d", "\r\n", "ש", "क्षि", long})
	return rapid.Map(rapid.SliceOfN(piece, 0, 40), func(pieces []string) string { return strings.Join(pieces, "") })
}

func TestLine_NeverPassesTheLimit(t *testing.T) {
	is := is.New(t)
	fits := strings.Repeat("é", text.LineLimit)
	is.Equal(text.LineLimit, 1000)
	is.Equal(cutter.Line(fits), fits)
	long := cutter.Line(fits + "x")
	is.True(utf8.RuneCountInString(long) <= 1000)              // the count is part of the line
	is.True(strings.HasPrefix(long, strings.Repeat("é", 900))) // most of it is kept
	is.True(strings.HasSuffix(long, " more chars"))
}

func TestLine_CountsWhatWent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Repeat("x", rapid.IntRange(1001, 9000).Draw(t, "length")) + clustered().Draw(t, "end")
		out := cutter.Line(in)
		head, gone := splitCapped(t, out)
		if n := utf8.RuneCountInString(out); n > 1000 {
			t.Fatalf("a line of %d code points", n)
		}
		if utf8.RuneCountInString(head)+gone != utf8.RuneCountInString(in) {
			t.Fatalf("%d kept and %d gone of %d", utf8.RuneCountInString(head), gone, utf8.RuneCountInString(in))
		}
		if again := cutter.Line(out); again != out {
			t.Fatal("a second pass cuts again")
		}
	})
}

package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/text"
)

func TestHead_EndsBetweenClusters(t *testing.T) {
	marks := "e" + strings.Repeat("\u0301", 69)
	tests := []struct {
		name, in string
		n        int
		want     string
	}{
		{"fits", "abc", 3, "abc"},
		{"nothing", "abc", 0, ""},
		{"below nothing", "abc", -1, ""},
		{"plain", "abcd", 2, "ab"},
		{"before a cluster", "a" + family, 3, "a"},
		{"after a cluster", flag + "ab", 3, flag + "a"},
		{"in a very long cluster", marks, 5, marks[:1+4*2]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cutter.Head(tt.in, tt.n), tt.want)
		})
	}
}

func TestTail_BeginsBetweenClusters(t *testing.T) {
	marks := "e" + strings.Repeat("\u0301", 69)
	tests := []struct {
		name, in string
		n        int
		want     string
	}{
		{"fits", "abc", 3, "abc"},
		{"nothing", "abc", 0, ""},
		{"below nothing", "abc", -1, ""},
		{"plain", "abcd", 2, "cd"},
		{"after a cluster", family + "a", 3, "a"},
		{"before a cluster", "ab" + flag, 3, "b" + flag},
		{"the second of two flags", flag + flag, 3, flag},
		{"after a line feed", "x\n" + accent + hangul, 4, hangul},
		{"in a line end", "a\r\nb", 2, "b"},
		{"in a very long cluster", marks, 5, strings.Repeat("\u0301", 5)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cutter.Tail(tt.in, tt.n), tt.want)
		})
	}
}

func TestClip_CountsTheEllipsis(t *testing.T) {
	is := is.New(t)
	is.Equal(cutter.Clip("äöü", 3), "äöü")
	is.Equal(cutter.Clip("äöüß", 3), "äö…")
	is.Equal(cutter.Clip("a"+family+"b", 3), "a…")
	is.Equal(cutter.Clip("ab", 1), "…")
	is.Equal(cutter.Clip("ab", 0), "")
}

func TestEnds_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(clustered(), anyBytes()).Draw(t, "in")
		n := rapid.IntRange(-1, 90).Draw(t, "n")
		head, tail := cutter.Head(in, n), cutter.Tail(in, n)
		if !strings.HasPrefix(in, head) || !strings.HasSuffix(in, tail) {
			t.Fatalf("%q and %q are no ends of %q", head, tail, in)
		}
		for _, end := range []string{head, tail, cutter.Clip(in, n)} {
			if utf8.RuneCountInString(end) > max(n, 0) {
				t.Fatalf("%q is longer than %d", end, n)
			}
		}
		if !utf8.ValidString(in) {
			return
		}
		for _, at := range []int{len(head), len(in) - len(tail)} {
			if cluster, whole := clusterAt(in, at); !whole && utf8.RuneCountInString(cluster) <= 64 {
				t.Fatalf("%q is cut in %q at byte %d", in, cluster, at)
			}
		}
	})
}

// A cluster of exactly 64 code points is not split.
func TestTail_KeepsTheLongestClusterWhole(t *testing.T) {
	is := is.New(t)
	for _, marks := range []int{63, 64} {
		cluster := "a" + strings.Repeat("\u0301", marks)
		first := func(s string) int {
			if strings.HasPrefix(s, cluster) {
				return len(cluster)
			}
			return 1
		}
		got := text.NewCutter(first).Tail(cluster+"b", 10)
		if marks == 63 {
			is.Equal(got, "b")
		} else {
			is.Equal(got, strings.Repeat("\u0301", 9)+"b")
		}
	}
}

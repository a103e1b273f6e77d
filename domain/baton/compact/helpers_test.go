package compact_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/text"
)

// cutter cuts between grapheme clusters.
var cutter = text.NewCutter(func(s string) int {
	tokens := graphemes.FromString(s)
	if !tokens.Next() {
		return len(s)
	}
	return len(tokens.Value())
})

const (
	family = "👨\u200d👩\u200d👧" // 5 code points
	flag   = "🇩🇪"              // 2
	accent = "e\u0301\u0323"   // 3
	hangul = "\u1112\u1161\u11ab"
)

// fixture reads a file below testdata.
func fixture(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// clusters returns the grapheme clusters of a text.
func clusters(s string) []string {
	var all []string
	for tokens := graphemes.FromString(s); tokens.Next(); {
		all = append(all, tokens.Value())
	}
	return all
}

// splits reports a cluster of whole of up to 64 code points that the beginning
// kept cuts in two.
func splits(whole, kept string) bool {
	at := 0
	for _, cluster := range clusters(whole) {
		if at < len(kept) && len(kept) < at+len(cluster) {
			return utf8.RuneCountInString(cluster) <= 64
		}
		at += len(cluster)
	}
	return false
}

// anyText draws text of words, clusters, control characters and bytes from
// anywhere.
func anyText() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"a", " ", "\n", "\r\n", "\r", "\n\n", "ß", family, flag, accent, hangul, "\u0301", "\u200d", "\uFEFF", "\x00"}),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.Map(rapid.IntRange(0, 300), func(n int) string { return strings.Repeat("long ", n) }),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 20), func(pieces []string) string { return strings.Join(pieces, "") })
}

package dashboard_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton"
)

// excerptBytes is how much is read of an excerpt.
const excerptBytes = 32 << 10

// Whatever a file holds, an excerpt is whole lines of its end or its beginning, valid
// and bounded.
func TestExcerpt_IsWholeLinesOfOneEnd(t *testing.T) {
	g := newGround(t)
	g.session(`"status":"completed"`)
	rapid.Check(t, func(r *rapid.T) {
		is := is.New(r)
		piece := rapid.SampledFrom([]string{"\n", "a", "line\n", "\r\n", "界\n", "\xff", "\n\n\n", "e\u0301", strings.Repeat("long ", 900), strings.Repeat("z\n", 700)})
		content := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(r, "pieces"), "")
		g.artifact(baton.LogFile, content)
		g.artifact(baton.CompactStateFile, content)
		v := g.see()
		is.Equal(v.Log.Value.Size, int64(len(content)))
		for _, e := range []baton.Excerpt{v.Log.Value, v.Compact.Value} {
			is.Equal(e.Cut, len(content) > excerptBytes)
			for _, line := range e.Lines {
				is.True(utf8.ValidString(line))
				is.True(!strings.Contains(line, "\n"))
			}
		}
		valid := strings.ToValidUTF8(strings.ReplaceAll(content, "\r\n", "\n"), "\uFFFD")
		last, first := strings.Join(v.Log.Value.Lines, "\n"), strings.Join(v.Compact.Value.Lines, "\n")
		if len(content) <= excerptBytes {
			is.Equal(last, strings.TrimSuffix(valid, "\n"))
			is.Equal(first, last)
			return
		}
		if len(v.Log.Value.Lines) > 1 {
			is.True(strings.HasSuffix("\n"+strings.TrimSuffix(valid, "\n"), "\n"+last))
		}
		if len(v.Compact.Value.Lines) > 1 {
			is.True(strings.HasPrefix(valid+"\n", first+"\n"))
		}
	})
}

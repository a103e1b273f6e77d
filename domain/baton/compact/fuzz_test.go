package compact_test

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/compact"
)

// FuzzCompact shortens a text as a state and as a diff: nothing that must stay goes,
// the limit holds, and shortening twice changes nothing.
func FuzzCompact(f *testing.F) {
	for _, pattern := range []string{"testdata/state/*.md", "testdata/md/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no fixture is called %s: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data), uint16(600))
		}
	}
	for _, seed := range []string{
		fileDiff("src/a.go", "x", "y") + fileDiff("go.sum", "z"), "## Done\n- [x] Done: a\n  - sub\n```\nopen", "## Goal\n- (5 earlier items elided)\n# T\n", "diff --git \"a/\\303\\244\" b/x\n",
	} {
		f.Add(seed, uint16(150))
	}
	f.Fuzz(func(t *testing.T, in string, limit uint16) {
		c := compact.NewStateCompactor(cutter, int(limit)+1)
		once := c.Restate(in)
		if !utf8.ValidString(once) || c.Restate(once) != once {
			t.Fatalf("%q becomes %q, then %q", in, once, c.Restate(once))
		}
		if faults := compact.CheckState(in, once); len(faults) > 0 {
			t.Fatalf("%q becomes %q: %q", in, once, faults)
		}
		written, loss, changed := c.InPlace(in)
		if changed != (loss != nil) || !changed && written != in || changed && compact.Chars(written) >= compact.Chars(in) {
			t.Fatalf("%q becomes %q in place, %v", in, written, changed)
		}
		diff := compact.NewDiffCompactor(cutter, int(limit)).Compact(in)
		if utf8.RuneCountInString(diff.Text) > int(limit) || !utf8.ValidString(diff.Text) {
			t.Fatalf("the diff %q of at most %d becomes %q", in, limit, diff.Text)
		}
	})
}

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fsnotify/fsnotify"
	"github.com/matryer/is"
)

func TestAlert_NoticesWhatIsPosted(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	a, err := newAlert(dir)
	is.NoErr(err)
	defer a.end()
	handoffs, seen := filepath.Join(dir, "handoffs"), filepath.Join(dir, "seen")

	a.expect(nil)
	is.True(a.posted) // a tree can be marked at any time

	is.NoErr(os.Mkdir(handoffs, 0o700))
	a.posted = false
	a.expect([]string{handoffs, seen})
	is.True(a.posted) // one that is missing is looked for again

	is.NoErr(os.Mkdir(seen, 0o700))
	a.posted = false
	a.expect([]string{handoffs, seen})
	is.True(!a.posted)
	for name, want := range map[string]bool{
		filepath.Join(handoffs, "h.json"):         true,
		filepath.Join(seen, ".checked"):           true,
		filepath.Join(handoffs, ".tmp-1-x.json"):  false,
		filepath.Join(dir, "elsewhere", "h.json"): false,
		filepath.Join(dir, "sessions", "1.json"):  false,
	} {
		a.posted = false
		is.True(!a.urgent(fsnotify.Event{Name: name, Op: fsnotify.Create})) // a delivery goes first
		is.Equal(a.posted, want)                                            // name
	}
}

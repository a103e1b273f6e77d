package fsstore_test

import (
	"io/fs"
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

func TestStore_UnfinishedFilesAreIgnoredAndNamed(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		is.NoErr(s.PutClaim(aClaim("s0")))
		is.NoErr(s.EndClaim("s0"))
		is.NoErr(s.PutClaim(aClaim("s1")))
		is.NoErr(s.Archive(post(t, s, "old", exchange.Closed)))
		post(t, s, "h1", exchange.Accepted)
		trail(t, s, "s1")
		claims, all, archived := s.Claims(), s.Handoffs(), s.Archived()
		is.Equal(s.Inspect(), exchange.Inspection{})

		var want []string
		for _, dir := range [][]string{
			{},
			{"sessions"},
			{"ended"},
			{"handoffs"},
			{"handoffs", "h1.d"},
			{"archive"},
			{"archive", "2026"},
			{"archive", "2026", "old.d"},
			{"seen"},
			{"seen", "s1"},
			{"seen", "s1", "told"},
			{"seen", "s1", "overlap"},
			{"wake"},
		} {
			names := append(slices.Clone(dir), ".tmp-4242-1a2b-x.json")
			p.write(t, "{", names...)
			want = append(want, path.Join(append([]string{".claude", "exchange"}, names...)...))
		}
		h.Put(t, path.Join(p.root, ".claude", ".tmp-4242-1a2b-exchange.json"), "{")
		want = append(want, ".claude/.tmp-4242-1a2b-exchange.json")
		p.dirs(t, p.root, "handoffs", ".tmp-1-x.d")
		want = append(want, ".claude/exchange/handoffs/.tmp-1-x.d")

		for _, diff := range []string{cmp.Diff(claims, s.Claims()), cmp.Diff(all, s.Handoffs()), cmp.Diff(archived, s.Archived())} {
			is.Equal(diff, "") // readers do not see them
		}
		is.Equal(ids(s.Pending()), []string{"h1 accepted"})
		is.Equal(len(s.HalfArchived()), 0)
		found := s.Inspect()
		slices.Sort(want)
		slices.Sort(found.Leftovers)
		is.Equal(found.Leftovers, want)
		is.Equal(len(found.Orphans)+len(found.Problems)+len(found.OldShapes)+len(found.Writable), 0)
	})
}

func TestStore_InspectFindsOldShapes(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	for name, content := range map[string]string{
		"both.json":    `{"status": "open", "history": []}`,
		"history.json": `{"history": 1}`,
		"status.json":  `{"status": null, "other": 1}`,
		"neither.json": `{"Status": "open"}`,
		"list.json":    `["status"]`,
		"cut.json":     `{"status": "open"`,
		"status.txt":   `{"status": "open"}`,
	} {
		p.write(t, content, "handoffs", name)
	}
	before := p.tree(t, p.root)
	is.Equal(p.store(t).Inspect().OldShapes, []exchange.OldShape{
		{File: "both.json", Keys: []string{"status", "history"}},
		{File: "history.json", Keys: []string{"history"}},
		{File: "status.json", Keys: []string{"status"}},
	})
	same(t, before, p.tree(t, p.root)) // nothing is rewritten
}

func TestStore_InspectFindsOrphans(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		post(t, s, "h1", exchange.Closed)
		p.write(t, "{", "handoffs", "lost.d", "0000-aaaaaa.json")
		p.write(t, "{", "handoffs", "lost.d", ".tmp-1-x.json")
		p.write(t, "{", "handoffs", "lost.d", "any")
		p.dirs(t, p.root, "handoffs", "none.d")
		p.dirs(t, p.root, "handoffs", "dir")
		p.write(t, "a file", "handoffs", "file.d")
		is.Equal(s.Inspect().Orphans, []exchange.Orphan{
			{Dir: "lost.d", ID: "lost", Moves: 2},
			{Dir: "none.d", ID: "none"},
		})
		is.Equal(len(s.HalfArchived()), 0)
		is.Equal(len(s.Handoffs().Items), 1) // list is silent
		is.Equal(len(s.Handoffs().Problems()), 0)
	})
}

func TestStore_InspectFindsWhatEverybodyMayWriteTo(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		post(t, s, "h1", exchange.Closed)
		h.Chmod(t, p.in("handoffs"), 0o777)
		h.Chmod(t, p.in("handoffs", "h1.d"), 0o702)
		h.Chmod(t, p.in("handoffs", "h1.json"), 0o666)
		is.Equal(s.Inspect().Writable, []string{".claude/exchange/handoffs", ".claude/exchange/handoffs/h1.d"})
		post(t, s, "h2") // it is used all the same
		is.Equal(len(s.Handoffs().Items), 2)
	})
}

func TestStore_InspectFindsEveryDirectoryThatEverybodyMayWriteTo(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		is.NoErr(s.PutClaim(aClaim("s1")))
		is.NoErr(s.EndClaim("s1"))
		is.NoErr(s.Archive(post(t, s, "h1", exchange.Closed)))
		trail(t, s, "s1")
		outside := path.Join(h.Dir, "outside")
		h.Mkdir(t, outside)
		is.NoErr(h.FS.Rename(p.in("wake"), p.in("was")))
		h.Symlink(t, outside, p.in("wake"))
		want := []string{".claude/exchange"}
		for _, dir := range []string{"archive", "archive/2026", "ended", "seen", "seen/s1"} {
			h.Chmod(t, p.in(dir), 0o777)
			want = append(want, ".claude/exchange/"+dir)
		}
		h.Chmod(t, p.in(), fs.ModeSticky|0o777) // whoever may add a claim need not delete one
		h.Chmod(t, outside, 0o777)
		want = append(want, ".claude/exchange/wake")
		is.Equal(p.store(t).Inspect().Writable, want)
	})
}

func TestStore_InspectSaysWhereItCouldNotLook(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.dirs(t, p.root, "seen", "s1")
		p.dirs(t, p.root, "ended")
		for _, mode := range []fs.FileMode{0, 0o100} {
			h.Chmod(t, p.in("seen"), mode)
			h.AsStranger(t, func() { one(t, p.store(t).Inspect().Problems, ".claude/exchange/seen could not be listed") })
			h.Chmod(t, p.in("seen"), 0o755)
		}
		is.Equal(len(p.store(t).Inspect().Problems), 0)
	})
}

func TestStore_InspectOfAStoreThatIsAFile(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	p.Put(t, p.in(), "a file")
	found := p.store(t).Inspect()
	is.Equal(len(found.Problems), 1)
	one(t, found.Problems, ".claude/exchange could not be listed")
}

func TestStore_InspectDoesNotFollowLinks(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.dirs(t, p.root, "seen")
		outside := path.Join(h.Dir, "outside")
		h.Mkdir(t, outside)
		h.Put(t, path.Join(outside, ".tmp-1-x"), "")
		h.Symlink(t, outside, p.in("seen", "out"))
		h.Symlink(t, p.in(), p.in("seen", "loop"))
		is.Equal(p.store(t).Inspect(), exchange.Inspection{})
	})
}

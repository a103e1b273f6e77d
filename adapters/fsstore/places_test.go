package fsstore_test

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

// storeDirs are the directories that a store is made of, from its root.
var storeDirs = [][]string{
	{".claude"},
	{".claude", "exchange"},
	{".claude", "exchange", "sessions"},
	{".claude", "exchange", "handoffs"},
	{".claude", "exchange", "ended"},
	{".claude", "exchange", "archive"},
	{".claude", "exchange", "seen"},
	{".claude", "exchange", "wake"},
}

// linked makes a root of whose store one directory is a link.
func linked(t *testing.T, h porttest.FSHarness, dir []string, target string) place {
	t.Helper()
	p := place{h, path.Join(h.Dir, "root")}
	h.Mkdir(t, p.root)
	for i := 1; i < len(dir); i++ {
		h.Mkdir(t, path.Join(append([]string{p.root}, dir[:i]...)...))
	}
	h.Symlink(t, target, path.Join(append([]string{p.root}, dir...)...))
	return p
}

func TestStore_DirectoryOutsideTheRootIsUsedAndReported(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for i, dir := range storeDirs {
			is := is.New(t)
			sub := h
			sub.Dir = path.Join(h.Dir, strings.Repeat("x", i+1))
			h.Mkdir(t, sub.Dir)
			outside := path.Join(sub.Dir, "outside")
			h.Mkdir(t, outside)
			p := linked(t, sub, dir, outside)
			s := p.store(t)
			strays := s.Strays()
			is.Equal(len(strays), 1)
			one(t, strays, path.Join(append([]string{p.root}, dir...)...), outside, "outside the root")
			is.NoErr(s.PutClaim(aClaim("s1")))
			is.NoErr(s.EndClaim("s1"))
			is.NoErr(s.PutClaim(aClaim("s2")))
			is.NoErr(s.Archive(post(t, s, "h1", exchange.Closed)))
			post(t, s, "h2", exchange.Accepted)
			trail(t, s, "s1")
			is.Equal(len(s.Claims().Items), 1)
			is.Equal(ids(s.Handoffs()), []string{"h2 accepted"})
			is.Equal(ids(s.Archived()), []string{"h1 closed"})
			is.True(len(p.tree(t, outside)) > 0) // it really lies there
		}
	})
}

func TestStore_MovesOutsideTheRootAreUsedAndReported(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		outside := path.Join(h.Dir, "outside")
		h.Mkdir(t, outside)
		s := p.store(t)
		post(t, s, "h1")
		h.Symlink(t, outside, p.in("handoffs", "h1.d"))
		one(t, s.Strays(), "h1.d", outside, "outside the root")
		is.NoErr(s.AddMove("h1", aMove(0, exchange.Accepted), "00000a"))
		is.Equal(ids(s.Handoffs()), []string{"h1 accepted"})
		is.Equal(ids(s.Pending()), []string{"h1 accepted"})
		is.Equal(h.Names(t, outside), []string{"0000-00000a.json"})
	})
}

func TestStore_LinksWithinTheRootAreNoStrays(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		is.Equal(len(p.store(t).Strays()), 0)
		elsewhere := path.Join(p.root, "notes")
		h.Mkdir(t, elsewhere)
		p.dirs(t, p.root)
		h.Symlink(t, elsewhere, p.in("handoffs"))
		h.Symlink(t, path.Join(p.root, "gone"), p.in("sessions")) // leads nowhere
		is.Equal(len(p.store(t).Strays()), 0)
	})
}

func TestOpen_StoreOfAnotherRoot(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for i, dir := range storeDirs {
			t.Run(path.Join(dir...), func(t *testing.T) {
				is := is.New(t)
				sub := h
				sub.Dir = path.Join(h.Dir, strings.Repeat("y", i+1))
				h.Mkdir(t, sub.Dir)
				other := place{sub, path.Join(sub.Dir, "other")}
				other.mark(t, other.root)
				s := other.store(t)
				is.NoErr(s.PutClaim(aClaim("theirs")))
				is.NoErr(s.EndClaim("theirs"))
				is.NoErr(s.Archive(post(t, s, "h1", exchange.Closed)))
				post(t, s, "h2", exchange.Closed)
				trail(t, s, "theirs")
				before := other.tree(t, other.root)

				p := linked(t, sub, dir, path.Join(append([]string{other.root}, dir...)...))
				var looked []string
				files := porttest.Tap(h.FS, func(c porttest.Call) error {
					if !slices.Contains([]string{"Lstat", "Stat", "RealPath"}, c.Op) {
						looked = append(looked, c.Op+" "+c.Path)
					}
					return nil
				})
				store, err := fsstore.NewOpener(files)(p.root)
				is.True(errors.Is(err, exchange.ErrForeignStore))
				is.True(strings.Contains(err.Error(), other.root)) // says whose it is
				is.Equal(store, nil)
				is.Equal(looked, nil) // nothing was read or written
				same(t, before, other.tree(t, other.root))
			})
		}
	})
}

func TestOpen_DirectoryOfAnUnmarkedTreeIsNoForeignStore(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		other := path.Join(h.Dir, "other")
		for _, dir := range []string{other, path.Join(other, ".claude"), below(other)} {
			h.Mkdir(t, dir)
		}
		h.Mkdir(t, path.Join(other, ".claude", "exchange.json")) // a directory marks nothing
		p := linked(t, h, []string{".claude", "exchange"}, below(other))
		is.Equal(len(p.store(t).Strays()), 1)
	})
}

// alien is a root next to another one whose store nobody may look into.
type alien struct {
	place
	other  place
	before map[string]string
	calls  *[]porttest.Call
	tapped exchange.Store
}

// besideAlien links one path below the store to the same path of another root's
// store and opens the former with an eye on every call.
func besideAlien(t *testing.T, h porttest.FSHarness, names ...string) alien {
	t.Helper()
	p := newPlace(t, h)
	other := place{h, path.Join(h.Dir, "other")}
	other.mark(t, other.root)
	theirs := other.store(t)
	ok(t, theirs.Archive(post(t, theirs, "h9", exchange.Closed)))
	post(t, theirs, "h1", exchange.Accepted, exchange.Closed)
	s := p.store(t)
	post(t, s, "h1")
	post(t, s, "h3", exchange.Closed)
	p.dirs(t, p.root, names[:len(names)-1]...)
	h.Symlink(t, other.in(names...), p.in(names...))
	var calls []porttest.Call
	a := alien{place: p, other: other, before: other.tree(t, other.root), calls: &calls}
	a.tapped = p.storeOn(t, porttest.Tap(h.FS, func(c porttest.Call) error {
		calls = append(calls, c)
		return nil
	}))
	return a
}

// untouched fails where something was read or written through the link.
func (a alien) untouched(t *testing.T, names ...string) {
	t.Helper()
	link := a.in(names...)
	for _, c := range *a.calls {
		through := c.Path == link || strings.HasPrefix(c.Path, link+"/") || strings.HasPrefix(c.To, link+"/")
		switch c.Op {
		case "Lstat", "Stat", "RealPath": // where it leads may be asked
		default:
			if through {
				t.Errorf("%s %s %s", c.Op, c.Path, c.To)
			}
		}
	}
	same(t, a.before, a.other.tree(t, a.other.root))
}

func TestStore_MovesOfAnotherRootAreNotRead(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		a := besideAlien(t, h, "handoffs", "h1.d")
		s := a.tapped
		for _, shelf := range []exchange.Shelf{s.Handoffs(), s.Pending()} {
			is.True(slices.Contains(ids(shelf), "h1 open")) // in both
			one(t, shelf.Problems(), "h1: ", a.other.root)
		}
		filed, err := s.Handoff("h1")
		is.NoErr(err)
		is.Equal(len(filed.Unread), 1) // so that nobody moves it
		is.True(errors.Is(s.AddMove("h1", aMove(0, exchange.Closed), "00000b"), exchange.ErrForeignStore))
		one(t, s.Strays(), "h1.d", "outside the root")
		s.Inspect()
		h3, err := s.Handoff("h3")
		is.NoErr(err)
		ok(t, s.Archive(h3))
		is.True(!s.AnyClosedBefore(noon.AddDate(9, 0, 0))) // what is closed there is not ours
		a.untouched(t, "handoffs", "h1.d")
	})
}

func TestStore_OrphanMovesOfAnotherRootAreNotRead(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		a := besideAlien(t, h, "handoffs", "h9.d")
		ok(t, h.FS.MakeDir(a.other.in("handoffs", "h9.d"), 0o700))
		a.before = a.other.tree(t, a.other.root)
		found := a.tapped.Inspect()
		is.Equal(found.Orphans, []exchange.Orphan{{Dir: "h9.d", ID: "h9"}})
		is.True(a.tapped.Post(aHandoff("h9")) != nil)
		a.untouched(t, "handoffs", "h9.d")
	})
}

func TestStore_ArchiveYearOfAnotherRootIsNotRead(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		a := besideAlien(t, h, "archive", "2026")
		s := a.tapped
		shelf := s.Archived()
		is.Equal(len(shelf.Items), 0)
		one(t, shelf.Unread, a.other.root)
		_, err := s.ArchivedHandoff("h9")
		is.True(errors.Is(err, exchange.ErrForeignStore))
		is.True(errors.Is(s.Restore("h9"), exchange.ErrForeignStore))
		is.True(errors.Is(s.Archive(filedAs("h3")), exchange.ErrForeignStore))
		is.Equal(ids(s.Handoffs()), []string{"h1 open", "h3 closed"}) // where they were
		s.Inspect()
		s.HalfArchived()
		one(t, s.Strays(), "2026", "outside the root")
		a.untouched(t, "archive", "2026")
	})
}

// filedAs names a handoff to an archiver.
func filedAs(id string) exchange.Filed {
	return exchange.Filed{File: id + ".json", Handoff: aHandoff(id)}
}

func TestStore_OddFilesAreProblemsAndOthersLoad(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		is.NoErr(s.PutClaim(aClaim("good")))
		post(t, s, "good", exchange.Accepted)
		for _, dir := range [][]string{{"sessions"}, {"handoffs"}, {"handoffs", "good.d"}} {
			at := func(name string) string { return p.in(append(slices.Clone(dir), name)...) }
			h.Fifo(t, at("fifo.json"))
			h.Mkdir(t, at("dir.json"))
			h.Symlink(t, h.Device, at("device.json"))
			h.Symlink(t, p.in("handoffs", "good.json"), at("link.json"))
			h.Symlink(t, "/gone", at("dangling.json"))
			h.Put(t, at("large.json"), strings.Repeat(" ", 2<<20))
		}
		names := []string{"fifo.json", "dir.json", "device.json", "link.json", "dangling.json", "large.json"}

		claims := s.Claims()
		is.Equal(len(claims.Items), 1)
		is.Equal(len(claims.Problems), len(names))
		shelf := s.Handoffs()
		is.Equal(ids(shelf), []string{"good accepted"})
		is.Equal(len(shelf.Unread), len(names))
		is.Equal(len(shelf.Items[0].Unread), len(names))
		for _, name := range names {
			one(t, claims.Problems, name+" could not be read: ")
			one(t, shelf.Unread, name+" could not be read: ")
			one(t, shelf.Items[0].Unread, "good: "+name+" could not be read: ")
		}
		is.Equal(ids(s.Pending()), []string{"good accepted"})
		var fileError *exchange.FileError
		_, err := s.Handoff("link")
		is.True(errors.As(err, &fileError))
		_, err = s.Claim("fifo")
		is.True(errors.As(err, &fileError))
	})
}

func TestStore_Modes(t *testing.T) {
	tests := []struct {
		umask, claude fs.FileMode
	}{
		{0, 0o777},
		{0o022, 0o755},
		{0o077, 0o700},
	}
	for _, tt := range tests {
		porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
			is := is.New(t)
			p := place{h, path.Join(h.Dir, "root")}
			h.Mkdir(t, p.root)
			h.Umask(t, tt.umask)
			s := p.store(t)
			is.NoErr(s.PutClaim(aClaim("s1")))
			is.NoErr(s.EndClaim("s1"))
			is.NoErr(s.PutClaim(aClaim("s1")))
			is.NoErr(s.Archive(post(t, s, "h1", exchange.Closed)))
			post(t, s, "h2", exchange.Accepted)
			trail(t, s, "s1")
			mode := func(name string) fs.FileMode {
				info, err := h.FS.Lstat(name)
				is.NoErr(err)
				return info.Mode.Perm()
			}
			is.Equal(mode(path.Join(p.root, ".claude")), tt.claude) // follows the umask
			for show := range p.tree(t, p.in()) {
				want := fs.FileMode(0o600)
				if strings.HasSuffix(show, "/") {
					want = 0o700
				}
				if got := mode(p.in(show)); got != want {
					t.Errorf("%s has mode %o, want %o", show, got, want)
				}
			}
			is.Equal(mode(p.in()), fs.FileMode(0o700))
			is.True(len(p.tree(t, p.in())) > 9) // everything of a store was looked at
		})
	}
}

func TestStore_ExistingModesAreLeftAlone(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		p.dirs(t, p.root, "handoffs")
		post(t, s, "h1", exchange.Closed)
		modes := map[string]fs.FileMode{
			path.Join(p.root, ".claude"): 0o711, p.in(): 0o750, p.in("handoffs"): 0o755,
			p.in("handoffs", "h1.json"): 0o644, p.in("handoffs", "h1.d"): 0o775,
		}
		for name, mode := range modes {
			h.Chmod(t, name, mode)
		}
		is.NoErr(s.AddMove("h1", aMove(1, exchange.Closed), "00000b"))
		is.NoErr(s.PutClaim(aClaim("s1")))
		check := func(name string, want fs.FileMode) {
			info, err := h.FS.Lstat(name)
			is.NoErr(err)
			is.Equal(info.Mode.Perm(), want) // name
		}
		for name, mode := range modes {
			check(name, mode)
		}
		filed, err := s.Handoff("h1")
		is.NoErr(err)
		is.NoErr(s.Archive(filed))
		check(p.in("archive", "2026", "h1.json"), 0o644)
		check(p.in("archive", "2026", "h1.d"), 0o775)
	})
}

func TestOpen_NobodyCouldLook(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.dirs(t, p.root)
		claude := path.Join(p.root, ".claude")
		h.Chmod(t, claude, 0)
		var err error
		h.AsStranger(t, func() { _, err = fsstore.NewOpener(h.FS)(p.root) })
		h.Chmod(t, claude, 0o755)
		is.True(errors.Is(err, fs.ErrPermission))
		is.True(!errors.Is(err, exchange.ErrForeignStore))
	})
}

package fsstore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

// moved returns the part of a tree below one prefix, without the prefix.
func moved(tree map[string]string, prefix string) map[string]string {
	found := map[string]string{}
	for name, content := range tree {
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			found[rest] = content
		}
	}
	return found
}

func TestStore_ArchiveAndRestoreChangeNoByte(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		// Written by hand, so that no writer of ours could make the same again.
		p.write(t, `{"body":"x","id":"h1","created":"2025-12-31T23:59:59Z","to":{"repo":"dock"},"from":{"cwd":"/x"}}`, "handoffs", "h1.json")
		p.write(t, `{"after":0,"status":"closed","at":"2026-03-01T12:00:00Z"}`, "handoffs", "h1.d", "0000-1aaaaa.json")
		post(t, s, "h2")
		before := p.tree(t, p.in("handoffs"))
		filed, err := s.Handoff("h1")
		is.NoErr(err)

		is.NoErr(s.Archive(filed))
		is.Equal(p.Names(t, p.in("archive")), []string{"2025"}) // the year of its creation
		is.Equal(p.Names(t, p.in("handoffs")), []string{"h2.json"})
		delete(before, "h2.json")
		same(t, before, p.tree(t, p.in("archive", "2025")))
		is.Equal(ids(s.Handoffs()), []string{"h2 open"})
		is.Equal(ids(s.Pending()), []string{"h2 open"})
		_, err = s.Handoff("h1")
		is.True(errors.Is(err, exchange.ErrNoHandoff))
		archived, err := s.ArchivedHandoff("h1")
		is.NoErr(err)
		if diff := cmp.Diff(filed, archived); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(exchange.Shelf{Items: []exchange.Filed{filed}}, s.Archived()); diff != "" {
			t.Error(diff)
		}

		is.NoErr(s.Restore("h1"))
		is.Equal(p.Names(t, p.in("archive", "2025")), []string{})
		same(t, before, func() map[string]string {
			now := p.tree(t, p.in("handoffs"))
			delete(now, "h2.json")
			return now
		}())
		is.True(errors.Is(s.Restore("h1"), exchange.ErrNoHandoff)) // it is not there any more
		_, err = s.ArchivedHandoff("h1")
		is.True(errors.Is(err, exchange.ErrNoHandoff))
	})
}

func TestStore_ArchiveWithoutMoves(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	is.NoErr(s.Archive(post(t, s, "h1")))
	is.Equal(ids(s.Archived()), []string{"h1 open"})
	is.NoErr(s.Restore("h1"))
	is.Equal(ids(s.Handoffs()), []string{"h1 open"})
}

var errCrash = errors.New("killed")

// crashing fails every rename after the first n.
func crashing(n int) func(porttest.Call) error {
	return func(c porttest.Call) error {
		if c.Op != "RenameNew" {
			return nil
		}
		if n--; n < 0 {
			return &fs.PathError{Op: "rename", Path: c.Path, Err: errCrash}
		}
		return nil
	}
}

func TestStore_ArchiveCutOffBetweenItsRenames(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		filed := post(t, s, "h1", exchange.Accepted, exchange.Closed)
		before := p.tree(t, p.in("handoffs"))

		err := p.storeOn(t, porttest.Tap(p.FS, crashing(1))).Archive(filed)
		is.True(errors.Is(err, errCrash))
		is.True(strings.Contains(err.Error(), "h1.d"))
		is.Equal(p.Names(t, p.in("handoffs")), []string{"h1.d"}) // the record went first
		is.Equal(p.Names(t, p.in("archive", "2026")), []string{"h1.json"})

		is.Equal(len(s.Handoffs().Items), 0) // no closed handoff comes back open
		is.Equal(len(s.Handoffs().Unread), 0)
		is.Equal(len(s.Pending().Items), 0)
		_, err = s.Handoff("h1")
		is.True(errors.Is(err, exchange.ErrNoHandoff))
		archived, err := s.ArchivedHandoff("h1")
		is.NoErr(err)
		is.Equal(archived.Status(), exchange.Closed)
		is.Equal(ids(s.Archived()), []string{"h1 closed"}) // nor does it look open there
		is.Equal(s.HalfArchived(), []string{"h1"})
		is.Equal(s.Inspect().Orphans, []exchange.Orphan{{Dir: "h1.d", ID: "h1", Moves: 2, Archived: true}})
		is.True(s.Post(aHandoff("h1")) != nil) // nobody takes the id meanwhile

		// What the next run does, knowing no more than the id.
		is.NoErr(s.Archive(exchange.Filed{File: "h1.json", Handoff: exchange.Handoff{ID: "h1"}}))
		same(t, before, p.tree(t, p.in("archive", "2026")))
		is.Equal(len(s.HalfArchived()), 0)
		is.Equal(p.Names(t, p.in("handoffs")), []string{})
	})
}

func TestStore_RestoreCutOffBetweenItsRenames(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		filed := post(t, s, "h1", exchange.Closed)
		before := p.tree(t, p.in("handoffs"))
		is.NoErr(s.Archive(filed))

		is.True(errors.Is(p.storeOn(t, porttest.Tap(p.FS, crashing(1))).Restore("h1"), errCrash))
		is.Equal(p.Names(t, p.in("handoffs")), []string{"h1.d"}) // the moves went first
		is.Equal(len(s.Handoffs().Items), 0)
		is.Equal(len(s.Pending().Items), 0)
		is.Equal(s.HalfArchived(), []string{"h1"})

		is.NoErr(s.Restore("h1"))
		same(t, before, p.tree(t, p.in("handoffs")))
		is.Equal(ids(s.Handoffs()), []string{"h1 closed"})
	})
}

func TestStore_ArchiveCutOffAtOnceChangesNothing(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	filed := post(t, s, "h1", exchange.Closed)
	before := p.tree(t, p.in("handoffs"))
	is.True(errors.Is(p.storeOn(t, porttest.Tap(p.FS, crashing(0))).Archive(filed), errCrash))
	same(t, before, p.tree(t, p.in("handoffs")))
	is.Equal(len(s.HalfArchived()), 0)
}

func TestStore_ArchiveNeverReplaces(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for _, taken := range [][]string{{"archive", "2026", "h1.json"}, {"archive", "2026", "h1.d", "0000-ffffff.json"}} {
			is := is.New(t)
			sub := h
			sub.Dir = h.Dir + "/" + taken[len(taken)-1]
			h.Mkdir(t, sub.Dir)
			p := newPlace(t, sub)
			s := p.store(t)
			filed := post(t, s, "h1", exchange.Closed)
			p.write(t, "older", taken...)
			moves := moved(p.tree(t, p.in("handoffs")), "h1.d/")
			err := s.Archive(filed)
			is.True(errors.Is(err, fs.ErrExist))
			is.Equal(p.Content(t, p.in(taken...)), "older")
			same(t, moves, moved(p.tree(t, p.in("handoffs")), "h1.d/")) // ours are where they were
		}
	})
}

func TestStore_RestoreNeverReplaces(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for _, taken := range [][]string{{"handoffs", "h1.json"}, {"handoffs", "h1.d", "0000-00000a.json"}} {
			is := is.New(t)
			sub := h
			sub.Dir = h.Dir + "/" + taken[len(taken)-1]
			h.Mkdir(t, sub.Dir)
			p := newPlace(t, sub)
			s := p.store(t)
			is.NoErr(s.Archive(post(t, s, "h1", exchange.Closed)))
			p.write(t, "newer", taken...)
			is.True(errors.Is(s.Restore("h1"), fs.ErrExist))
			is.Equal(p.Content(t, p.in(taken...)), "newer")
			_, err := s.ArchivedHandoff("h1")
			is.True(!errors.Is(err, exchange.ErrNoHandoff)) // the record is where it was
		}
	})
}

func TestStore_RestoreMakesTheDirectoryAgain(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		is.NoErr(s.Archive(post(t, s, "h1", exchange.Closed)))
		is.NoErr(h.FS.Rename(p.in("handoffs"), p.root+"/lost")) // as a checkout loses empty directories
		is.NoErr(s.Restore("h1"))
		is.Equal(ids(s.Handoffs()), []string{"h1 closed"})
	})
}

func TestStore_ArchiveRunsAtOnce(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		var all []exchange.Filed
		for i := range 40 {
			all = append(all, post(t, s, fmt.Sprintf("h%02d", i), exchange.Accepted, exchange.Closed))
		}
		before := p.tree(t, p.in("handoffs"))
		var group sync.WaitGroup
		errs := make([]error, 6)
		for run := range errs {
			group.Go(func() {
				for _, filed := range all {
					errs[run] = errors.Join(errs[run], p.store(t).Archive(filed))
				}
			})
		}
		group.Wait()
		is.NoErr(errors.Join(errs...)) // a part that is gone already is no problem
		same(t, before, p.tree(t, p.in("archive", "2026")))
		is.Equal(p.Names(t, p.in("handoffs")), []string{})
		is.Equal(len(s.Archived().Items), len(all))
		is.Equal(len(s.HalfArchived()), 0)
	})
}

func TestStore_HandoffsAreWholeWhileOthersArchive(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		var all []exchange.Filed
		for i := range 60 {
			all = append(all, post(t, s, fmt.Sprintf("h%02d", i), exchange.Closed))
		}
		done := make(chan error, 1)
		go func() {
			var errs error
			for _, filed := range all {
				errs = errors.Join(errs, p.store(t).Archive(filed))
			}
			done <- errs
		}()
		for reading := true; reading; {
			select {
			case err := <-done:
				is.NoErr(err)
				reading = false
			default:
			}
			for _, shelf := range []exchange.Shelf{s.Handoffs(), s.Pending()} {
				for _, item := range shelf.Items {
					is.Equal(item.Status(), exchange.Closed) // no closed handoff is ever seen open
				}
				is.Equal(shelf.Unread, nil)
			}
		}
		is.Equal(len(s.Archived().Items), len(all))
	})
}

func TestStore_ArchivedHandoffsOfAllYears(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	for i, year := range []int{2024, 2026, 2025} {
		handoff := aHandoff(fmt.Sprintf("h%d", i))
		handoff.Created = noon.AddDate(year-2026, 0, 0)
		is.NoErr(s.Post(handoff))
		is.NoErr(s.Archive(exchange.Filed{File: handoff.ID + ".json", Handoff: handoff}))
	}
	is.Equal(p.Names(t, p.in("archive")), []string{"2024", "2025", "2026"})
	p.write(t, "{", "archive", "2025", "bad.json")
	p.write(t, "no year", "archive", "notes.txt")
	found := ids(s.Archived())
	slices.Sort(found)
	is.Equal(found, []string{"h0 open", "h1 open", "h2 open"})
	one(t, s.Archived().Unread, "bad.json could not be read")
	is.Equal(len(s.Archived().Unread), 1)
}

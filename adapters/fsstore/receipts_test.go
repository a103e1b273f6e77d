package fsstore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

var aReceipt = exchange.Receipt{At: noon, How: exchange.ShownAtPrompt, Name: "dock"}

// trail leaves every kind of what is kept of a session.
func trail(t *testing.T, s exchange.Store, id string) {
	t.Helper()
	ok(t, s.AddReceipt(id, "h1", aReceipt))
	ok(t, s.Remember(id, exchange.MemoryTold, "h1", noon))
	ok(t, s.Remember(id, exchange.MemoryOverlap, "other-0a1b2c3d", noon))
	ok(t, s.PutLook(id, []byte("x\n")))
	ok(t, s.PutWake(id))
}

func TestStore_ReceiptsAreMadeOnce(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		seen, err := s.Seen("s1")
		is.NoErr(err)
		is.Equal(len(seen), 0)
		is.NoErr(s.AddReceipt("s1", "h1", aReceipt))
		is.True(errors.Is(s.AddReceipt("s1", "h1", exchange.Receipt{At: noon, How: exchange.ShownAtStart}), fs.ErrExist))
		is.NoErr(s.AddReceipt("s1", "h2.json", aReceipt))
		is.NoErr(s.AddReceipt("s2", "h1", exchange.Receipt{At: noon.Add(-time.Hour), How: exchange.ShownByWaking}))
		is.NoErr(s.Remember("s1", exchange.MemoryTold, "h3", noon))
		is.NoErr(s.PutLook("s1", []byte("x")))
		p.write(t, "{", "seen", "s1", ".tmp-1-h4.json")

		seen, err = s.Seen("s1")
		is.NoErr(err)
		is.Equal(seen, map[string]bool{"h1": true, "h2.json": true})
		is.Equal(p.Content(t, p.in("seen", "s1", "h1.json")), "{\n  \"at\": \"2026-03-01T12:00:00Z\",\n  \"how\": \"prompt\",\n  \"name\": \"dock\"\n}\n")
		want := exchange.Receipts{Items: []exchange.StoredReceipt{
			{SessionID: "s2", Receipt: exchange.Receipt{At: noon.Add(-time.Hour), How: exchange.ShownByWaking}},
			{SessionID: "s1", Receipt: aReceipt},
		}}
		if diff := cmp.Diff(want, s.Receipts("h1")); diff != "" {
			t.Error(diff)
		}

		is.NoErr(s.DropReceipt("s1", "h1"))
		is.NoErr(s.DropReceipt("s1", "h1"))
		seen, err = s.Seen("s1")
		is.NoErr(err)
		is.Equal(seen, map[string]bool{"h2.json": true})
		look, _, err := s.LastLook("s1")
		is.NoErr(err)
		is.Equal(len(look), 0) // it took the handoff for shown
	})
}

func TestStore_OneOfManyMakesAReceipt(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		for i := range 20 {
			var made atomic.Int32
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					err := p.store(t).AddReceipt("s1", fmt.Sprint("h", i), aReceipt)
					if err == nil {
						made.Add(1)
					} else if !errors.Is(err, fs.ErrExist) {
						t.Error(err)
					}
				})
			}
			group.Wait()
			is.Equal(made.Load(), int32(1))
		}
	})
}

func TestStore_BrokenReceiptsHideNoOthers(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		ok(t, s.AddReceipt("s1", "h1", aReceipt))
		p.write(t, `{"at": "2026-03-01T12:00:00Z", "how": "shouted"}`, "seen", "s2", "h1.json")
		p.write(t, "stray", "seen", "note")
		got := s.Receipts("h1")
		is.Equal(len(got.Items), 1)
		is.Equal(len(got.Problems), 1)
		one(t, got.Problems, "s2: h1.json is invalid", "shouted")
		seen, err := s.Seen("s2")
		is.NoErr(err)
		is.True(seen["h1"]) // it was shown, whatever the file says
	})
}

func TestStore_NothingIsKeptUnderNamesOfDirectories(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		p := newPlace(t, h)
		s := p.store(t)
		trail(t, s, "s1")
		before := p.tree(t, p.root)
		for _, id := range append(slices.Clone(badIDs), ".", "..") {
			_, seen := s.Seen(id)
			_, remembered := s.Remembered(id, exchange.MemoryTold)
			_, _, look := s.LastLook(id)
			_, watched := s.WakePath(id)
			for verb, err := range map[string]error{
				"Seen": seen, "Remembered": remembered, "LastLook": look, "WakePath": watched,
				"AddReceipt":  s.AddReceipt(id, "h1", aReceipt),
				"DropReceipt": s.DropReceipt(id, "h1"),
				"Remember":    s.Remember(id, exchange.MemoryTold, "h1", noon),
				"PutLook":     s.PutLook(id, []byte("x")),
				"PutWake":     s.PutWake(id),
				"TakeWake":    s.TakeWake(id, "aaaaaa"),
				"Forget":      s.Forget(id),
			} {
				if err == nil || errors.Is(err, exchange.ErrNoWake) {
					t.Errorf("%s(%q): %v", verb, id, err)
				}
			}
		}
		for _, id := range badIDs {
			if s.AddReceipt("s1", id, aReceipt) == nil || s.Remember("s1", exchange.MemoryTold, id, noon) == nil {
				t.Errorf("%q is taken as a name", id)
			}
		}
		same(t, before, p.tree(t, p.root))
	})
}

func TestStore_SightAndLooks(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		s := newPlace(t, h).store(t)
		none, err := s.Sight()
		is.NoErr(err)
		is.True(none.Handoffs.IsZero() && none.Sessions.IsZero())
		is.NoErr(s.PutClaim(aClaim("s1")))
		post(t, s, "h1")
		before, err := s.Sight()
		is.NoErr(err)
		is.True(!before.Handoffs.IsZero() && !before.Sessions.IsZero())
		trail(t, s, "s1")
		after, err := s.Sight()
		is.NoErr(err)
		is.Equal(before, after) // what is kept of sessions is no news

		is.NoErr(s.PutLook("s1", []byte("second\n")))
		data, written, err := s.LastLook("s1")
		is.NoErr(err)
		is.Equal(string(data), "second\n")
		is.True(!written.Before(after.Handoffs))
	})
}

func TestStore_OneOfManyTakesAWakeFile(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		is.True(errors.Is(p.store(t).TakeWake("s1", "aaaaaa"), exchange.ErrNoWake))
		ok(t, p.store(t).PrepareWake())
		is.Equal(p.Names(t, p.in("wake")), []string{})
		for range 20 {
			ok(t, p.store(t).PutWake("s1"))
			ok(t, p.store(t).PutWake("s1")) // twice is once
			var took atomic.Int32
			var group sync.WaitGroup
			for i := range 8 {
				group.Go(func() {
					err := p.store(t).TakeWake("s1", fmt.Sprintf("%06x", i))
					if err == nil {
						took.Add(1)
					} else if !errors.Is(err, exchange.ErrNoWake) {
						t.Error(err)
					}
				})
			}
			group.Wait()
			is.Equal(took.Load(), int32(1))
			is.Equal(p.Names(t, p.in("wake")), []string{})
		}
		watched, err := p.store(t).WakePath("s1")
		is.NoErr(err)
		is.Equal(watched, p.in("wake", "s1"))
	})
}

func TestStore_ForgetsASession(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		trail(t, s, "s1")
		trail(t, s, "s2")
		ok(t, s.PutWake("s3"))
		p.write(t, "{", "seen", "s1", ".tmp-1-h4.json")
		traces, problems := s.Traces()
		is.Equal(len(problems), 0)
		var got []string
		for _, trace := range traces {
			is.True(!trace.Touched.IsZero())
			got = append(got, fmt.Sprint(trace.SessionID, trace.Handoffs))
		}
		is.Equal(got, []string{"s1[h1]", "s2[h1]", "s3[]"})
		is.NoErr(s.Forget("s1"))
		is.NoErr(s.Forget("s1"))
		is.NoErr(s.Forget("s3"))
		is.Equal(p.Names(t, p.in("seen")), []string{"s2"})
		is.Equal(p.Names(t, p.in("wake")), []string{"s2"})
		is.Equal(len(s.Receipts("h1").Items), 1)
	})
}

func TestStore_WhatIsKeptInAnotherRootIsNotTouched(t *testing.T) {
	for _, names := range [][]string{{"seen", "s1"}, {"seen", "s1", "told"}} {
		porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
			is := is.New(t)
			sub := h
			sub.Dir = path.Join(h.Dir, path.Base(path.Join(names...)))
			h.Mkdir(t, sub.Dir)
			theirs := place{sub, path.Join(sub.Dir, "other")}
			theirs.mark(t, theirs.root)
			trail(t, theirs.store(t), "s1")
			before := theirs.tree(t, theirs.root)
			p := newPlace(t, sub)
			p.dirs(t, p.root, names[:len(names)-1]...)
			h.Symlink(t, theirs.in(names...), p.in(names...))
			s := p.store(t)
			if len(names) == 2 {
				_, err := s.Seen("s1")
				is.True(errors.Is(err, exchange.ErrForeignStore))
				is.True(errors.Is(s.AddReceipt("s1", "h2", aReceipt), exchange.ErrForeignStore))
				is.True(errors.Is(s.PutLook("s1", []byte("x")), exchange.ErrForeignStore))
				one(t, s.Receipts("h1").Problems, "other root")
			}
			is.True(errors.Is(s.Remember("s1", exchange.MemoryTold, "h2", noon), exchange.ErrForeignStore))
			_, err := s.Remembered("s1", exchange.MemoryTold)
			is.True(errors.Is(err, exchange.ErrForeignStore))
			_ = s.Forget("s1") // whatever it says
			same(t, before, theirs.tree(t, theirs.root))
		})
	}
}

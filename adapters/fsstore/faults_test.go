package fsstore_test

import (
	"path"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

func TestStore_ADirectoryThatIsADeadLinkIsNotEmpty(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for i, dir := range storeDirs {
			is := is.New(t)
			sub := h
			sub.Dir = path.Join(h.Dir, strings.Repeat("x", i+1))
			h.Mkdir(t, sub.Dir)
			s := linked(t, sub, dir, path.Join(sub.Dir, "gone")).store(t)
			for _, shelf := range []exchange.Shelf{s.Handoffs(), s.Pending()} {
				is.Equal(len(shelf.Problems()), 1) // once
				one(t, shelf.Problems(), path.Join(dir...)+" is a symbolic link that leads nowhere")
			}
			is.Equal(len(s.Claims().Problems)+len(s.Strays())+len(s.Inspect().Problems), 0) // and nowhere else
		}
	})
}

func TestStore_AnArchiveBehindADeadLinkIsNotEmpty(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for i, dir := range [][]string{storeDirs[1], storeDirs[5], {".claude", "exchange", "archive", "2026"}} {
			is := is.New(t)
			sub := h
			sub.Dir = path.Join(h.Dir, strings.Repeat("x", i+1))
			h.Mkdir(t, sub.Dir)
			s := linked(t, sub, dir, path.Join(sub.Dir, "gone")).store(t)
			one(t, s.Archived().Unread, "leads nowhere")
			_, err := s.ArchivedHandoff("h1")
			one(t, []string{err.Error()}, "leads nowhere")
			one(t, []string{s.Restore("h1").Error()}, "leads nowhere")
			is.Equal(len(s.HalfArchived()), 0)
		}
	})
}

func TestStore_WhatShouldBeADirectoryAndIsNone(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		for i, name := range []string{"ended", "archive"} {
			for j, make := range []func(at string){
				func(at string) { h.Put(t, at, "x") },
				func(at string) { h.Fifo(t, at) },
				func(at string) { h.Symlink(t, h.Device, at) },
			} {
				is := is.New(t)
				sub := h
				sub.Dir = path.Join(h.Dir, strings.Repeat("x", 3*i+j+1))
				h.Mkdir(t, sub.Dir)
				p := newPlace(t, sub)
				p.dirs(t, p.root)
				make(p.in(name))
				s := p.store(t)
				for _, shelf := range []exchange.Shelf{s.Handoffs(), s.Pending()} {
					is.Equal(shelf.Problems(), []string{".claude/exchange/" + name + " is no directory"})
				}
			}
		}
	})
}

func TestStore_MovesBehindADeadLinkAreNotNone(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		post(t, s, "h1")
		h.Symlink(t, path.Join(h.Dir, "gone"), p.in("handoffs", "h1.d"))
		h.Symlink(t, path.Join(h.Dir, "gone"), p.in("handoffs", "h2.d"))
		for _, shelf := range []exchange.Shelf{s.Handoffs(), s.Pending()} {
			is.Equal(shelf.Problems(), []string{"h1: h1.d is a symbolic link that leads nowhere"})
		}
		filed, err := s.Handoff("h1")
		is.NoErr(err)
		is.Equal(len(filed.Unread), 1) // so that nobody moves it
		is.Equal(s.Inspect().Orphans, []exchange.Orphan{{Dir: "h2.d", ID: "h2"}})
	})
}

func TestStore_WhatIsInTheWayOfADirectoryIsNoTakenName(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	p.write(t, "x", "handoffs")
	err := p.store(t).Post(aHandoff("h1"))
	is.True(strings.Contains(err.Error(), "could not write"))
}

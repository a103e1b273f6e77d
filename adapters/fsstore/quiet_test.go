package fsstore_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

// Without new mail a prompt costs the same calls however much is stored.
func TestPrompt_WithoutNewsCostsTheSameHoweverMuchIsStored(t *testing.T) {
	is := is.New(t)
	var costs []int
	for _, stored := range []int{1, 300} {
		p := newPlace(t, porttest.OnDisk(t))
		calls := 0
		p.FS = porttest.Tap(p.FS, func(porttest.Call) error {
			calls++
			return nil
		})
		hook := exchange.Hook{World: mail(p).World}
		hook.Open = fsstore.NewOpener(p.FS)
		prompt := func() []string {
			e := session.Event{Name: session.UserPromptSubmit, SessionID: "s1"}
			return hook.Answer(e, p.root, true, 8000).Lines
		}
		for i := range stored {
			h := aHandoff(fmt.Sprint("h", i))
			h.To.SessionID, h.To.Repo = "another", ""
			ok(t, p.store(t).Post(h))
		}
		ok(t, p.store(t).PutClaim(aClaim("s1")))
		for _, dir := range []string{"handoffs", "sessions"} {
			before := time.Now().Add(-time.Minute)
			ok(t, os.Chtimes(p.in(dir), before, before))
		}
		is.Equal(prompt(), nil) // looks
		calls = 0
		is.Equal(prompt(), nil)
		costs = append(costs, calls)

		h := aHandoff("mine")
		h.To.SessionID, h.To.Repo = "s1", ""
		ok(t, p.store(t).Post(h))
		is.True(len(prompt()) > 0) // it is noticed all the same
	}
	is.Equal(costs[0], costs[1])
	is.True(costs[1] < 40)
	t.Logf("%d calls", costs[1])
}

// A move beside others changes no directory that a prompt looks at by itself.
func TestPrompt_NoticesALaterMove(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.OnDisk(t))
	hook := exchange.Hook{World: mail(p).World}
	hook.Open = fsstore.NewOpener(p.FS)
	prompt := func() []string {
		return hook.Answer(session.Event{Name: session.UserPromptSubmit, SessionID: "s1"}, p.root, true, 8000).Lines
	}
	s := p.store(t)
	h := aHandoff("mine")
	h.To.SessionID, h.To.Repo = "s1", ""
	ok(t, s.Post(h))
	ok(t, s.AddMove("mine", exchange.Move{At: noon, Status: exchange.Closed}, "000000"))
	long := func() {
		for _, dir := range []string{"handoffs", "sessions"} {
			before := time.Now().Add(-time.Minute)
			ok(t, os.Chtimes(p.in(dir), before, before))
		}
	}
	ok(t, s.PutClaim(aClaim("s1")))
	long()
	is.Equal(prompt(), nil) // it is closed
	ok(t, s.AddMove("mine", exchange.Move{At: noon, Status: exchange.Accepted, After: 1}, "000001"))
	is.True(len(prompt()) > 0) // reopened

	// Its text did not get out while another hook looked, which notes its look later.
	long()
	before, err := s.Sight()
	is.NoErr(err)
	is.NoErr(s.DropReceipt("s1", "mine"))
	after, err := s.Sight()
	is.NoErr(err)
	is.True(before != after)
	ok(t, s.Remember("s1", exchange.MemoryOverlap, "other-0a1b2c3d", noon))
	ok(t, s.PutLook("s1", []byte("x\n")))
	is.NoErr(s.Unremember("s1", exchange.MemoryOverlap, "other-0a1b2c3d"))
	is.NoErr(s.Unremember("s1", exchange.MemoryOverlap, "other-0a1b2c3d")) // it is gone
	told, err := s.Remembered("s1", exchange.MemoryOverlap)
	is.NoErr(err)
	is.Equal(len(told), 0)
	look, _, err := s.LastLook("s1")
	is.NoErr(err)
	is.Equal(len(look), 0)
	is.Equal(p.Names(t, p.in("handoffs")), []string{"mine.d", "mine.json"}) // nothing else stays
}

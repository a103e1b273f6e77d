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

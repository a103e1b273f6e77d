package fsstore_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/fsstore"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

// stranger makes another root with files of the same names, all of which say secret.
func stranger(t *testing.T, h porttest.FSHarness) place {
	t.Helper()
	other := place{h, path.Join(h.Dir, "other")}
	other.mark(t, other.root)
	s := other.store(t)
	claim := aClaim("s1")
	claim.Focus = "secret"
	for _, end := range []bool{true, false} {
		ok(t, s.PutClaim(claim))
		if end {
			ok(t, s.EndClaim("s1"))
		}
	}
	for _, id := range []string{"h9", "h1"} {
		handoff := aHandoff(id)
		handoff.Body, handoff.From.Name = "secret", "secret"
		ok(t, s.Post(handoff))
		move := aMove(0, exchange.Closed)
		move.Note = "secret"
		ok(t, s.AddMove(id, move, "00000a"))
		if id == "h9" {
			filed, err := s.Handoff(id)
			ok(t, err)
			ok(t, s.Archive(filed))
		}
	}
	ok(t, s.AddReceipt("s1", "h1", exchange.Receipt{At: noon, How: exchange.ShownAtStart, Name: "secret"}))
	return other
}

// ours makes the root that is swapped, with files of the same names.
func ours(t *testing.T, h porttest.FSHarness) place {
	t.Helper()
	p := newPlace(t, h)
	s := p.store(t)
	ok(t, s.PutClaim(aClaim("s1")))
	post(t, s, "h1", exchange.Accepted)
	ok(t, s.AddReceipt("s1", "h1", exchange.Receipt{At: noon, How: exchange.ShownAtStart}))
	return p
}

// swaps put another root's files where ours were.
var swaps = map[string]func(t *testing.T, p, other place){
	"the root": func(t *testing.T, p, other place) {
		ok(t, p.FS.Rename(p.root, p.root+".aside"))
		p.Symlink(t, other.root, p.root)
	},
	"the store": func(t *testing.T, p, other place) {
		ok(t, p.FS.Rename(p.in(), p.in()+".aside"))
		p.Symlink(t, other.in(), p.in())
	},
	"directories of the store": func(t *testing.T, p, other place) {
		for _, dir := range []string{"sessions", "handoffs", "seen"} {
			ok(t, p.FS.Rename(p.in(dir), p.in(dir)+".aside"))
			p.Symlink(t, other.in(dir), p.in(dir))
		}
	},
}

// However late another root takes the place of ours, nothing of it is shown: each
// reading asks afterwards where it has read.
func TestStore_ARootSwappedWhileItIsReadShowsNothingOfTheOther(t *testing.T) {
	for name, swap := range swaps {
		t.Run(name, func(t *testing.T) {
			for at, done := 1, false; !done; at++ {
				on := inMemory
				if at%7 == 1 {
					on = porttest.OnBoth
				}
				on(t, func(t *testing.T, h porttest.FSHarness) {
					other := stranger(t, h)
					p := ours(t, h)
					calls := 0
					files := porttest.Tap(h.FS, func(porttest.Call) error {
						if calls++; calls == at {
							swap(t, p, other)
						}
						return nil
					})
					said := everything(fsstore.NewOpener(files)(p.root))
					if strings.Contains(said, "secret") {
						t.Errorf("swapped before call %d: %s", at, said)
					}
					done = calls < at
				})
			}
		})
	}
}

func inMemory(t *testing.T, test func(t *testing.T, h porttest.FSHarness)) {
	t.Helper()
	test(t, porttest.InMemory(t))
}

// everything reads all that a store has.
func everything(s exchange.Store, err error) string {
	if err != nil {
		return err.Error()
	}
	claim, claimErr := s.Claim("s1")
	ended, endedErr := s.EndedClaim("s1")
	handoff, handoffErr := s.Handoff("h1")
	archived, archivedErr := s.ArchivedHandoff("h9")
	return fmt.Sprintf("%+v", []any{
		s.Claims(), s.Handoffs(), s.Pending(), s.PendingMeanwhile()(), s.Archived(), s.Receipts("h1"), s.Inspect(),
		claim, claimErr, ended, endedErr, handoff, handoffErr, archived, archivedErr,
	})
}

// Nothing is written into a root that took the place of ours after the store was opened.
func TestStore_ARootSwappedBeforeAWriteIsNotWrittenTo(t *testing.T) {
	writes := map[string]func(s exchange.Store) error{
		"claim":        func(s exchange.Store) error { return s.PutClaim(aClaim("s1")) },
		"drop a claim": func(s exchange.Store) error { return s.DropClaim("s1") },
		"end a claim":  func(s exchange.Store) error { return s.EndClaim("s1") },
		"handoff":      func(s exchange.Store) error { return s.Post(aHandoff("h2")) },
		"move":         func(s exchange.Store) error { return s.AddMove("h1", aMove(1, exchange.Open), "00000b") },
		"receipt":      func(s exchange.Store) error { return s.AddReceipt("s1", "h2", aReceipt) },
		"memory":       func(s exchange.Store) error { return s.Remember("s1", exchange.MemoryTold, "h2", noon) },
		"look":         func(s exchange.Store) error { return s.PutLook("s1", []byte("x")) },
		"take back":    func(s exchange.Store) error { return s.DropReceipt("s1", "h1") },
		"forget":       func(s exchange.Store) error { return s.Forget("s1") },
		"archive":      func(s exchange.Store) error { return s.Archive(filedAs("h1")) },
		"restore":      func(s exchange.Store) error { return s.Restore("h9") },
	}
	for name, swap := range swaps {
		for what, write := range writes {
			t.Run(name+", "+what, func(t *testing.T) {
				porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
					is := is.New(t)
					other := stranger(t, h)
					p := ours(t, h)
					s := p.store(t)
					before := other.tree(t, other.root)
					swap(t, p, other)
					is.True(write(s) != nil)
					same(t, before, other.tree(t, other.root))
				})
			})
		}
	}
}

func TestOpen_ARootThatBecameALinkIsRefused(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		other := stranger(t, h)
		p := ours(t, h)
		swaps["the root"](t, p, other)
		_, err := fsstore.NewOpener(h.FS)(p.root)
		is.True(err != nil)
		is.True(strings.Contains(err.Error(), other.root))
	})
}

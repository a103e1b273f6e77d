package fsstore_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/port"
)

func TestStore_HandoffComesBackAsWritten(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		s := newPlace(t, h).store(t)
		want := exchange.Handoff{
			ID:       "20260301T120000Z-0a1b2c",
			From:     exchange.Sender{SessionID: "s1", Name: "cr\u00e4ne", Cwd: "/tree/crane"},
			To:       exchange.Address{Repo: "dock", Paths: []string{"a", "b"}},
			Created:  noon,
			Body:     "one\n\n<two> & three",
			Imported: &exchange.Imported{Route: "crane>dock", Headline: "winch", Date: "2026-03-01"},
		}
		is.NoErr(s.Post(want))
		moves := []exchange.Move{aMove(0, exchange.Accepted), aMove(1, exchange.Closed)}
		moves[1].Note = "done"
		is.NoErr(s.AddMove(want.ID, moves[0], "ffffff"))
		is.NoErr(s.AddMove(want.ID, moves[1], "000000"))
		filed, err := s.Handoff(want.ID)
		is.NoErr(err)
		if diff := cmp.Diff(exchange.Filed{File: want.ID + ".json", Handoff: want, Moves: moves}, filed); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(exchange.Shelf{Items: []exchange.Filed{filed}}, s.Handoffs()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestStore_NoHandoffs(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		before := p.tree(t, p.root)
		s := p.store(t)
		for _, shelf := range []exchange.Shelf{s.Handoffs(), s.Pending(), s.Archived()} {
			is.Equal(len(shelf.Items)+len(shelf.Unread), 0)
		}
		_, err := s.Handoff("h1")
		is.True(errors.Is(err, exchange.ErrNoHandoff))
		_, err = s.ArchivedHandoff("h1")
		is.True(errors.Is(err, exchange.ErrNoHandoff))
		is.True(errors.Is(s.Restore("h1"), exchange.ErrNoHandoff))
		is.True(!s.AnyClosedBefore(noon))
		is.Equal(len(s.HalfArchived()), 0)
		is.Equal(s.Inspect(), exchange.Inspection{})
		same(t, before, p.tree(t, p.root)) // reading makes nothing
	})
}

func TestStore_PostMakesNoMoves(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	post(t, p.store(t), "h1")
	is.Equal(p.Names(t, p.in("handoffs")), []string{"h1.json"})
}

func TestStore_PostIsExclusive(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		post(t, s, "h1")
		p.dirs(t, p.root, "handoffs", "moved.d")
		p.dirs(t, p.root, "handoffs", "dir.json")
		h.Symlink(t, "/gone", p.in("handoffs", "dangling.json"))
		h.Symlink(t, "/gone", p.in("handoffs", "linked.d"))
		before := p.tree(t, p.root)
		for _, id := range []string{"h1", "moved", "dir", "dangling", "linked"} {
			other := aHandoff(id)
			other.Body = "another"
			err := s.Post(other)
			is.True(err != nil) // id
			is.True(strings.Contains(err.Error(), "already exists"))
			is.True(strings.Contains(err.Error(), id))
		}
		is.True(errors.Is(s.Post(aHandoff("h1")), fs.ErrExist))
		same(t, before, p.tree(t, p.root))
	})
}

func TestStore_AddMoveIsExclusive(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		post(t, s, "h1", exchange.Accepted)
		before := p.tree(t, p.root)
		is.True(errors.Is(s.AddMove("h1", aMove(0, exchange.Closed), "00000a"), fs.ErrExist))
		same(t, before, p.tree(t, p.root))
		is.NoErr(s.AddMove("h1", aMove(0, exchange.Closed), "00000b")) // one position, another file: a tie
		filed, err := s.Handoff("h1")
		is.NoErr(err)
		is.Equal(filed.Tied(), []exchange.Status{exchange.Accepted, exchange.Closed})
	})
}

func TestStore_MoveLeavesTheRecordAlone(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	post(t, s, "h1")
	before := p.Content(t, p.in("handoffs", "h1.json"))
	is.NoErr(s.AddMove("h1", aMove(0, exchange.Accepted), "00000a"))
	is.Equal(p.Content(t, p.in("handoffs", "h1.json")), before)
}

func TestStore_OrderIsByPositionNotByName(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	post(t, s, "h1")
	move := func(after, status string) string {
		return `{"at": "2026-03-01T12:00:00Z", "status": "` + status + `", "after": ` + after + `}`
	}
	p.write(t, move("10", "closed"), "handoffs", "h1.d", "0000-zzzzzz.json")
	p.write(t, move("2", "accepted"), "handoffs", "h1.d", "9999-aaaaaa.json")
	p.write(t, move("0", "open"), "handoffs", "h1.d", "x.json")
	filed, err := s.Handoff("h1")
	is.NoErr(err)
	is.Equal(filed.Status(), exchange.Closed)
	is.Equal(filed.Next(), 11)
	is.Equal(len(filed.Unread), 0)
}

func TestStore_RecordUnderAnotherName(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	post(t, s, "h1", exchange.Closed)
	p.write(t, p.Content(t, p.in("handoffs", "h1.json")), "handoffs", "copy.json")
	shelf := s.Handoffs()
	is.Equal(ids(shelf), []string{"h1 closed", "h1 closed"}) // the moves are found through the id
	one(t, shelf.Problems(), "copy.json", "holds the id h1: ")
	is.Equal(ids(s.Pending()), []string{"h1 closed"}) // nobody can tell without reading it
}

func TestStore_RefusesWhatItsSchemaDoes(t *testing.T) {
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	before := p.tree(t, p.root)
	noBody, noAddress, badYear := aHandoff("h1"), aHandoff("h1"), aHandoff("h1")
	noBody.Body = ""
	noAddress.To = exchange.Address{}
	badYear.Created = noon.AddDate(100, 0, 0)
	noCwd := aClaim("s1")
	noCwd.Cwd = ""
	for name, err := range map[string]error{
		"no body":        s.Post(noBody),
		"no address":     s.Post(noAddress),
		"year 2126":      s.Post(badYear),
		"no cwd":         s.PutClaim(noCwd),
		"negative":       s.AddMove("h1", exchange.Move{At: noon, Status: exchange.Closed, After: -1}, "00000a"),
		"no status":      s.AddMove("h1", exchange.Move{At: noon}, "00000a"),
		"unknown status": s.AddMove("h1", aMove(0, "done"), "00000a"),
	} {
		if err == nil || !strings.Contains(err.Error(), "refusing to write") {
			t.Errorf("%s: %v", name, err)
		}
	}
	same(t, before, p.tree(t, p.root)) // not even a directory
}

func TestStore_RefusesWhatItsReadersWouldNotTake(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		large := aHandoff("h1")
		encoded, err := large.Encode("h1.json")
		is.NoErr(err)
		large.Body += strings.Repeat("x", 1<<20-len(encoded))
		is.NoErr(s.Post(large)) // exactly 1 MiB
		got, err := s.Handoff("h1")
		is.NoErr(err)
		is.Equal(len(got.Body), len(large.Body))

		before := p.tree(t, p.root)
		larger := large
		larger.ID = "h2"
		larger.Body += "x"
		claim := aClaim("s1")
		claim.Focus = strings.Repeat("x", 1<<20)
		move := aMove(0, exchange.Closed)
		move.Note = strings.Repeat("x", 1<<20)
		for _, err := range []error{s.Post(larger), s.PutClaim(claim), s.AddMove("h1", move, "00000a")} {
			is.True(err != nil)
			is.True(strings.Contains(err.Error(), "refusing to write"))
		}
		same(t, before, p.tree(t, p.root))
	})
}

func TestStore_FailedWritesSayWhat(t *testing.T) {
	full := errors.New("no space left on device")
	for _, failing := range []string{"Create", "Replace", "MakeDir"} {
		t.Run(failing, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t, porttest.InMemory(t))
			ok(t, p.store(t).Post(aHandoff("h0")))
			before := p.tree(t, p.in("handoffs"))
			s := p.storeOn(t, porttest.Tap(p.FS, func(c porttest.Call) error {
				if c.Op == failing {
					return &fs.PathError{Op: "write", Path: c.Path, Err: full}
				}
				return nil
			}))
			var errs []error
			if failing != "Replace" {
				errs = append(errs, s.Post(aHandoff("h1")), s.AddMove("h0", aMove(0, exchange.Closed), "00000a"))
			}
			if failing != "Create" {
				errs = append(errs, s.PutClaim(aClaim("s1")))
			}
			for _, err := range errs {
				is.True(errors.Is(err, full))
				is.True(strings.Contains(err.Error(), p.root))
				is.True(strings.Contains(err.Error(), "nothing was changed"))
			}
			if failing == "MakeDir" {
				same(t, before, p.tree(t, p.in("handoffs")))
			}
		})
	}
}

func TestStore_NoHardLinksIsAProblemThatNamesIt(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.storeOn(t, porttest.Tap(p.FS, func(c porttest.Call) error {
		if c.Op == "Create" {
			return &fs.PathError{Op: "publish", Path: c.Path, Err: port.ErrNoHardLinks}
		}
		return nil
	}))
	err := s.Post(aHandoff("h1"))
	is.True(errors.Is(err, port.ErrNoHardLinks))
	is.True(strings.Contains(err.Error(), "no hard links"))
	is.Equal(p.Names(t, p.in("handoffs")), []string{}) // no fall-back
}

func TestStore_PostThatCannotLookIsRefused(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.storeOn(t, porttest.Tap(p.FS, func(c porttest.Call) error {
		if c.Op == "Lstat" && strings.HasSuffix(c.Path, "h1.d") {
			return &fs.PathError{Op: "stat", Path: c.Path, Err: fs.ErrPermission}
		}
		return nil
	}))
	is.True(errors.Is(s.Post(aHandoff("h1")), fs.ErrPermission))
	is.Equal(len(s.Handoffs().Items), 0)
}

package fsstore_test

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/exchange"
)

func TestStore_ClaimComesBackAsWritten(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		s := newPlace(t, h).store(t)
		want := exchange.Claim{
			SessionID: "s1", Name: "dock <two> & \u00e9", Cwd: "/tree/dock", GitBranch: "main", Focus: "winch \x1b[31m",
			Repos: []string{"dock"}, Paths: []string{"a", "b"}, Tickets: []string{"T-1"}, Was: []string{"s0"},
			Process: &exchange.Process{PID: 7, Start: "42"}, UpdatedAt: noon,
		}
		is.NoErr(s.PutClaim(aClaim("s1")))
		is.NoErr(s.PutClaim(want)) // replaces
		got, err := s.Claim("s1")
		is.NoErr(err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(exchange.Claims{Items: []exchange.StoredClaim{{File: "s1.json", Claim: want}}}, s.Claims()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestStore_NoClaims(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		before := p.tree(t, p.root)
		s := p.store(t)
		claims := s.Claims()
		is.Equal(len(claims.Items)+len(claims.Problems), 0) // a missing directory is no problem
		_, err := s.Claim("s1")
		is.True(errors.Is(err, exchange.ErrNoClaim))
		_, err = s.EndedClaim("s1")
		is.True(errors.Is(err, exchange.ErrNoClaim))
		for _, drop := range []func(string) error{s.DropClaim, s.DropEnded, s.EndClaim} {
			is.True(errors.Is(drop("s1"), exchange.ErrNoClaim))
		}
		same(t, before, p.tree(t, p.root)) // and nothing was made
	})
}

func TestStore_EndClaimPutsAside(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		for _, focus := range []string{"first", "second"} {
			c := aClaim("s1")
			c.Focus = focus
			is.NoErr(s.PutClaim(c))
			is.NoErr(s.EndClaim("s1"))
			_, err := s.Claim("s1")
			is.True(errors.Is(err, exchange.ErrNoClaim)) // out of sessions
			ended, err := s.EndedClaim("s1")
			is.NoErr(err)
			is.Equal(ended.Focus, focus) // over an older one
		}
		is.True(errors.Is(s.EndClaim("s1"), exchange.ErrNoClaim)) // twice
		is.NoErr(s.DropEnded("s1"))
		is.True(errors.Is(s.DropEnded("s1"), exchange.ErrNoClaim))
		is.Equal(p.Names(t, p.in("ended")), []string{})
	})
}

func TestStore_EndClaimThatFailsIsNoMissingClaim(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.write(t, `{}`, "ended", "s1.json")
		p.dirs(t, p.root, "sessions", "s1.json") // a directory of that name
		err := p.store(t).EndClaim("s1")
		is.True(err != nil)
		is.True(!errors.Is(err, exchange.ErrNoClaim))
	})
}

func TestStore_DropClaim(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		s := newPlace(t, h).store(t)
		is.NoErr(s.PutClaim(aClaim("s1")))
		is.NoErr(s.PutClaim(aClaim("s2")))
		is.NoErr(s.DropClaim("s1"))
		is.True(errors.Is(s.DropClaim("s1"), exchange.ErrNoClaim))
		is.Equal(len(s.Claims().Items), 1)
	})
}

func TestStore_BrokenClaimsHideNoOthers(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		is.NoErr(s.PutClaim(aClaim("good")))
		p.write(t, `{"session_id": "bad"`, "sessions", "bad.json")
		p.write(t, `{"session_id": "odd", "cwd": "", "updated_at": "x", "extra": 1}`, "sessions", "odd.json")
		p.write(t, "\ufeff{}", "sessions", "mark.json")
		p.write(t, "not a claim", "sessions", "notes.txt")
		claims := s.Claims()
		is.Equal(len(claims.Items), 1)
		is.Equal(len(claims.Problems), 3)
		one(t, claims.Problems, "bad.json could not be read: ")
		one(t, claims.Problems, "odd.json is invalid: ", "extra")
		one(t, claims.Problems, "mark.json could not be read: ")
		var fileError *exchange.FileError
		_, err := s.Claim("odd")
		is.True(errors.As(err, &fileError))
	})
}

func TestStore_ClaimUnderAnotherNameIsReported(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.write(t, `{"session_id": "s1", "cwd": "/x", "updated_at": "2026-03-01T12:00:00Z"}`, "sessions", "other.json")
		claims := p.store(t).Claims()
		is.Equal(len(claims.Items), 1) // listed all the same
		one(t, claims.Problems, "other.json", "s1")
	})
}

func TestStore_ClaimsInByteOrderOfTheirNames(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	for _, id := range []string{"b", "a", "B", ".a", "10", "9"} {
		is.NoErr(s.PutClaim(aClaim(id)))
	}
	var got []string
	for _, item := range s.Claims().Items {
		got = append(got, item.SessionID)
	}
	is.Equal(got, []string{".a", "10", "9", "B", "a", "b"})
}

func TestStore_ClaimThatLeavesMeanwhileIsNoFault(t *testing.T) {
	is := is.New(t)
	p := newPlace(t, porttest.InMemory(t))
	ok(t, p.store(t).PutClaim(aClaim("s1")))
	s := p.storeOn(t, porttest.Tap(p.FS, func(c porttest.Call) error {
		if c.Op == "ReadFile" {
			return &fs.PathError{Op: "read", Path: c.Path, Err: fs.ErrNotExist}
		}
		return nil
	}))
	claims := s.Claims()
	is.Equal(len(claims.Items)+len(claims.Problems), 0)
}

// badIDs can be no file names of the store.
var badIDs = []string{"", "a\n", "a/b", "..\x00", "../x", "ä", "a b", ".tmp-1", ".tmp-"}

func TestStore_RefusesBadIDs(t *testing.T) {
	p := newPlace(t, porttest.InMemory(t))
	s := p.store(t)
	before := p.tree(t, p.root)
	for _, id := range badIDs {
		refusals := map[string]error{
			"PutClaim":  s.PutClaim(aClaim(id)),
			"DropClaim": s.DropClaim(id),
			"EndClaim":  s.EndClaim(id),
			"DropEnded": s.DropEnded(id),
			"Post":      s.Post(aHandoff(id)),
			"AddMove":   s.AddMove(id, aMove(0, exchange.Closed), "00000a"),
		}
		_, refusals["Claim"] = s.Claim(id)
		_, refusals["EndedClaim"] = s.EndedClaim(id)
		_, refusals["Handoff"] = s.Handoff(id)
		_, refusals["ArchivedHandoff"] = s.ArchivedHandoff(id)
		for verb, err := range refusals {
			if err == nil || errors.Is(err, exchange.ErrNoClaim) || errors.Is(err, exchange.ErrNoHandoff) {
				t.Errorf("%s(%q): %v", verb, id, err)
			}
		}
	}
	same(t, before, p.tree(t, p.root))
}

func TestStore_UnlistableDirectoriesAreProblems(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		p.write(t, "a file where a directory should be", "sessions")
		p.write(t, "", "handoffs")
		p.write(t, "", "archive")
		s := p.store(t)
		one(t, s.Claims().Problems, "sessions could not be read")
		one(t, s.Handoffs().Problems(), "handoffs could not be read")
		one(t, s.Pending().Problems(), "handoffs could not be read")
		one(t, s.Archived().Problems(), "archive could not be read")
		is.True(!s.AnyClosedBefore(noon.AddDate(9, 0, 0)))
		err := s.PutClaim(aClaim("s1"))
		is.True(err != nil)
		is.True(strings.Contains(err.Error(), path.Join("sessions", "s1.json"))) // names what was to be written
		is.True(strings.Contains(err.Error(), "nothing was changed"))
	})
}

func TestStore_AClaimUnderAnotherIDIsNobodys(t *testing.T) {
	porttest.OnBoth(t, func(t *testing.T, h porttest.FSHarness) {
		is := is.New(t)
		p := newPlace(t, h)
		s := p.store(t)
		is.NoErr(s.PutClaim(aClaim("s1")))
		for _, dir := range []string{"sessions", "ended"} {
			p.write(t, p.Content(t, p.in("sessions", "s1.json")), dir, "s2.json")
		}
		for _, read := range []func(string) (exchange.Claim, error){s.Claim, s.EndedClaim} {
			c, err := read("s2")
			var fault *exchange.FileError
			is.True(errors.As(err, &fault))
			is.Equal(err.Error(), "s2.json holds the session id s1, which is not its name")
			is.Equal(c.SessionID, "")
		}
		one(t, s.Claims().Problems, "s2.json holds the session id s1")
		is.Equal(len(s.Claims().Items), 2) // both are listed
		is.NoErr(s.DropClaim("s2"))
		_, err := s.Claim("s1")
		is.NoErr(err)
	})
}

package exchange_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

// A session was cleared and goes on under another id; this one resumes the old
// id elsewhere.
func TestStart_AnotherSessionOnceHadThisID(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.peer("crane-1", "crane", "cranes")
	s.claim(exchange.Claim{SessionID: "crane-1", Name: "crane", Focus: "theirs", Repos: []string{"cranes"}, Was: []string{myID}})
	s.handoff("h", 0, exchange.Address{Repo: "cranes"})
	lines := s.start("resume")
	is.True(has(lines, "1 other session(s)"))
	is.True(has(lines, "- crane: theirs"))
	is.True(!has(lines, "- h ")) // their repos are not this session's
	is.True(!has(lines, "no longer running"))
}

func TestStart_AClaimThatOnlyThisSessionKeepsAliveIsLeftBehind(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: "crane-1", Name: "crane", Was: []string{myID}})
	lines := s.start("resume")
	is.True(!has(lines, "other session(s)"))
	is.True(has(lines, "1 claim(s) left by sessions no longer running"))
}

func TestDrop_AnotherSessionOnceHadThisID(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: "crane-1", Was: []string{myID}})
	_, err := exchange.Claimer{World: s.world()}.Drop(root, given("crane-1"))
	is.NoErr(err) // the registry does not show the new id yet
	s.peer("crane-1", "crane", "cranes")
	s.claim(exchange.Claim{SessionID: "crane-1", Was: []string{myID}})
	_, err = exchange.Claimer{World: s.world()}.Drop(root, given("crane-1"))
	is.True(err != nil)
}

// A hook was killed between writing the new claim and taking the old one away.
func TestSeed_RemovesWhatAKilledHookLeft(t *testing.T) {
	other := &exchange.Process{PID: 300, Start: "300"}
	tests := []struct {
		name, source string
		left         exchange.Claim
		stays        bool
	}{
		{"clear", "clear", exchange.Claim{SessionID: "me-0", Process: process}, false},
		{"compact", "compact", exchange.Claim{SessionID: "me-0", Process: process}, false},
		{"resume", "resume", exchange.Claim{SessionID: "me-0", Process: process}, true},
		{"of another process", "clear", exchange.Claim{SessionID: "me-0", Process: other}, true},
		{"of no process", "clear", exchange.Claim{SessionID: "me-0"}, true},
		{"under an id that was never its own", "clear", exchange.Claim{SessionID: "crane-1", Process: process}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.claim(exchange.Claim{SessionID: myID, Focus: "f", Was: []string{"me-0"}, Process: process})
			s.claim(tt.left)
			s.start(tt.source)
			_, stays := s.store.claims[tt.left.SessionID]
			is.Equal(stays, tt.stays)
			is.Equal(s.store.claims[myID].Focus, "f")
		})
	}
}

// racing is a store in which another hook of the same start is faster.
type racing struct {
	*memory
	faster func()
}

func (r racing) EndedClaim(id string) (exchange.Claim, error) {
	r.faster()
	return r.memory.EndedClaim(id)
}

func TestSeed_AnotherHookTookItBackFirst(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.ended[myID] = exchange.Claim{SessionID: myID, Focus: "precious"}
	w := s.world()
	w.Open = func(string) (exchange.Store, error) {
		return racing{s.store, func() {
			if c, ok := s.store.ended[myID]; ok {
				c.Cwd, c.UpdatedAt = root, noon
				s.store.claims[myID] = c
				delete(s.store.ended, myID)
			}
		}}, nil
	}
	lines := exchange.Hook{World: w}.Answer(session.Event{Name: session.SessionStart, SessionID: myID, Source: "resume"}, root, false, 8000).Lines
	is.Equal(lines, nil)
	is.Equal(s.store.claims[myID].Focus, "precious")
}

func TestSeed_NeverDeletesWhatNobodyCouldRead(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.brokenEnded[myID] = &exchange.FileError{Name: myID + ".json", Err: errDisk}
	is.True(has(s.start("resume"), "put aside", "stays"))
	is.Equal(len(s.store.brokenEnded), 1)
	s.start("resume")
	_, err := claim(s, exchange.ClaimRequest{Focus: given("x")})
	is.NoErr(err)
	is.Equal(len(s.store.brokenEnded), 1)
}

// D12: a claim that lies under another id counts as nobody's earlier one.
func TestSeed_CarriesOverNoMisfiledClaim(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.claims["x"] = exchange.Claim{SessionID: "me-0", Cwd: root, Focus: "f", Process: process, UpdatedAt: noon}
	w := s.world()
	w.Open = func(string) (exchange.Store, error) { return misfiling{s.store}, nil }
	exchange.Hook{World: w}.Answer(session.Event{Name: session.SessionStart, SessionID: myID, Source: "clear"}, root, false, 8000)
	is.Equal(s.store.claims[myID].Focus, "")
	is.Equal(len(s.store.claims), 2) // and it is not taken away
}

// misfiling lists claims under the keys they are stored at.
type misfiling struct{ *memory }

func (m misfiling) Claims() (c exchange.Claims) {
	for key, claim := range m.claims {
		c.Items = append(c.Items, exchange.StoredClaim{File: key + ".json", Claim: claim})
	}
	return c
}

func TestClaims_OfSeveralTheOneFiledUnderTheID(t *testing.T) {
	is := is.New(t)
	claims := exchange.Claims{Items: []exchange.StoredClaim{
		{File: "0.json", Claim: exchange.Claim{SessionID: "other", Was: []string{"a"}}},
		{File: "1.json", Claim: exchange.Claim{SessionID: "a", Focus: "copy"}},
		{File: "a.json", Claim: exchange.Claim{SessionID: "a", Focus: "own"}},
	}}
	c, ok := claims.Of("a")
	is.True(ok)
	is.Equal(c.Focus, "own")
	claims.Items = claims.Items[:2]
	c, _ = claims.Of("a")
	is.Equal(c.Focus, "copy")
	claims.Items = claims.Items[:1]
	c, _ = claims.Of("a")
	is.Equal(c.SessionID, "other")
	_, ok = claims.Of("b")
	is.True(!ok)
}

func TestClaim_SaysWhatIsDoneWhereOnlyTheRestFailed(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.ended[myID] = exchange.Claim{SessionID: myID, Focus: "f"}
	w := s.world()
	w.Open = func(string) (exchange.Store, error) { return sticky{s.store}, nil }
	report, err := exchange.Claimer{World: w}.Claim(exchange.ClaimRequest{Cwd: root, Tickets: []string{"T-1"}})
	is.NoErr(err)
	is.True(has([]string{report.Problem}, "the claim is written; but", "put aside", "no space left"))
	is.Equal(s.store.claims[myID].Focus, "f")
	dropped, err := exchange.Claimer{World: w}.Drop(root, nil)
	is.NoErr(err)
	is.True(has([]string{dropped.Problem}, "the claim is dropped; but", "no space left"))
	is.Equal(len(s.store.claims), 0)
	_, err = exchange.Claimer{World: w}.Drop(root, nil)
	is.True(err != nil) // nothing was dropped
}

// sticky is a store of which nothing that was put aside can be deleted.
type sticky struct{ *memory }

func (sticky) DropEnded(string) error { return errDisk }

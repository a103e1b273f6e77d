package exchange_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

const mark = "[session-exchange] "

func TestStart_NothingToSayButASeededClaim(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	is.Equal(s.start("startup"), nil)
	want := exchange.Claim{
		SessionID: myID, Name: "me", Cwd: root + "/dock", GitBranch: "main",
		Process: &exchange.Process{PID: myPID, Start: "100"}, UpdatedAt: noon,
	}
	if diff := cmp.Diff(want, s.store.claims[myID]); diff != "" {
		t.Error(diff)
	}
}

// Section 8.1, all of it at once.
func TestStart_TheOrderOfLines(t *testing.T) {
	s := newScene(t)
	s.mark(`{"name":"x","max_handoffs_listed":99,"zzz":1}`)
	s.store.broken[myID] = &exchange.FileError{Name: myID + ".json", Err: errDisk}
	s.store.claimProblems = []string{"c1 is invalid: a", "c2 is invalid: b"}
	s.store.shelfProblems = []string{"h1 is invalid: c", "h2 is invalid: d"}
	s.peer("crane-1", "crane", "cranes")
	s.peer("new-1", "newcomer", "notes")
	s.claim(exchange.Claim{SessionID: "crane-1", Name: "crane", Focus: "winch", Repos: []string{"cranes"}, Paths: []string{"a", "b"}})
	s.claim(exchange.Claim{SessionID: "gone-1"})
	for i := range 9 { // one more than the default shows
		s.handoff(fmt.Sprintf("m%d", i), i, toDock)
	}
	s.handoff("taken", 30, exchange.Address{SessionID: myID}, at(0, exchange.Accepted))
	local := root + "/.claude/settings.local.json"
	s.wired[local] = exchange.Settings{Texts: []string{"bash x/harbour-session-lane.sh", "/usr/bin/hookd"}}
	s.wired[home+"/.claude/settings.json"] = exchange.Settings{Texts: []string{"a-handoff-check.sh"}, Plugins: []string{"changeover@changeover"}}
	s.unset[root+"/dock/.claude/settings.local.json"] = errors.New("not JSON")
	lines := s.start("startup")

	want := [][]string{
		{mark, "the earlier claim was replaced", myID + ".json could not be read"},
		{mark, "unexpected key 'zzz'"},
		{mark + "c1 is invalid: a"},
		{mark + "c2 is invalid: b"},
		{mark + myID + ".json could not be read"},
		{mark + "and 2 more problem(s) in the store", "exchange show"},
		{mark + "2 other session(s) under harbour:"},
		{"- crane: winch"},
		{"  repos: cranes"},
		{"  paths: a, b"},
		{"- newcomer: (no claim)"},
		{mark + "1 claim(s) left by sessions no longer running", "exchange show", root + "/.claude/exchange/sessions"},
		{mark + "10 handoff(s) for this session, newest first", "exchange handoff accept <id>"},
		{"- taken (accepted) from ferry, to session me-1: body of taken"},
		{"- m8 (open) from ferry, to dock: body of m8"},
		{"- m7 "},
		{"- m6 "},
		{"- m5 "},
		{"- m4 "},
		{"- m3 "},
		{"- m2 "},
		{"  +2 older not shown: ", "max_handoffs_listed", exchange.MarkerPath(root)},
		{mark + "1 legacy hook", "harbour-session-lane.sh", "still wired", "rendered twice", "exchange doctor"},
		{mark + "1 legacy hook", "a-handoff-check.sh", "wired machine-wide", "another root"},
		{mark, "hookd", local, home + "/.claude/settings.json"},
		{mark, "dock/.claude/settings.local.json", "not JSON"},
	}
	is := is.New(t)
	is.Equal(len(lines), len(want))
	for i, pieces := range want {
		if !has(lines[i:i+1], pieces...) {
			t.Errorf("line %d is %q, not %q", i, lines[i], pieces)
		}
	}
}

func TestStart_Presence(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(*scene)
		heading string // empty: nobody is mentioned
		rows    []string
	}{
		{"the own claim", func(s *scene) { s.claim(exchange.Claim{SessionID: myID, Focus: "x"}) }, "", nil},
		{"the own claim under an earlier id", func(s *scene) {
			s.claim(exchange.Claim{SessionID: myID, Was: []string{"me-0"}})
			s.claim(exchange.Claim{SessionID: "me-0", Focus: "x"})
			s.join(session.Row{SessionID: "me-0", PID: 300})
		}, "", nil},
		{"a live peer", func(s *scene) {
			s.peer("c", "crane", "cranes")
			s.claim(exchange.Claim{SessionID: "c", Name: "claimed name", Focus: "f"})
		}, "1 other session(s) under harbour:", []string{"- claimed name: f"}},
		{"a peer without name or focus", func(s *scene) {
			s.peer("c", "", "cranes")
			s.claim(exchange.Claim{SessionID: "c"})
		}, "1 other", []string{"- c: (no focus stated)"}},
		{"a peer live under its earlier id", func(s *scene) {
			s.peer("c-0", "", "cranes")
			s.claim(exchange.Claim{SessionID: "c-1", Was: []string{"c-0"}, Focus: "f"})
		}, "1 other", []string{"- c-1: f"}},
		{"a live job's claim: neither shown nor stale", func(s *scene) {
			s.join(session.Row{SessionID: "j", PID: 300, Kind: "bg"})
			s.claim(exchange.Claim{SessionID: "j", Focus: "f"})
		}, "", nil},
		{"another host's claim: neither", func(s *scene) {
			s.domain = "here"
			s.join(session.Row{SessionID: "far", PID: 300, PidDomain: "there"})
			s.claim(exchange.Claim{SessionID: "far", Focus: "f"})
		}, "", nil},
		{"in file order", func(s *scene) {
			s.peer("b", "a", "cranes")
			s.peer("a", "b", "cranes")
			s.claim(exchange.Claim{SessionID: "b", Name: "a", Focus: "x"})
			s.claim(exchange.Claim{SessionID: "a", Name: "b", Focus: "x"})
		}, "2 other", []string{"- b: x", "- a: x"}},
		{"old", func(s *scene) {
			s.peer("c", "crane", "cranes")
			s.claim(exchange.Claim{SessionID: "c", Focus: "f", UpdatedAt: noon.AddDate(0, 0, -8)})
		}, "1 other", []string{"- c: f (8 days old)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			tt.prepare(s)
			lines := s.start("startup")
			if tt.heading == "" {
				is.Equal(lines, nil)
				return
			}
			is.True(strings.HasPrefix(lines[0], mark+tt.heading))
			is.Equal(lines[1:], tt.rows)
		})
	}
}

// F14: a dead peer is counted, not shown.
func TestStart_Stale(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: "gone-1", Focus: "secret focus"})
	s.claim(exchange.Claim{SessionID: "gone-2"})
	lines := s.start("startup")
	is.Equal(len(lines), 1)
	is.True(has(lines, mark+"2 claim(s) left by sessions no longer running"))
	s.rows, s.rowsFault = nil, errors.New("permission denied")
	lines = s.start("startup")
	is.True(!has(lines, "no longer running")) // nobody could look
	is.True(has(lines, mark, "permission denied"))
}

func TestStart_Mail(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(*scene)
		shown   bool
	}{
		{"to the directory's repo", func(s *scene) { s.handoff("h", 0, toDock) }, true},
		{"accepted", func(s *scene) { s.handoff("h", 0, toDock, at(0, exchange.Accepted)) }, true},
		{"closed", func(s *scene) { s.handoff("h", 0, toDock, closed) }, false},
		{"to another repo", func(s *scene) { s.handoff("h", 0, exchange.Address{Repo: "cranes"}) }, false},
		{"to a claimed repo", func(s *scene) {
			s.claim(exchange.Claim{SessionID: myID, Repos: []string{"./cranes/"}})
			s.handoff("h", 0, exchange.Address{Repo: "cranes"})
		}, true},
		{"to a path that is not claimed", func(s *scene) {
			s.claim(exchange.Claim{SessionID: myID, Paths: []string{"winch"}})
			s.handoff("h", 0, exchange.Address{Repo: "dock", Paths: []string{"brakes"}})
		}, false},
		{"to this session", func(s *scene) { s.handoff("h", 0, exchange.Address{SessionID: myID}) }, true},
		{"to another session", func(s *scene) { s.handoff("h", 0, exchange.Address{SessionID: "you"}) }, false},
		{"to this session's earlier id", func(s *scene) {
			s.claim(exchange.Claim{SessionID: myID, Was: []string{"me-0"}})
			s.handoff("h", 0, exchange.Address{SessionID: "me-0"})
		}, true},
		{"posted by this session", func(s *scene) {
			s.store.file(exchange.Handoff{ID: "h", From: exchange.Sender{SessionID: myID, Cwd: "/"}, To: toDock, Created: noon, Body: "b"})
		}, false},
		{"posted by this session's earlier id", func(s *scene) {
			s.claim(exchange.Claim{SessionID: myID, Was: []string{"me-0"}})
			s.store.file(exchange.Handoff{ID: "h", From: exchange.Sender{SessionID: "me-0", Cwd: "/"}, To: toDock, Created: noon, Body: "b"})
		}, false},
		{"posted by nobody known", func(s *scene) {
			s.store.file(exchange.Handoff{ID: "h", From: exchange.Sender{Cwd: "/"}, To: toDock, Created: noon, Body: "b"})
		}, true},
		{"seeding failed, but the claim can be read", func(s *scene) {
			s.claim(exchange.Claim{SessionID: myID, Repos: []string{"cranes"}})
			s.handoff("h", 0, exchange.Address{Repo: "cranes"})
			s.store.putFault = errDisk
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			tt.prepare(s)
			lines := s.start("startup")
			is.Equal(has(lines, "- h ("), tt.shown)
			is.Equal(has(lines, "1 handoff(s) for this session"), tt.shown)
			is.Equal(has(s.start("startup"), "- h ("), tt.shown) // at every start
		})
	}
}

func TestStart_WithoutAnIDNothingIsExcluded(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.file(exchange.Handoff{ID: "h", From: exchange.Sender{SessionID: myID, Cwd: "/"}, To: toDock, Created: noon, Body: "b"})
	lines := s.answer(session.Event{Name: session.SessionStart}, root+"/dock")
	is.True(has(lines[:1], mark, "no claim was written"))
	is.True(has(lines, "- h (open)"))
	is.Equal(len(s.store.claims), 0)
	lines = s.answer(session.Event{Name: session.SessionStart, SessionID: "a/b"}, root+"/dock")
	is.True(has(lines[:1], mark, "no claim was written", "a/b"))
	is.Equal(len(s.store.claims), 0)
}

func TestStart_AFailedSeedingIsSaid(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.putFault = errDisk
	is.True(has(s.start("startup")[:1], mark, "no claim was written", "no space left"))
}

func TestStart_CleansWhatOthersWrote(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name":"har\u001b[2Kbour","max_focus_chars":10,"max_hot_paths":1}`)
	s.peer("c", "crane", "cranes")
	s.claim(exchange.Claim{SessionID: "c", Name: "cr\x1bane", Focus: "12345678901234", Paths: []string{"a\u202eb", "c"}})
	s.store.file(exchange.Handoff{ID: "h", From: exchange.Sender{Name: "f\nerry", Cwd: "/"}, To: toDock, Created: noon, Body: "line \x07one\r\ntwo"})
	lines := s.start("startup")
	is.Equal(lines[:3], []string{mark + "1 other session(s) under har[2Kbour:", "- crane: 1234567890 +4 more chars", "  paths: ab, +1 more"})
	is.True(has(lines, "- h (open) from ferry, to dock: line one"))
	is.True(!has(lines, "two"))
}

func TestStart_WithoutARoot(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	e := session.Event{Name: session.SessionStart, SessionID: myID}
	is.Equal(s.answer(e, "/elsewhere"), nil) // nothing to say
	is.Equal(len(s.opened), 0)               // and no files
	s.env[exchange.RootVariable] = "/no\x1bwhere"
	lines := s.answer(e, root)
	is.Equal(len(lines), 1) // the resolution problem, and no handler
	is.True(has(lines, mark, exchange.RootVariable, "where"))
	delete(s.env, exchange.RootVariable)
	s.files.faults[root+"/.claude"] = fs.ErrPermission
	lines = s.answer(e, root+"/dock")
	is.Equal(len(lines), 1)
	is.True(has(lines, mark, "permission denied"))
	is.Equal(len(s.opened), 0)
}

func TestStart_AForeignStoreIsAProblem(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.openFault = exchange.ErrForeignStore
	lines := s.start("startup")
	is.Equal(len(lines), 1)
	is.True(has(lines, mark, "another root"))
	is.Equal(len(s.store.log), 0)
}

func TestAnswer_AnEventNobodyHandles(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	e := session.Event{Name: "Noti\x1bfication", SessionID: myID}
	lines := s.answer(e, root)
	is.Equal(len(lines), 1)
	is.True(has(lines, mark, "hookd", "does not handle", `Noti\x1bfication`))
	is.Equal(exchange.Hook{World: s.world()}.Answer(e, root, true, 8000).Lines, nil) // another tool does
	is.Equal(s.answer(e, "/elsewhere"), nil)                                         // no root, nothing to say
	is.Equal(len(s.store.log), 0)
}

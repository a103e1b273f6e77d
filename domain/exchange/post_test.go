package exchange_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

func post(s *scene, req exchange.PostRequest) (exchange.PostReport, error) {
	if req.Cwd == "" {
		req.Cwd = root + "/dock"
	}
	return exchange.Mail{World: s.world()}.Post(req)
}

func TestPost_WritesOneRecord(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.suffixes = []string{"0a1b2c"}
	report, err := post(s, exchange.PostRequest{Repo: "cranes", Paths: []string{"winch"}, Body: "\n one\n\n two \n\n"})
	is.NoErr(err)
	want := exchange.Handoff{
		ID: "20260310T120000Z-0a1b2c", From: exchange.Sender{SessionID: myID, Name: "me", Cwd: root + "/dock"},
		To: exchange.Address{Repo: "cranes", Paths: []string{"winch"}}, Created: noon, Body: "one\n\n two",
	}
	if diff := cmp.Diff(want, s.store.shelf[want.ID+".json"].Handoff); diff != "" {
		t.Error(diff)
	}
	is.Equal(s.store.log, []string{"post " + want.ID}) // and no move
	is.Equal(report.Lines(), []string{"posted " + want.ID + " to cranes: winch"})
}

func TestPost_Refusals(t *testing.T) {
	tests := []struct {
		name   string
		req    exchange.PostRequest
		pieces []string
	}{
		{"empty body", exchange.PostRequest{Repo: "dock"}, []string{"says nothing"}},
		{"blank body", exchange.PostRequest{Repo: "dock", Body: " \n\t\u00a0\n"}, []string{"says nothing"}},
		{"body of no text", exchange.PostRequest{Repo: "dock", Body: "a\xff"}, []string{"UTF-8"}},
		{"nobody addressed", exchange.PostRequest{Body: "x"}, []string{"--repo", "--session"}},
		{"both addressed", exchange.PostRequest{Repo: "dock", Session: "s", Body: "x"}, []string{"not both"}},
		{"repo of no text", exchange.PostRequest{Repo: "a\xff", Body: "x"}, []string{"UTF-8"}},
		{"climbing repo", exchange.PostRequest{Repo: "../x", Body: "x"}, []string{"--repo"}},
		{"bad session id", exchange.PostRequest{Session: "a\n", Body: "x"}, []string{"--session"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			_, err := post(s, tt.req)
			is.True(err != nil) // refused
			is.True(has([]string{err.Error()}, tt.pieces...))
			is.Equal(len(s.store.log), 0) // nothing written
		})
	}
}

func TestPost_RefusesATakenID(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.suffixes = []string{"0a1b2c", "0a1b2c"}
	_, err := post(s, exchange.PostRequest{Repo: "dock", Body: "one"})
	is.NoErr(err)
	_, err = post(s, exchange.PostRequest{Repo: "dock", Body: "two"})
	is.True(err != nil)
	is.Equal(s.store.shelf["20260310T120000Z-0a1b2c.json"].Body, "one")
}

func TestPost_NeedsRandomness(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.suffixes = []string{""}
	_, err := post(s, exchange.PostRequest{Repo: "dock", Body: "one"})
	is.True(err != nil)
	is.Equal(len(s.store.log), 0)
}

func TestPost_Notes(t *testing.T) {
	toSession := exchange.PostRequest{Session: "crane-1", Body: "x"}
	unheld := []string{"no live session is registered as crane-1", "any session can"}
	tests := []struct {
		name    string
		prepare func(*scene)
		req     exchange.PostRequest
		note    []string // nil: none at all
	}{
		{"a live session", func(s *scene) { s.peer("crane-1", "crane", "cranes") }, toSession, nil},
		{"nobody has the id", func(*scene) {}, toSession, unheld},
		{"a dead session", func(s *scene) { s.rows = append(s.rows, session.Row{SessionID: "crane-1", PID: 55}) }, toSession, unheld},
		{"a job", func(s *scene) { s.join(session.Row{SessionID: "crane-1", PID: 56, Kind: "bg"}) }, toSession, unheld},
		{"a live session had the id before", func(s *scene) {
			s.peer("crane-2", "crane", "cranes")
			s.claim(exchange.Claim{SessionID: "crane-2", Was: []string{"crane-1"}})
		}, toSession, nil},
		{"sender unknown", func(s *scene) { s.rows = nil }, exchange.PostRequest{Repo: "dock", Body: "x"}, []string{"only the working directory"}},
		{"no such directory", func(*scene) {}, exchange.PostRequest{Repo: "dcok", Body: "x"}, []string{`"dcok"`, "no directory"}},
		{"a file", func(s *scene) { s.files.file(root+"/file", "") }, exchange.PostRequest{Repo: "file", Body: "x"}, []string{`"file"`, "no directory"}},
		{"the root itself", func(*scene) {}, exchange.PostRequest{Repo: ".", Body: "x"}, nil},
		{"a directory without a repository", func(*scene) {}, exchange.PostRequest{Repo: "notes", Body: "x"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			tt.prepare(s)
			report, err := post(s, tt.req)
			is.NoErr(err)
			is.Equal(len(report.Problems), 0) // a note is no fault
			if tt.note == nil {
				is.Equal(report.Notes, nil)
				return
			}
			is.Equal(len(report.Notes), 1)
			is.True(has(report.Notes, tt.note...))
			is.True(has(report.Lines(), append(tt.note, "note      ")...))
		})
	}
}

func TestPost_TheSenderIsTheSessionNotTheJob(t *testing.T) {
	is := is.New(t)
	s := alone(t)
	s.rows = []session.Row{{SessionID: "job", PID: selfID, Kind: "bg"}, {SessionID: "up", PID: myPID}}
	s.processes[myPID] = session.Start{}
	report, err := post(s, exchange.PostRequest{Repo: "dock", Body: "x"})
	is.NoErr(err)
	is.Equal(report.Handoff.From, exchange.Sender{SessionID: "up", Cwd: root + "/dock"})
}

// The record exists: a retry would double it.
func TestPost_UnderABrokenMarkerStillWrites(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"nam":"x"}`)
	report, err := post(s, exchange.PostRequest{Repo: "dock", Body: "x"})
	is.NoErr(err)
	is.Equal(len(s.store.shelf), 1)
	is.Equal(len(report.Problems), 1) // exit 1
	is.True(has(report.Lines(), "problem   the handoff is written; ", "unexpected key 'nam'"))
}

// D6: the working directory is stored as a real, absolute path.
func TestPost_StoresARealDirectory(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.files.symlink("/short", root+"/dock")
	report, err := post(s, exchange.PostRequest{Cwd: "/short", Repo: "dock", Body: "x"})
	is.NoErr(err)
	is.Equal(report.Handoff.From.Cwd, root+"/dock")
}

func TestPost_WithoutARoot(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.files.file("/elsewhere/CLAUDE.md", "")
	_, err := post(s, exchange.PostRequest{Cwd: "/elsewhere", Repo: "dock", Body: "x"})
	is.True(has([]string{err.Error()}, "no environment root", "/elsewhere")) // and what init would mark
	s.env[exchange.RootVariable] = "/nowhere"
	_, err = post(s, exchange.PostRequest{Cwd: root, Repo: "dock", Body: "x"})
	is.True(has([]string{err.Error()}, exchange.RootVariable, "/nowhere"))
	is.Equal(len(s.opened), 0) // no store was even looked for
}

// Cross-root leakage: one store per run, that of the nearest marker.
func TestPost_OpensNoOtherStore(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.files.file(root+"/dock/.claude/exchange.json", `{"name":"inner"}`)
	_, err := post(s, exchange.PostRequest{Repo: ".", Body: "x"})
	is.NoErr(err)
	is.Equal(s.opened, []string{root + "/dock"})
}

func TestPost_RefusesAForeignStore(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.openFault = exchange.ErrForeignStore
	_, err := post(s, exchange.PostRequest{Repo: "dock", Body: "x"})
	is.True(err != nil && strings.Contains(err.Error(), "another root"))
	is.Equal(len(s.store.log), 0)
}

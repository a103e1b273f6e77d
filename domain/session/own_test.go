package session_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/session"
)

func TestOwn_IsTheNearestPeer(t *testing.T) {
	job := session.Row{SessionID: "job", PID: 20, Kind: "bg"}
	scripted := session.Row{SessionID: "script", PID: 20, Entrypoint: "sdk-cli"}
	peer := session.Row{SessionID: "peer", PID: 30}
	above := session.Row{SessionID: "above", PID: 40}
	tests := []struct {
		name            string
		rows            []session.Row
		own, nearest    string
		ownWithScripted string
	}{
		{"no row", nil, "", "", ""},
		{"the process itself", []session.Row{{SessionID: "self", PID: 10}}, "self", "self", "self"},
		{"the nearer of two", []session.Row{above, peer}, "peer", "peer", "peer"},
		{"a job and the session that started it", []session.Row{job, peer}, "peer", "job", "peer"},
		{"a job alone", []session.Row{job}, "", "job", ""},
		{"a scripted run below a session", []session.Row{scripted, peer}, "peer", "script", "script"},
		{"a row of no ancestor", []session.Row{{SessionID: "stranger", PID: 99}}, "", "", ""},
		{
			"several rows with one pid: the first in file order",
			[]session.Row{{SessionID: "first", PID: 30}, {SessionID: "second", PID: 30}},
			"first", "first", "first",
		},
		{
			"several rows with one pid: the first that is live",
			[]session.Row{{SessionID: "reused", PID: 30, ProcStart: "1"}, {SessionID: "true", PID: 30, ProcStart: "30"}},
			"true", "true", "true",
		},
		{"a dead row is passed over", []session.Row{{SessionID: "reused", PID: 20, ProcStart: "1"}, above}, "above", "above", "above"},
		{
			"a row of another domain is passed over",
			[]session.Row{{SessionID: "foreign", PID: 20, PidDomain: "there"}, above},
			"above", "above", "above",
		},
	}
	procs := table{}
	for pid, parent := range map[int]int{10: 20, 20: 30, 30: 40, 40: 1, 99: 1} {
		procs[pid] = process{parent: parent, start: session.Start{Token: "30"}}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := session.Judge(session.Listing{Rows: tt.rows}, procs, 10, "here")
			own, ok := r.Own(false)
			is.Equal(own.SessionID, tt.own) // own row
			is.Equal(ok, tt.own != "")
			nearest, ok := r.Nearest()
			is.Equal(nearest.SessionID, tt.nearest) // of any kind
			is.Equal(ok, tt.nearest != "")
			own, _ = r.Own(true)
			is.Equal(own.SessionID, tt.ownWithScripted) // scripted runs admitted
		})
	}
}

func TestOwn_LooksAtTwelveProcesses(t *testing.T) {
	is := is.New(t)
	procs := chain(100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112)
	_, ok := judge(procs, 100, session.Row{SessionID: "twelfth", PID: 111}).Own(false)
	is.True(ok) // the twelfth counts
	_, ok = judge(procs, 100, session.Row{SessionID: "thirteenth", PID: 112}).Own(false)
	is.True(!ok) // the next one does not
}

func TestOwn_StopsAtTheFirstProcess(t *testing.T) {
	is := is.New(t)
	procs := table{10: {parent: 1}, 1: {parent: 0}, 0: {parent: 50}, 50: {}}
	for _, pid := range []int{1, 50} {
		_, ok := judge(procs, 10, session.Row{SessionID: "init", PID: pid}).Own(false)
		is.True(!ok) // neither process 1 nor what a table puts above it
	}
}

func TestOwn_EndsWhereTheParentIsNotKnown(t *testing.T) {
	is := is.New(t)
	procs := table{10: {parent: 20}, 20: {parent: 30, lost: true}, 30: {parent: 1}}
	_, ok := judge(procs, 10, session.Row{SessionID: "above", PID: 30}).Own(false)
	is.True(!ok)
	own, ok := judge(procs, 10, session.Row{SessionID: "found", PID: 20}).Own(false)
	is.True(ok)
	is.Equal(own.SessionID, "found") // what was walked before counts
}

func TestOwn_EndsInACircle(t *testing.T) {
	is := is.New(t)
	_, ok := judge(table{10: {parent: 20}, 20: {parent: 10}}, 10).Own(false)
	is.True(!ok)
}

func TestLookup_TheFirstOfSeveralAlike(t *testing.T) {
	is := is.New(t)
	r := judge(table{20: {}, 30: {}}, self,
		session.Row{SessionID: "live", Name: "one", PID: 20},
		session.Row{SessionID: "live", Name: "two", PID: 30},
		session.Row{SessionID: "dead", Name: "one"},
		session.Row{SessionID: "dead", Name: "two"},
	)
	for _, id := range []string{"live", "dead"} {
		row, ok := r.Lookup(id)
		is.True(ok)
		is.Equal(row.Name, "one") // id
	}
}

func TestLookup_FindsAnyKindLiveOrNot(t *testing.T) {
	is := is.New(t)
	r := judge(table{20: {}}, self,
		session.Row{SessionID: "job", PID: 20, Kind: "bg"},
		session.Row{SessionID: "twice", Name: "one"},
		session.Row{SessionID: "twice", Name: "two", PID: 20},
	)
	row, ok := r.Lookup("job")
	is.True(ok)
	is.Equal(row.State, session.Live)
	row, ok = r.Lookup("twice")
	is.True(ok)
	is.Equal(row.Name, "two") // the live one
	is.Equal(row.State, session.Live)
	_, ok = r.Lookup("nobody")
	is.True(!ok)
}

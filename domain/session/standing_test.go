package session_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/session"
)

func TestIsPeer_IsABlockList(t *testing.T) {
	tests := []struct {
		name                string
		row                 session.Row
		peer, peerIfScripts bool
	}{
		{"no kind", session.Row{}, true, true},
		{"interactive", session.Row{Kind: "interactive", Entrypoint: "cli"}, true, true},
		{"unknown kind", session.Row{Kind: "something-new"}, true, true},
		{"unknown entrypoint", session.Row{Entrypoint: "something-new"}, true, true},
		{"case counts", session.Row{Kind: "BG", Entrypoint: "SDK-CLI"}, true, true},
		{"bg", session.Row{Kind: "bg"}, false, false},
		{"daemon", session.Row{Kind: "daemon"}, false, false},
		{"daemon-worker", session.Row{Kind: "daemon-worker"}, false, false},
		{"scripted", session.Row{Kind: "interactive", Entrypoint: "sdk-cli"}, false, true},
		{"a scripted job stays a job", session.Row{Kind: "bg", Entrypoint: "sdk-cli"}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(tt.row.IsPeer(false), tt.peer)
			is.Equal(tt.row.IsPeer(true), tt.peerIfScripts)
		})
	}
}

func TestPeers_AreLiveAndSortedByLabel(t *testing.T) {
	is := is.New(t)
	r := session.Judge(session.Listing{Rows: []session.Row{
		{SessionID: "zz", PID: 20, Name: "anchor"},
		{SessionID: "mast", PID: 20},
		{SessionID: "aa", PID: 20, Name: "winch"},
		{SessionID: "job", PID: 20, Name: "a-job", Kind: "bg"},
		{SessionID: "script", PID: 20, Name: "brake", Entrypoint: "sdk-cli"},
		{SessionID: "dead", PID: 21, Name: "b"},
		{SessionID: "far", PID: 20, Name: "c", PidDomain: "there"},
	}}, table{20: {}}, self, "here")
	labels := func(rows []session.Row) []string {
		var names []string
		for _, row := range rows {
			names = append(names, row.Label())
		}
		return names
	}
	is.Equal(labels(r.Peers(false)), []string{"anchor", "mast", "winch"})
	is.Equal(labels(r.Peers(true)), []string{"anchor", "brake", "mast", "winch"})
}

func TestStanding(t *testing.T) {
	const live, gone = 20, 21
	peer := session.Row{SessionID: "s", PID: live}
	dead := session.Row{SessionID: "s", PID: gone}
	job := session.Row{SessionID: "s", PID: live, Kind: "bg"}
	script := session.Row{SessionID: "s", PID: live, Entrypoint: "sdk-cli"}
	far := session.Row{SessionID: "s", PID: live, PidDomain: "there"}
	old := session.Row{SessionID: "old", PID: live}
	tests := []struct {
		name             string
		rows             []session.Row
		want, ifScripted session.Standing
	}{
		{"no row", nil, session.Gone, session.Gone},
		{"only other sessions", []session.Row{{SessionID: "other", PID: live}}, session.Gone, session.Gone},
		{"live peer", []session.Row{peer}, session.Present, session.Present},
		{"dead peer", []session.Row{dead}, session.Gone, session.Gone},
		{"live under an earlier id", []session.Row{dead, old}, session.Present, session.Present},
		{"live job", []session.Row{job}, session.Working, session.Working},
		{"live scripted run", []session.Row{script}, session.Working, session.Present},
		{"dead and live row", []session.Row{dead, peer}, session.Present, session.Present},
		{"job before peer", []session.Row{job, peer}, session.Present, session.Present},
		{"elsewhere", []session.Row{far}, session.Unjudged, session.Unjudged},
		{"elsewhere and dead", []session.Row{far, dead}, session.Unjudged, session.Unjudged},
		{"dead and elsewhere", []session.Row{dead, far}, session.Unjudged, session.Unjudged},
		{"elsewhere and live", []session.Row{far, peer}, session.Present, session.Present},
		{"job and elsewhere", []session.Row{job, far}, session.Working, session.Working},
		{"elsewhere and job", []session.Row{far, job}, session.Working, session.Working},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := session.Judge(session.Listing{Rows: tt.rows}, table{live: {}}, self, "here")
			is.Equal(r.Standing([]string{"s", "old"}, false), tt.want)
			is.Equal(r.Standing([]string{"s", "old"}, true), tt.ifScripted)
		})
	}
}

// F9: whichever id the registry shows after /clear, one session stands there.
func TestStanding_AfterClear(t *testing.T) {
	for _, shown := range []string{"a", "b"} {
		t.Run(shown, func(t *testing.T) {
			is := is.New(t)
			r := judge(table{20: {}}, self, session.Row{SessionID: shown, PID: 20})
			is.Equal(r.Standing([]string{"b", "a"}, false), session.Present) // the claim of b, once a
			is.Equal(len(r.Peers(false)), 1)
		})
	}
}

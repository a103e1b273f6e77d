package session_test

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/session"
)

// D31: a lock that is held shows that a session lives.
func TestJudge_AHeldLockDecides(t *testing.T) {
	for name, row := range map[string]session.Row{
		"process not known":           {Held: true},
		"process not there":           {Held: true, PID: 8},
		"process of that number here": {Held: true, PID: 7, ProcStart: "1"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(judged(row, table{7: {start: session.Start{Token: "5"}}}, "here"), session.Live)
		})
	}
}

func TestOwn_OfSeveralSessionsOfOneProcessIsTheOneThatTheEnvironmentNames(t *testing.T) {
	rows := []session.Row{{SessionID: "first", PID: 20, Held: true}, {SessionID: "second", PID: 20, Held: true}, {SessionID: "above", PID: 30}}
	tests := []struct {
		name   string
		inside []string
		want   string
	}{
		{"none named", nil, "first"},
		{"one named", []string{"second"}, "second"},
		{"a sub-agent of the second", []string{"sub", "second"}, "second"},
		{"the nearest named", []string{"second", "first"}, "second"},
		{"a stranger named", []string{"stranger"}, "first"},
		{"one further up named", []string{"above"}, "first"}, // the environment was inherited
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := session.Judge(session.Listing{Rows: rows, Inside: tt.inside}, chain(10, 20, 30), 10, "")
			own, ok := r.Own(false)
			is.True(ok)
			is.Equal(own.SessionID, tt.want)
		})
	}
}

func TestOwn_WhereTheProcessCannotBeSeenTheEnvironmentTells(t *testing.T) {
	// 30 is the process of a session with a row; the thread's cannot be seen.
	before, after := began.Add(-time.Minute), began.Add(time.Minute)
	thread := func(since time.Time, pid int) session.Row {
		return session.Row{SessionID: "thread", PID: pid, Held: true, StartedAt: since}
	}
	above := session.Row{SessionID: "above", PID: 30, StartedAt: began}
	gone := session.Row{SessionID: "thread"}
	tests := []struct {
		name   string
		rows   []session.Row
		inside []string
		want   string
	}{
		{"it alone", []session.Row{thread(began, 0)}, []string{"thread"}, "thread"},
		{"it alone, not named", []session.Row{thread(began, 0)}, nil, ""},
		{"its process is known and no ancestor", []session.Row{thread(began, 99)}, []string{"thread"}, ""},
		{"it does not live", []session.Row{gone}, []string{"thread"}, ""},
		{"inside the other session", []session.Row{above, thread(after, 0)}, []string{"thread"}, "thread"},
		{"the other session inside of it", []session.Row{above, thread(before, 0)}, []string{"thread"}, "above"},
		{"nobody knows when the other began", []session.Row{{SessionID: "above", PID: 30}, thread(after, 0)}, []string{"thread"}, "above"},
		{"beside the other session, not named", []session.Row{above, thread(after, 0)}, nil, "above"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := session.Judge(session.Listing{Rows: tt.rows, Inside: tt.inside}, chain(10, 20, 30), 10, "")
			own, ok := r.Own(false)
			is.Equal(own.SessionID, tt.want) // own
			is.Equal(ok, tt.want != "")
			nearest, _ := r.Nearest()
			is.Equal(nearest.SessionID, tt.want) // of any kind
		})
	}
}

func TestParseEvent_KnowsCodexByTheTranscript(t *testing.T) {
	const id = "01a22dac-2cc6-7e81-8bd2-ec8efe8bd682"
	tests := []struct {
		name, payload string
		want          bool
	}{
		{"its rollout", `{"session_id":"` + id + `","transcript_path":"/h/.codex/sessions/2026/11/30/rollout-2026-11-30T18-16-28-` + id + `.jsonl"}`, true},
		{"a session that keeps none", `{"session_id":"` + id + `","transcript_path":null}`, true},
		{"another session's rollout", `{"session_id":"x","transcript_path":"/h/rollout-2026-11-30T18-16-28-` + id + `.jsonl"}`, false},
		{"Claude's transcript", `{"session_id":"` + id + `","transcript_path":"/h/.claude/projects/-w/` + id + `.jsonl"}`, false},
		{"no transcript", `{"session_id":"` + id + `"}`, false},
		{"a transcript of the wrong type", `{"session_id":"` + id + `","transcript_path":7}`, false},
		{"no id", `{"transcript_path":"rollout--.jsonl"}`, false},
		{"nothing", ``, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(session.ParseEvent("", []byte(tt.payload)).Codex, tt.want)
		})
	}
}

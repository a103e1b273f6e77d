package session_test

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/session"
)

func TestParsePID(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{
		{"1", 1},
		{"1004", 1004},
		{"2147483647", 2147483647},
		{"2147483648", 0}, // larger than any platform counts
		{"99999999999999999999999", 0},
		{"0", 0},
		{"-1", 0},
		{"+1", 0},
		{"", 0},
		{"true", 0},
		{"12.0", 0},
		{"1e3", 0},
		{" 12", 0},
		{"12\n", 0},
		{"0x10", 0},
		{"١٢", 0},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			is := is.New(t)
			is.Equal(session.ParsePID(tt.in), tt.want)
		})
	}
}

// D1: what tells a live process from one that has the same number now.
func TestJudge_Liveness(t *testing.T) {
	started := func(token string, at time.Time) table {
		return table{7: {start: session.Start{Token: token, At: at}}}
	}
	tests := []struct {
		name  string
		row   session.Row
		procs table
		want  session.State
	}{
		{"pid alone, process there", session.Row{PID: 7}, table{7: {}}, session.Live},
		{"pid alone, nobody there", session.Row{PID: 7}, table{}, session.Dead},
		{"no pid", session.Row{}, table{0: {}}, session.Dead},
		{"pid 0", session.Row{PID: 0}, table{0: {}}, session.Dead},
		{"pid -1", session.Row{PID: -1}, table{-1: {}}, session.Dead},

		{"procStart equal", session.Row{PID: 7, ProcStart: "20095994"}, started("20095994", began), session.Live},
		{"procStart later: the pid was reused", session.Row{PID: 7, ProcStart: "20095994"}, started("20095995", began), session.Dead},
		{"procStart earlier: not the same either", session.Row{PID: 7, ProcStart: "20095994"}, started("20095993", began), session.Dead},
		{"procStart is compared as text", session.Row{PID: 7, ProcStart: "020095994"}, started("20095994", began), session.Dead},
		{"procStart decides against startedAt", session.Row{PID: 7, ProcStart: "5", StartedAt: began}, started("5", began.Add(time.Hour)), session.Live},
		{"procStart decides for startedAt", session.Row{PID: 7, ProcStart: "5", StartedAt: began}, started("6", began), session.Dead},
		{"procStart, but the system has no such thing", session.Row{PID: 7, ProcStart: "5"}, started("", began), session.Live},
		{
			"procStart, but the system has only the clock: startedAt decides",
			session.Row{PID: 7, ProcStart: "5", StartedAt: began},
			started("", began.Add(time.Minute)), session.Dead,
		},
		{"procStart that is no number: the pid decides", session.Row{PID: 7, ProcStart: "abc"}, started("5", began), session.Live},
		{"procStart with spaces: the pid decides", session.Row{PID: 7, ProcStart: " 5"}, started("6", began), session.Live},
		{"procStart below nothing: the pid decides", session.Row{PID: 7, ProcStart: "-5"}, started("5", began), session.Live},
		{
			"procStart that is no number: startedAt decides",
			session.Row{PID: 7, ProcStart: "5.0", StartedAt: began},
			started("5", began.Add(time.Minute)), session.Dead,
		},
		{"procStart, but the system counts otherwise", session.Row{PID: 7, ProcStart: "5"}, started("5.000001", began), session.Live},
		{
			"procStart, but the system counts otherwise: startedAt decides",
			session.Row{PID: 7, ProcStart: "5", StartedAt: began},
			started("5.000001", began.Add(time.Minute)), session.Dead,
		},
		{"procStart, but nobody can look", session.Row{PID: 7, ProcStart: "5"}, table{7: {hidden: true}}, session.Live},
		{"procStart, nobody there", session.Row{PID: 7, ProcStart: "5"}, table{}, session.Dead},

		{"startedAt, process older", session.Row{PID: 7, StartedAt: began}, started("5", began.Add(-time.Hour)), session.Live},
		{"startedAt equal", session.Row{PID: 7, StartedAt: began}, started("5", began), session.Live},
		{"startedAt, process 10 s later", session.Row{PID: 7, StartedAt: began}, started("5", began.Add(10*time.Second)), session.Live},
		{
			"startedAt, process more than 10 s later",
			session.Row{PID: 7, StartedAt: began},
			started("5", began.Add(10*time.Second+time.Millisecond)), session.Dead,
		},
		{"startedAt, but the start is not known", session.Row{PID: 7, StartedAt: began}, table{7: {hidden: true}}, session.Live},
		{"startedAt, but the clock time is not known", session.Row{PID: 7, StartedAt: began}, started("5", time.Time{}), session.Live},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(judged(tt.row, tt.procs, ""), tt.want)
		})
	}
}

// F8: a pid that somebody else has now.
func TestJudge_EachRowByItself(t *testing.T) {
	is := is.New(t)
	procs := table{42: {start: session.Start{Token: "777", At: began.Add(time.Hour)}}}
	r := judge(procs, self,
		session.Row{SessionID: "reused", PID: 42, ProcStart: "20095994"},
		session.Row{SessionID: "pid-alone", PID: 42},
		session.Row{SessionID: "true-owner", PID: 42, ProcStart: "777"},
	)
	var states []session.State
	for _, row := range r.Rows() {
		states = append(states, row.State)
	}
	is.Equal(states, []session.State{session.Dead, session.Live, session.Live})
}

func TestJudge_PidDomain(t *testing.T) {
	const here, there = "linux:aaaa:pid:[4026531836]", "linux:bbbb:pid:[4026531836]"
	tests := []struct {
		name   string
		row    session.Row
		domain string
		want   session.State
	}{
		{"same domain", session.Row{PID: 7, PidDomain: here}, here, session.Live},
		{"same domain, nobody there", session.Row{PID: 8, PidDomain: here}, here, session.Dead},
		{"another domain, a process of that number here", session.Row{PID: 7, PidDomain: there}, here, session.Elsewhere},
		{"another domain, no such process here", session.Row{PID: 8, PidDomain: there}, here, session.Elsewhere},
		{"another domain, no pid", session.Row{PidDomain: there}, here, session.Elsewhere},
		{"the row names none", session.Row{PID: 7}, here, session.Live},
		{"none known for this machine", session.Row{PID: 7, PidDomain: there}, "", session.Live},
		{"none known, nobody there", session.Row{PID: 8, PidDomain: there}, "", session.Dead},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(judged(tt.row, table{7: {}}, tt.domain), tt.want)
		})
	}
}

func TestJudge_AnAncestorsRowGivesTheDomain(t *testing.T) {
	const inside, machine = "container-1", "linux:aaaa:pid:[4026531836]"
	procs := table{900: {parent: 800}, 800: {parent: 1, start: session.Start{Token: "55"}}, 7: {}}
	other := session.Row{SessionID: "other", PID: 7, PidDomain: inside}
	tests := []struct {
		name     string
		ancestor session.Row
		want     session.State // of the other row, which is of the domain inside
	}{
		{"with exactly its start", session.Row{PID: 800, ProcStart: "55", PidDomain: inside}, session.Live},
		{"with another start", session.Row{PID: 800, ProcStart: "56", PidDomain: inside}, session.Elsewhere},
		{"without a start", session.Row{PID: 800, PidDomain: inside}, session.Elsewhere},
		{"without a domain", session.Row{PID: 800, ProcStart: "55"}, session.Elsewhere},
		{"of no ancestor", session.Row{PID: 7, ProcStart: "55", PidDomain: inside}, session.Elsewhere},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			l := session.Listing{Rows: []session.Row{other, tt.ancestor}}
			is.Equal(session.Judge(l, procs, 900, machine).Rows()[0].State, tt.want)
		})
	}
}

func TestJudge_KeepsOrderAndUnread(t *testing.T) {
	is := is.New(t)
	r := session.Judge(session.Listing{
		Rows:   []session.Row{{SessionID: "b"}, {SessionID: "a"}, {SessionID: "b", Name: "again"}},
		Unread: []string{"5.json"},
	}, table{}, self, "")
	is.Equal(len(r.Rows()), 3)
	is.Equal(r.Rows()[0].SessionID, "b")
	is.Equal(r.Rows()[1].SessionID, "a")
	is.Equal(r.Unread(), []string{"5.json"})
}

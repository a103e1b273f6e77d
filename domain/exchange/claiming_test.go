package exchange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

func claim(s *scene, req exchange.ClaimRequest) (exchange.ClaimReport, error) {
	req.Cwd = root + "/dock"
	return exchange.Claimer{World: s.world()}.Claim(req)
}

func given(s string) *string { return &s }

func TestClaim_SeedsAndUpdates(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	report, err := claim(s, exchange.ClaimRequest{
		Focus: given("the winch"), Repos: []string{"dock"}, Paths: []string{"a", "b", "a"}, Tickets: []string{"T-1", "any thing"},
	})
	is.NoErr(err)
	want := exchange.Claim{
		SessionID: myID, Name: "me", Cwd: root + "/dock", GitBranch: "main", Focus: "the winch", Repos: []string{"dock"},
		Paths: []string{"a", "b"}, Tickets: []string{"T-1", "any thing"}, Process: &exchange.Process{PID: myPID, Start: "100"}, UpdatedAt: noon,
	}
	if diff := cmp.Diff(want, s.store.claims[myID]); diff != "" {
		t.Error(diff)
	}
	is.Equal(report.Lines(), []string{"claimed as me", "  focus: the winch", "  repos: dock", "  paths: a, b", "  tickets: T-1, any thing"})
	is.Equal(report.Problem, "")
}

// Section 6.2, step 4: focus, then replace, then add, then clear.
func TestClaim_Updates(t *testing.T) {
	before := exchange.Claim{SessionID: myID, Focus: "old", Repos: []string{"dock"}, Paths: []string{"a", "b"}, Tickets: []string{"T"}}
	tests := []struct {
		name string
		req  exchange.ClaimRequest
		want exchange.Claim
	}{
		{"nothing asked", exchange.ClaimRequest{}, before},
		{"focus", exchange.ClaimRequest{Focus: given("new")}, exchange.Claim{Focus: "new", Repos: before.Repos, Paths: before.Paths, Tickets: before.Tickets}},
		{"empty focus is none", exchange.ClaimRequest{Focus: given("")}, exchange.Claim{Repos: before.Repos, Paths: before.Paths, Tickets: before.Tickets}},
		{
			"add: existing first, no duplicates",
			exchange.ClaimRequest{Paths: []string{"c", "a"}},
			exchange.Claim{Focus: "old", Repos: before.Repos, Paths: []string{"a", "b", "c"}, Tickets: before.Tickets},
		},
		{
			"replace, then add",
			exchange.ClaimRequest{SetPaths: []string{"x", "x"}, Paths: []string{"a", "x"}},
			exchange.Claim{Focus: "old", Repos: before.Repos, Paths: []string{"x", "a"}, Tickets: before.Tickets},
		},
		{
			"clear comes last",
			exchange.ClaimRequest{SetPaths: []string{"x"}, Paths: []string{"y"}, ClearPaths: true},
			exchange.Claim{Focus: "old", Repos: before.Repos, Tickets: before.Tickets},
		},
		{
			"clear the others",
			exchange.ClaimRequest{Repos: []string{"r"}, Tickets: []string{"t"}, ClearRepos: true, ClearTickets: true},
			exchange.Claim{Focus: "old", Paths: before.Paths},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			old := before
			old.UpdatedAt = ten
			s.claim(old)
			_, err := claim(s, tt.req)
			is.NoErr(err)
			got := s.store.claims[myID]
			is.True(got.UpdatedAt.Equal(noon)) // it is news in any case
			tt.want.SessionID, tt.want.Cwd, tt.want.UpdatedAt = myID, root, noon
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestClaim_RefusesBadScopes(t *testing.T) {
	for flag, req := range map[string]exchange.ClaimRequest{
		"--repo":     {Focus: given("new"), Repos: []string{"dock", "/etc"}},
		"--path":     {Focus: given("new"), Paths: []string{"a/../b"}},
		"--set-path": {Focus: given("new"), SetPaths: []string{"a\u00a0b"}},
	} {
		t.Run(flag, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.claim(exchange.Claim{SessionID: myID, Focus: "old"})
			_, err := claim(s, req)
			is.True(err != nil)
			is.True(has([]string{err.Error()}, flag+": "))
			is.Equal(len(s.store.log), 0) // the record is unchanged
		})
	}
	is := is.New(t)
	_, err := claim(newScene(t), exchange.ClaimRequest{Paths: []string{"a..b"}})
	is.NoErr(err)
}

func TestClaim_StoresAsTypedAndEchoesClean(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	report, err := claim(s, exchange.ClaimRequest{Focus: given("a\x1b[2Kb\u202e"), Tickets: []string{"T\x07-1"}, Paths: []string{"./a//"}})
	is.NoErr(err)
	is.Equal(s.store.claims[myID].Focus, "a\x1b[2Kb\u202e")
	is.Equal(s.store.claims[myID].Paths, []string{"./a//"})
	is.Equal(report.Lines(), []string{"claimed as me", "  focus: a[2Kb", "  paths: ./a//", "  tickets: T-1"})
}

func TestClaim_ForAnotherSession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.peer("crane-1", "crane", "cranes")
	report, err := claim(s, exchange.ClaimRequest{Session: given("crane-1"), Focus: given("x")})
	is.NoErr(err)
	is.Equal(report.Claim.Name, "crane") // what the registry has for that id
	report, err = claim(s, exchange.ClaimRequest{Session: given("unknown-1"), Focus: given("x")})
	is.NoErr(err)
	is.Equal(report.Claim.Name, "")          // never the caller's
	is.Equal(report.Claim.Process, nil)      // nor its process
	is.Equal(report.Claim.Cwd, root+"/dock") // but its directory
	_, err = claim(s, exchange.ClaimRequest{Session: given("a\n")})
	is.True(err != nil)
}

func TestClaim_FromARun(t *testing.T) {
	job := session.Row{SessionID: "job", PID: selfID, Kind: "bg"}
	script := session.Row{SessionID: "script", PID: selfID, Entrypoint: "sdk-cli"}
	up := session.Row{SessionID: "up-1", PID: myPID, Name: "upper"}
	tests := []struct {
		name   string
		rows   []session.Row
		marker string
		pieces []string // nil: allowed
	}{
		{"a job below a session", []session.Row{job, up}, "", []string{"background job", "the session that started it (upper)", "--session up-1"}},
		{"a job below a nameless session", []session.Row{job, {SessionID: "up-1", PID: myPID}}, "", []string{"the session that started it (up-1)"}},
		{"a job alone", []session.Row{job}, "", []string{"no session above it is in the registry", "--session"}},
		{"a scripted run", []session.Row{script, up}, "", []string{"the session that started it (upper)", "--session up-1"}},
		{"a scripted run where they count", []session.Row{script, up}, `{"name":"x","scripted":true}`, nil},
		{"a job where scripted runs count", []session.Row{job, up}, `{"name":"x","scripted":true}`, []string{"--session up-1"}},
		{"nobody in the registry", nil, "", []string{"--session"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.rows = tt.rows
			if tt.marker != "" {
				s.mark(tt.marker)
			}
			_, err := claim(s, exchange.ClaimRequest{Focus: given("x")})
			if tt.pieces == nil {
				is.NoErr(err)
				return
			}
			is.True(err != nil) // refused
			is.True(has([]string{err.Error()}, tt.pieces...))
			is.Equal(len(s.store.log), 0)
			_, err = claim(s, exchange.ClaimRequest{Focus: given("x"), Session: given("job")})
			is.NoErr(err) // the deliberate way
		})
	}
}

func TestClaim_AnUnreadableClaimIsReplacedAndSaid(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.broken[myID] = &exchange.FileError{Name: myID + ".json", Err: errDisk}
	report, err := claim(s, exchange.ClaimRequest{Focus: given("x")})
	is.NoErr(err)
	is.True(has([]string{report.Problem}, myID+".json could not be read")) // exit 1
	is.Equal(s.store.claims[myID].Focus, "x")
}

func TestClaim_AFailedWriteIsAnError(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.putFault = errDisk
	_, err := claim(s, exchange.ClaimRequest{Focus: given("x")})
	is.True(err != nil)
	s = newScene(t)
	_, err = claim(s, exchange.ClaimRequest{Focus: given("a\xff")}) // D20
	is.True(err != nil)
	is.Equal(len(s.store.log), 0)
}

// D19.
func TestDrop(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(*scene)
		id      *string
		log     []string
		pieces  []string // of the refusal
	}{
		{"the own claim", func(s *scene) { s.claim(exchange.Claim{SessionID: myID}) }, nil, []string{"drop " + myID}, nil},
		{"a claim left behind", func(s *scene) { s.claim(exchange.Claim{SessionID: "old"}) }, given("old"), []string{"drop old"}, nil},
		{"what was put aside", func(s *scene) { s.store.ended["old"] = exchange.Claim{SessionID: "old"} }, given("old"), []string{"drop ended old"}, nil},
		{"both", func(s *scene) {
			s.claim(exchange.Claim{SessionID: "old"})
			s.store.ended["old"] = exchange.Claim{SessionID: "old"}
		}, given("old"), []string{"drop old", "drop ended old"}, nil},
		{"an unreadable one", func(s *scene) { s.store.broken["old"] = errDisk }, given("old"), []string{"drop old"}, nil},
		{"nothing there", func(*scene) {}, given("old"), nil, []string{"old"}},
		{"nothing of one's own", func(*scene) {}, nil, nil, []string{myID}},
		{"a live session's", func(s *scene) {
			s.peer("crane-1", "crane", "cranes")
			s.claim(exchange.Claim{SessionID: "crane-1", Name: "crane"})
		}, given("crane-1"), nil, []string{"crane", "running"}},
		{"a live session's, by an earlier id", func(s *scene) {
			s.peer("crane-1", "crane", "cranes")
			s.claim(exchange.Claim{SessionID: "old", Was: []string{"crane-1"}})
		}, given("old"), nil, []string{"running"}},
		{"a live job's", func(s *scene) {
			s.join(session.Row{SessionID: "job", PID: 300, Kind: "bg"})
			s.claim(exchange.Claim{SessionID: "job"})
		}, given("job"), nil, []string{"running"}},
		{"one of another host", func(s *scene) {
			s.domain = "here"
			s.join(session.Row{SessionID: "far", PID: 300, PidDomain: "there"})
			s.claim(exchange.Claim{SessionID: "far"})
		}, given("far"), nil, []string{"another host"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			tt.prepare(s)
			report, err := exchange.Claimer{World: s.world()}.Drop(root, tt.id)
			is.Equal(s.store.log, tt.log)
			is.Equal(err == nil, tt.pieces == nil)
			if err != nil {
				is.True(has([]string{err.Error()}, tt.pieces...))
				return
			}
			is.True(has(report.Lines(), "dropped "))
		})
	}
}

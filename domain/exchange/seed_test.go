package exchange_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

// process is the one that the own session of a scene runs in.
var process = &exchange.Process{PID: myPID, Start: "100"}

func (s *scene) end(reason string) []string {
	return s.answer(session.Event{Name: session.SessionEnd, SessionID: myID, Reason: reason}, root+"/dock")
}

// startAs answers a SessionStart of another id in the same process.
func (s *scene) startAs(id, source string) []string {
	return s.answer(session.Event{Name: session.SessionStart, SessionID: id, Source: source}, root+"/dock")
}

func TestSeed_ASecondOneKeepsWhatWasSaid(t *testing.T) {
	s := newScene(t)
	said := exchange.Claim{
		SessionID: myID, Name: "old name", Cwd: "/old", GitBranch: "old", Focus: "f", Repos: []string{"r"}, Paths: []string{"p"},
		Tickets: []string{"t"}, Was: []string{"w"}, UpdatedAt: ten,
	}
	s.store.claims[myID] = said
	s.start("resume")
	want := said
	want.Name, want.Cwd, want.GitBranch, want.Process, want.UpdatedAt = "me", root+"/dock", "main", process, noon
	if diff := cmp.Diff(want, s.store.claims[myID]); diff != "" {
		t.Error(diff)
	}
}

func TestSeed_TakesTheBranchAway(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: myID, GitBranch: "main"})
	s.files.file(root+"/dock/.git/HEAD", "0123456789abcdef\n")
	s.start("startup")
	is.Equal(s.store.claims[myID].GitBranch, "")
	s.files.file(root+"/dock/.git/HEAD", "\xff\xfe")
	is.Equal(s.start("startup"), nil) // undecodable HEAD: still seeded
}

func TestSeed_KeepsTheNameThatTheRegistryDoesNotKnow(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.rows[0].Name = ""
	s.claim(exchange.Claim{SessionID: myID, Name: "kept"})
	s.start("startup")
	is.Equal(s.store.claims[myID].Name, "kept")
}

// D25: whose process a claim names.
func TestSeed_Process(t *testing.T) {
	client := map[string]string{"CLAUDE_CODE_SESSION_ID": myID, "CLAUDE_PID": "77"}
	tests := []struct {
		name  string
		rows  []session.Row
		env   map[string]string
		start session.Start // of process 77
		want  *exchange.Process
	}{
		{"the session's row, procStart", []session.Row{{SessionID: myID, PID: myPID, ProcStart: "100"}}, nil, session.Start{}, process},
		{"the session's row, start by the process table", []session.Row{{SessionID: myID, PID: myPID}}, nil, session.Start{}, process},
		{"the session's row before what the client says", []session.Row{{SessionID: myID, PID: myPID}}, client, session.Start{Token: "7"}, process},
		{
			"what the client says before the own row",
			[]session.Row{{SessionID: "me-0", PID: myPID}},
			client,
			session.Start{Token: "7"},
			&exchange.Process{PID: 77, Start: "7"},
		},
		{"the own row, where the client's process cannot be told", []session.Row{{SessionID: "me-0", PID: myPID}}, client, session.Start{}, process},
		{"else the own row", []session.Row{{SessionID: "me-0", PID: myPID}}, nil, session.Start{}, process},
		{"a procStart that is no number", []session.Row{{SessionID: myID, PID: myPID, ProcStart: "x"}}, nil, session.Start{}, process},
		{"of any kind", []session.Row{{SessionID: "me-0", PID: myPID, Kind: "bg"}}, nil, session.Start{}, process},
		{"else what the client says", nil, client, session.Start{Token: "7"}, &exchange.Process{PID: 77, Start: "7"}},
		{"of this very session", nil, map[string]string{"CLAUDE_CODE_SESSION_ID": "other", "CLAUDE_PID": "77"}, session.Start{Token: "7"}, nil},
		{"if its start can be told", nil, client, session.Start{}, nil},
		{"an odd number", nil, map[string]string{"CLAUDE_CODE_SESSION_ID": myID, "CLAUDE_PID": "-1"}, session.Start{}, nil},
		{"nobody knows", nil, nil, session.Start{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t)
			s.rows, s.processes[77] = tt.rows, tt.start
			for name, value := range tt.env {
				s.env[name] = value
			}
			s.start("startup")
			if diff := cmp.Diff(tt.want, s.store.claims[myID].Process); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// F9: after /clear the registry may show either id.
func TestSeed_FollowsAClear(t *testing.T) {
	for _, source := range []string{"clear", "compact"} {
		for _, shown := range []string{myID, "me-2"} {
			t.Run(source+", the registry shows "+shown, func(t *testing.T) {
				is := is.New(t)
				s := newScene(t)
				s.start("startup")
				c := s.store.claims[myID]
				c.Focus, c.Repos, c.Paths, c.Tickets, c.Was = "f", []string{"r"}, []string{"p"}, []string{"t"}, []string{"me-0"}
				s.store.claims[myID] = c
				s.handoff("mail", 0, exchange.Address{SessionID: myID})
				s.store.log = nil
				is.Equal(s.end("clear"), nil)
				is.Equal(len(s.store.log), 0) // the claim stays
				s.rows[0].SessionID = shown
				lines := s.startAs("me-2", source)
				is.Equal(s.store.log, []string{"put me-2", "drop " + myID}) // the new one first
				want := c
				want.SessionID, want.Was = "me-2", []string{"me-0", myID}
				if diff := cmp.Diff(want, s.store.claims["me-2"]); diff != "" {
					t.Error(diff)
				}
				is.True(has(lines, "- mail (open)"))  // mail for the old id arrives
				is.True(!has(lines, "other session")) // and no ghost is seen
				is.True(!has(lines, "no longer running"))
				is.Equal(len(show(t, s).Document()), len(show(t, newScene(t)).Document()))
				is.True(!has(show(t, s).Lines(), "unclaimed"))
			})
		}
	}
}

func TestSeed_CarriesOverOnlyTheSameProcess(t *testing.T) {
	other := &exchange.Process{PID: myPID, Start: "99"}
	tests := []struct {
		name, source string
		old          *exchange.Process
		carried      bool
	}{
		{"clear", "clear", process, true},
		{"compact", "compact", process, true},
		{"startup", "startup", process, false},
		{"fork", "fork", process, false},
		{"resume", "resume", process, false},
		{"no source", "", process, false},
		{"the number, but another start", "clear", other, false},
		{"a claim that names none", "clear", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.claim(exchange.Claim{SessionID: "me-0", Focus: "f", Process: tt.old})
			s.start(tt.source)
			_, stays := s.store.claims["me-0"]
			is.Equal(stays, !tt.carried)
			is.Equal(s.store.claims[myID].Focus == "f", tt.carried)
			is.Equal(len(s.store.claims[myID].Was) == 1, tt.carried)
		})
	}
}

func TestSeed_CarriesOverTheNewest(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: "a", Focus: "older", Process: process, UpdatedAt: ten})
	s.claim(exchange.Claim{SessionID: "b", Focus: "newest", Process: process, UpdatedAt: noon})
	s.claim(exchange.Claim{SessionID: "c", Focus: "old", Process: process, UpdatedAt: ten})
	s.start("clear")
	is.Equal(s.store.claims[myID].Focus, "newest")
	is.Equal(s.store.claims[myID].Was, []string{"b"})
}

func TestSeed_AnExistingClaimIsNotReplacedByAnother(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: myID, Focus: "mine"})
	s.claim(exchange.Claim{SessionID: "me-0", Focus: "other", Process: process})
	s.start("clear")
	is.Equal(s.store.claims[myID].Focus, "mine")
	is.Equal(len(s.store.claims), 2)
}

func TestSeed_TakesBackWhatWasPutAside(t *testing.T) {
	for _, source := range []string{"startup", "resume", "clear", "fork"} {
		t.Run(source, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.claim(exchange.Claim{SessionID: myID, Focus: "f", Paths: []string{"p"}})
			is.Equal(s.end("prompt_input_exit"), nil)
			is.Equal(len(s.store.claims), 0)
			is.Equal(s.start(source), nil)
			is.Equal(s.store.claims[myID].Focus, "f")
			is.Equal(s.store.claims[myID].Paths, []string{"p"})
			is.Equal(len(s.store.ended), 0) // it stands in one place
		})
	}
}

func TestSeed_AForkInheritsNothing(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: "me-0", Focus: "f", Process: process})
	s.store.ended["me-0"] = exchange.Claim{SessionID: "me-0", Focus: "g"}
	s.start("fork")
	is.Equal(s.store.claims[myID].Focus, "")
	is.Equal(s.store.claims["me-0"].Focus, "f")
	is.Equal(len(s.store.ended), 1)
}

func TestSeed_SaysWhatStoodInItsWay(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.brokenEnded[myID] = &exchange.FileError{Name: myID + ".json", Err: errDisk}
	lines := s.start("resume")
	is.Equal(len(lines), 1)
	is.True(has(lines, mark, myID+".json could not be read"))
	is.Equal(s.store.claims[myID].SessionID, myID) // seeded all the same
}

// The new claim is there; that the old one could not be removed is no reason to
// take it for somebody else's.
func TestSeed_AnOldClaimThatCannotBeRemoved(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: "me-0", Focus: "f", Repos: []string{"cranes"}, Process: process})
	s.handoff("h", 0, exchange.Address{Repo: "cranes"})
	s.rows = append(s.rows, session.Row{SessionID: "me-0", PID: myPID})
	s.store.dropFault = errDisk
	lines := s.start("clear")
	is.True(has(lines[:1], mark, "earlier id", "no space left"))
	is.True(!has(lines, "no claim was written")) // for it was
	is.Equal(s.store.claims[myID].Focus, "f")
	is.True(has(lines, "- h (open)"))     // its repos count
	is.True(!has(lines, "other session")) // and it is nobody else
}

// The claim that would have been carried over still says whose mail this is.
func TestSeed_AFailedWriteAfterAClear(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.claim(exchange.Claim{SessionID: "me-0", Repos: []string{"cranes"}, Process: process})
	s.rows[0].SessionID = "me-0"
	s.handoff("h1", 0, exchange.Address{Repo: "cranes"})
	s.handoff("h2", 0, exchange.Address{SessionID: "me-0"})
	s.store.putFault = errDisk
	lines := s.start("clear")
	is.True(has(lines[:1], mark, "no claim was written", "no space left"))
	is.True(has(lines, "- h1 (open)"))
	is.True(has(lines, "- h2 (open)"))
	is.True(!has(lines, "other session"))
	is.Equal(s.store.claims["me-0"].Repos, []string{"cranes"}) // and it stays
}

func TestEnd(t *testing.T) {
	tests := []struct {
		name, reason string
		claims       bool
		log          []string
	}{
		{"exit", "prompt_input_exit", true, []string{"end " + myID}},
		{"logout", "logout", true, []string{"end " + myID}},
		{"no reason", "", true, []string{"end " + myID}},
		{"clear: the same process goes on", "clear", true, nil},
		{"nothing there", "other", false, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			if tt.claims {
				s.claim(exchange.Claim{SessionID: myID})
			}
			is.Equal(s.end(tt.reason), nil) // silent
			is.Equal(s.end(tt.reason), nil) // twice, still
			is.Equal(s.store.log, tt.log)
		})
	}
}

func TestEnd_AFailureIsOneLine(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.store.endFault = errDisk
	lines := s.end("other")
	is.Equal(len(lines), 1)
	is.True(has(lines, mark, "no space left"))
	lines = s.answer(session.Event{Name: session.SessionEnd, SessionID: "a/b"}, root)
	is.Equal(len(lines), 1)
	is.Equal(s.answer(session.Event{Name: session.SessionEnd, SessionID: myID}, "/elsewhere"), nil)
}

// D26: a job or a scripted run is nobody.
func TestStart_OfARun(t *testing.T) {
	scripted := map[string]string{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ID": "run"}
	tests := []struct {
		name   string
		row    session.Row
		env    map[string]string
		marker string
		seeded bool
	}{
		{"bg", session.Row{SessionID: "run", Kind: "bg"}, nil, `{"name":"x"}`, false},
		{"daemon", session.Row{SessionID: "run", Kind: "daemon"}, nil, `{"name":"x"}`, false},
		{"daemon-worker", session.Row{SessionID: "run", Kind: "daemon-worker"}, nil, `{"name":"x"}`, false},
		{"scripted", session.Row{SessionID: "run", Entrypoint: "sdk-cli"}, nil, `{"name":"x"}`, false},
		{"scripted, and they count", session.Row{SessionID: "run", Entrypoint: "sdk-cli"}, nil, `{"name":"x","scripted":true}`, true},
		{"a job, where scripted runs count", session.Row{SessionID: "run", Kind: "bg"}, nil, `{"name":"x","scripted":true}`, false},
		{"no row, the client says scripted", session.Row{}, scripted, `{"name":"x"}`, false},
		{"no row, scripted, and they count", session.Row{}, scripted, `{"name":"x","scripted":true}`, true},
		{
			"no row, the client speaks of another session",
			session.Row{},
			map[string]string{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ID": "other"},
			`{"name":"x"}`, true,
		},
		{"no row, a person", session.Row{}, map[string]string{"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ID": "run"}, `{"name":"x"}`, true},
		{"the row counts before what the client says", session.Row{SessionID: "run", Entrypoint: "cli"}, scripted, `{"name":"x"}`, true},
		{"unknown", session.Row{}, nil, `{"name":"x"}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.mark(tt.marker)
			s.rows = []session.Row{tt.row}
			s.handoff("h", 0, toDock)
			s.store.claimProblems = []string{"x is invalid: y"}
			for name, value := range tt.env {
				s.env[name] = value
			}
			lines := s.startAs("run", "startup")
			_, seeded := s.store.claims["run"]
			is.Equal(seeded, tt.seeded)
			is.Equal(len(lines) > 0, tt.seeded) // else nothing is said at all
		})
	}
}

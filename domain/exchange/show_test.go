package exchange_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/session"
)

func show(t *testing.T, s *scene) exchange.ShowReport {
	t.Helper()
	report, err := exchange.Viewer{World: s.world()}.Show(root + "/dock")
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// crowd is a scene with claims of every standing.
func crowd(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.domain = "here"
	s.peer("crane-1", "crane", "cranes")
	s.join(session.Row{SessionID: "far-1", PID: 300, PidDomain: "there"})
	s.join(session.Row{SessionID: "job-1", PID: 301, Kind: "bg", Cwd: root + "/dock"})
	s.join(session.Row{SessionID: "script-1", PID: 302, Entrypoint: "sdk-cli", Cwd: root})
	s.peer("nobody-1", "unclaimed one", "notes")
	s.claim(exchange.Claim{SessionID: myID, Name: "me", Focus: "the dock", Repos: []string{"dock"}})
	s.claim(exchange.Claim{SessionID: "crane-1", Name: "crane", Paths: []string{"a", "b", "c"}, Tickets: []string{"T-1"}})
	s.claim(exchange.Claim{SessionID: "far-1", Focus: "far away"})
	s.claim(exchange.Claim{SessionID: "gone-1", Name: "ghost", Focus: "was here", UpdatedAt: noon.AddDate(0, 0, -9)})
	s.claim(exchange.Claim{SessionID: "job-1", Name: "job"})
	s.handoff("h1", 0, toDock)
	s.handoff("h2", 1, toDock, closed)
	return s
}

func TestShow_Lines(t *testing.T) {
	s := crowd(t)
	s.mark(`{"name":"harbour","max_hot_paths":2}`)
	s.unread = []string{"1005.json", "10\x1b06.json"}
	want := []string{
		"root      /harbour  (by marker)",
		"name      harbour",
		"this      me  me-1",
		"registry  2 row(s) could not be read: 1005.json, 1006.json",
		"claims    5",
		"   crane  (no focus stated)",
		"     paths: a, b, +1 more",
		"     tickets: T-1",
		" ? far-1  far away",
		" ! ghost  was here (9 days old)",
		"   job  (no focus stated)",
		"   me  the dock",
		"     repos: dock",
		"! legend", "? legend",
		"unclaimed 1",
		"   unclaimed one",
		"runs      1 background, 1 scripted",
		"handoffs  2 stored, 1 not closed",
	}
	got := show(t, s)
	lines := got.Lines()
	is := is.New(t)
	is.True(!got.Faulty()) // what is stale or unread in the registry is no fault
	for i, legend := range map[int][]string{13: {"  ! ", "no longer running", "gone-1"}, 14: {"  ? ", "other host or container"}} {
		is.True(has(lines[i:i+1], legend...))
		want[i] = lines[i]
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

func TestShow_LeavesOutWhatIsNotThere(t *testing.T) {
	s := alone(t)
	s.rows = nil
	want := []string{"root      /harbour  (by marker)", "name      harbour", "claims    0", "handoffs  0 stored, 0 not closed"}
	if diff := cmp.Diff(want, show(t, s).Lines()); diff != "" {
		t.Error(diff)
	}
}

func TestShow_Problems(t *testing.T) {
	is := is.New(t)
	s := crowd(t)
	s.mark(`{"nam":"x"}`)
	s.store.claimProblems = []string{"c.json is invalid: x"}
	s.store.shelfProblems = []string{"h.json is invalid: y"}
	s.store.strays = []string{"the store lies elsewhere"}
	report := show(t, s)
	is.True(report.Faulty()) // exit 1
	lines := report.Lines()
	config, claims := lineOf(lines, "problem   ", "unexpected key 'nam'"), lineOf(lines, "problem   c.json is invalid: x")
	handoffs := lineOf(lines, "problem   h.json is invalid: y")
	is.True(config == 2)                                    // after the name
	is.True(claims > lineOf(lines, "claims    5"))          // after the claims
	is.True(claims < lineOf(lines, "unclaimed"))            // before the unclaimed
	is.True(handoffs > lineOf(lines, "handoffs  2 stored")) // last
	is.True(has(lines, "problem   the store lies elsewhere"))
	is.True(has(lines, "name      harbour")) // the directory's
}

// "Could not look" is not "nobody there": nothing is marked as gone then.
func TestShow_AnUnreadableRegistryIsAProblem(t *testing.T) {
	is := is.New(t)
	s := crowd(t)
	s.rows, s.rowsFault = nil, errors.New("permission denied")
	report := show(t, s)
	is.True(report.Faulty())
	lines := report.Lines()
	is.True(has(lines, "problem   ", "registry", "permission denied"))
	is.True(!has(lines, "no longer running"))
	is.True(has(lines, "   ghost  was here"))
}

// D17: whose directory resolves to this very root, by markers alone.
func TestShow_Unclaimed(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(*scene)
		shown   bool
	}{
		{"under the root", func(s *scene) { s.peer("p", "stranger", "cranes") }, true},
		{"the root itself", func(s *scene) { s.join(session.Row{SessionID: "p", PID: 300, Name: "stranger", Cwd: root}) }, true},
		{"outside", func(s *scene) { s.join(session.Row{SessionID: "p", PID: 300, Name: "stranger", Cwd: "/elsewhere"}) }, false},
		{"outside, under an override", func(s *scene) {
			s.env[exchange.RootVariable] = root
			s.join(session.Row{SessionID: "p", PID: 300, Name: "stranger", Cwd: "/elsewhere"})
		}, false},
		{"under the root, and an override", func(s *scene) {
			s.env[exchange.RootVariable] = root
			s.peer("p", "stranger", "cranes")
		}, true},
		{"without a directory", func(s *scene) { s.join(session.Row{SessionID: "p", PID: 300, Name: "stranger"}) }, false},
		{"its directory is gone", func(s *scene) { s.peer("p", "stranger", "nowhere") }, false},
		{"under a nested root", func(s *scene) {
			s.files.file(root+"/cranes/.claude/exchange.json", "{}")
			s.peer("p", "stranger", "cranes")
		}, false},
		{"with a claim", func(s *scene) { s.peer("p", "stranger", "cranes"); s.claim(exchange.Claim{SessionID: "p", Name: "q"}) }, false},
		{"with a claim under a later id", func(s *scene) {
			s.peer("p", "stranger", "cranes")
			s.claim(exchange.Claim{SessionID: "q", Was: []string{"p"}, Name: "q"})
		}, false},
		{"a job", func(s *scene) { s.join(session.Row{SessionID: "p", PID: 300, Name: "stranger", Kind: "bg", Cwd: root}) }, false},
		{"dead", func(s *scene) {
			s.rows = append(s.rows, session.Row{SessionID: "p", PID: 55, Name: "stranger", Cwd: root})
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			tt.prepare(s)
			is.Equal(has(show(t, s).Lines(), "   stranger"), tt.shown)
			is.Equal(has(s.start("startup"), "- stranger: (no claim)"), tt.shown)
		})
	}
}

// D26: with scripted runs admitted they are people, jobs never.
func TestShow_ScriptedRunsAsPeers(t *testing.T) {
	is := is.New(t)
	s := crowd(t)
	s.mark(`{"name":"harbour","scripted":true}`)
	lines := show(t, s).Lines()
	is.True(has(lines, "runs      1 background, 0 scripted"))
	is.True(has(lines, "unclaimed 2"))
	is.True(has(lines, "   script-1"))
}

func TestShow_UnderAnOverrideWithoutAMarker(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.env[exchange.RootVariable] = "/elsewhere"
	report := show(t, s)
	is.True(!report.Faulty()) // no marker is no problem here
	is.True(has(report.Lines(), "root      /elsewhere  (by override)"))
	is.True(has(report.Lines(), "name      elsewhere"))
}

func TestShow_CleansAndCaps(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name":"har\u001bbour ` + strings.Repeat("x", 50) + `","max_focus_chars":20}`)
	s.claim(exchange.Claim{SessionID: "c", Name: "cr\x1b[2Kane\n", Focus: strings.Repeat("y", 25), Paths: []string{strings.Repeat("z", 21), "\u202eok"}})
	lines := show(t, s).Lines()
	is.True(has(lines, "name      harbour "+strings.Repeat("x", 12)+" +38 more chars"))
	is.True(has(lines, " ! cr[2Kane  "+strings.Repeat("y", 20)+" +5 more chars"))
	is.True(has(lines, "     paths: "+strings.Repeat("z", 20)+" +1 more chars, ok"))
}

func TestShow_Document(t *testing.T) {
	is := is.New(t)
	s := crowd(t)
	value, err := jsondoc.Decode(jsondoc.Shown(show(t, s).Document()))
	is.NoErr(err)
	doc, ok := value.(map[string]any)
	is.True(ok)
	is.Equal(doc["root"], root)
	is.Equal(doc["problems"], []any{}) // always there
	claims, ok := doc["claims"].([]any)
	is.True(ok)
	is.Equal(len(claims), 5)
	first, ok := claims[0].(map[string]any)
	is.True(ok)
	is.Equal(first["paths"], []any{"a", "b", "c"}) // nothing is capped
	is.Equal(doc["runs"], map[string]any{"background": jsondoc.Number("1"), "scripted": jsondoc.Number("1")})
	is.Equal(doc["handoffs"], map[string]any{"stored": jsondoc.Number("2"), "not_closed": jsondoc.Number("1")})
}

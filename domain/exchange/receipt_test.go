package exchange_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

func TestReceipt_EncodesAndParses(t *testing.T) {
	is := is.New(t)
	for _, r := range []exchange.Receipt{
		{At: noon, How: exchange.ShownAtStart, Name: "me"},
		{At: noon, How: exchange.ShownAtPrompt},
		{At: noon, How: exchange.ShownByWaking, Name: "a\x1bb"},
	} {
		data, err := r.Encode("h.json")
		is.NoErr(err)
		got, err := exchange.ParseReceipt("h.json", data)
		is.NoErr(err)
		is.Equal(got, r)
	}
	data, err := exchange.Receipt{At: noon, How: exchange.ShownAtStart, Name: "me"}.Encode("h.json")
	is.NoErr(err)
	is.Equal(string(data), "{\n  \"at\": \"2026-03-10T12:00:00Z\",\n  \"how\": \"start\",\n  \"name\": \"me\"\n}\n")
	_, err = exchange.Receipt{At: noon, How: "stop"}.Encode("h.json")
	is.True(err != nil)
}

func TestParseReceipt_Refuses(t *testing.T) {
	for text, says := range map[string]string{
		`{"at":"2026-03-10T12:00:00Z"}`:                          "how",
		`{"how":"start"}`:                                        "at",
		`{"at":"2026-03-10T12:00:00Z","how":"stop"}`:             "stop",
		`{"at":"2026-03-10","how":"start"}`:                      "at",
		`{"at":"2026-03-10T12:00:00Z","how":"start","name":7}`:   "name",
		`{"at":"2026-03-10T12:00:00Z","how":"start","by":"x"}`:   "unexpected key 'by'",
		`{"at":"2026-03-10T12:00:00Z","how":"start","Name":"x"}`: "unexpected key 'Name'",
		`[]`: "object",
		`{`:  "could not be read",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := exchange.ParseReceipt("h.json", []byte(text))
			var fault *exchange.FileError
			if !errors.As(err, &fault) || !strings.Contains(err.Error(), says) {
				t.Errorf("%v, want one that says %q", err, says)
			}
		})
	}
}

func TestCheckDirID(t *testing.T) {
	for id, ok := range map[string]bool{
		"a": true, "...": true, ".a": true, "a..": true, "..a": true,
		".": false, "..": false, "": false, "a/b": false, ".tmp-1": false,
	} {
		if got := exchange.CheckDirID(id) == nil; got != ok {
			t.Errorf("%q: %t", id, got)
		}
	}
}

func TestShowHandoff_Receipts(t *testing.T) {
	is := is.New(t)
	s := started(t)
	s.handoff("h", 1, toDock, at(0, exchange.Accepted))
	s.store.seen = map[string]map[string]exchange.Receipt{
		"b": {"h": {At: noon, How: exchange.ShownByWaking}},
		"a": {"h": {At: noon, How: exchange.ShownAtPrompt, Name: "an\x1bna"}, "other": {At: noon, How: exchange.ShownAtStart}},
		"c": {"h": {At: noon.Add(-time.Hour), How: exchange.ShownAtStart, Name: "carla"}},
	}
	r, err := exchange.Reader{World: s.world()}.Show(root, "h")
	is.NoErr(err)
	lines := r.Lines()
	from := lineOf(lines, "  receipts 3")
	want := []string{
		"  receipts 3",
		"    shown to carla at 2026-03-10T11:00:00Z (start)",
		"    shown to anna at 2026-03-10T12:00:00Z (prompt)",
		"    shown to b at 2026-03-10T12:00:00Z (wake)",
		"  body",
	}
	if diff := cmp.Diff(want, lines[from:from+5]); diff != "" {
		t.Error(diff)
	}
}

func TestTidy_ForgetsWhatIsKeptOfSessionsThatAreGone(t *testing.T) {
	long := noon.AddDate(0, 0, -30)
	tests := []struct {
		name   string
		change func(s *scene)
		goes   bool
	}{
		{"gone for long", func(*scene) {}, true},
		{"what it was shown is archived", func(s *scene) { s.keep("past", long, "old") }, true},
		{"only its row is left", func(s *scene) { s.rows = append(s.rows, session.Row{SessionID: "past", PID: 999}) }, true},
		{"it went this week", func(s *scene) { s.keep("past", noon.AddDate(0, 0, -6)) }, false},
		{"it runs", func(s *scene) { s.peer("past", "anna", "dock") }, false},
		{"it has a claim", func(s *scene) { s.claim(exchange.Claim{SessionID: "past"}) }, false},
		{"another one was it once", func(s *scene) { s.claim(exchange.Claim{SessionID: "x", Was: []string{"past"}}) }, false},
		{"what it was shown stands", func(s *scene) {
			s.handoff("h", 1, toDock)
			s.keep("past", long, "old", "h")
		}, false},
		{"nobody can tell who runs", func(s *scene) { s.rowsFault = errDisk }, false},
		{"nobody can tell who has a claim", func(s *scene) { s.store.claimProblems = []string{"x.json is invalid"} }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.keep("past", long)
			tt.change(s)
			a := exchange.Archivist{World: s.world()}
			for _, apply := range []bool{false, true} {
				_, err := a.Tidy(root, false)
				is.NoErr(err)
				is.True(s.store.seen["past"] != nil) // a dry run clears nothing
				r, err := a.Tidy(root, apply)
				is.NoErr(err)
				is.Equal(has(r.Lines(), "forget    past"), tt.goes)
			}
			is.Equal(s.store.seen["past"] == nil, tt.goes)
		})
	}
}

// keep leaves what is kept of a session, last touched at a time.
func (s *scene) keep(id string, touched time.Time, handoffs ...string) {
	s.store.seen[id] = map[string]exchange.Receipt{}
	for _, h := range handoffs {
		s.store.seen[id][h] = exchange.Receipt{At: touched, How: exchange.ShownAtStart}
	}
	s.store.looks[id] = lookedAt{written: touched}
}

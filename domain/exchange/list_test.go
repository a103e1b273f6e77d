package exchange_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

func list(t *testing.T, s *scene, req exchange.ListRequest) exchange.ListReport {
	t.Helper()
	req.Cwd = root
	report, err := exchange.Reader{World: s.world()}.List(req)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestList_Lines(t *testing.T) {
	s := newScene(t)
	s.handoff("h1", 1, toDock)
	s.handoff("h2", 2, exchange.Address{Repo: "dock", Paths: []string{"winch", "brakes"}}, at(0, exchange.Accepted))
	s.handoff("h3", 3, exchange.Address{SessionID: "crane-1"})
	s.handoff("h4", 4, toDock, closed)
	want := []string{
		"handoffs  4 stored, 3 shown",
		"  h3  open",
		"    to session crane-1, from ferry, 2026-03-10T08:03:00Z",
		"    body of h3",
		"  h2  accepted",
		"    to dock: winch, brakes, from ferry, 2026-03-10T08:02:00Z",
		"    body of h2",
		"  h1  open",
		"    to dock, from ferry, 2026-03-10T08:01:00Z",
		"    body of h1",
	}
	report := list(t, s, exchange.ListRequest{})
	if diff := cmp.Diff(want, report.Lines()); diff != "" {
		t.Error(diff)
	}
	is := is.New(t)
	is.Equal(len(report.Problems), 0)
	is.True(has(list(t, s, exchange.ListRequest{All: true}).Lines(), "4 stored, 4 shown"))
	is.True(has(list(t, s, exchange.ListRequest{All: true}).Lines(), "  h4  closed"))
}

func TestList_KeepsTheNewestAndCountsTheRest(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name":"x","max_handoffs_listed":2}`)
	s.handoff("a", 5, toDock)
	s.handoff("b", 5, toDock) // of one time, the greater id is the newer
	s.handoff("c", 4, toDock)
	s.handoff("d", 6, toDock)
	lines := list(t, s, exchange.ListRequest{}).Lines()
	is.Equal(lines[0], "handoffs  4 stored, 2 shown")
	is.True(strings.HasPrefix(lines[1], "  d  "))
	is.True(strings.HasPrefix(lines[4], "  b  "))
	is.True(has(lines, "  +2 older not shown: ", "max_handoffs_listed", exchange.MarkerPath(root)))
	is.Equal(len(list(t, s, exchange.ListRequest{}).Items), 4) // nothing is capped for a script
}

func TestList_CleansAndCaps(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name":"x","max_focus_chars":20}`)
	s.store.file(exchange.Handoff{
		ID: "h", From: exchange.Sender{Name: "fer\x1b[2Kry\u202e", Cwd: "/"}, To: exchange.Address{Repo: "dock", Paths: []string{"winch/drum", "brakes/shoe"}},
		Created: noon, Body: strings.Repeat("x", 400) + "\u2028second line",
	})
	lines := list(t, s, exchange.ListRequest{}).Lines()
	is.Equal(lines[2], "    to dock: winch/drum, br +9 more chars, from fer[2Kry, 2026-03-10T12:00:00Z")
	is.Equal(lines[3], "    "+strings.Repeat("x", 20)+" +380 more chars")
}

// D8 and D9.
func TestList_AgeAndLabel(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name":"x","labels":{"./dock/":"Dock \u001bteam"}}`)
	s.handoff("h", 0, exchange.Address{Repo: "dock//.", Paths: []string{"winch"}})
	s.now = time.Date(2026, 3, 17, 8, 0, 0, 0, time.UTC) // exactly seven days
	lines := list(t, s, exchange.ListRequest{}).Lines()
	is.Equal(lines[1], "  h  open")
	is.True(has(lines, "to dock//. [Dock team]: winch, from"))
	s.now = s.now.Add(time.Second)
	is.Equal(list(t, s, exchange.ListRequest{}).Lines()[1], "  h  open (7 days old)")
	s.now = s.now.AddDate(0, 0, 10)
	is.Equal(list(t, s, exchange.ListRequest{}).Lines()[1], "  h  open (17 days old)")
}

func TestList_ProblemsHideNothing(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.mark(`{"name":"x","max_hot_path":1}`)
	s.handoff("h", 0, toDock, at(0, exchange.Accepted), at(0, exchange.Closed), at(1, exchange.Open))
	s.store.shelfProblems = []string{"b\x1broken.json could not be read: x"}
	s.store.strays = []string{"the store lies elsewhere"}
	report := list(t, s, exchange.ListRequest{})
	is.Equal(len(report.Problems), 4) // exit 1
	lines := report.Lines()
	is.True(has(lines, "  h  open"))
	is.True(has(lines, "problem   ", "unexpected key 'max_hot_path'"))
	is.True(has(lines, "problem   broken.json could not be read: x"))
	is.True(has(lines, "problem   h: ", "position 0"))
	is.True(has(lines, "problem   the store lies elsewhere"))
}

func TestList_Archived(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.handoff("here", 0, toDock)
	s.store.archive["gone.json"] = exchange.NewFiled("gone.json", exchange.Handoff{ID: "gone", To: toDock, Created: noon, Body: "b"}, []exchange.Move{closed}, nil)
	lines := list(t, s, exchange.ListRequest{Archived: true}).Lines()
	is.True(has(lines, "1 stored, 1 shown"))
	is.True(has(lines, "  gone  closed"))
	is.True(!has(list(t, s, exchange.ListRequest{All: true}).Lines(), "gone"))
}

// A tie needs somebody, whichever status is the last in order.
func TestList_ShowsATie(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.handoff("h", 0, toDock, at(0, exchange.Accepted), at(0, exchange.Closed))
	report := list(t, s, exchange.ListRequest{})
	is.True(has(report.Lines(), "  h  closed"))
	is.Equal(len(report.Problems), 1) // exit 1
}

// F6: whatever is stored, no line is longer than a thousand code points.
func TestList_NoLineIsEndless(t *testing.T) {
	s := newScene(t)
	s.mark(`{"name":"x","max_focus_chars":100000}`)
	long := strings.Repeat("é", 5000)
	s.store.file(exchange.Handoff{ID: "h", From: exchange.Sender{Name: long, Cwd: "/"}, To: exchange.Address{Repo: long}, Created: noon, Body: long})
	s.store.shelfProblems = []string{long}
	for i, line := range list(t, s, exchange.ListRequest{}).Lines() {
		if n := len([]rune(line)); n > 1000 {
			t.Errorf("line %d has %d code points", i, n)
		}
	}
}

package exchange_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

// situation is a store at random, as data: a scene can be made of it more than once.
type situation struct {
	marker   string
	own      exchange.Claim
	claimed  bool
	others   []other
	mail     []mail
	began    bool
	prompted bool
	switched bool
	sight    time.Duration
}

type other struct {
	row     session.Row
	gone    bool
	claim   exchange.Claim
	claimed bool
}

type mail struct {
	handoff exchange.Handoff
	moves   []exchange.Move
	// late: it comes after the session has started.
	late bool
	// seenAs is the id of the session's that has a receipt; empty for none.
	seenAs string
}

func situations() *rapid.Generator[situation] {
	return rapid.Custom(func(t *rapid.T) situation {
		pick := func(label string, from ...string) string { return rapid.SampledFrom(from).Draw(t, label) }
		yes := func(label string) bool { return rapid.Bool().Draw(t, label) }
		some := func(label string, from ...string) []string {
			return slices.DeleteFunc(slices.Clone(from), func(string) bool { return !yes(label) })
		}
		paths := func(label string) []string { return some(label, "winch", "winch/motor", "brakes", ".") }
		x := situation{
			marker: fmt.Sprintf(`{"name": "harbour", "deliver": %q, "max_handoffs_listed": %s, "max_focus_chars": %s, "scripted": %t}`,
				pick("deliver", "start", "prompt", "prompt", "wake"), pick("limit", "1", "2", "3", "9"), pick("chars", "20", "900"), yes("scripted")),
			claimed: yes("claimed"), began: yes("began"), prompted: yes("prompted"), switched: yes("switched"),
			sight: time.Duration(rapid.IntRange(-100, 10).Draw(t, "sight")) * time.Second,
		}
		x.own = exchange.Claim{
			SessionID: myID, Name: "me", Cwd: root + "/dock", GitBranch: pick("branch", "main", "old", ""),
			Repos: some("repos", "cranes", "./notes/"), Paths: paths("paths"), Was: some("was", "me-0"),
		}
		for i := range rapid.IntRange(0, 6).Draw(t, "others") {
			id := fmt.Sprintf("p%d", i)
			dir := pick("dir", root+"/dock", root+"/cranes", root, "/elsewhere")
			o := other{gone: yes("gone"), claimed: yes("theirs")}
			o.row = session.Row{
				SessionID: id, Name: id, PID: 300 + i, Cwd: dir, Kind: pick("kind", "", "", "bg"),
				Entrypoint: pick("entry", "cli", "cli", "sdk-cli"), PidDomain: pick("domain", "", "", "linux:there"),
			}
			o.claim = exchange.Claim{
				SessionID: id, Name: id, Cwd: dir, Repos: some("their repos", "dock"), Paths: paths("their paths"),
				Focus: strings.Repeat("f", rapid.SampledFrom([]int{0, 900}).Draw(t, "focus")),
			}
			x.others = append(x.others, o)
		}
		for i := range rapid.IntRange(0, 12).Draw(t, "mail") {
			m := mail{late: yes("late"), seenAs: pick("seen", "", "", myID, "me-0")}
			m.handoff = exchange.Handoff{
				ID: fmt.Sprintf("h%02d", i), From: exchange.Sender{SessionID: pick("from", "", "p1", myID, "me-0"), Cwd: root},
				Created: noon.Add(time.Duration(rapid.IntRange(-9, 9).Draw(t, "created")) * time.Minute),
				Body:    strings.Repeat("b", rapid.SampledFrom([]int{1, 900}).Draw(t, "body")),
			}
			m.handoff.To = exchange.Address{SessionID: pick("to", "", "", "", myID, "me-0", "p1")}
			if m.handoff.To.SessionID == "" {
				m.handoff.To = exchange.Address{Repo: pick("repo", "dock", "dock", "./dock/", "Dock", "cranes", "notes", "."), Paths: paths("its paths")}
			}
			for n := range rapid.IntRange(0, 3).Draw(t, "moves") {
				status := rapid.SampledFrom([]exchange.Status{exchange.Accepted, exchange.Closed, exchange.Open}).Draw(t, "status")
				m.moves = append(m.moves, exchange.Move{At: noon, Status: status, After: max(0, n-rapid.IntRange(0, 1).Draw(t, "tie"))})
			}
			x.mail = append(x.mail, m)
		}
		return x
	})
}

// scene makes the situation.
func (x situation) scene(t *testing.T) *scene {
	s := newScene(t)
	s.domain = "linux:here"
	s.mark(x.marker)
	for _, o := range x.others {
		s.rows = append(s.rows, o.row)
		if !o.gone {
			s.processes[o.row.PID] = session.Start{Token: fmt.Sprint(o.row.PID)}
		}
		if o.claimed {
			s.claim(o.claim)
		}
	}
	if x.claimed {
		s.claim(x.own)
	}
	x.deliver(s, false)
	if x.began {
		s.start("startup")
	}
	s.now = noon.Add(10 * time.Minute)
	s.store.sight = exchange.Sight{Handoffs: s.now.Add(x.sight), Sessions: noon.Add(-time.Hour)}
	x.deliver(s, true)
	if x.prompted {
		s.prompt()
		s.now = s.now.Add(time.Minute)
	}
	if x.switched {
		s.files.file(root+"/dock/.git/HEAD", "ref: refs/heads/other\n")
	}
	return s
}

func (x situation) deliver(s *scene, late bool) {
	for _, m := range x.mail {
		if m.late != late {
			continue
		}
		s.store.file(m.handoff, m.moves...)
		if m.seenAs == "" {
			continue
		}
		if s.store.seen[m.seenAs] == nil {
			s.store.seen[m.seenAs] = map[string]exchange.Receipt{}
		}
		s.store.seen[m.seenAs][m.handoff.ID] = exchange.Receipt{At: noon, How: exchange.ShownAtPrompt}
	}
}

// shownThings are what of an answer can be shown or not.
type shownThings struct{ Handoffs, Sessions, Overlaps, Branch []string }

// toldBy reads an answer of the hook.
func toldBy(lines []string) shownThings {
	var x shownThings
	last := ""
	for _, line := range lines {
		row, isRow := strings.CutPrefix(line, "- ")
		switch id, _, _ := strings.Cut(row, " "); {
		case isRow && strings.HasPrefix(row, "h"):
			x.Handoffs = append(x.Handoffs, id)
		case isRow:
			last = strings.TrimSuffix(id, ":")
			x.Sessions = append(x.Sessions, last)
		case strings.HasPrefix(line, "  overlaps: "):
			x.Overlaps = append(x.Overlaps, last)
		case strings.Contains(line, "works on the same paths"):
			name, _, _ := strings.Cut(strings.TrimPrefix(line, mark), " ")
			x.Overlaps = append(x.Overlaps, name)
		case strings.Contains(line, "branch changed from"):
			x.Branch = append(x.Branch, "changed")
		}
	}
	return x.sorted()
}

// toldOf reads what an answer of Why says is shown.
func toldOf(r exchange.WhyReport, shown func(exchange.Finding) bool) shownThings {
	var x shownThings
	for _, f := range r.Findings {
		if !shown(f) {
			continue
		}
		switch f.Thing {
		case exchange.HandoffThing:
			x.Handoffs = append(x.Handoffs, f.ID)
		case exchange.ClaimThing, exchange.PeerThing:
			x.Sessions = append(x.Sessions, f.ID)
		case exchange.OverlapThing:
			x.Overlaps = append(x.Overlaps, f.ID)
		case exchange.BranchThing:
			x.Branch = append(x.Branch, "changed")
		}
	}
	return x.sorted()
}

func (x shownThings) sorted() shownThings {
	for _, list := range [][]string{x.Handoffs, x.Sessions, x.Overlaps} {
		slices.Sort(list)
	}
	return x
}

// What Why says is shown is exactly what the hook shows in the same state, and asking
// changes nothing.
func TestWhy_SaysWhatTheHookShows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := situations().Draw(rt, "situation")
		asked := x.scene(t)
		before := fmt.Sprint(asked.store.log, asked.store.claims, asked.store.seen, asked.store.looks, asked.store.remembered)
		r := asked.asks().answer(t)
		if after := fmt.Sprint(asked.store.log, asked.store.claims, asked.store.seen, asked.store.looks, asked.store.remembered); after != before {
			rt.Fatalf("asking changed the store:\n%s\n%s", before, after)
		}
		start := toldBy(x.scene(t).start("resume"))
		if diff := cmp.Diff(start, toldOf(r, func(f exchange.Finding) bool { return f.AtStart })); diff != "" {
			rt.Fatalf("a start (-hook +why):\n%s\n%s", diff, strings.Join(r.Lines(), "\n"))
		}
		prompt := toldBy(x.scene(t).prompt())
		if diff := cmp.Diff(prompt, toldOf(r, func(f exchange.Finding) bool { return f.AtPrompt })); diff != "" {
			rt.Fatalf("a prompt (-hook +why):\n%s\n%s", diff, strings.Join(r.Lines(), "\n"))
		}
		checkAccount(rt, x, asked, r)
	})
}

// shownCauses are those of what is or was shown.
var shownCauses = map[exchange.Cause]bool{
	exchange.SeenHandoff: true, exchange.NewHandoff: true, exchange.WaitsForStart: true, exchange.NothingChanged: true,
	exchange.ShownSession: true, exchange.ShownOverlap: true, exchange.ShownBranch: true,
}

// checkAccount checks that everything has one rule, and that no rule contradicts what
// is shown.
func checkAccount(rt *rapid.T, x situation, s *scene, r exchange.WhyReport) {
	handoffs := map[string]int{}
	for _, f := range r.Findings {
		if f.Thing == exchange.HandoffThing {
			handoffs[f.ID]++
		}
		if (f.AtStart || f.AtPrompt) && !shownCauses[f.Cause] && f.Cause != exchange.OverLimit && f.Cause != exchange.OverBudget {
			rt.Fatalf("%s is shown, and yet %s", f.ID, f.Says())
		}
		if receipts := s.store.Receipts(f.ID).Items; f.Cause == exchange.SeenHandoff && len(receipts) == 0 {
			rt.Fatalf("%s was shown without a receipt", f.ID)
		}
	}
	if len(handoffs) != len(x.mail) || slices.ContainsFunc(slices.Collect(maps.Values(handoffs)), func(n int) bool { return n != 1 }) {
		rt.Fatalf("%d handoffs, of which these have rules: %v", len(x.mail), handoffs)
	}
}

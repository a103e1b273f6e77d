package exchange_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
	"github.com/changeover/changeover/domain/text"
)

// town is a scene with peers, who say and claim at length, and handoffs.
func town(t *testing.T, peers, handoffs, focus int) *scene {
	t.Helper()
	s := newScene(t)
	s.mark(`{"name":"harbour","max_focus_chars":6000,"max_handoffs_listed":500,"max_hot_paths":9}`)
	for i := range peers {
		id := fmt.Sprintf("p%03d", i)
		s.peer(id, id, "cranes")
		s.claim(exchange.Claim{SessionID: id, Focus: strings.Repeat("🚢", focus), Paths: []string{"lists-of-" + id}})
	}
	for i := range handoffs {
		s.handoff(fmt.Sprintf("h%03d", i), i, toDock)
	}
	return s
}

// told is a SessionStart's answer taken apart.
type told struct {
	units          int
	peers, letters []string
	lists          int
	gonePeers      int
	goneLetters    int
	last           string
}

var counted = regexp.MustCompile(`(\d+) session\(s\) and (\d+) handoff\(s\)`)

func tell(s *scene, budget int) told {
	e := session.Event{Name: session.SessionStart, SessionID: myID, Source: "startup"}
	lines := exchange.Hook{World: s.world()}.Answer(e, root+"/dock", false, budget).Lines
	got := told{units: text.UTF16(strings.Join(lines, "\n"))}
	for _, line := range lines {
		got.last = line
		switch {
		case strings.HasPrefix(line, "- p"):
			got.peers = append(got.peers, line[2:6])
		case strings.HasPrefix(line, "  paths: lists-of-p"):
			got.lists++
		case strings.HasPrefix(line, "- h"):
			got.letters = append(got.letters, line[2:6])
		}
	}
	if n := counted.FindStringSubmatch(got.last); n != nil {
		got.gonePeers, _ = strconv.Atoi(n[1])
		got.goneLetters, _ = strconv.Atoi(n[2])
	}
	return got
}

func TestBudget_NothingGoesWhereAllFits(t *testing.T) {
	is := is.New(t)
	got := tell(town(t, 3, 3, 10), 8000)
	is.Equal(len(got.peers), 3)
	is.Equal(len(got.letters), 3)
	is.Equal(got.gonePeers+got.goneLetters, 0)
	is.True(!strings.Contains(got.last, "more than fit"))
}

func TestBudget_PresenceGoesFirstTheLastRowsBefore(t *testing.T) {
	is := is.New(t)
	got := tell(town(t, 60, 5, 200), 8000)
	is.True(got.units <= 8000)
	is.True(got.units > 7500) // what can stay stays
	is.True(len(got.peers) > 0)
	is.Equal(got.peers[0], "p000")
	is.Equal(got.peers[len(got.peers)-1], fmt.Sprintf("p%03d", len(got.peers)-1))
	is.Equal(got.lists, len(got.peers)) // a row goes with its lists
	is.Equal(got.letters, []string{"h004", "h003", "h002", "h001", "h000"})
	is.Equal(got.gonePeers, 60-len(got.peers))
	is.Equal(got.goneLetters, 0)
	is.True(strings.HasPrefix(got.last, mark))
	is.True(strings.Contains(got.last, "exchange show"))
}

func TestBudget_ThenTheOldestHandoffs(t *testing.T) {
	is := is.New(t)
	got := tell(town(t, 4, 400, 100), 8000)
	is.True(got.units <= 8000)
	is.True(got.units > 7500)
	is.Equal(len(got.peers), 0)
	is.Equal(got.letters[0], "h399")
	is.Equal(got.letters[len(got.letters)-1], fmt.Sprintf("h%03d", 400-len(got.letters)))
	is.Equal(got.gonePeers, 4)
	is.Equal(got.goneLetters, 400-len(got.letters))
}

// F6: 400 open handoffs, 60 sessions, focus strings of 5,000 characters.
func TestBudget_TooMuchToSay(t *testing.T) {
	is := is.New(t)
	got := tell(town(t, 60, 400, 5000), 8000)
	is.True(got.units <= 8000)
	is.Equal(len(got.peers)+got.gonePeers, 60)
	is.Equal(len(got.letters)+got.goneLetters, 400)
}

func TestBudget_HeadingsAndWarningsStay(t *testing.T) {
	is := is.New(t)
	s := town(t, 60, 400, 500)
	s.claim(exchange.Claim{SessionID: "stale"})
	s.store.claimProblems = []string{"x is invalid: y"}
	e := session.Event{Name: session.SessionStart, SessionID: myID}
	lines := exchange.Hook{World: s.world()}.Answer(e, root+"/dock", false, 3000).Lines
	is.True(has(lines, "60 other session(s) under harbour:"))
	is.True(has(lines, "400 handoff(s) for this session"))
	is.True(has(lines, "1 claim(s) left by sessions"))
	is.True(has(lines, "x is invalid: y"))
}

func TestBudget_Properties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		peers, handoffs := rapid.IntRange(0, 30).Draw(rt, "peers"), rapid.IntRange(0, 60).Draw(rt, "handoffs")
		budget := rapid.IntRange(700, 8000).Draw(rt, "budget")
		got := tell(town(t, peers, handoffs, rapid.IntRange(0, 300).Draw(rt, "focus")), budget)
		if got.units > budget {
			rt.Fatalf("%d units of %d", got.units, budget)
		}
		if len(got.peers)+got.gonePeers != peers || len(got.letters)+got.goneLetters != handoffs {
			rt.Fatalf("%d+%d peers, %d+%d handoffs", len(got.peers), got.gonePeers, len(got.letters), got.goneLetters)
		}
		if got.goneLetters > 0 && len(got.peers) > 0 {
			rt.Fatal("a handoff went before a peer")
		}
		if got.lists != len(got.peers) {
			rt.Fatal("a row went without its lists")
		}
	})
}

// Fixed lines that are too many together are cut too, and what goes is counted.
func TestBudget_FixedLinesTooLong(t *testing.T) {
	is := is.New(t)
	s := town(t, 5, 7, 10)
	long := strings.Repeat("🚢", 5000)
	s.store.claimProblems = []string{long, long, long}
	s.unset[root+"/.claude/settings.local.json"] = fmt.Errorf("%s", long)
	s.unset[root+"/dock/.claude/settings.local.json"] = fmt.Errorf("%s", long)
	for _, budget := range []int{8000, 4000, 2000, 1000, 500} {
		got := tell(s, budget)
		is.True(got.units <= budget)
		if len(got.peers) < 5 || len(got.letters) < 7 {
			is.Equal(len(got.peers)+got.gonePeers, 5)
			is.Equal(len(got.letters)+got.goneLetters, 7)
		}
	}
}

package exchange_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/session"
)

var errKilled = errors.New("killed")

// actor is a hook that waits before each call to the store that another hook could
// notice, until it is told to go on or is killed.
type actor struct {
	*memory
	// grain is that of the file system's clock.
	grain time.Duration
	waits chan bool // false: it has ended
	turn  chan bool // false: it is killed
	// lines are what it said; nothing of one that was killed.
	lines []string
	ended bool
}

func (a *actor) step() {
	a.waits <- true
	if !<-a.turn {
		panic(errKilled)
	}
}

func (a *actor) Sight() (exchange.Sight, error) {
	a.step()
	return a.memory.Sight()
}

func (a *actor) LastLook(id string) ([]byte, time.Time, error) {
	a.step()
	return a.memory.LastLook(id)
}

func (a *actor) Pending() exchange.Shelf {
	a.step()
	return a.memory.Pending()
}

func (a *actor) Seen(id string) (map[string]bool, error) {
	a.step()
	return a.memory.Seen(id)
}

func (a *actor) AddReceipt(id, handoff string, r exchange.Receipt) error {
	a.step()
	return a.memory.AddReceipt(id, handoff, r)
}

func (a *actor) PutLook(id string, data []byte) error {
	a.step()
	err := a.memory.PutLook(id, data)
	l := a.looks[id]
	a.looks[id] = lookedAt{l.data, l.written.Truncate(a.grain)}
	return err
}

// acts starts a hook of a prompt.
func acts(s *scene, grain time.Duration) *actor {
	a := &actor{memory: s.store, grain: grain, waits: make(chan bool), turn: make(chan bool)}
	w := s.world()
	w.Open = func(string) (exchange.Store, error) { return a, nil }
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				if err, ok := fault.(error); !ok || !errors.Is(err, errKilled) {
					a.lines = []string{fmt.Sprint("fault: ", fault)}
				}
			}
			a.waits <- false
		}()
		e := session.Event{Name: session.UserPromptSubmit, SessionID: myID}
		lines := exchange.Hook{World: w}.Answer(e, root+"/dock", true, 8000).Lines
		a.step() // killed before what it says is out
		a.lines = lines
	}()
	a.ended = !<-a.waits
	return a
}

// goOn lets it make one call, or kills it.
func (a *actor) goOn(lives bool) {
	a.turn <- lives
	a.ended = !<-a.waits
}

// Hooks of one prompt, in any interleaving with each other and with posts, show each
// handoff once or leave it new. Only one that is killed between its receipt and its
// words loses a showing, and the next start shows that handoff.
func TestPrompt_AnyInterleavingShowsEachHandoffOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newScene(t)
		s.mark(fmt.Sprintf(`{"name": "harbour", "max_handoffs_listed": %d}`, rapid.IntRange(1, 3).Draw(rt, "listed")))
		s.start("startup")
		grain := time.Duration(rapid.SampledFrom([]int{1, 1000}).Draw(rt, "grain")) * time.Millisecond
		posted, killed, shown := 0, 0, map[string]int{}
		notice := func(lines []string) {
			for _, line := range lines {
				if strings.HasPrefix(line, "fault: ") {
					rt.Fatal(line)
				}
				if id, ok := strings.CutPrefix(line, "- "); ok {
					shown[strings.Fields(id)[0]]++
				}
			}
		}
		var running []*actor
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			s.now = s.now.Add(time.Duration(rapid.IntRange(0, 1500).Draw(rt, "passes")) * time.Millisecond)
			switch what := rapid.IntRange(0, 9).Draw(rt, "what"); {
			case what == 0 && posted < 6:
				at := s.now
				s.handoff(fmt.Sprint("m", posted), posted, toDock)
				s.store.sight.Handoffs = at.Truncate(grain) // two posts within a grain look like one
				posted++
			case what == 1 && len(running) < 3:
				running = append(running, acts(s, grain))
			case len(running) > 0:
				a := running[rapid.IntRange(0, len(running)-1).Draw(rt, "who")]
				lives := rapid.IntRange(0, 30).Draw(rt, "fate") > 0
				if !lives {
					killed++
				}
				a.goOn(lives)
			}
			running = slices.DeleteFunc(running, func(a *actor) bool {
				if a.ended {
					notice(a.lines)
				}
				return a.ended
			})
		}
		for _, a := range running {
			for !a.ended {
				a.goOn(true)
			}
			notice(a.lines)
		}
		s.now = s.now.Add(time.Minute)
		s.store.sight.Sessions = s.now // what a look within the grain may have missed is looked at
		for range posted + 1 {
			notice(s.prompt())
		}
		if lines := s.prompt(); lines != nil {
			rt.Fatalf("still new: %q", lines)
		}
		lost := 0
		for i := range posted {
			switch id := fmt.Sprint("m", i); shown[id] {
			case 1:
			case 0:
				lost++
				if _, noted := s.store.seen[myID][id]; !noted {
					rt.Fatalf("%s was never shown, and nobody says it was", id)
				}
			default:
				rt.Fatalf("%s was shown %d times", id, shown[id])
			}
		}
		if lost > 0 && killed == 0 {
			rt.Fatalf("%d lost, and nobody was killed", lost)
		}
		s.mark(`{"name": "harbour", "max_handoffs_listed": 99}`)
		if lines := s.start("resume"); posted > 0 && !has(lines, fmt.Sprintf("%d handoff(s) for this session", posted)) {
			rt.Fatalf("the next start says %q", lines)
		}
	})
}

// What is posted while a hook looks, or within the grain of the file system's clock,
// is shown by the prompt after: a look covers only what it has surely seen.
func TestPrompt_NothingIsMissedWithinTheGrain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newScene(t)
		s.start("startup")
		grain := time.Duration(rapid.SampledFrom([]int{1, 1000}).Draw(rt, "grain")) * time.Millisecond
		for i := range rapid.IntRange(1, 8).Draw(rt, "posts") {
			before := rapid.IntRange(0, 12).Draw(rt, "before")
			a := acts(s, grain)
			for range before {
				if !a.ended {
					a.goOn(true)
				}
			}
			id := fmt.Sprint("m", i)
			s.handoff(id, i, toDock)
			s.store.sight.Handoffs = s.now.Truncate(grain)
			for !a.ended {
				s.now = s.now.Add(time.Duration(rapid.IntRange(0, 500).Draw(rt, "passes")) * time.Millisecond)
				a.goOn(true)
			}
			s.now = s.now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(rt, "later")) * time.Millisecond)
			if !has(a.lines, "- "+id+" ") && !has(s.prompt(), "- "+id+" ") {
				rt.Fatalf("%s was missed", id)
			}
		}
	})
}

// Whoever lost a handoff to another hook does not know whether that one's words get
// out: its look covers nothing.
func TestPrompt_WhatAnotherHookTakesBackIsNewAgain(t *testing.T) {
	s := started(t)
	s.arrives("m", toDock)
	s.now = s.now.Add(time.Minute)
	loser := acts(s, time.Millisecond)
	for range 4 { // it has seen that m is new
		loser.goOn(true)
	}
	h := exchange.Hook{World: s.world()}
	winner := s.reply(session.Event{Name: session.UserPromptSubmit})
	loser.goOn(true) // it comes too late
	if err := h.HandedOver(winner, false); err == nil {
		t.Fatal("nobody is told that nothing was written")
	}
	for !loser.ended {
		loser.goOn(true)
	}
	if !has(winner.Lines, "- m (open)") || loser.lines != nil {
		t.Fatalf("the scene is another: %q, %q", winner.Lines, loser.lines)
	}
	if !has(s.prompt(), "- m (open)") {
		t.Error("m is lost")
	}
}

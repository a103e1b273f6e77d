package relay_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

// view is everything that a state shows.
type view struct {
	Phase      relay.Phase
	Round      int
	Allowed    int
	Turn       relay.Role
	Goal       string
	Summary    string
	Nonce      string
	Pauses     []relay.Pause
	Deliveries map[relay.Role][]relay.Tracked
	Claimable  map[relay.Role][]relay.Box
	Aside      map[relay.Role]string
	Due        map[relay.Role]bool
	Bands      []string
	Next       map[relay.Role]relay.Decision
}

func viewOf(s relay.State) view {
	v := view{
		Phase: s.Phase, Round: s.Round(), Allowed: s.Allowed(), Turn: s.WhoseTurn(), Goal: s.Goal(), Summary: s.Summary(), Nonce: s.Nonce,
		Pauses: s.Pauses(), Deliveries: map[relay.Role][]relay.Tracked{}, Claimable: map[relay.Role][]relay.Box{},
		Aside: map[relay.Role]string{}, Due: map[relay.Role]bool{}, Next: map[relay.Role]relay.Decision{},
	}
	for _, role := range []relay.Role{relay.Planner, relay.Builder} {
		v.Deliveries[role], v.Claimable[role] = s.Deliveries(role), s.Claimable(role)
		v.Aside[role], v.Due[role] = s.Aside(role), s.PromptDue(role)
		band, _ := s.Band(role, "peer", relay.CatalogueOf("en"))
		v.Bands = append(v.Bands, band)
		v.Next[role] = s.Dispatch(role, relay.Peer{})
	}
	return v
}

// played is the log of a random piece of work.
func played(check *testing.T, t *rapid.T) relay.Log {
	s := newSim(check, t)
	for range rapid.IntRange(0, 40).Draw(t, "actions") {
		s.act()
	}
	log, err := s.operator(nil).Store.Log(s.theLink)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func TestFold_DoesNotDependOnTheOrderOfBoxesAndLeavesTheLogAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := played(t, rt)
		want := viewOf(relay.Fold(log))
		other := relay.Log{Link: log.Link, Events: map[relay.Role][]relay.Event{}, Boxes: map[relay.Role][]relay.Box{}}
		shuffle := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "order"), 0))
		for _, role := range []relay.Role{relay.Builder, relay.Planner} {
			other.Events[role], other.Boxes[role] = slices.Clone(log.Events[role]), slices.Clone(log.Boxes[role])
			boxes := other.Boxes[role]
			shuffle.Shuffle(len(boxes), func(i, j int) { boxes[i], boxes[j] = boxes[j], boxes[i] })
		}
		if diff := cmp.Diff(want, viewOf(relay.Fold(other))); diff != "" {
			rt.Fatalf("(-want +got)\n%s", diff)
		}
		if diff := cmp.Diff(want, viewOf(relay.Fold(log))); diff != "" {
			rt.Fatalf("reading a state changes its log (-want +got)\n%s", diff)
		}
	})
}

// A process may read one side's log later than the other's.
func TestFold_StandsAnyTwoBeginnings(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := played(t, rt)
		for _, role := range []relay.Role{relay.Planner, relay.Builder} {
			events := log.Events[role]
			log.Events[role] = events[:rapid.IntRange(0, len(events)).Draw(rt, "beginning")]
		}
		v := viewOf(relay.Fold(log))
		if v.Round > v.Allowed {
			rt.Fatalf("round %d of %d", v.Round, v.Allowed)
		}
	})
}

// What a side reads of its own log alone is never undone by what the other adds:
// rounds and grants only grow within a goal.
func TestFold_OnlyGrowsWithEachEvent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := played(t, rt)
		planner := log.Events[relay.Planner]
		before := 0
		for n := range len(planner) + 1 {
			log.Events[relay.Planner] = planner[:n]
			round := relay.Fold(log).Round()
			restarted := n > 0 && planner[n-1].Kind == relay.GoalSet
			if round < before && !restarted || round > before+1 {
				rt.Fatalf("round %d follows %d", round, before)
			}
			before = round
		}
	})
}

func TestNumber_ContinuesTheSidesOwnLog(t *testing.T) {
	p := working(t)
	s := p.planner.state(t)
	events := s.Number(relay.Planner, []relay.Event{{Kind: relay.Paused}, {Kind: relay.Resumed}}, began)
	n := len(p.planner.log(t).Events[relay.Planner])
	if events[0].Seq != n+1 || events[1].Seq != n+2 || !events[1].At.Equal(began) {
		t.Errorf("%v after %d events", events, n)
	}
	if s.Next(relay.Builder) != 2 {
		t.Errorf("the builder's next is %d", s.Next(relay.Builder))
	}
}

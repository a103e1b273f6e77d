package relay_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

// choices draws which process goes on.
func choices(t *rapid.T) func(n int) int {
	return func(n int) int {
		if n == 1 {
			return 0
		}
		return rapid.IntRange(0, n-1).Draw(t, "goes on")
	}
}

// crossedAsks has both sessions ask each other at the same moment.
func crossedAsks(t *rapid.T, planner, builder relay.Role) (p pair, errs [2]error) {
	p = strangers()
	a := p.begin(func(o relay.Operator) {
		_, errs[0] = o.Pair(p.planner.speaker(), planner, builderID, relay.Terms{MaxRounds: 3})
	})
	b := p.begin(func(o relay.Operator) {
		_, errs[1] = o.Pair(p.builder.speaker(), builder, plannerID, relay.Terms{MaxRounds: 5})
	})
	finish(choices(t), a, b)
	return p, errs
}

// openLinks returns the links that are neither declined nor unlinked.
func (p pair) openLinks() []relay.State {
	var open []relay.State
	o := p.operator(nil)
	links, _ := o.Store.AllLinks()
	for _, link := range links {
		log, _ := o.Store.Log(link)
		if s := relay.Fold(log); s.Open() {
			open = append(open, s)
		}
	}
	return open
}

func TestPair_CrossedRequestsForComplementaryRolesMakeOneLink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, errs := crossedAsks(t, relay.Planner, relay.Builder)
		open := p.openLinks()
		if errs[0] != nil || errs[1] != nil || len(open) != 1 || !open[0].Accepted() {
			t.Fatalf("%d open links; %v, %v", len(open), errs[0], errs[1])
		}
		s := open[0]
		for _, id := range []string{plannerID, builderID} {
			if m := p.store.members[id]; m.Link != s.Link || s.Party(m.Role).Session != id {
				t.Fatalf("%s is a member of %s as %s", id, m.Link, m.Role)
			}
			if asks := p.store.asks[id]; len(asks) != 0 {
				t.Fatalf("%s is still asked: %v", id, asks)
			}
		}
		if s.Party(relay.Planner).Session != plannerID || s.Terms(relay.Planner).MaxRounds != 3 || s.Terms(relay.Builder).MaxRounds != 5 {
			t.Fatalf("the sides came out as %v and %v", s.Party(relay.Planner), s.Party(relay.Builder))
		}
		for _, link := range p.linksOfBoth() {
			if link < s.Link {
				t.Fatalf("link %s stands, not the smaller %s", s.Link, link)
			}
		}
	})
}

// linksOfBoth returns every link when both sessions have asked.
func (p pair) linksOfBoth() []string {
	links, _ := p.operator(nil).Store.AllLinks()
	return links
}

func TestPair_CrossedRequestsForTheSameRoleLinkNobody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, errs := crossedAsks(t, relay.Planner, relay.Planner)
		refused := 0
		for _, err := range errs {
			switch refusal(err) {
			case relay.SaySameRole, relay.SayWrongRole:
				refused++
			}
		}
		if refused == 0 {
			t.Fatalf("nobody was told: %v, %v", errs[0], errs[1])
		}
		for _, s := range p.openLinks() {
			if s.Accepted() {
				t.Fatal("two planners are linked")
			}
		}
	})
}

func TestAccept_TwiceAtOnceLinksOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := strangers()
		if _, err := p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}); err != nil {
			t.Fatal(err)
		}
		accept := func(o relay.Operator) { _, _ = o.Accept(p.builder.speaker(), "", relay.Terms{}) }
		finish(choices(t), p.begin(accept), p.begin(accept))
		log, err := p.operator(nil).Store.Log(p.store.members[builderID].Link)
		if err != nil || len(log.Events[relay.Builder]) != 1 {
			t.Fatalf("%d events of the builder: %v", len(log.Events[relay.Builder]), err)
		}
	})
}

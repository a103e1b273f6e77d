package relay_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

// A hook that notes where a session runs, or that it ended, must not write over a
// link that the session's person makes at that moment.
func TestHooks_BesideAPairingLeaveTheLink(t *testing.T) {
	hooks := map[string]func(p pair, o relay.Operator){
		"it starts in another process": func(p pair, o relay.Operator) { _, _ = o.Start(p.builder.input("resume", "")) },
		"it ends":                      func(p pair, o relay.Operator) { _, _ = o.End(p.builder.input("", "other")) },
	}
	before := map[string]func(t *testing.T, p pair){
		"that was free":   func(*testing.T, pair) {},
		"that was linked": func(t *testing.T, p pair) { must(p.operator(nil).Accept(p.builder.speaker(), "", relay.Terms{}))(t) },
	}
	for name, hook := range hooks {
		for had, prepare := range before {
			t.Run(name+", "+had, func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) {
					p := asked(t)
					p.builder.start(t, "startup") // it is known where it runs
					prepare(t, p)
					must(p.operator(nil).Unlink(p.planner.speaker()))(t)
					p.builder.run()
					var out relay.Outcome
					pairing := func(o relay.Operator) {
						out, _ = o.Pair(p.builder.speaker(), relay.Builder, plannerID, relay.Terms{})
					}
					finish(choices(rt), p.begin(pairing), p.begin(func(o relay.Operator) { hook(p, o) }))
					if m := p.store.members[builderID]; out.Link == "" || m.Link != out.Link {
						rt.Fatalf("the link %q is gone: %+v", out.Link, m)
					}
				})
			})
		}
	}
}

func TestClear_TakesAnUnansweredRequestAlong(t *testing.T) {
	for _, linked := range []bool{false, true} { // to somebody else: its person may unlink and answer
		is := is.New(t)
		p := strangers()
		if linked {
			p.open("dddd4444-0000-4000-8000-000000000004", "third")
			must(p.operator(nil).Pair(p.builder.speaker(), relay.Builder, "third", relay.Terms{}))(t)
		}
		must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
		p.builder.start(t, "startup")
		p.builder.clear(t, clearedID)
		p.builder.start(t, "clear")                                    // wired twice
		is.Equal(len(must(p.operator(nil).Requests(builderID))(t)), 0) // nobody's any more
		requests := must(p.operator(nil).Requests(clearedID))(t)
		is.Equal(len(requests), 1) // the new id's
		is.Equal(requests[0].From.Session, plannerID)
		if linked {
			must(p.operator(nil).Unlink(p.builder.speaker()))(t)
		}
		must(p.operator(nil).Pair(p.builder.speaker(), relay.Builder, plannerID, relay.Terms{}))(t)
		s := p.planner.state(t)
		is.True(s.Accepted())
		is.Equal(s.Party(relay.Builder).Session, clearedID)
		p.goal(t, "Build it")
		p.planner.stops(t, block("step 1"))
		text, role := p.builder.receives(t)
		is.Equal(text, header+"step 1") // and the work begins
		is.True(strings.HasPrefix(role, "# relay: builder\n"))
	}
}

func TestClear_OfAnUnansweredRequestTwiceAtOnceOrKilledMovesItOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := asked(t)
		p.builder.start(t, "startup")
		p.builder.end(t, "clear")
		delete(p.rows, builderID)
		p.builder.id = clearedID
		start := func() *running {
			return p.begin(func(o relay.Operator) {
				if _, err := o.Start(p.builder.input("clear", "")); err != nil {
					rt.Fatal(err)
				}
			})
		}
		all := []*running{start(), start()}
		if rapid.Bool().Draw(rt, "one dies") {
			for range rapid.IntRange(0, 20).Draw(rt, "steps") {
				if !all[0].over {
					all[0].step()
				}
			}
			all[0].kill()
		}
		finish(choices(rt), all...)
		requests, err := p.operator(nil).Requests(clearedID)
		if err != nil || len(requests) != 1 {
			rt.Fatalf("%v requests: %v", requests, err)
		}
		if n := kinds(p.planner.log(t).Events[relay.Builder])[relay.Moved]; n != 1 {
			rt.Fatalf("moved %d times", n)
		}
		if old := p.store.asks[builderID]; len(old) != 0 {
			rt.Fatalf("the old id is asked too: %v", old)
		}
	})
}

func TestClear_OfADeclinedRequestMovesNothing(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	p.builder.start(t, "startup")
	must(p.operator(nil).Decline(p.builder.speaker(), ""))(t)
	p.builder.clear(t, clearedID)
	is.Equal(len(must(p.operator(nil).Requests(clearedID))(t)), 0)
	is.Equal(kinds(p.planner.log(t).Events[relay.Builder])[relay.Moved], 0)
}

func TestBand_NamesThePeerThatHasNotAnswered(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	line, _ := must(p.operator(nil).Status(plannerID))(t).Line()
	is.True(strings.HasPrefix(line, "planner ⇄ build · ")) // its name, not its id
	p.builder.start(t, "startup")
	p.builder.clear(t, clearedID)
	line, _ = must(p.operator(nil).Status(plannerID))(t).Line()
	is.True(strings.HasPrefix(line, "planner ⇄ build · ")) // under another id too
}

package relay_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

// Hooks that are wired twice run side by side.

func TestStop_TwiceAtOnceRecordsAndSendsOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := working(t)
		turn := relay.Turn{Prompt: p.planner.prompt, Message: block("step 1")}
		stop := func(o relay.Operator) {
			if _, err := o.Stop(p.planner.input("", ""), turn); err != nil {
				rt.Fatal(err)
			}
		}
		finish(choices(rt), p.begin(stop), p.begin(stop))
		count := kinds(p.planner.log(t).Events[relay.Planner])
		if count[relay.Recorded] != 1 || count[relay.Sent] != 1 || count[relay.Paused] != 0 || count[relay.SetAside] != 0 {
			rt.Fatalf("%v", count)
		}
		if text := p.builder.woken(t); text != header+"step 1" {
			rt.Fatalf("%q is delivered", text)
		}
		if text := p.builder.woken(t); text != "" {
			rt.Fatalf("%q is delivered too", text)
		}
	})
}

func TestGate_TwiceAtOnceShowsOnceAndTellsTheRoleOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := working(t)
		p.planner.stops(t, block("step 1"))
		prompt := wake("Delivery from changeover:\n", p.builder.woken(t))
		var replies []relay.Reply
		gate := func(o relay.Operator) {
			r, err := o.Prompt(p.builder.input("", ""), prompt, "p1")
			if err != nil {
				rt.Fatal(err)
			}
			replies = append(replies, r)
		}
		finish(choices(rt), p.begin(gate), p.begin(gate))
		roles := 0
		for _, r := range replies {
			if r.Block {
				rt.Fatalf("blocked: %s", r.Reason)
			}
			if r.Context != "" {
				roles++
			}
		}
		if shown := kinds(p.builder.log(t).Events[relay.Builder])[relay.Shown]; shown != 1 || roles != 1 {
			rt.Fatalf("shown %d times, with the role %d times", shown, roles)
		}
	})
}

func TestClaim_ByBothTransportsAtOnceIsOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := working(t)
		p.planner.stops(t, block("step 1"))
		got := 0
		attached := func(o relay.Operator) {
			text, err := submits(o, p.store.members[builderID], p.builder.attachment(), relay.CatalogueOf("en"))
			if err == nil && text != "" {
				got++
			}
		}
		bell := func(o relay.Operator) {
			if text, err := wakes(o, p.builder.input("", ""), builderID); err == nil && text != "" {
				got++
			}
		}
		finish(choices(rt), p.begin(attached), p.begin(bell), p.begin(bell))
		if got != 1 || p.step(t, 1) != relay.Taken {
			rt.Fatalf("claimed %d times, %s", got, p.step(t, 1))
		}
	})
}

func TestStop_OfBothSidesAtOnceKeepsBothLogs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := reporting(t)
		p.planner.says(t, "what are you waiting for?")
		a := p.begin(func(o relay.Operator) {
			_, _ = o.Stop(p.planner.input("", ""), relay.Turn{Prompt: p.planner.prompt, Message: block("step 2")})
		})
		b := p.begin(func(o relay.Operator) {
			_, _ = o.Stop(p.builder.input("", ""), relay.Turn{Prompt: p.builder.prompt, Message: block("report 1")})
		})
		finish(choices(rt), a, b)
		s := p.planner.state(t)
		sent, aside := s.Round() == 2, s.Aside(relay.Planner) == "step 2"
		if sent == aside {
			rt.Fatalf("round %d, aside %q", s.Round(), s.Aside(relay.Planner))
		}
		if text := p.planner.woken(t); text != "[relay round 1 · from builder]\n\nreport 1" {
			rt.Fatalf("%q is reported", text)
		}
	})
}

func TestPause_BesideAStopEitherHoldsOrKeepsWhatWasSent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := working(t)
		a := p.begin(func(o relay.Operator) {
			_, _ = o.Stop(p.planner.input("", ""), relay.Turn{Prompt: p.planner.prompt, Message: block("step 1")})
		})
		b := p.begin(func(o relay.Operator) { _, _ = o.Pause(p.builder.speaker()) })
		finish(choices(rt), a, b)
		if text := p.builder.woken(t); text != "" {
			rt.Fatalf("%q is delivered while the link is paused", text)
		}
		if _, err := p.operator(nil).Resume(p.planner.speaker()); err != nil {
			rt.Fatal(err)
		}
		if text := p.builder.woken(t); text != header+"step 1" {
			rt.Fatalf("%q is delivered", text)
		}
	})
}

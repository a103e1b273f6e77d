package relay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/relay"
)

const clearedID = "cccc3333-0000-4000-8000-000000000003"

func TestClear_TakesTheLinkAlongAndTellsTheRoleAgain(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.round(t, "step 1", "report 1")
	p.builder.clear(t, clearedID)
	is.Equal(p.planner.state(t).Party(relay.Builder).Session, clearedID) // the link follows
	_, known := p.store.members[builderID]
	is.True(!known) // no ghost of the old id
	p.watched(t)
	is.Equal(len(p.paused(t)), 0) // it is not gone
	p.store.takeRings()
	p.planner.stops(t, block("step 2"))
	is.Equal(p.store.takeRings(), []string{clearedID}) // its bell
	text, role := p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nstep 2") // mail reaches it
	is.True(strings.HasPrefix(role, "# relay: builder\n"))     // with the role
	p.builder.stops(t, block("report 2"))
	text, role = p.planner.receives(t)
	is.Equal(text, "[relay round 2 · from builder]\n\nreport 2") // and back
	is.Equal(role, "")
}

func TestClear_MailThatWaitedFollows(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.clear(t, clearedID)
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1")
}

func TestClear_OfThePlannerFollowsToo(t *testing.T) {
	is := is.New(t)
	p := reporting(t)
	p.planner.clear(t, clearedID)
	p.builder.stops(t, block("report 1"))
	text, role := p.planner.receives(t)
	is.Equal(text, "[relay round 1 · from builder]\n\nreport 1")
	is.True(strings.HasPrefix(role, "# relay: planner\n"))
}

func TestClear_HookTwiceAtOnceMovesOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := reporting(t)
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
			for range rapid.IntRange(0, 12).Draw(rt, "steps") {
				if !all[0].over {
					all[0].step()
				}
			}
			all[0].kill()
		}
		finish(choices(rt), all...)
		s := p.planner.state(t)
		if s.Party(relay.Builder).Session != clearedID || !s.PromptDue(relay.Builder) {
			rt.Fatalf("the builder is %v, due %v", s.Party(relay.Builder), s.PromptDue(relay.Builder))
		}
		if n := kinds(p.planner.log(t).Events[relay.Builder])[relay.Moved]; n != 1 {
			rt.Fatalf("moved %d times", n)
		}
		p.builder.id = builderID // somebody resumes the conversation that was cleared away
		p.builder.start(t, "resume")
		if m := p.store.members[builderID]; m.Link != "" || p.planner.state(t).Party(relay.Builder).Session != clearedID {
			rt.Fatalf("the old id has the link: %v", m)
		}
	})
}

func TestClear_OfAnotherConversationInTheSameProcessTakesNothing(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.builder.end(t, "resume") // its person opens another conversation in this process
	p.builder.id = "dddd4444-0000-4000-8000-000000000004"
	p.builder.start(t, "resume")
	p.builder.clear(t, clearedID)                                        // and clears that one
	is.Equal(p.planner.state(t).Party(relay.Builder).Session, builderID) // the link stays with the conversation it was made for
	is.Equal(p.store.members[clearedID].Link, "")
}

func TestStart_OnlyClearInheritsALink(t *testing.T) {
	for _, source := range []string{"fork", "startup", "resume", "compact", ""} {
		t.Run(source, func(t *testing.T) {
			is := is.New(t)
			p := working(t)
			in := p.builder.input(source, "")
			in.SessionID = clearedID // another session in the same process
			must(p.operator(nil).Start(in))(t)
			is.Equal(p.store.members[clearedID].Link, "")                        // no link
			is.Equal(p.planner.state(t).Party(relay.Builder).Session, builderID) // it stays
		})
	}
	t.Run("clear in another process", func(t *testing.T) {
		is := is.New(t)
		p := working(t)
		third := p.open(clearedID, "third")
		third.start(t, "clear")
		is.Equal(p.store.members[clearedID].Link, "")
	})
	t.Run("clear in a process with a reused number", func(t *testing.T) {
		is := is.New(t)
		p := working(t)
		in := p.builder.input("clear", "")
		in.SessionID, in.Start = clearedID, "another start"
		must(p.operator(nil).Start(in))(t)
		is.Equal(p.store.members[clearedID].Link, "")
	})
}

func TestCompaction_TellsTheRoleAgainWithTheNextDelivery(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.round(t, "step 1", "report 1")
	is.Equal(p.builder.start(t, "compact").Context, "") // not at once
	p.builder.start(t, "compact")                       // wired twice
	p.builder.says(t, "hello")
	p.builder.stops(t, "hello")
	p.planner.stops(t, block("step 2"))
	_, role := p.builder.receives(t)
	is.True(strings.HasPrefix(role, "# relay: builder\n")) // with the delivery
	p.builder.stops(t, block("report 2"))
	p.planner.receives(t)
	p.planner.stops(t, block("step 3"))
	_, role = p.builder.receives(t)
	is.Equal(role, "") // once
}

func TestResumedConversation_KeepsItsLinkAndItsRole(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.round(t, "step 1", "report 1")
	p.builder.comeBack(t)
	is.Equal(p.planner.state(t).Party(relay.Builder).PID, p.builder.pid) // new process
	p.planner.stops(t, block("step 2"))
	text, role := p.builder.receives(t)
	is.Equal(text, "[relay round 2 · from planner]\n\nstep 2")
	is.Equal(role, "")
}

func TestLeave_AndComeBackInTheSameProcessShowsWhatWasClaimedInBetween(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	p.builder.woken(t)         // claimed
	p.builder.end(t, "resume") // but its person switches conversations before the turn starts
	p.watched(t)
	p.builder.start(t, "resume")
	p.resume(t, p.planner)
	text, _ := p.builder.receives(t)
	is.Equal(text, header+"step 1") // it is not lost
}

func TestEnd_IsNotedOnceAndClearIsNone(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.builder.end(t, "clear")
	is.True(!p.planner.state(t).HasLeft(relay.Builder)) // the same process goes on
	p.builder.end(t, "other")
	p.builder.end(t, "other")
	is.True(p.planner.state(t).HasLeft(relay.Builder)) // left
	is.Equal(kinds(p.builder.log(t).Events[relay.Builder])[relay.Left], 1)
	p.builder.start(t, "resume")
	is.True(!p.planner.state(t).HasLeft(relay.Builder)) // back, in the same process
}

func TestStart_WatchesTheBellOfAnInteractiveSessionAlone(t *testing.T) {
	is := is.New(t)
	p := strangers()
	is.Equal(p.builder.start(t, "startup").Watch, []string{"/state/bells/" + builderID}) // watched
	in := p.builder.input("startup", "")
	in.Interactive = false
	is.Equal(len(must(p.operator(nil).Start(in))(t).Watch), 0) // claude -p
}

func TestBell_WakesWithOneDeliveryAtATime(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("step 1"))
	o := p.operator(nil)
	in := p.builder.input("", "")
	is.Equal(must(o.Bell(in, "/somewhere/else"))(t).Wake, "") // another file
	scripted := in
	scripted.Interactive = false
	is.Equal(must(o.Bell(scripted, "/state/bells/"+builderID))(t).Wake, "") // claude -p
	is.Equal(must(o.Pending(scripted))(t).Wake, "")
	p.builder.attach()
	is.Equal(must(o.Bell(in, "/state/bells/"+builderID))(t).Wake, "") // the mod shows it
	is.True(!must(o.Waits(builderID))(t))
	delete(p.store.attachments, builderID)
	is.True(must(o.Waits(builderID))(t)) // it waits
	r := must(o.Pending(in))(t)
	is.Equal(r.Wake, header+"step 1") // a start finds what waited
	is.NoErr(o.HandOver(r.Claimed, r.Client))
	is.Equal(must(o.Bell(in, "/state/bells/"+builderID))(t).Wake, "") // once
	is.True(!slices.ContainsFunc(p.store.takeRings(), func(id string) bool { return id == "" }))
}

package relay_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/session"
)

func TestPair_AskingTellsThePeerAndGivesItNoRole(t *testing.T) {
	is := is.New(t)
	p := strangers()
	p.builder.attach()
	out := must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
	is.Equal(out.Lines(), []string{"asked build to be the builder; its person accepts with /relay builder " + plannerID}) // asker
	s := p.planner.state(t)
	is.Equal(s.Phase, relay.Asking)   // phase
	is.Equal(s.Asker, relay.Planner)  // asker's role
	is.True(!s.Joined(relay.Builder)) // nobody accepted
	is.Equal(len(s.Nonce), 32)        // 128 bits
	is.Equal(p.store.members[builderID].Link, "")
	requests := must(p.operator(nil).Requests(builderID))(t)
	is.Equal(len(requests), 1)                                   // one request
	is.Equal(requests[0].Command(), "/relay builder "+plannerID) // what accepts
	is.Equal(requests[0].Role, relay.Builder)                    // role offered
	for slash, line := range map[string]string{
		"/relay":            requests[0].Line(),
		"/changeover:relay": p.builder.start(t, "startup").Lines[0], // where no mod may run
	} {
		for _, part := range []string{"plan", plannerID, "/w/plan", "builder", slash + " builder " + plannerID, slash + " decline"} {
			is.True(strings.Contains(line, part)) // who asks, from where, how to answer
		}
	}
	is.Equal(p.builder.start(t, "startup").Context, "") // nothing for the model
}

func TestPair_WithoutModsNamesTheCommandThatAHookAnswers(t *testing.T) {
	is := is.New(t)
	p := strangers()
	p.planner.attach()
	out := must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
	accepts := "/changeover:relay builder " + plannerID
	is.Equal(out.Lines(), []string{"asked build to be the builder; its person accepts with " + accepts}) // as typed there
	status := must(p.operator(nil).Status(builderID))(t)
	line, _ := status.Line()
	for _, said := range []string{line, strings.Join(status.Lines(), "\n"), strings.Join(p.operator(nil).Command(p.builder.speaker(), ""), "\n")} {
		is.True(strings.Contains(said, "accept with "+accepts+", or /changeover:relay decline"))
	}
}

func TestStatus_WithoutALinkNamesAPanelWhereThereIsOne(t *testing.T) {
	is := is.New(t)
	p := strangers()
	p.builder.attach()
	o := p.operator(nil)
	free := func(slash string) []string {
		return []string{"this session has no link: " + slash + " planner <session> or " + slash + " builder <session> asks for one"}
	}
	is.Equal(o.Command(p.builder.speaker(), "status"), []string{"relay: no link; /relay opens the panel"})
	is.Equal(o.Command(p.builder.speaker(), ""), free("/relay")) // which opens it
	is.Equal(o.Command(p.planner.speaker(), "status"), free("/changeover:relay"))
}

func TestPair_TypingTheOfferedRoleAccepts(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	out := must(p.operator(nil).Pair(p.builder.speaker(), relay.Builder, plannerID, relay.Terms{}))(t)
	is.Equal(out.Lines(), []string{"relay: linked with plan"}) // builder's person
	s := p.builder.state(t)
	is.Equal(s.Phase, relay.Linked)                                    // phase
	is.Equal(s.Party(relay.Builder).Session, builderID)                // builder
	is.Equal(s.Nonce, p.planner.state(t).Nonce)                        // one nonce
	is.Equal(p.planner.log(t).Events[relay.Builder][0].Nonce, s.Nonce) // returned by accepting
	is.Equal(len(must(p.operator(nil).Requests(builderID))(t)), 0)     // no request left
	is.Equal(p.store.members[builderID].Role, relay.Builder)           // role
}

func TestPair_BuilderMayAskToo(t *testing.T) {
	is := is.New(t)
	p := strangers()
	must(p.operator(nil).Pair(p.builder.speaker(), relay.Builder, "plan", relay.Terms{}))(t) // by name
	must(p.operator(nil).Accept(p.planner.speaker(), "", relay.Terms{}))(t)
	s := p.planner.state(t)
	is.Equal(s.Phase, relay.Linked)                     // phase
	is.Equal(s.Asker, relay.Builder)                    // asker
	is.Equal(s.Party(relay.Planner).Session, plannerID) // planner
}

func TestCommand_AcceptTakesTermsAndNamesOfSeveralWords(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	is.Equal(p.operator(nil).Command(p.builder.speaker(), "accept --max-rounds 4 --lang=es"), []string{"relay: enlazada con plan"})
	is.Equal(p.planner.state(t).Terms(relay.Builder), relay.Terms{MaxRounds: 4, Lang: "es"})

	p = strangers()
	p.open("cccc3333-0000-4000-8000-000000000003", "the third one")
	asked := p.operator(nil).Command(p.planner.speaker(), "planner the third  one --max-rounds 2")
	is.True(strings.HasPrefix(asked[0], "asked the third one to be the builder"))
	is.Equal(p.planner.state(t).Terms(relay.Planner).MaxRounds, 2)
	is.Equal(p.operator(nil).Command(p.builder.speaker(), "builder --lang en"), []string{"which session? /changeover:relay sessions lists them"})
}

func TestPair_Refusals(t *testing.T) {
	tests := []struct {
		name string
		do   func(p pair, o relay.Operator) error
		want relay.Message
		says string
	}{
		{"the role that the asker takes itself", func(p pair, o relay.Operator) error {
			_, err := o.Pair(p.builder.speaker(), relay.Planner, plannerID, relay.Terms{})
			return err
		}, relay.SayWrongRole, "relay builder " + plannerID},
		{"oneself", func(p pair, o relay.Operator) error {
			_, err := o.Pair(p.builder.speaker(), relay.Builder, builderID, relay.Terms{})
			return err
		}, relay.SayOneself, "relay sessions"},
		{"a peer that never asked", func(p pair, o relay.Operator) error {
			third := p.open("cccc3333-0000-4000-8000-000000000003", "third")
			_, err := o.Accept(third.speaker(), "plan", relay.Terms{})
			return err
		}, relay.SayNotAsked, "relay planner <session>"},
		{"accepting twice", func(p pair, o relay.Operator) error {
			if _, err := o.Accept(p.builder.speaker(), "", relay.Terms{}); err != nil {
				return err
			}
			_, err := o.Accept(p.builder.speaker(), "", relay.Terms{})
			return err
		}, relay.SayAlreadyLinked, "relay unlink"},
		{"declining what was accepted", func(p pair, o relay.Operator) error {
			if _, err := o.Accept(p.builder.speaker(), "", relay.Terms{}); err != nil {
				return err
			}
			_, err := o.Decline(p.builder.speaker(), "")
			return err
		}, relay.SayNotAsked, "relay planner <session>"},
		{"a session that asks already", func(p pair, o relay.Operator) error {
			p.open("cccc3333-0000-4000-8000-000000000003", "third")
			_, err := o.Pair(p.planner.speaker(), relay.Planner, "third", relay.Terms{})
			return err
		}, relay.SayAlreadyLinked, "relay unlink"},
		{"a session that is linked", func(p pair, o relay.Operator) error {
			if _, err := o.Accept(p.builder.speaker(), "", relay.Terms{}); err != nil {
				return err
			}
			p.open("cccc3333-0000-4000-8000-000000000003", "third")
			_, err := o.Pair(p.builder.speaker(), relay.Planner, "third", relay.Terms{})
			return err
		}, relay.SayAlreadyLinked, "linked with plan"},
		{"accepting beside a link of one's own", func(p pair, o relay.Operator) error {
			third := p.open("cccc3333-0000-4000-8000-000000000003", "third")
			if _, err := o.Pair(p.builder.speaker(), relay.Builder, "third", relay.Terms{}); err != nil {
				return err
			}
			_ = third
			_, err := o.Accept(p.builder.speaker(), "plan", relay.Terms{})
			return err
		}, relay.SayAlreadyLinked, "linked with cccc3333"},
		{"an asker whose process is gone", func(p pair, o relay.Operator) error {
			p.planner.kill()
			_, err := o.Accept(p.builder.speaker(), "", relay.Terms{})
			return err
		}, relay.SayPeerGone, "relay sessions"},
		{"an asker whose number another process has", func(p pair, o relay.Operator) error {
			p.processes[p.planner.pid] = "another start"
			_, err := o.Accept(p.builder.speaker(), "", relay.Terms{})
			return err
		}, relay.SayPeerGone, "plan"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := asked(t)
			err := tt.do(p, p.operator(nil))
			is.Equal(refusal(err), tt.want)                  // refused
			is.True(strings.Contains(inWords(err), tt.says)) // what to type instead
			is.True(!strings.Contains(inWords(err), "%!"))   // every value is filled in
		})
	}
}

func TestPair_NamesOnlyLivePeers(t *testing.T) {
	p := strangers()
	gone := p.open("dddd4444-0000-4000-8000-000000000004", "gone")
	delete(p.processes, gone.pid) // its row stays behind
	scripted := p.open("eeee5555-0000-4000-8000-000000000005", "script")
	row := p.rows[scripted.id]
	row.Entrypoint = "sdk-cli"
	p.rows[scripted.id] = row
	for _, peer := range []string{gone.id, "gone", "dddd", scripted.id, "script", "nobody", ""} {
		t.Run(peer, func(t *testing.T) {
			is := is.New(t)
			_, err := p.operator(nil).Pair(p.planner.speaker(), relay.Planner, peer, relay.Terms{})
			var unknown *session.AmbiguousError
			is.True(errors.As(err, &unknown))                        // no such session
			is.True(strings.Contains(err.Error(), "relay sessions")) // what to type instead
			is.Equal(len(p.store.events), 0)                         // nothing written
		})
	}
}

func TestDecline_RefusesAndIsTold(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	must(p.operator(nil).Decline(p.builder.speaker(), ""))(t)
	s := p.planner.state(t)
	is.Equal(s.Phase, relay.IsDeclined) // phase
	is.True(!s.Open())                  // closed
	_, err := p.operator(nil).Accept(p.builder.speaker(), "", relay.Terms{})
	is.Equal(refusal(err), relay.SayNotAsked) // too late
	must(p.operator(nil).Pair(p.planner.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
	is.Equal(p.planner.state(t).Phase, relay.Asking) // may be asked anew
}

func TestState_AcceptAndDeclineJudgeTheRequestItself(t *testing.T) {
	p := asked(t)
	open := p.planner.state(t)
	must(p.operator(nil).Accept(p.builder.speaker(), "", relay.Terms{}))(t)
	joined := p.planner.state(t)
	builder, planner := p.builder.speaker().Party, p.planner.speaker().Party
	other := relay.Party{Session: "cccc3333"}
	tests := []struct {
		name string
		s    relay.State
		who  relay.Party
		want relay.Message
	}{
		{"the one that was asked", open, builder, ""},
		{"the asker", open, planner, relay.SayOneself},
		{"somebody else", open, other, relay.SayNotAsked},
		{"again", joined, builder, relay.SayAlreadyAnswered},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			role, _, err := tt.s.Accept(tt.who, relay.Terms{})
			is.Equal(role, relay.Builder)   // role
			is.Equal(refusal(err), tt.want) // accept
			_, _, err = tt.s.Decline(tt.who.Session)
			is.Equal(err == nil, tt.want == "") // decline
		})
	}
}

func TestAccept_OfSeveralRequestsWantsAName(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	third := p.open("cccc3333-0000-4000-8000-000000000003", "third")
	must(p.operator(nil).Pair(third.speaker(), relay.Planner, builderID, relay.Terms{}))(t)
	_, err := p.operator(nil).Accept(p.builder.speaker(), "", relay.Terms{})
	var several *session.AmbiguousError
	is.True(errors.As(err, &several))       // ambiguous
	is.Equal(len(several.Candidates), 2)    // both are listed
	is.True(!p.planner.state(t).Accepted()) // nobody is linked
	must(p.operator(nil).Accept(p.builder.speaker(), "cccc", relay.Terms{}))(t)
	is.True(third.state(t).Accepted())      // the one named
	is.True(!p.planner.state(t).Accepted()) // not the other
}

func TestPair_StoresEachSidesTerms(t *testing.T) {
	p := linked(t, relay.Terms{MaxRounds: 7, Lang: "es"}, relay.Terms{MaxRounds: 4, Lang: "en"})
	s := p.planner.state(t)
	if diff := cmp.Diff(relay.Terms{MaxRounds: 7, Lang: "es"}, s.Terms(relay.Planner)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(relay.Terms{MaxRounds: 4, Lang: "en"}, s.Terms(relay.Builder)); diff != "" {
		t.Error(diff)
	}
}

func TestUnlink_EndsTheLinkFromEitherSide(t *testing.T) {
	for _, byPlanner := range []bool{true, false} {
		is := is.New(t)
		p := working(t)
		p.planner.stops(t, block("step 1"))
		who := p.builder
		if byPlanner {
			who = p.planner
		}
		must(p.operator(nil).Unlink(who.speaker()))(t)
		is.Equal(p.planner.state(t).Phase, relay.IsUnlinked) // phase
		is.Equal(p.builder.woken(t), "")                     // what was on its way stays there
		for _, verb := range []func(relay.Speaker) (relay.Outcome, error){
			p.operator(nil).Unlink, p.operator(nil).Pause, p.operator(nil).Resume,
			func(s relay.Speaker) (relay.Outcome, error) { return p.operator(nil).Goal(s, "more", false) },
		} {
			_, err := verb(p.planner.speaker())
			is.Equal(refusal(err), relay.SayNotLinked) // nothing to command
		}
		must(p.operator(nil).Pair(p.builder.speaker(), relay.Planner, plannerID, relay.Terms{}))(t)
		is.Equal(p.builder.state(t).Asker, relay.Planner) // a new link, other roles
	}
}

func TestUnlink_TakesAnUnansweredRequestBack(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	must(p.operator(nil).Unlink(p.planner.speaker()))(t)
	is.Equal(len(must(p.operator(nil).Requests(builderID))(t)), 0) // no request
	_, err := p.operator(nil).Accept(p.builder.speaker(), "", relay.Terms{})
	is.Equal(refusal(err), relay.SayNotAsked) // nothing to accept
}

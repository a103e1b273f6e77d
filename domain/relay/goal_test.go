package relay_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

func TestGoal_ReachesThePlannerAsOneTurnWithItsRole(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	must(p.operator(nil).Goal(p.planner.speaker(), "  Build\r\nit \x1b[0m", false))(t)
	is.Equal(p.store.takeRings(), []string{plannerID}) // rung
	text, context := p.planner.receives(t)
	is.Equal(text, "Build\nit")                                                       // cleaned, without a header
	is.True(strings.HasPrefix(context, "# relay: planner\n"))                         // role
	is.True(strings.Contains(context, "automatic events"))                            // woken: it is work all the same
	is.Equal(p.planner.woken(t), "")                                                  // once
	is.Equal(p.planner.state(t).Phase, relay.Running)                                 // phase
	is.Equal(p.planner.state(t).Goal(), "Build\nit")                                  // goal
	is.Equal(p.planner.state(t).Deliveries(relay.Planner)[0].Receipt, relay.WasShown) // receipt
}

func TestGoal_ByTheModHasNoWordOfAutomaticEvents(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	p.planner.attach()
	must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
	is.Equal(p.store.takeRings(), nil) // no bell where the mod listens
	text := p.planner.claims(t)
	is.Equal(text, "Build it") // the goal itself
	is.Equal(p.planner.says(t, text).Context, relay.CatalogueOf("en").RolePrompt(relay.Planner, false))
}

func TestGoal_Refusals(t *testing.T) {
	tests := []struct {
		name string
		do   func(p pair, o relay.Operator) error
		want relay.Message
		says string
	}{
		{"in the builder's session", func(p pair, o relay.Operator) error {
			_, err := o.Goal(p.builder.speaker(), "Build it", false)
			return err
		}, relay.SayGoalElsewhere, "plan"},
		{"without words", func(p pair, o relay.Operator) error {
			_, err := o.Goal(p.planner.speaker(), " \n\x00", false)
			return err
		}, relay.SayGoalEmpty, "relay goal <text>"},
		{"too large", func(p pair, o relay.Operator) error {
			_, err := o.Goal(p.planner.speaker(), strings.Repeat("a", relay.MaxText+1), false)
			return err
		}, relay.SayTooLarge, "256 KiB"},
		{"while another is worked on", func(p pair, o relay.Operator) error {
			if _, err := o.Goal(p.planner.speaker(), "Build it", false); err != nil {
				return err
			}
			_, err := o.Goal(p.planner.speaker(), "Build more", false)
			return err
		}, relay.SayGoalRunning, "--restart"},
		{"without a link", func(p pair, o relay.Operator) error {
			_, err := o.Goal(p.open("cccc3333", "third").speaker(), "Build it", false)
			return err
		}, relay.SayNotLinked, "relay planner <session>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := linked(t, relay.Terms{}, relay.Terms{})
			err := tt.do(p, p.operator(nil))
			is.Equal(refusal(err), tt.want)                  // refused
			is.True(strings.Contains(inWords(err), tt.says)) // what to do
		})
	}
}

func TestGoal_OfTheLargestSizeIsTaken(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	_, err := p.operator(nil).Goal(p.planner.speaker(), strings.Repeat("a", relay.MaxText), false)
	is.NoErr(err)
}

func TestGoal_InTheBuildersSessionNamesAPlannerThatHasNotAccepted(t *testing.T) {
	is := is.New(t)
	p := strangers()
	must(p.operator(nil).Pair(p.builder.speaker(), relay.Builder, plannerID, relay.Terms{}))(t)
	_, err := p.operator(nil).Goal(p.builder.speaker(), "Build it", false)
	is.Equal(refusal(err), relay.SayGoalElsewhere)                           // refused
	is.Equal(inWords(err), "the goal is set in the planner's session, plan") // by its name
}

func TestGoal_BeforeTheLinkIsAcceptedIsWorkedOn(t *testing.T) {
	is := is.New(t)
	p := asked(t)
	p.goal(t, "Build it")
	p.planner.stops(t, block("step 1"))
	is.Equal(p.paused(t), []relay.Reason{relay.NotAccepted}) // its handoff is held
}

func TestGoal_OnALinkThatIsDoneBeginsAnew(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{MaxRounds: 2}, relay.Terms{})
	p.goal(t, "Build it")
	p.round(t, "step", "report")
	p.planner.stops(t, "<done>all</done>")
	must(p.operator(nil).Goal(p.planner.speaker(), "Build more", false))(t)
	s := p.planner.state(t)
	is.Equal(s.Phase, relay.Running) // phase
	is.Equal(s.Round(), 0)           // no round yet
	is.Equal(s.Allowed(), 2)         // fresh allowance
	is.Equal(s.Summary(), "")        // the old summary is history
	_, context := p.planner.receives(t)
	is.Equal(context, "")        // it knows its role
	p.round(t, "step", "report") // what was said under the old goal is no echo
	p.round(t, "step 2", "report 2")
	s = p.planner.state(t)
	is.Equal(s.Round(), 2)        // rounds of this goal
	is.Equal(len(p.paused(t)), 0) // nothing held
}

func TestGoal_RestartBeginsAnewAndDropsWhatWaited(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{MaxRounds: 1}, relay.Terms{})
	p.goal(t, "Build it")
	p.round(t, "step 1", "report 1")
	p.planner.stops(t, block("step 2"))
	is.Equal(p.paused(t), []relay.Reason{relay.AtLimit}) // held
	must(p.operator(nil).Goal(p.planner.speaker(), "Build that", true))(t)
	s := p.planner.state(t)
	is.Equal(len(s.Pauses()), 0) // not paused any more
	is.Equal(s.Allowed(), 1)     // fresh, not granted
	text, _ := p.planner.receives(t)
	is.Equal(text, "Build that") // the new goal
	p.planner.stops(t, block("step A"))
	text, _ = p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nstep A") // not the held one
}

func TestGoal_RestartTakesBackWhatIsOnItsWay(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("old step")) // nobody has taken it
	must(p.operator(nil).Goal(p.planner.speaker(), "Build that", true))(t)
	is.Equal(p.builder.woken(t), "") // it is not shown any more
	text, _ := p.planner.receives(t)
	is.Equal(text, "Build that") // the new goal is
	p.planner.stops(t, block("new step"))
	text, _ = p.builder.receives(t)
	is.Equal(text, "[relay round 1 · from planner]\n\nnew step") // round 1 again
}

func TestGoal_RestartMakesAReportOfTheOldWorkNobodys(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, block("old step"))
	p.builder.receives(t)
	must(p.operator(nil).Goal(p.planner.speaker(), "Build that", true))(t)
	p.builder.stops(t, block("old report"))
	is.Equal(p.builder.state(t).Aside(relay.Builder), "old report") // set aside
	text, _ := p.planner.receives(t)
	is.Equal(text, "Build that")     // the goal
	is.Equal(p.planner.woken(t), "") // nothing of the old work
}

func TestGoal_ABlockFromBeforeTheGoalIsNoStep(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.stops(t, "<done>all</done>")
	p.planner.says(t, "And what about a parser?")
	p.planner.stops(t, block("parser step")) // said while the work was done
	must(p.operator(nil).Goal(p.planner.speaker(), "Build that", false))(t)
	p.planner.receives(t)
	is.Equal(len(p.planner.says(t, "wait").Lines), 0) // it is history
	is.Equal(p.builder.woken(t), "")                  // nothing was sent
	is.Equal(p.planner.state(t).Round(), 0)
}

func TestGoal_ABlockFromBeforeItWasShownIsNoStep(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	p.planner.says(t, "hello") // a turn runs while the goal is set
	must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
	p.planner.stops(t, block("hello to you"))
	is.Equal(p.builder.woken(t), "")                                  // it is no answer to the goal
	is.Equal(p.planner.state(t).Aside(relay.Planner), "hello to you") // set aside
	text, role := p.planner.receives(t)
	is.Equal(text, "Build it") // the goal comes all the same
	is.True(role != "")        // with the role
}

func TestGoal_AfterATurnThatDiedTellsTheRoleAgain(t *testing.T) {
	is := is.New(t)
	p := working(t)
	p.planner.kill() // nobody knows what its conversation kept of that turn
	p.watched(t)
	p.planner.comeBack(t)
	must(p.operator(nil).Goal(p.planner.speaker(), "Build that", true))(t)
	text, role := p.planner.receives(t)
	is.Equal(text, "Build that")
	is.True(role != "") // told again
}

func TestGoal_ThatReadsAsACommandIsNone(t *testing.T) {
	for _, text := range []string{"/etc/hosts is to be parsed", "!important: build it"} {
		is := is.New(t)
		p := linked(t, relay.Terms{}, relay.Terms{})
		must(p.operator(nil).Goal(p.planner.speaker(), "  "+text, false))(t)
		is.Equal(p.planner.state(t).Goal(), text) // as its person said it
		got := p.planner.claims(t)
		is.True(!strings.HasPrefix(strings.TrimSpace(got), text[:1])) // no client runs it
		is.True(strings.HasSuffix(got, text))
		is.True(!p.planner.says(t, got).Block)
		is.Equal(p.planner.state(t).Deliveries(relay.Planner)[0].Receipt, relay.WasShown)
	}
}

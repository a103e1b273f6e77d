package relay_test

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

func TestPassages_TellHowLongEachTook(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
	p.passed += 2 * time.Second
	p.planner.receives(t)
	p.passed += 40 * time.Second
	p.planner.stops(t, block("one"))
	p.passed += 3 * time.Second
	p.builder.receives(t)
	p.passed += time.Minute
	p.builder.stops(t, block("did it"))

	passages := p.planner.state(t).Passages()
	is.Equal(len(passages), 3)
	goal, step, report := passages[0], passages[1], passages[2]
	is.True(goal.IsGoal())
	is.Equal(goal.Wait(), 2*time.Second)
	is.Equal(goal.Turn(), 40*time.Second)
	is.Equal(step.Wait(), 3*time.Second)
	is.Equal(step.Turn(), time.Minute)
	is.Equal(report.Wait(), time.Duration(0)) // not shown yet
	is.Equal(report.Turn(), time.Duration(0))
	is.True(report.Waits())
	is.True(!step.Waits())
}

// A clock that is put back makes no negative time.
func TestPassages_NeverTookLessThanNothing(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	must(p.operator(nil).Goal(p.planner.speaker(), "Build it", false))(t)
	p.passed -= time.Hour
	p.planner.receives(t)
	is.Equal(p.planner.state(t).Passages()[0].Wait(), time.Duration(0))
}

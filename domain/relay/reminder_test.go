package relay_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/relay"
)

// Whoever looks at a link many times a second must leave the bell still enough for
// the client to hear it.
func TestStatus_OnlyRemindsASessionOfWhatWaits(t *testing.T) {
	is := is.New(t)
	p := linked(t, relay.Terms{}, relay.Terms{})
	p.goal(t, "Build it")
	p.store.takeRings()
	p.planner.stops(t, "<handoff>step one</handoff>")
	is.Equal(p.store.reminders, 0) // the step is news
	is.Equal(len(p.store.takeRings()), 1)
	for range 3 {
		must(p.operator(nil).Status(plannerID))(t)
	}
	is.Equal(p.store.reminders, 3)
}

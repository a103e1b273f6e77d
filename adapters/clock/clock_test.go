package clock_test

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/clock"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/port"
)

func TestSystem_Contract(t *testing.T) {
	porttest.Clock(t, func(*testing.T) (port.Clock, func()) {
		c := clock.New()
		return c, func() {
			for first := c.Now(); !c.Now().After(first); {
				// A tick of the clock is all that is waited for.
			}
		}
	})
}

func TestSystem_TellsTheMachinesTime(t *testing.T) {
	is := is.New(t)
	before := time.Now()
	now := clock.New().Now()
	is.True(!now.Before(before))
	is.True(!now.After(time.Now()))
}

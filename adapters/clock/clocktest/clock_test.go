package clocktest_test

import (
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/clock/clocktest"
	"github.com/changeover/changeover/adapters/porttest"
	"github.com/changeover/changeover/domain/port"
)

func TestClock_Contract(t *testing.T) {
	porttest.Clock(t, func(*testing.T) (port.Clock, func()) {
		c := clocktest.New(time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("UTC+2", 2*60*60)))
		return c, func() { c.Advance(time.Second) }
	})
}

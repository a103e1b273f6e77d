package porttest

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/port"
)

// Clock runs the contract of port.Clock. The func returns a clock and a way to
// let time pass.
func Clock(t *testing.T, harness func(t *testing.T) (c port.Clock, pass func())) {
	t.Run("tells UTC", func(t *testing.T) {
		is := is.New(t)
		c, _ := harness(t)
		is.Equal(c.Now().Location(), time.UTC)
		is.True(!c.Now().IsZero())
	})
	t.Run("goes on", func(t *testing.T) {
		is := is.New(t)
		c, pass := harness(t)
		first := c.Now()
		pass()
		is.True(c.Now().After(first))
	})
}

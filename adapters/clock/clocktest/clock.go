// Package clocktest is a clock that a test sets.
package clocktest

import (
	"sync"
	"time"

	"github.com/changeover/changeover/domain/port"
)

// Clock implements port.Clock. It stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

var _ port.Clock = (*Clock)(nil)

// New returns a clock that stands at an instant.
func New(now time.Time) *Clock { return &Clock{now: now.UTC()} }

// Now implements port.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance lets time pass.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Package clock is the machine's clock.
package clock

import (
	"time"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
)

// System implements port.Clock with the machine's own clock.
type System struct{}

// Now returns the present instant in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// New returns the machine's clock.
func New() System { return System{} }

// Set provides the machine's clock.
var Set = wire.NewSet(New, wire.Bind(new(port.Clock), new(System)))

// Alarm implements port.Alarms.
func Alarm(d time.Duration, ring func()) port.Alarm { return time.AfterFunc(d, ring) }

package port

import "time"

// Alarm rings when a time has passed since it was set last.
type Alarm interface {
	// Reset sets it anew, also after it has rung.
	Reset(d time.Duration) bool

	// Stop keeps it from ringing.
	Stop() bool
}

// Alarms sets an alarm: ring is called in a goroutine of its own.
type Alarms func(d time.Duration, ring func()) Alarm

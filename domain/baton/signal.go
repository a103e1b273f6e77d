package baton

import (
	"context"
	"fmt"
)

// SignalError says which signal ended the work.
type SignalError struct{ Number int }

// Error names the signal by its number.
func (e SignalError) Error() string { return fmt.Sprintf("interrupted by signal %d", e.Number) }

// Signals are the two ways in which a person ends the work.
type Signals struct {
	// Stop is done at the first signal; its cause is a SignalError.
	Stop context.Context //nolint:containedctx // the two belong together, and outlive no call
	// Hurry is done at the second interrupt: what is being ended gets no time.
	Hurry context.Context //nolint:containedctx // as above
}

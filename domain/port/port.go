// Package port holds what the domain needs of the world: a clock, a file
// system, a process tree, a session registry, an agent runner and randomness.
// Each is a family of small interfaces, so that a user depends on the one to
// three methods it calls. Adapters implement them; one contract test suite per
// port runs against the real adapter and against the fake.
package port

import "time"

// Clock tells the time.
type Clock interface {
	// Now returns the present instant in UTC.
	Now() time.Time
}

// Random makes unpredictable text.
type Random interface {
	// Hex returns n random bytes as 2n lower-case hex digits. An error means
	// that the system has no randomness to give: nothing may be published.
	Hex(n int) (string, error)
}

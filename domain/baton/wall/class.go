// Package wall holds what baton knows about the walls that agents run into: the
// classes of an ended run, what a limit's text says about its reset, what follows
// a run – another agent, a wait, a return, an end –, and the record that is kept
// of it. Whether a run met a wall is decided elsewhere, by client.
package wall

import (
	"slices"
	"time"
)

// Class says why an agent run ended. Every run has exactly one.
type Class string

// The classes. None is the class of a run that met no wall, whether it succeeded or failed by itself.
const (
	None         Class = "none"
	UsageLimit   Class = "usage_limit"
	RateLimit    Class = "rate_limit"
	ContextLimit Class = "context_limit"
	Overloaded   Class = "overloaded"
	Network      Class = "network"
	Auth         Class = "auth"
	Killed       Class = "killed"
)

// Classes returns every class, none first and killed last.
func Classes() []Class {
	return []Class{None, UsageLimit, RateLimit, ContextLimit, Overloaded, Network, Auth, Killed}
}

// Valid says whether c is one of the classes. The zero value is not.
func (c Class) Valid() bool { return slices.Contains(Classes(), c) }

// Kind says which window of a subscription a usage limit belongs to.
type Kind string

// The kinds. NoKind belongs to every class but UsageLimit. Credits never reset by themselves.
const (
	NoKind  Kind = ""
	Session Kind = "session"
	Weekly  Kind = "weekly"
	Credits Kind = "credits"
	Unknown Kind = "unknown"
)

// Limit is what is known about a usage limit. ResetAt is zero when no reset time is known; Exact says that it was
// given as an instant and not as a clock time or a duration in prose.
type Limit struct {
	Kind    Kind
	ResetAt time.Time
	Exact   bool
}

// Zones tells clock times apart: Local is the zone of this machine, Load finds a zone by its IANA name. A nil Load
// knows no zone, a nil Local means UTC.
type Zones struct {
	Local *time.Location
	Load  func(name string) (*time.Location, error)
}

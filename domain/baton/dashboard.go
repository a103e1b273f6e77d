package baton

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/port"
)

// Dashboard shows how a session stands, again and again. It takes no lock and
// writes nothing, but for HandOff. Its methods may be called from several goroutines,
// Look from one at a time.
type Dashboard struct {
	world World

	mu     sync.Mutex
	memory *memory
}

// NewDashboard returns a dashboard over a world.
func NewDashboard(w World) *Dashboard { return &Dashboard{world: w, memory: newMemory()} }

// Part is one part of a view: what was read, or why it could not be. One part that
// cannot be read hides no other.
type Part[T any] struct {
	Value T
	Fault error
}

// View is what a dashboard shows at one moment.
type View struct {
	Now time.Time

	// Registry are the projects that are registered.
	Registry Part[project.Registry]

	// Repo is the repository, and how it is configured. Where it has a fault there is
	// nothing else to look at.
	Repo Part[Repo]

	// Profile is the diet that the session goes by, Diets are those there are.
	Profile string
	Diets   []string

	Session Part[Standing]
	Plan    Part[PlanState]
	Tree    Part[port.WorkTree]

	// Weight is how heavy the context is, Rotated counts the raw copies of the log.
	Weight  Part[compact.Weight]
	Rotated Part[int]

	Budget  Part[Spent]
	Handoff Part[LastHandoff]

	// Compact is the beginning of the compact state; Log and Errors are the ends of
	// the log and of what agents noted of errors.
	Compact Part[Excerpt]
	Log     Part[Excerpt]
	Errors  Part[Excerpt]

	// Warnings are what else is to be known.
	Warnings []string
}

// Standing is the session and who works on it.
type Standing struct {
	// There: there is a session.
	There bool
	Meta  SessionMeta
	// Stale: the session claims work that nobody does.
	Stale bool
}

// Is says whether the session has a status, and somebody does that work.
func (s Standing) Is(status ...Status) bool {
	for _, one := range status {
		if s.There && !s.Stale && s.Meta.Status() == one {
			return true
		}
	}
	return false
}

// Spent is what the artifacts take of their budgets, in characters.
type Spent struct {
	Handoff, HandoffLimit int
	Plan, PlanLimit       int
	// Cut: the last handoff was cut to fit; nil where there was none.
	Cut *bool
}

// Forget drops what was remembered of files that seem unchanged, so that the next
// look reads all of them.
func (d *Dashboard) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.memory = newMemory()
}

// Open finds the repository of a place, as a command does that was told to work
// there. It writes nothing, also where the registry of projects is damaged.
func (d *Dashboard) Open(ctx context.Context, place Place) (Repo, error) {
	file, registry, err := d.world.readProjects()
	if err != nil && place.Project != "" {
		return Repo{}, usage(fmt.Errorf("%s: %w", file, err))
	}
	r, err := d.world.resolve(ctx, registry, place)
	if err != nil {
		return r, err
	}
	return d.world.configured(r)
}

func (d *Dashboard) remembered() *memory {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.memory
}

// Look reads everything that is shown. When ctx is done first, what is missing has
// its error for a fault.
func (d *Dashboard) Look(ctx context.Context, place Place) View {
	v := View{Now: d.world.Clock.Now()}
	_, registry, err := d.world.readProjects()
	v.Registry = part(registry, err)
	if v.Repo = part(d.Open(ctx, place)); v.Repo.Fault != nil {
		return v
	}
	look := &looking{Repo: v.Repo.Value, world: d.world, view: &v, memory: d.remembered()}
	look.all(ctx)
	return v
}

// part is a part of a view.
func part[T any](value T, err error) Part[T] { return Part[T]{Value: value, Fault: err} }

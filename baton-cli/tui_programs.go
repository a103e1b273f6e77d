package main

import (
	"context"
	"slices"
	"sync"

	"github.com/changeover/changeover/domain/baton"
)

// programs are those of the agents. Whether they are there is looked at when somebody
// asks alone, for it starts them.
type programs struct {
	dashboard *baton.Dashboard
	// told has the screen drawn anew when an answer has come.
	told    chan struct{}
	running sync.WaitGroup

	mu     sync.Mutex
	due    bool
	busy   bool
	checks []baton.Check
	err    error
}

func newPrograms(dashboard *baton.Dashboard) *programs {
	return &programs{dashboard: dashboard, told: make(chan struct{}, 1), due: true}
}

// again has the next look ask anew.
func (p *programs) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.due = true
}

// found is what the last look told.
func (p *programs) found() ([]baton.Check, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.checks), p.err
}

// look asks the programs where that is due, and does not wait for them.
func (p *programs) look(ctx context.Context, place baton.Place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.due || p.busy {
		return
	}
	p.due, p.busy = false, true
	p.running.Add(1)
	go func() {
		defer p.running.Done()
		checks, err := p.ask(ctx, place)
		p.mu.Lock()
		p.checks, p.err, p.busy = checks, err, false
		p.mu.Unlock()
		select {
		case p.told <- struct{}{}:
		default:
		}
	}()
}

// ask asks all of them at once.
func (p *programs) ask(ctx context.Context, place baton.Place) ([]baton.Check, error) {
	ids := baton.Logins()
	checks, faults := make([]baton.Check, len(ids)), make([]error, len(ids))
	var asked sync.WaitGroup
	for i, id := range ids {
		asked.Go(func() { checks[i], faults[i] = p.dashboard.Available(ctx, place, id) })
	}
	asked.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err // they fail for one reason: there is no such place
		}
	}
	return checks, nil
}

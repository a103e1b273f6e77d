package baton

import "context"

// HandedOff is a handoff that a dashboard had written.
type HandedOff struct {
	// To is the agent that it is for, empty where it did not come that far.
	To string
	// Written is the zero value where nothing was.
	Written
	// Notices are what is to be known of it.
	Notices []string
}

// HandOff writes a handoff for the agent that would go on, under a diet, and starts
// nobody. An empty diet is the session's. Its errors are those of World.Handoff:
// with a *GateError the handoff was written, with a *BusyError nothing was.
func (d *Dashboard) HandOff(ctx context.Context, place Place, dietName string) (done HandedOff, err error) {
	r, err := d.Open(ctx, place)
	if err != nil {
		return done, err
	}
	meta, _, err := r.ReadMeta()
	if err != nil {
		return done, unreadable(err)
	}
	if done.To, err = r.goesOn(meta); err != nil {
		return done, err
	}
	w := d.world
	w.Sink = &hearing{Sink: w.Sink, heard: &done.Notices}
	q := HandoffRequest{Place: place, To: done.To, Diet: dietName, NoRun: true}
	err = w.Handoff(ctx, Signals{Stop: ctx, Hurry: ctx}, q, func(told Written) { done.Written = told })
	return done, err
}

// goesOn is the agent that goes on after the last one.
func (r Repo) goesOn(meta SessionMeta) (string, error) {
	first, other, err := r.agents("", "")
	last := meta.LastAgent
	if last == "" || last == NoAgent {
		last = first
	}
	if next := after(last, other, first); next != "" {
		return next, err
	}
	return first, err // there is one agent alone
}

// Available asks an agent's program for its version, which takes some seconds at most.
// Nothing else of an agent is started.
func (d *Dashboard) Available(ctx context.Context, place Place, id string) (Check, error) {
	r, err := d.Open(ctx, place)
	if err != nil {
		return Check{}, err
	}
	e := &examination{World: d.world, Repo: r}
	e.agent(ctx, id)
	return e.Checks[0], nil
}

// hearing is a sink that keeps what is said.
type hearing struct {
	Sink
	heard *[]string
}

// Notice implements Sink.
func (h *hearing) Notice(line string) { *h.heard = append(*h.heard, line) }

// Progress implements Sink.
func (h *hearing) Progress(string) {}

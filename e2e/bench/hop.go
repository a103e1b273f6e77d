package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// hopCount is how many hops the mods carry, bellCount how many the bells do.
	hopCount  = 20
	bellCount = 8

	// hopLimit is what a hop may take, by the client's own floor.
	hopLimit = 1.4

	// settle is what clients are given before and after a sample: then nothing is
	// left to do of the one before.
	settle = 700 * time.Millisecond
)

const goal = "give the harbour a tide table"

func step(n int) string { return fmt.Sprintf("step %d: draw the pier of the north quay to scale", n) }

func report(n int) string { return fmt.Sprintf("report %d: the pier of the north quay is drawn", n) }

// linked is two paired clients whose models hand each other work.
type linked struct {
	planner, builder *client
	answers          []answer
	// took are the times from the last byte of an answer to the request that
	// carries what it handed over, to and fro in turn.
	took []time.Duration
}

// cue is how the model of its receiver knows the hop n, the first one being 0;
// -1 is the goal.
func cue(n int) string {
	if n < 0 {
		return goal
	}
	if n%2 == 0 {
		return fmt.Sprintf("[relay round %d · from planner]\n\n%s", n/2+1, step(n/2+1))
	}
	return fmt.Sprintf("[relay round %d · from builder]\n\n%s", n/2+1, report(n/2+1))
}

// handed is what the hop n carries.
func handed(n int) string {
	if n%2 == 0 {
		return step(n/2 + 1)
	}
	return report(n/2 + 1)
}

// ends are the clients that the hop n goes from and to.
func (l *linked) ends(n int) (from, to *client) {
	if n%2 == 0 {
		return l.planner, l.builder
	}
	return l.builder, l.planner
}

// pair starts two clients with a plugin, links them and sets the goal, ready for
// that many hops.
func (s *stage) pair(ctx context.Context, prefix, plugin string, mod bool, hops int) (*linked, error) {
	var l linked
	var err error
	if l.planner, err = s.start(ctx, prefix+"-planner", repos[0], plugin); err != nil {
		return nil, err
	}
	if l.builder, err = s.start(ctx, prefix+"-builder", repos[1], plugin); err != nil {
		return nil, err
	}
	for n := range hops {
		from, _ := l.ends(n)
		l.answers = append(l.answers, from.answers(cue(n-1), "Good.\n<handoff>"+handed(n)+"</handoff>"))
	}
	planner, builder := l.planner.row.SessionID, l.builder.row.SessionID
	if mod {
		if err := errors.Join(s.attached(ctx, l.planner), s.attached(ctx, l.builder)); err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{
		{"planner", builder, "--session", planner, "--max-rounds", fmt.Sprint(hops)},
		{"builder", planner, "--session", builder, "--max-rounds", fmt.Sprint(hops)},
		{"goal", goal, "--session", planner},
	} {
		if err := s.run(ctx, plugin, "relay", args...); err != nil {
			return nil, err
		}
	}
	_, err = l.planner.asked(ctx, goal)
	return &l, err
}

func (l *linked) clients() []*client { return []*client{l.planner, l.builder} }

// sample measures the next hop.
func (l *linked) sample(ctx context.Context) error {
	n := len(l.took)
	_, to := l.ends(n)
	ended, err := l.answers[n].give(ctx)
	if err != nil {
		return err
	}
	r, err := to.asked(ctx, cue(n))
	if err != nil {
		return err
	}
	l.took = append(l.took, r.At.Sub(ended))
	return nil
}

// benchHop measures hops between real clients, with mods and without, beside the
// floor.
func benchHop(ctx context.Context, t *table, dir string, built programs) (err error) {
	s, err := newStage(dir)
	if err != nil {
		return err
	}
	defer func() { err = s.end(err) }()
	m, err := s.withMods(ctx, built)
	if err != nil {
		return err
	}
	if err := s.end(nil); err != nil {
		return err
	}
	bells, err := s.withBells(ctx, built)
	if err != nil {
		return err
	}
	fmt.Printf("the clients' own floor, mods that only tell of a turn's end: %s\n", m.floor)
	fmt.Printf("the same with two hooks that run the bare program: %s\n", m.hooked)
	hop := median(m.linked.took)
	fmt.Printf("a hop by the mods, median of %d: %.0f ms, from %.0f to %.0f ms\n", hopCount, ms(hop),
		ms(slices.Min(m.linked.took)), ms(slices.Max(m.linked.took)))
	// The client runs a hook at each turn's end and each prompt, whatever the mod
	// does: what two that do nothing take is the client's own.
	t.against("a hop by the mods", "the floor with two hooks", m.hooked.lowest(), hop, hopLimit)
	fmt.Printf("the same: %.2f × the floor without hooks, %.2f × what a shell and two pipes take\n",
		float64(hop)/float64(m.floor.lowest()), float64(hop)/float64(median(m.hooked.took)))
	fmt.Printf("a hop by the hooks alone, median of %d: %.0f ms, most of it the client's watch of a file\n", bellCount, ms(median(bells.took)))
	return nil
}

// sampled is what was measured in turn.
type sampled struct {
	floor  *floor
	hooked *floor
	linked *linked
}

// withMods takes samples of the floors and of hops.
func (s *stage) withMods(ctx context.Context, built programs) (m sampled, err error) {
	plugin, err := s.plugin("plugin", built, true)
	if err != nil {
		return m, err
	}
	if m.floor, err = s.floor(ctx, "floor", "", hopCount); err != nil {
		return m, err
	}
	if m.hooked, err = s.floor(ctx, "floor-hooked", built.bare, hopCount); err != nil {
		return m, err
	}
	if m.linked, err = s.pair(ctx, "mod", plugin, true, hopCount); err != nil {
		return m, err
	}
	return m, take(ctx, hopCount, m.floor, m.hooked, m.linked)
}

// sampler is a group of clients of which one sample at a time is taken.
type sampler interface {
	clients() []*client
	sample(ctx context.Context) error
}

// take takes n samples of each group in turn, so that what the machine does
// meanwhile touches each. The clients of the others stand still.
func take(ctx context.Context, n int, groups ...sampler) error {
	each := func(do func(*client) error, groups ...sampler) error {
		var errs []error
		for _, g := range groups {
			for _, c := range g.clients() {
				errs = append(errs, do(c))
			}
		}
		return errors.Join(errs...)
	}
	if err := each((*client).still, groups...); err != nil {
		return err
	}
	for range n {
		for _, g := range groups {
			err := errors.Join(each((*client).wake, g), wait(ctx, settle))
			if err == nil {
				err = g.sample(ctx)
			}
			if err := errors.Join(err, wait(ctx, settle), each((*client).still, g)); err != nil {
				return err
			}
		}
	}
	return nil
}

// withBells takes samples of hops without mods.
func (s *stage) withBells(ctx context.Context, built programs) (*linked, error) {
	plugin, err := s.plugin("plugin-without-mod", built, false)
	if err != nil {
		return nil, err
	}
	l, err := s.pair(ctx, "hook", plugin, false, bellCount)
	if err != nil {
		return nil, err
	}
	return l, take(ctx, bellCount, l)
}

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/changeover/changeover/e2e/document"
	"github.com/changeover/changeover/e2e/modelserver"
)

// What the two models say.
const (
	firstStep  = "Find every place that prints a height. Change nothing yet."
	firstFound = "One place: tide.py:1 prints 10.2 ft. No test covers it."
	secondStep = "Write a test that wants metres. It must fail."
	secondDone = "test_tide.py is there and fails: want 3.1 m, got 10.2 ft."
	thirdStep  = "Make it pass: convert in tide.py, touch nothing else."
	thirdDone  = "tide.py converts, and the test passes."
)

// relay plays two sessions as a pair, until the planner is done. The pictures are
// of the panel, and of the third round.
func (s *stage) relay(ctx context.Context, tour document.Tour) (taken []shot, err error) {
	began := time.Now()
	for _, line := range tour.Into("sh") {
		dir, name, err := started(line)
		if err != nil {
			return nil, err
		}
		if _, err := s.start(ctx, name, dir, nil); err != nil {
			return nil, err
		}
	}
	planner, builder := s.actor("plan"), s.actor("build")
	asks, accepts := tour.Into("plan"), tour.Into("build")
	if planner == nil || builder == nil || len(asks) != 2 || len(accepts) != 1 {
		return nil, fmt.Errorf("the tour of relay is another: plan types %q, build types %q", asks, accepts)
	}
	release := script(strings.TrimPrefix(asks[1], "/relay goal "), planner, builder)
	defer release()

	panel, err := planner.panel(ctx)
	if err != nil {
		return nil, err
	}
	for _, do := range []struct {
		who      *client
		types    string
		then     string
		likewise *client
		too      string
	}{
		{planner, asks[0], "asked build to be the builder", builder, "plan asks you to be the builder"},
		{builder, accepts[0], "linked with plan", planner, "waiting for the goal"},
		{planner, asks[1], "3/10 · builder's turn", builder, "3/10 · your turn"},
	} {
		if err := do.who.types(ctx, do.types); err != nil {
			return nil, err
		}
		if err := do.who.shows(ctx, do.then); err != nil {
			return nil, err
		}
		if err := do.likewise.shows(ctx, do.too); err != nil {
			return nil, err
		}
		s.say("%s: %s", do.who.name, do.types)
	}
	s.say("the third round is open %s after the first session was started", time.Since(began).Round(time.Second))

	screen, err := planner.rests(ctx)
	if err != nil {
		return nil, err
	}
	taken = []shot{{"panel.svg", "claude -n plan", panel}, {"band.svg", "claude -n plan", screen}}
	release()
	return taken, planner.shows(ctx, "3/10 · done")
}

// panel opens the panel, takes it and closes it.
func (c *client) panel(ctx context.Context) ([][]cell, error) {
	if err := c.types(ctx, "/relay"); err != nil {
		return nil, err
	}
	if err := c.shows(ctx, "[ Connect ]"); err != nil {
		return nil, err
	}
	screen, err := c.rests(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.terminal.send(escape); err != nil {
		return nil, err
	}
	return screen, c.until(ctx, "its panel closed", func(screen string) bool { return !strings.Contains(screen, "[ Connect ]") })
}

// script has the models play three rounds. The builder's last report is kept back
// until release is called.
func script(goal string, planner, builder *client) (release func()) {
	on := func(c *client, cue, said string) { c.script.On(cue, modelserver.Say(modelserver.Text(said))) }
	handoff := func(said, text string) string { return said + "\n\n<handoff>" + text + "</handoff>" }
	on(planner, "[relay round 1 · from builder]", handoff("One place, and no test: a test first.", secondStep))
	on(planner, "[relay round 2 · from builder]", handoff("It fails for the right reason. Now the fix.", thirdStep))
	on(planner, "[relay round 3 · from builder]", "All good.\n\n<done>the table prints metres</done>")
	on(planner, goal, handoff("I look before I change anything.", firstStep))
	on(builder, "[relay round 1 · from planner]", handoff("I looked at it.", firstFound))
	on(builder, "[relay round 2 · from planner]", handoff("The test is written.", secondDone))
	hold := make(chan struct{})
	builder.script.On("[relay round 3 · from planner]", modelserver.Answer{
		Blocks: []modelserver.AnswerBlock{modelserver.Text(handoff("Done.", thirdDone))}, Hold: hold,
	})
	return sync.OnceFunc(func() { close(hold) })
}

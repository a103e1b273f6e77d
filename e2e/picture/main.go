// Command picture has two real sessions of Claude Code do what the README tells
// a newcomer to type, and draws what their terminals show into docs/pictures.
// The model is one of ours, so no account is needed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/changeover/changeover/e2e/clients/pinned"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := draw(ctx, os.Stdout)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// draw plays the story and writes the pictures.
func draw(ctx context.Context, out io.Writer) (err error) {
	checkout, err := pinned.Checkout()
	if err != nil {
		return err
	}
	s, err := newStage(checkout, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.strike()) }()
	if err := s.install(ctx); err != nil {
		return err
	}
	taken, err := s.play(ctx)
	if err != nil {
		return err
	}
	private, err := s.private()
	if err != nil {
		return err
	}
	for _, p := range taken {
		picture := render(p.title, s.scrubbed(p.screen))
		if err := names(picture, private); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		path := filepath.Join(checkout, "docs", "pictures", p.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, picture, 0o644); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(out, "-- docs/pictures/%s: %d bytes\n", p.name, len(picture))
	}
	return nil
}

// shot is a screen that is to become a picture.
type shot struct {
	name, title string
	screen      [][]cell
}

// The goal, and what the models say to it.
const (
	goal = "the tide table prints metres, not feet"

	firstStep  = "Find every place that prints a height. Change nothing yet."
	firstFound = "Two places: table.go:41 and chart.go:18. Both call format(). No test covers either."
	secondStep = "Write a test for format() that wants metres. It must fail."
	secondDone = "format_test.go is there and fails: want 3.1 m, got 10.2 ft."
	thirdStep  = "Make it pass: convert in format(), touch nothing else."
	thirdDone  = "format() converts. go test ./... passes, 14 of 14."
)

// play is what the README tells under "Pair two sessions in under a minute".
func (s *stage) play(ctx context.Context) (taken []shot, err error) {
	began := time.Now()
	planner, err := s.start(ctx, "plan")
	if err != nil {
		return nil, err
	}
	builder, err := s.start(ctx, "build")
	if err != nil {
		return nil, err
	}
	release := script(planner, builder)
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
		{planner, "/relay planner build", "asked build to be the builder", builder, "plan asks you to be the builder"},
		{builder, "/relay builder plan", "linked with plan", planner, "waiting for the goal"},
		{planner, "/relay goal " + goal, "3/10 · builder's turn", builder, "3/10 · your turn"},
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

package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// floor is a client with a mod that does nothing but submit a prompt after each
// turn, and what that takes: no hop can take less.
type floor struct {
	*client
	answers []answer
	// complete are the times from the last byte of an answer to the mod's
	// turn.complete, enter those from its submission to the request.
	complete, enter []time.Duration
}

const firstFloorTurn = "[floor turn 0]"

func floorTurn(n int) string { return fmt.Sprintf("[floor turn %d]", n) }

// floor starts such a client, ready for that many samples; with a program, it runs
// that as its hooks.
func (s *stage) floor(ctx context.Context, name, program string, samples int) (*floor, error) {
	plugin, err := s.floorPlugin(name, program)
	if err != nil {
		return nil, err
	}
	c, err := s.start(ctx, name, repos[0], plugin)
	if err != nil {
		return nil, err
	}
	f := &floor{client: c}
	for n := range samples {
		f.answers = append(f.answers, c.answers(floorTurn(n), fmt.Sprintf("Good.\n%s", step(n+1))))
	}
	if err := c.ask(ctx, firstFloorTurn); err != nil {
		return nil, err
	}
	_, err = c.asked(ctx, firstFloorTurn)
	return f, err
}

func (f *floor) clients() []*client { return []*client{f.client} }

// sample measures the end of one turn and the beginning of the next.
func (f *floor) sample(ctx context.Context) error {
	n := len(f.complete)
	ended, err := f.answers[n].give(ctx)
	if err != nil {
		return err
	}
	cue := floorTurn(n + 1)
	r, err := f.asked(ctx, cue)
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(r.LastText(), cue)
	var completed, submitted int64
	if _, err := fmt.Sscanf(rest, " completed %d submitted %d", &completed, &submitted); err != nil {
		return fmt.Errorf("floor: read the times of %q: %w", rest, err)
	}
	// The mod's clock is the system's, in whole milliseconds.
	f.complete = append(f.complete, time.UnixMilli(completed).Sub(ended.Round(0)))
	f.enter = append(f.enter, r.At.Round(0).Sub(time.UnixMilli(submitted)))
	return nil
}

// lowest is what the client itself takes for a hop.
func (f *floor) lowest() time.Duration { return median(f.complete) + median(f.enter) }

func (f *floor) String() string {
	return fmt.Sprintf("%.0f ms = %.0f ms to turn.complete + %.0f ms from the submission to the request, medians of %d",
		ms(f.lowest()), ms(median(f.complete)), ms(median(f.enter)), len(f.complete))
}

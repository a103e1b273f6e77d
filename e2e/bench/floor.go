package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// floor is two clients whose mods do nothing but tell each other of each turn's
// end and submit a prompt: no hop can take less.
type floor struct {
	ends    [2]*client
	answers []answer
	// complete are the times from the last byte of an answer to the mod's
	// turn.complete, enter those from the other mod's submission to the request.
	complete, enter []time.Duration
	// took are the times from the last byte to the request: what is over goes to
	// the way from mod to mod, a shell and two pipes.
	took []time.Duration
}

const firstFloorTurn = "[floor begins]"

// floorTurn is the prompt of the hop n, the first one being 0. Each mod counts
// its own.
func floorTurn(n int) string { return fmt.Sprintf("[floor turn %d]", n/2+1) }

// floor starts such clients, ready for that many samples; with a program, they run
// that as their hooks.
func (s *stage) floor(ctx context.Context, name, program string, samples int) (*floor, error) {
	pipes, err := s.openPipes(name)
	if err != nil {
		return nil, err
	}
	f := new(floor)
	for i := range f.ends {
		label := fmt.Sprintf("%s-%d", name, i)
		plugin, err := s.floorPlugin(label, program, pipes[i], pipes[1-i])
		if err != nil {
			return f, err
		}
		if f.ends[i], err = s.start(ctx, label, repos[i], plugin); err != nil {
			return f, err
		}
	}
	for n := range samples {
		cue := firstFloorTurn
		if n > 0 {
			cue = floorTurn(n - 1)
		}
		f.answers = append(f.answers, f.ends[n%2].answers(cue, "Good.\n"+step(n+1)))
	}
	if err := f.ends[0].ask(ctx, firstFloorTurn); err != nil {
		return f, err
	}
	_, err = f.ends[0].asked(ctx, firstFloorTurn)
	return f, err
}

func (f *floor) clients() []*client { return f.ends[:] }

// sample measures the end of one turn and the beginning of the other client's next.
func (f *floor) sample(ctx context.Context) error {
	n := len(f.complete)
	ended, err := f.answers[n].give(ctx)
	if err != nil {
		return err
	}
	cue := floorTurn(n)
	r, err := f.ends[1-n%2].asked(ctx, cue)
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(r.LastText(), cue)
	var completed, submitted int64
	if _, err := fmt.Sscanf(rest, " completed %d submitted %d", &completed, &submitted); err != nil {
		return fmt.Errorf("floor: read the times of %q: %w", rest, err)
	}
	// The mods' clock is the system's, in whole milliseconds.
	f.complete = append(f.complete, time.UnixMilli(completed).Sub(ended.Round(0)))
	f.enter = append(f.enter, r.At.Round(0).Sub(time.UnixMilli(submitted)))
	f.took = append(f.took, r.At.Sub(ended))
	return nil
}

// lowest is what the clients themselves take for a hop.
func (f *floor) lowest() time.Duration { return median(f.complete) + median(f.enter) }

func (f *floor) String() string {
	return fmt.Sprintf("%.0f ms = %.0f ms to turn.complete + %.0f ms from the submission to the request, medians of %d; with the way from mod to mod, a shell and two pipes, %.0f ms",
		ms(f.lowest()), ms(median(f.complete)), ms(median(f.enter)), len(f.complete), ms(median(f.took)))
}

package faults_test

import (
	"context"
	"errors"
	"testing"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/port"
)

// stopped is a git that a signal ends, once it was asked so often for the state of
// the tree.
type stopped struct {
	still
	asked, at *int
}

func (s stopped) Status(ctx context.Context, dir string, without ...string) (port.WorkTree, error) {
	if *s.asked++; *s.asked > *s.at {
		return port.WorkTree{}, context.Canceled
	}
	return s.still.Status(ctx, dir, without...)
}

// A signal that comes while baton itself looks at the repository is an interruption
// as any other, and no work is claimed afterwards.
func TestVerbs_InterruptedWhileTheyLookAtTheRepository(t *testing.T) {
	for _, tt := range []struct {
		name      string
		asked     int
		run       func(g *ground, w baton.World) error
		status    baton.Status
		lastError string
	}{
		{"between two agents", 1, runs, baton.FallbackDetected, "interrupted"},
		{"before the planner starts", 2, func(g *ground, w baton.World) error { return plans(g, w, false) }, baton.Failed, "interrupted"},
		{"before anything has begun", 0, runs, baton.Completed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGround(t)
			used(g)
			walled(g)
			w := g.begin(sound, 0)
			w.Git = stopped{still{g.top}, new(int), &tt.asked}
			if err := tt.run(g, w); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			meta, _, err := g.meta()
			if err != nil || meta.Status() != tt.status || meta.LastError != tt.lastError || meta.ActiveAgent != baton.NoAgent {
				t.Errorf("the session is %s, %s, %q: %v", meta.Status(), meta.ActiveAgent, meta.LastError, err)
			}
		})
	}
}

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

// signalled is a git at whose second look, the one between two agents, a signal
// comes, and that does not mind.
type signalled struct {
	still
	asked  *int
	signal context.CancelCauseFunc
}

func (s signalled) Status(ctx context.Context, dir string, without ...string) (port.WorkTree, error) {
	if *s.asked++; *s.asked == 2 {
		s.signal(baton.SignalError{Number: 15})
	}
	return s.still.Status(ctx, dir, without...)
}

// A signal that comes between two agents is obeyed though nothing that was done
// meanwhile failed of it: no further agent is started.
func TestRun_SignalBetweenTwoAgentsStartsNoFurtherOne(t *testing.T) {
	g := newGround(t)
	used(g)
	walled(g)
	g.script["claude"] = func(*actor) int {
		t.Error("the next agent was started")
		return 0
	}
	w := g.begin(sound, 0)
	stop, signal := context.WithCancelCause(t.Context())
	w.Git = signalled{still{g.top}, new(int), signal}
	sig := baton.Signals{Stop: stop, Hurry: t.Context()}
	var interrupted *baton.InterruptedError
	err := w.Run(t.Context(), sig, baton.RunRequest{Task: "Mend the parser", Diet: "ultra"})
	if !errors.As(err, &interrupted) || baton.ExitCode(err) != 143 {
		t.Fatal(err)
	}
	if want := "interrupted before claude was started; 'baton handoff --to claude' goes on from here"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	meta, _, err := g.meta()
	if err != nil || meta.Status() != baton.FallbackDetected || meta.LastError != "interrupted" || meta.ActiveAgent != baton.NoAgent {
		t.Errorf("the session is %s, %s, %q: %v", meta.Status(), meta.ActiveAgent, meta.LastError, err)
	}
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

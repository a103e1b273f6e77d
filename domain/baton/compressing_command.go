package baton

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/changeover/changeover/domain/baton/compact"
)

// CompressRequest is what compress-context was asked to do.
type CompressRequest struct {
	Place
	Diet string
	// Threshold is nil for that of the configuration.
	Threshold *float64
	// Force compresses also below the threshold, and where the configuration
	// does not want it. It does not override the gate.
	Force bool
	// Refuse has the gate refuse what was written, in these words, so that
	// everything is put back: a rehearsal of that. Empty for none.
	Refuse string
}

// Ways in which compress-context ends.
const (
	CompressDisabled = "disabled"
	CompressSkipped  = "skipped"
	CompressPlanned  = "planned"
	CompressHeld     = "compressed"
	CompressRefused  = "refused"
)

// Compressed is what compress-context did, or would do.
type Compressed struct {
	Profile   string
	Threshold float64
	// Weight is that before.
	Weight compact.Weight
	// Outcome is one of the ways; Reason says why nothing was done.
	Outcome string
	Reason  string
	// Cycle is the zero value where nothing was done.
	Cycle
}

// CompressContext runs a cycle of compression where one is due. A *GateError comes
// with a result that says more.
func (w World) CompressContext(ctx context.Context, q CompressRequest) (c Compressed, err error) {
	r, _, err := w.compressible(ctx, q)
	if err != nil {
		return c, err
	}
	if c, off := q.off(r); off {
		return c, nil
	}
	s, err := w.begin(ctx, r, "compress-context")
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, s.end()) }()
	chosen, err := s.choose(q.Diet, s.meta.TokenDietProfile)
	if err != nil {
		return c, err
	}
	c, due, err := q.weigh(s.Repo, chosen)
	if err != nil || !due {
		return c, err
	}
	c.Cycle, err = s.compress(pressure{trigger: ManualTrigger, diet: chosen, threshold: c.Threshold, refuse: q.Refuse})
	if c.Held {
		c.Outcome = CompressHeld
		return c, err
	}
	if err != nil {
		return c, err
	}
	c.Outcome = CompressRefused
	return c, &GateError{What: "the compression", Failures: c.Report.Failures, Hints: []string{"Every file is as it was before."}}
}

// ForeseeCompression says what CompressContext would do. It takes no lock and writes
// nothing.
func (w World) ForeseeCompression(ctx context.Context, q CompressRequest) (c Compressed, err error) {
	r, meta, err := w.compressible(ctx, q)
	if err != nil {
		return c, err
	}
	if c, off := q.off(r); off {
		return c, nil
	}
	chosen, err := w.chosen(r, q.Diet, meta)
	if err != nil {
		return c, err
	}
	c, due, err := q.weigh(r, chosen)
	if err != nil || !due {
		return c, err
	}
	c.Outcome = CompressPlanned
	p, err := w.foresee(r, meta, chosen, c.Threshold)
	c.Cycle = Cycle{CompressionPlan: p, Report: p.Gate()}
	return c, err
}

// foresee is the plan of a cycle that a person would begin now.
func (w World) foresee(r Repo, meta SessionMeta, chosen diet, threshold float64) (CompressionPlan, error) {
	p, err := w.prepare(r, meta, pressure{trigger: ManualTrigger, diet: chosen, threshold: threshold}, false)
	if err != nil {
		return CompressionPlan{}, err
	}
	return p.CompressionPlan, nil
}

// compressible opens the repository of a session that is there.
func (w World) compressible(ctx context.Context, q CompressRequest) (r Repo, meta SessionMeta, err error) {
	if t := q.Threshold; t != nil && !(*t >= 0 && *t <= 1) { // what is no number is refused too
		return r, meta, usagef("threshold %v: give a number from 0 to 1, such as 0.8", *t)
	}
	if r, meta, err = w.session(ctx, q.Place); err != nil {
		return r, meta, err
	}
	_, _, _, err = r.Diet(q.Diet, meta.TokenDietProfile)
	return r, meta, err
}

// session opens the repository of a command that needs a session.
func (w World) session(ctx context.Context, place Place) (r Repo, meta SessionMeta, err error) {
	if r, err = w.ready(ctx, place); err != nil {
		return r, meta, err
	}
	meta, there, err := r.ReadMeta()
	if err != nil {
		return r, meta, usage(err)
	}
	if !there {
		return r, meta, usagef("there is no session in %s: make one with 'baton init'", r.Top())
	}
	return r, meta, nil
}

// off says whether the configuration does not want compression.
func (q CompressRequest) off(r Repo) (c Compressed, off bool) {
	if r.Config.Compression.Enabled || q.Force {
		return c, false
	}
	return Compressed{Outcome: CompressDisabled, Reason: "context compression is disabled by configuration; --force compresses all the same"}, true
}

// chosen is the profile of a command without the lock, which warns of one that is
// gone.
func (w World) chosen(r Repo, flag string, meta SessionMeta) (diet, error) {
	name, budgets, warnings, err := r.Diet(flag, meta.TokenDietProfile)
	for _, warning := range warnings {
		w.Sink.Notice("warning: " + warning)
	}
	return diet{name: name, budgets: budgets}, err
}

// weigh says whether a cycle is due.
func (q CompressRequest) weigh(r Repo, chosen diet) (c Compressed, due bool, err error) {
	weights, err := r.Weights()
	if err != nil {
		return c, false, err
	}
	c = Compressed{Profile: chosen.name, Threshold: r.Config.Compression.Threshold, Weight: compact.Weigh(weights, chosen.budgets)}
	if q.Threshold != nil {
		c.Threshold = *q.Threshold
	}
	due, c.Reason = c.Weight.Due(c.Threshold)
	if !due && !q.Force {
		c.Outcome = CompressSkipped
		return c, false, nil
	}
	if !due {
		c.Reason += ", and --force goes on"
	}
	return c, true, nil
}

// Cut is what a cycle takes from a file, in the words of its report.
func (c Compressed) Cut(file string) string {
	switch loss := c.Loss; {
	case file == LogFile && loss.Log != nil:
		return Counted(loss.Log.ElidedLines, "line") + " elided"
	case file == DecisionsFile && loss.Decisions != nil:
		return entriesDropped(len(loss.Decisions.Dropped) + loss.Decisions.More)
	case file == ErrorsFile && loss.Errors != nil:
		return entriesDropped(len(loss.Errors.Dropped) + loss.Errors.More)
	}
	at := slices.IndexFunc(c.Files, func(s Shrinking) bool { return s.File == file })
	if at >= 0 && c.Files[at].Kept != "" {
		return "left alone: " + c.Files[at].Kept
	}
	return ""
}

func entriesDropped(n int) string {
	if n == 1 {
		return "1 entry dropped"
	}
	return fmt.Sprintf("%d entries dropped", n)
}

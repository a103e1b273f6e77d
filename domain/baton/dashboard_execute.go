package baton

import (
	"context"
	"fmt"

	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/prompt"
)

// Forecast is what execute would do.
type Forecast struct {
	// Refused is why it would not begin; nil where it would. What stands below is
	// known as far as it got.
	Refused error

	// Plan is the file that would be carried out, Report what its gate says.
	Plan   string
	Report plan.Report
	// Profile is the diet.
	Profile string

	// Executor is the agent that the plan is given to, Agent the one that would be
	// started, Next the one that goes on at a limit; empty for none.
	Executor, Agent, Next string
	// Command is what would be started, without its prompt, which is left out and
	// has so many characters.
	Command     []string
	PromptChars int
	Stdin       bool
	Watched     bool

	// Notices are what it would say before.
	Notices []string
}

// ForeseeExecute says what execute would do without any flag. It starts nothing,
// takes no lock and writes nothing.
func (d *Dashboard) ForeseeExecute(ctx context.Context, place Place) Forecast {
	f := Forecast{Plan: Artifact(PlanFile)}
	f.Refused = d.foresee(ctx, place, &f)
	return f
}

// foresee goes through what execute checks, in its order.
func (d *Dashboard) foresee(ctx context.Context, place Place, f *Forecast) error {
	r, err := d.Open(ctx, place)
	if err == nil {
		err = joinFirst(r.Missing, usage(r.Invalid))
	}
	if err == nil {
		_, err = r.Exists()
	}
	if err != nil {
		return err
	}
	f.Notices = append(f.Notices, r.Notices...)
	if f.Executor, err = r.executor(""); err != nil {
		return err
	}
	meta, _, err := r.ReadMeta()
	if err != nil {
		return unreadable(err)
	}
	chosen, err := d.chosen(r, meta, f)
	if err != nil {
		return err
	}
	source, err := d.world.source(r, "")
	if err != nil {
		return err
	}
	gate, err := d.world.gate(r, PlanFile, chosen.budgets.MaxPlanChars)
	if err != nil {
		return err
	}
	if f.Report = gate.Check(source.raw); !f.Report.Passed() {
		return refusedPlan(f.Report)
	}
	for _, issue := range f.Report.Warnings {
		f.Notices = append(f.Notices, "warning: "+issue.Message)
	}
	if err := r.sound(); err != nil {
		return err
	}
	if err := d.free(r, meta, f); err != nil {
		return err
	}
	return d.course(r, meta, source.raw, f)
}

// chosen is the diet that execute would go by.
func (d *Dashboard) chosen(r Repo, meta SessionMeta, f *Forecast) (c diet, err error) {
	var warnings []string
	c.name, c.budgets, warnings, err = r.Diet("", meta.TokenDietProfile)
	f.Profile = c.name
	for _, warning := range warnings {
		f.Notices = append(f.Notices, "warning: "+warning)
	}
	return c, err
}

// free refuses a session that another baton works on, and tells of one that a baton
// left behind.
func (d *Dashboard) free(r Repo, meta SessionMeta, f *Forecast) error {
	holder, _ := d.world.holder(r.Desk) // a damaged lock file tells of nobody
	if holder != nil && d.world.lives(holder.Process) {
		return &BusyError{Holder: holder}
	}
	if meta.Stale(holder, d.world.lives) {
		f.Notices = append(f.Notices, fmt.Sprintf("the session claims to be %s, and nobody does that work: it is recovered first", meta.Status()))
	}
	return nil
}

// course says which agent would be started, and how.
func (d *Dashboard) course(r Repo, meta SessionMeta, raw string, f *Forecast) error {
	first, other, err := r.agents("", "")
	if err != nil {
		return err
	}
	s := &shift{World: d.world, Repo: r, meta: meta}
	s.Sink = &hearing{Sink: d.world.Sink, heard: &f.Notices}
	s.announce(Launching{})
	f.Next = after(f.Executor, other, first)
	opening, _ := s.pursue(Signals{}, Launching{}, Going{}, f.Executor, f.Next).course.Open(d.world.Clock.Now())
	f.Agent, f.Notices = opening.Agent, append(f.Notices, opening.Notices...)
	text := prompt.Executor(s.prompts(), prompt.Receipts{Asked: r.Config.PlanExecute.Receipts, There: plan.Read(raw).HasReceipts()})
	start := r.Config.Agents[f.Agent].Start(text)
	f.Command, f.PromptChars, f.Stdin = start.Shown, start.Chars, start.OnStdin
	f.Watched = r.Config.Compression.Enabled && r.Config.Compression.Auto
	return nil
}

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/text"
)

// planOptions are the flags of plan.
type planOptions struct {
	baton.PlanRequest
	launching
	planner, from             string
	check, diff, then, asJSON bool
}

// newPlanCmd has an agent write a plan.
func newPlanCmd(d deps) *cobra.Command {
	o := &planOptions{}
	cmd := &cobra.Command{
		Use:   "plan [TASK]",
		Short: "Have an agent write a plan, and check it",
		Long: "Start the planner, whose only output is .ai-session/plan.md, and check what it wrote.\n" +
			"--check only checks a plan; --diff shows what changed since the one before.",
		Example: "  baton plan \"add an import counter\"\n" +
			"  baton plan \"add an import counter\" --with claude --then-execute --executor codex\n" +
			"  baton plan \"add an import counter\" --no-run   # write it yourself\n" +
			"  baton plan --check\n" +
			"  baton plan --diff",
		Args: oneTask,
		RunE: func(cmd *cobra.Command, args []string) error { return d.plan(cmd, o, args) },
	}
	d.bindPlace(cmd, &o.Place)
	d.bindDiet(cmd, &o.Diet)
	bindAgent(cmd, &o.With, "with", "the `AGENT` that writes the plan")
	bindAgent(cmd, &o.planner, "planner", "the same as --with `AGENT`")
	bindAgent(cmd, &o.Executor, "executor", "the `AGENT` that carries it out, with --then-execute")
	o.bind(cmd)
	cmd.Flags().BoolVar(&o.NoRun, "no-run", false, "start no agent: make the session ready for a plan of your own")
	cmd.Flags().BoolVar(&o.then, "then-execute", false, "carry the plan out at once")
	cmd.Flags().BoolVar(&o.Force, "force", false, "take the plan although its gate refuses it")
	cmd.Flags().BoolVar(&o.check, "check", false, "only check the plan")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "only show what changed since the last backup")
	cmd.Flags().StringVar(&o.from, "from", "", "with --check a plan `FILE`, with --diff the name of a backup")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON document; the agent's stream goes to the error stream")
	complete(cmd, "from", d.completeBackups)
	return cmd
}

// usage refuses flags that do not go together.
func (o *planOptions) usage(args []string) error {
	switch {
	case o.With != "" && o.planner != "" && o.With != o.planner:
		return fmt.Errorf("--with %s and --planner %s name two agents: give one", o.With, o.planner)
	case o.check && o.diff:
		return errors.New("--check and --diff do not go together")
	case (o.check || o.diff) && (len(args) > 0 || o.NoRun || o.then):
		return errors.New("--check and --diff take no task, and neither --no-run nor --then-execute")
	case o.from != "" && !o.check && !o.diff:
		return errors.New("--from goes with --check or --diff")
	case o.NoRun && o.then:
		return errors.New("--no-run and --then-execute do not go together")
	case !o.check && !o.diff && len(args) == 0:
		return errors.New("the task is missing: say what is to be planned, as in 'baton plan \"TASK\"'")
	}
	return nil
}

func (d deps) plan(cmd *cobra.Command, o *planOptions, args []string) error {
	if err := o.usage(args); err != nil {
		return cobracli.Usage(err)
	}
	switch {
	case o.check:
		return d.checkPlan(cmd, o)
	case o.diff:
		return d.diffPlan(cmd, o)
	}
	if o.asJSON {
		d.Sink.aside()
	}
	if o.With == "" {
		o.With = o.planner
	}
	var err error
	if o.Task, err = d.task(args[0]); err != nil {
		return err
	}
	o.Launching = o.value(cmd)
	result, err := d.World.Plan(cmd.Context(), signals(cmd.Context()), o.PlanRequest)
	if err == nil {
		d.planned(result, o)
	}
	if err != nil || !o.then {
		return d.ended(cmd, o.Place, o.asJSON, err)
	}
	return d.ended(cmd, o.Place, o.asJSON, d.World.Execute(cmd.Context(), signals(cmd.Context()), baton.ExecuteRequest{
		Place: o.Place, Launching: o.Launching, With: o.Executor, Diet: o.Diet, Force: o.Force, Following: true,
	}))
}

// planned tells the person what plan made.
func (d deps) planned(p baton.Planned, o *planOptions) {
	say := d.Sink.Notice
	switch {
	case p.Template:
		say("template written: " + p.File)
	case p.Kept:
		say("the plan that was there stays: " + p.File)
	default:
		say(fmt.Sprintf("plan: %s, %s", p.File, baton.Counted(p.Report.Steps, "step")))
	}
	if p.Changed != "" {
		say("plan changed: " + p.Changed + "; baton plan --diff shows it")
	}
	if o.NoRun {
		for _, issue := range p.Report.Failures {
			say("still to do: " + issue.Message)
		}
	}
	if len(p.Touched) > 0 {
		say(fmt.Sprintf("warning: files outside the session changed while the planner ran: %s", text.List(p.Touched, 10)))
	}
	if !o.then {
		say(onward(p, o))
	}
}

// onward says what comes after a plan.
func onward(p baton.Planned, o *planOptions) string {
	switch {
	case p.Report.Passed():
		return "go on with 'baton execute'"
	case !o.NoRun: // its gate was overridden, and would refuse it again
		return "go on with 'baton execute --force', or mend the plan until 'baton plan --check' passes it"
	case p.Template:
		return fmt.Sprintf("fill %s in and look with 'baton plan --check'; when that passes, go on with 'baton execute'", p.File)
	}
	return fmt.Sprintf("mend %s and look with 'baton plan --check'; when that passes, go on with 'baton execute'", p.File)
}

func (d deps) checkPlan(cmd *cobra.Command, o *planOptions) error {
	report, err := d.World.CheckPlan(cmd.Context(), o.Place, o.from, o.Diet)
	if err != nil {
		return exit(cmd.Context(), err)
	}
	if o.asJSON {
		if err := d.json(report.Document()); err != nil {
			return err
		}
	} else {
		d.printReport(report)
		if o.from == "" && slices.Contains(report.Codes(), "missing") {
			d.Sink.Notice("have an agent write one with 'baton plan \"TASK\"', or write it yourself: 'baton plan \"TASK\" --no-run' makes the form")
		}
	}
	if !report.Passed() {
		return &cobracli.StatusError{Code: baton.ExitGate}
	}
	return nil
}

func (d deps) printReport(r plan.Report) {
	for _, issue := range r.Failures {
		fmt.Fprintln(d.Streams.Out, "fail  "+text.Printable(issue.Message))
	}
	for _, issue := range r.Warnings {
		fmt.Fprintln(d.Streams.Out, "warn  "+text.Printable(issue.Message))
	}
	verdict := "the plan passes"
	if !r.Passed() {
		verdict = "the plan does not pass"
	}
	fmt.Fprintf(d.Streams.Out, "%s: %s, %d of %d chars\n", verdict, baton.Counted(r.Steps, "step"), r.Chars, r.Limit)
}

// differ makes the hunks of unified diffs with three lines of context.
func differ(from, to string) string {
	whole := udiff.Unified("", "", strings.TrimSuffix(from, "\n")+"\n", strings.TrimSuffix(to, "\n")+"\n")
	at := strings.Index(whole, "@@")
	if at < 0 {
		return ""
	}
	return whole[at:]
}

func (d deps) diffPlan(cmd *cobra.Command, o *planOptions) error {
	diff, ok, err := d.World.ComparePlan(cmd.Context(), o.Place, o.from, differ)
	if err != nil {
		return exit(cmd.Context(), err)
	}
	if o.asJSON {
		return d.json(diff.Document())
	}
	if !ok {
		fmt.Fprintln(d.Streams.Out, "There is no earlier plan to compare with.")
		return nil
	}
	fmt.Fprintf(d.Streams.Out, "%s -> %s\n", text.Printable(diff.From), text.Printable(diff.To))
	for _, s := range diff.Sections {
		fmt.Fprintf(d.Streams.Out, "%-9s %s\n", s.State, text.Printable(s.Name))
		for line := range strings.SplitSeq(strings.TrimSuffix(s.Diff, "\n"), "\n") {
			if line != "" {
				fmt.Fprintln(d.Streams.Out, "  "+text.Printable(line))
			}
		}
	}
	for _, n := range diff.Steps.Added {
		fmt.Fprintf(d.Streams.Out, "step %d added\n", n)
	}
	for _, n := range diff.Steps.Removed {
		fmt.Fprintf(d.Streams.Out, "step %d of the earlier plan removed\n", n)
	}
	for _, m := range diff.Steps.Moved {
		fmt.Fprintf(d.Streams.Out, "step %d moved from %d\n", m.To, m.From)
	}
	return nil
}

// completeBackups offers the backups of the plan to the shell.
func (d deps) completeBackups(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	r, err := d.World.Find(cmd.Context(), placeOf(cmd))
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	names, err := r.List()
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return plan.Backups(names), cobra.ShellCompDirectiveDefault
}

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/text"
)

// compressOptions are the flags of compress-context.
type compressOptions struct {
	baton.CompressRequest
	profile, cycle    string
	threshold         float64
	dry, diff, asJSON bool
}

// newCompressContextCmd shrinks what a session keeps.
func newCompressContextCmd(d deps) *cobra.Command {
	o := &compressOptions{}
	cmd := &cobra.Command{
		Use:   "compress-context",
		Short: "Shrink the session's state and log by rule",
		Long: "Shrink state.md, commands.log, decisions.md and errors.md where their weight has reached\n" +
			"the threshold. The raw files are kept beside them, a report says what went, and when the\n" +
			"result does not pass its gate every file is put back. --diff shows the report.",
		Example: "  baton compress-context --dry-run\n" +
			"  baton compress-context --force --diet caveman\n" +
			"  baton compress-context --diff",
		Args: noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error { return d.compressContext(cmd, o) },
	}
	d.bindPlace(cmd, &o.Place)
	d.bindDiet(cmd, &o.Diet)
	cmd.Flags().StringVar(&o.profile, "profile", "", "the same as --diet `PROFILE`")
	complete(cmd, "profile", d.completeDiets)
	cmd.Flags().Float64Var(&o.threshold, "threshold", 0, "compress from this `SHARE` of the budget on, 0 to 1 (default: the configuration's)")
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "only say what a cycle would do")
	cmd.Flags().BoolVar(&o.Force, "force", false, "compress below the threshold too, and where the configuration disables it")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "show what the last cycle took away; with --dry-run, what the next one would")
	cmd.Flags().StringVar(&o.cycle, "cycle", "", "with --diff, the cycle of this file `TIMESTAMP`")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print one JSON document")
	complete(cmd, "cycle", d.completeCycles)
	return cmd
}

// usage refuses flags that do not go together, and settles the rest.
func (o *compressOptions) usage(cmd *cobra.Command) error {
	switch {
	case o.Diet != "" && o.profile != "" && o.Diet != o.profile:
		return fmt.Errorf("--diet %s and --profile %s name two profiles: give one", o.Diet, o.profile)
	case o.cycle != "" && !o.diff:
		return errors.New("--cycle goes with --diff")
	case o.cycle != "" && o.dry:
		return errors.New("--cycle names a cycle that has run: it does not go with --dry-run")
	}
	if o.Diet == "" {
		o.Diet = o.profile
	}
	if cmd.Flags().Changed("threshold") {
		o.Threshold = &o.threshold
	}
	return nil
}

func (d deps) compressContext(cmd *cobra.Command, o *compressOptions) error {
	if err := o.usage(cmd); err != nil {
		return cobracli.Usage(err)
	}
	if o.diff {
		return d.showLoss(cmd, o)
	}
	verb := d.World.CompressContext
	if o.dry {
		verb = d.World.ForeseeCompression
	}
	done, err := verb(cmd.Context(), o.CompressRequest)
	if done.Outcome == "" {
		return exit(cmd.Context(), err)
	}
	if o.asJSON {
		if err := d.json(done.Document()); err != nil {
			return err
		}
	} else {
		d.printCompressed(done)
	}
	return exit(cmd.Context(), err)
}

// printCompressed tells what compress-context did, or would do.
func (d deps) printCompressed(c baton.Compressed) {
	say := func(format string, args ...any) { fmt.Fprintf(d.Streams.Out, format+"\n", args...) }
	if c.Outcome == baton.CompressDisabled {
		say("%s", c.Reason)
		return
	}
	say("%s", c.Weight)
	before, after := c.Before(), c.After()
	switch c.Outcome {
	case baton.CompressSkipped:
		say("skipped: %s", c.Reason)
	case baton.CompressRefused:
		say("refused by the gate; nothing was changed")
	case baton.CompressHeld:
		say("compressed: %d -> %d chars, ratio %.2f", before.Total, after.Total, after.Ratio())
		for _, name := range c.Rotated {
			say("kept: %s", text.Printable(baton.Artifact(name)))
		}
		say("'baton compress-context --diff' shows what went")
	case baton.CompressPlanned:
		say("a cycle would run: %s", c.Reason)
		for _, f := range c.Files {
			say("  %s", shrinking(f, c.Cut(f.File)))
		}
		say("predicted: %d -> %d of %d chars, ratio %.2f", before.Total, after.Total, after.Budget, after.Ratio())
		if c.Report.Passed() {
			say("the gate would pass")
			return
		}
		say("the gate would refuse it, and nothing would change:")
		for _, failure := range c.Report.Failures {
			say("  - %s", text.Printable(failure))
		}
	}
}

// shrinking is what becomes of one file, in a line.
func shrinking(s baton.Shrinking, cut string) string {
	line := fmt.Sprintf("%-12s %d chars, unchanged", s.File, s.Before)
	if s.Changed {
		line = fmt.Sprintf("%-12s %d -> %d chars", s.File, s.Before, s.After)
	}
	if cut != "" {
		line += ", " + cut
	}
	return line
}

// completeCycles offers the cycles that left a report to the shell.
func (d deps) completeCycles(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	r, err := d.World.Find(cmd.Context(), placeOf(cmd))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, err := r.List()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return baton.Losses(names), cobra.ShellCompDirectiveNoFileComp
}

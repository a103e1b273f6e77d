package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/text"
)

// newReviewCmd compares what changed with the plan.
func newReviewCmd(d deps) *cobra.Command {
	var place baton.Place
	var base string
	var json bool
	cmd := &cobra.Command{
		Use:     "review",
		Short:   "Compare what changed with what the plan names",
		Long:    "Tell for each step of the plan whether a file that it names has changed since the\nexecutor started, and which changed files no step names. It only advises.",
		Example: "  baton review\n  baton review --base main --json",
		Args:    noArgument("base"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := d.World.Review(cmd.Context(), place, base)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				return d.json(r.Document())
			}
			for _, line := range reviewLines(r) {
				fmt.Fprintln(d.Streams.Out, text.Printable(line))
			}
			return nil
		},
	}
	d.bindPlace(cmd, &place)
	cmd.Flags().StringVar(&base, "base", "", "compare with this `COMMIT` (default: where the executor started, else HEAD)")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

func reviewLines(r plan.Review) []string {
	marks := map[plan.Touch]string{plan.Touched: "+", plan.Untouched: "-", plan.Uncorrelated: "?"}
	lines := []string{"compared with " + r.Base}
	for _, s := range r.Steps {
		line := fmt.Sprintf("%s step %d [%s] %s", marks[s.State], s.Step.N, s.Receipt, firstLine(s.Step.Text))
		if len(s.Files) > 0 {
			line += ": " + strings.Join(s.Files, ", ")
		}
		lines = append(lines, line)
	}
	for _, name := range r.Unplanned() {
		lines = append(lines, "! unplanned: "+name)
	}
	for _, s := range r.Contradictions {
		lines = append(lines, fmt.Sprintf("! step %d is noted as %s, but %s", s.Step.N, s.Receipt, s.State))
	}
	return append(lines, fmt.Sprintf("%s touched, %d untouched, %d without a path; %s changed, %d unplanned",
		baton.Counted(r.Count(plan.Touched), "step"), r.Count(plan.Untouched), r.Count(plan.Uncorrelated), baton.Counted(len(r.Files), "file"), len(r.Unplanned())))
}

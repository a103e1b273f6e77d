package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/text"
)

// newReceiptCmd keeps the trail of what was carried out.
func newReceiptCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "receipt",
		Short:   "Keep the trail of the plan's steps",
		Long:    "Note at the end of .ai-session/plan.md what became of a step, also while an executor\nworks. The plan itself stays as it is.",
		Example: "  baton receipt done 1 --note \"migration and its test\"\n  baton receipt skip 2\n  baton receipt list",
	}
	cmd.AddCommand(newMarkCmd(d, "done", plan.Done), newMarkCmd(d, "skip", plan.Skipped), newReceiptListCmd(d))
	return cmd
}

// newMarkCmd notes a mark for a step.
func newMarkCmd(d deps, name string, mark plan.Mark) *cobra.Command {
	q := baton.ReceiptRequest{Mark: mark}
	cmd := &cobra.Command{
		Use:               name + " STEP",
		Short:             "Note that a step is " + string(mark),
		Example:           "  baton receipt " + name + " 1",
		Args:              oneArgument("the number of the step", "baton receipt "+name+" 1"),
		ValidArgsFunction: d.completeSteps,
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil {
				return cobracli.Usage(fmt.Errorf("%q is no number of a step; 'baton receipt list' shows them", args[0]))
			}
			q.Step = n
			added, err := d.World.AddReceipt(cmd.Context(), q)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if !added {
				fmt.Fprintf(d.Streams.Out, "step %d is noted as %s already\n", n, mark)
				return nil
			}
			fmt.Fprintf(d.Streams.Out, "step %d: %s\n", n, mark)
			return nil
		},
	}
	d.bindPlace(cmd, &q.Place)
	cmd.Flags().StringVar(&q.Note, "note", "", "a `TEXT` of one line beside the mark")
	return cmd
}

func newReceiptListCmd(d deps) *cobra.Command {
	var place baton.Place
	var json bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the steps and what became of them",
		Example: "  baton receipt list --json",
		Args:    noArgument(""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			trail, err := d.World.Receipts(cmd.Context(), place)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				return d.json(trail.Document())
			}
			for _, s := range trail.Steps {
				line := fmt.Sprintf("%d  %-7s  %s", s.Step.N, s.Latest.Mark, firstLine(s.Step.Text))
				if s.Count > 0 {
					line += "  (" + stamp.Text(s.Latest.At)
					if s.Latest.Note != "" {
						line += ": " + s.Latest.Note
					}
					if s.Count > 1 {
						line += "; " + baton.Counted(s.Count, "receipt")
					}
					line += ")"
				}
				fmt.Fprintln(d.Streams.Out, text.Printable(line))
			}
			for _, line := range trail.Unreadable {
				fmt.Fprintln(d.Streams.Out, "unreadable: "+text.Printable(line))
			}
			return nil
		},
	}
	d.bindPlace(cmd, &place)
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

// completeSteps offers the steps of the plan to the shell.
func (d deps) completeSteps(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	trail, err := d.World.Receipts(cmd.Context(), placeOf(cmd))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var steps []cobra.Completion
	for _, s := range trail.Steps {
		steps = append(steps, cobra.CompletionWithDesc(strconv.Itoa(s.Step.N), text.Printable(firstLine(s.Step.Text))))
	}
	return steps, cobra.ShellCompDirectiveNoFileComp
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/text"
)

// newBudgetCmd tells what the artifacts take of the budgets.
func newBudgetCmd(d deps) *cobra.Command {
	var place baton.Place
	var diet string
	var json bool
	cmd := &cobra.Command{
		Use:     "budget",
		Short:   "Tell how long the artifacts are against their budgets",
		Example: "  baton budget\n  baton budget --diet ultra --json",
		Args:    noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := d.World.Budget(cmd.Context(), place, diet)
			d.notices(b.Warnings)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				return d.json(b.Document())
			}
			out := d.Streams.Out
			fmt.Fprintf(out, "profile: %s\nmaxHandoffChars: %d\nmaxPlanChars: %d\n", text.Printable(b.Profile), b.Budgets.MaxHandoffChars, b.Budgets.MaxPlanChars)
			for _, f := range b.Files {
				fmt.Fprintf(out, "%s: %d chars\n", f.Name, f.Chars)
			}
			cut := "(no handoff yet)"
			if b.Cut != nil {
				cut = map[bool]string{true: "yes", false: "no"}[*b.Cut]
			}
			fmt.Fprintf(out, "last handoff cut: %s\n%s\n", cut, b.Weight)
			return nil
		},
	}
	d.bindPlace(cmd, &place)
	d.bindDiet(cmd, &diet)
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

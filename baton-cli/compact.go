package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/text"
)

// newCompactCmd writes what tells of the repository anew.
func newCompactCmd(d deps) *cobra.Command {
	var place baton.Place
	var diet string
	cmd := &cobra.Command{
		Use:     "compact",
		Aliases: []string{"squeeze"},
		Short:   "Refresh the short forms of the repository's state",
		Long: "Write full-diff.patch, changed-files.md, repo-map.md and compact-state.md anew, within the\n" +
			"budgets of the profile, which the session goes by from then on.",
		Example: "  baton compact\n" +
			"  baton compact --diet caveman",
		Args: noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			done, err := d.World.Compact(cmd.Context(), place, diet)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			fmt.Fprintf(d.Streams.Out, "profile: %s\n", text.Printable(done.Profile))
			for _, f := range done.Files {
				fmt.Fprintf(d.Streams.Out, "refreshed %s: %d chars\n", f.Name, f.Chars)
			}
			return nil
		},
	}
	d.bindPlace(cmd, &place)
	d.bindDiet(cmd, &diet)
	return cmd
}

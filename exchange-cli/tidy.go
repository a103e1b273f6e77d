package main

import (
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/exchange"
)

func newTidyCmd(s *shared) *cobra.Command {
	var apply bool
	cmd := &cobra.Command{
		Use:   "tidy",
		Short: "Archive handoffs that are closed and old",
		Long: "List the handoffs that have been closed for longer than stale_days of the marker,\n" +
			"so that no session reads them at every start. --apply moves them to the archive,\n" +
			"unchanged; `exchange handoff show` still finds them there.",
		Example: "  exchange tidy\n  exchange tidy --apply",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r, err := exchange.Archivist{World: s.World}.Tidy(s.cwd(), apply)
			if err != nil {
				return s.refuse(err)
			}
			return s.report(r.Lines(), len(r.Problems) > 0)
		},
	}
	cmd.Flags().BoolVar(&apply, "apply", false, "move them")
	return cmd
}

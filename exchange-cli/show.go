package main

import (
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/exchange"
)

func newShowCmd(s *shared) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Show who is here and what is stored",
		Example: "  exchange show\n  exchange show --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r, err := exchange.Viewer{World: s.World}.Show(s.cwd())
			if err != nil {
				return s.cannotRead(err, asJSON)
			}
			return s.read(r, r.Faulty(), asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print one JSON document")
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/exchange"
)

func newDoctorCmd(s *shared) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation, the wiring and the store",
		Long: "Check the plugin, the marker, the hooks that are wired, the store, and how far the\n" +
			"way from earlier scripts has been gone. Faults end with exit code 1; steps that\n" +
			"are only outstanding do not.",
		Example: "  exchange doctor\n  exchange doctor --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r := exchange.Doctor{World: s.World}.Examine(s.cwd())
			return s.read(r, r.Faulty(), asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

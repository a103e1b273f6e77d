package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/exchange"
)

func newDoctorCmd(s *shared) *cobra.Command {
	var asJSON, why bool
	var named string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation, the wiring and the store",
		Long: "Check the plugin, the marker, the hooks that are wired, the store, and how far the\n" +
			"way from earlier scripts has been gone. Faults end with exit code 1; steps that\n" +
			"are only outstanding do not.\n\n" +
			"With --why replay the hook for a session, the one that this process belongs to if\n" +
			"none is named, and say of each other session, claim, handoff, overlap, branch and\n" +
			"wake-up which rule kept it out, or when it was shown. Nothing is changed.",
		Example: "  exchange doctor\n  exchange doctor --json\n  exchange doctor --why          # why was I told nothing?",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch chosen := cmd.Flags().Changed("session"); {
			case chosen && !why:
				return cobracli.Usage(errSessionWithoutWhy)
			case why && chosen:
				return s.why(&named, asJSON)
			case why:
				return s.why(nil, asJSON)
			}
			r := exchange.Doctor{World: s.World, Fold: s.Fold, Codex: s.Codex}.Examine(s.cwd())
			return s.read(r, r.Faulty(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&why, "why", false, "say why a session was told nothing, or not this")
	cmd.Flags().StringVar(&named, "session", "", "ask about the session with this `ID`")
	jsonFlag(cmd, &asJSON)
	return cmd
}

var errSessionWithoutWhy = errors.New("--session goes with --why")

// why answers for a session; for the own one where none is named.
func (s *shared) why(named *string, asJSON bool) error {
	r, err := exchange.Why{
		World: s.World, Codex: s.Codex, Blocked: s.Relay.LastBlock, Variables: s.Table.Variables,
	}.Explain(exchange.WhyRequest{Cwd: s.cwd(), Session: named})
	if err != nil {
		return s.cannotRead(err, asJSON)
	}
	return s.read(r, r.Faulty(), asJSON)
}

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/exchange"
)

// The steps of the way from earlier scripts that a command takes.
const (
	stepImport = 4
	stepRetire = 7
)

type migrateOptions struct {
	step          int
	apply, asJSON bool
}

func newMigrateCmd(s *shared) *cobra.Command {
	var o migrateOptions
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Take over what earlier scripts kept: a markdown ledger, their hooks",
		Long: "Take one of the steps that exchange doctor lists. Step 4 makes handoffs of the\n" +
			"entries of the markdown ledger that the marker declares as legacy_ledger. Step 7\n" +
			"takes the hooks of earlier scripts out of this root's settings and puts the scripts\n" +
			"aside. Without --apply nothing is written.",
		Example: "  exchange migrate --step 4\n  exchange migrate --step 4 --apply\n  exchange migrate --step 7 --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case o.step != stepImport && o.step != stepRetire:
				return cobracli.Usage(fmt.Errorf("--step %d is no step of migrate: 4 (import the ledger) or 7 (retire the hooks)", o.step))
			case o.apply && o.asJSON:
				return cobracli.Usage(errors.New("--json is for a dry run: give it without --apply"))
			case o.step == stepRetire:
				return s.retireHooks(o.apply, o.asJSON)
			}
			return s.importLedger(o.apply, o.asJSON)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.step, "step", 0, "the `STEP`: 4 imports the ledger, 7 retires the hooks")
	f.BoolVar(&o.apply, "apply", false, "write, instead of saying what would be written")
	jsonFlag(cmd, &o.asJSON)
	steps := cobra.FixedCompletions([]cobra.Completion{"4", "7"}, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("step", steps); err != nil {
		panic(err) // the flag is defined just above
	}
	if err := cmd.MarkFlagRequired("step"); err != nil {
		panic(err) // the flag is defined just above
	}
	return cmd
}

// importLedger makes handoffs of the entries of a markdown ledger.
func (s *shared) importLedger(apply, asJSON bool) error {
	r, err := exchange.Importer{World: s.World, Fold: s.Fold}.Import(s.cwd(), apply)
	if err != nil {
		return s.cannotRead(err, asJSON)
	}
	return s.read(r, len(r.Problems()) > 0, asJSON)
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/text"
)

// newVerifyCmd tries baton out without an agent.
func newVerifyCmd(d deps) *cobra.Command {
	var q baton.VerifyRequest
	var json bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Try out without any agent what a session goes through",
		Long: "Try detection, a handoff, the gates and a cycle of compression on samples, in a\n" +
			"temporary repository. The session here is not touched. --verbose tells more of each step.",
		Example: "  baton verify\n  baton verify --diet ultra --verbose\n  baton verify --keep-temp --json",
		Args:    noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := d.World.Verify(cmd.Context(), q)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				err = d.json(v.Document())
			} else {
				d.verification(v)
			}
			if err == nil && v.Failed() {
				return &cobracli.StatusError{Code: baton.ExitFailed}
			}
			return err
		},
	}
	d.bindPlace(cmd, &q.Place)
	d.bindDiet(cmd, &q.Diet)
	cmd.Flags().BoolVar(&q.KeepTemp, "keep-temp", false, "keep the temporary repository, and tell where it is")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

func (d deps) verification(v baton.Verification) {
	for _, step := range v.Steps {
		fmt.Fprintln(d.Streams.Out, text.Printable(fmt.Sprintf("%s  %s: %s", step.Result, step.Name, step.Text)))
		if !d.Verbosity.On && step.Result == baton.StepPassed {
			continue
		}
		for _, detail := range step.Details {
			fmt.Fprintln(d.Streams.Out, "        "+text.Printable(detail))
		}
	}
	if v.Kept != "" {
		fmt.Fprintln(d.Streams.Out, "temporary repository: "+text.Printable(v.Kept))
	}
	fmt.Fprintln(d.Streams.Out, v.Summary())
}

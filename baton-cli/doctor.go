package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/text"
)

// newDoctorCmd checks what baton depends on.
func newDoctorCmd(d deps) *cobra.Command {
	var place baton.Place
	var deep, json bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what baton's work in this repository depends on",
		Long: "Check git, the agents' programs, the variables that are kept from them, the session\n" +
			"and the configuration. Nothing is changed, and no value of a variable is shown.",
		Example: "  baton doctor\n  baton doctor --deep\n  baton doctor --deep --json",
		Args:    noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := d.World.Doctor(cmd.Context(), place, deep)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				err = d.json(c.Document())
			} else {
				for _, check := range c.Checks {
					fmt.Fprintln(d.Streams.Out, checkLine(check))
				}
				fmt.Fprintln(d.Streams.Out, c.Summary())
				if c.Advice != "" {
					fmt.Fprintln(d.Streams.Out, c.Advice)
				}
			}
			if err == nil && c.Failed() {
				return &cobracli.StatusError{Code: baton.ExitFailed}
			}
			return err
		},
	}
	d.bindPlace(cmd, &place)
	cmd.Flags().BoolVar(&deep, "deep", false, "look also at the agents' arguments, the session's files and the registry of projects")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

// checkLine is one check as people read it.
func checkLine(c baton.Check) string {
	return fmt.Sprintf("%-4s  %s: %s", c.Mark, text.Printable(c.Label), text.Printable(c.Value))
}

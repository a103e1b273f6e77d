package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/jsondoc"
)

// newProjectDoctorCmd looks at every registered project.
func newProjectDoctorCmd(d deps) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Check that the registered projects are still there",
		Example: "  baton project doctor",
		Args:    noArgument(""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := d.World.ExamineProjects(cmd.Context())
			if err != nil {
				return exit(cmd.Context(), err)
			}
			failed := false
			docs := []jsondoc.Object{}
			for _, c := range all {
				failed = failed || c.Failed()
				docs = append(docs, c.Document())
			}
			if json {
				err = d.json(docs)
			} else {
				d.projectCheckups(all)
			}
			if err == nil && failed {
				return &cobracli.StatusError{Code: baton.ExitFailed}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

func (d deps) projectCheckups(all []baton.ProjectCheckup) {
	if len(all) == 0 {
		fmt.Fprintln(d.Streams.Out, "No project is registered; 'baton project add PATH' does that.")
	}
	for _, c := range all {
		line := projectLine(c.Project)
		if c.Active {
			line += "  (active)"
		}
		fmt.Fprintln(d.Streams.Out, line)
		for _, check := range c.Checks {
			fmt.Fprintln(d.Streams.Out, "  "+checkLine(check))
		}
	}
}

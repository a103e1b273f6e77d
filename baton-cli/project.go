package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// newProjectCmd keeps the registry of projects.
func newProjectCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "project",
		Short: "Keep the list of repositories that baton works on",
		Long: "Keep the registry of projects, ~/.relay-baton/projects.json. Commands work on the active\n" +
			"project unless --path or --project says otherwise.",
		Example: "  baton project add ~/src/parser --diet caveman\n  baton project list\n  baton project switch parser",
	}
	cmd.AddCommand(
		newProjectAddCmd(d), newProjectListCmd(d), newProjectCurrentCmd(d),
		newProjectSwitchCmd(d), newProjectRemoveCmd(d), newProjectDoctorCmd(d),
	)
	return cmd
}

// newProjectSwitchCmd makes a project the active one.
func newProjectSwitchCmd(d deps) *cobra.Command {
	return &cobra.Command{
		Use:               "switch NAME",
		Short:             "Make a project the active one",
		Example:           "  baton project switch parser",
		Args:              oneArgument("the name or id of a project", "baton project switch NAME"),
		ValidArgsFunction: d.completeProjects,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := d.World.SwitchProject(args[0])
			if err != nil {
				return exit(cmd.Context(), err)
			}
			fmt.Fprintln(d.Streams.Out, "active: "+projectLine(p))
			return nil
		},
	}
}

// newProjectRemoveCmd takes a project out of the registry.
func newProjectRemoveCmd(d deps) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:               "remove NAME",
		Short:             "Forget a project",
		Long:              "Take a project out of the registry. Its files stay as they are.",
		Example:           "  baton project remove parser",
		Args:              oneArgument("the name or id of a project", "baton project remove NAME"),
		ValidArgsFunction: d.completeProjects,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, left, err := d.World.RemoveProject(args[0])
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				var now any
				if left.ActiveID != "" {
					now = left.ActiveID
				}
				return d.json(jsondoc.Object{{Key: "removed", Value: p.Document()}, {Key: "activeProjectId", Value: now}})
			}
			fmt.Fprintln(d.Streams.Out, "removed: "+projectLine(p))
			switch {
			case len(left.Projects) == 0:
				d.Sink.Notice("no project is registered any more: commands work on the repository that you stand in; 'baton project add PATH' registers one")
			case left.ActiveID == "":
				d.Sink.Notice("no project is active now; 'baton project switch NAME' makes one so")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

// projectLine names a project.
func projectLine(p project.Project) string {
	line := p.ID
	if p.Name != p.ID {
		line += " (" + p.Name + ")"
	}
	return text.Printable(line + "  " + p.Path)
}

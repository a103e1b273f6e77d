package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/text"
)

// newProjectListCmd lists the registered projects.
func newProjectListCmd(d deps) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the registered projects",
		Example: "  baton project list\n  baton project list --json",
		Args:    noArgument(""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			registry, err := d.World.Projects()
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				return d.json(registry.Document())
			}
			if len(registry.Projects) == 0 {
				fmt.Fprintln(d.Streams.Out, "No project is registered; 'baton project add PATH' does that.")
				return nil
			}
			table := tabwriter.NewWriter(d.Streams.Out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, strings.Join([]string{"", "ID", "NAME", "PATH"}, "\t"))
			for _, p := range registry.Projects {
				mark := ""
				if p.ID == registry.ActiveID {
					mark = "*"
				}
				cells := []string{mark, p.ID, p.Name, p.Path}
				for i := range cells {
					cells[i] = text.Printable(cells[i])
				}
				fmt.Fprintln(table, strings.Join(cells, "\t"))
			}
			return table.Flush()
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

// newProjectCurrentCmd tells the active project.
func newProjectCurrentCmd(d deps) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:     "current",
		Short:   "Tell the active project, or the directory that commands work in without one",
		Example: "  baton project current",
		Args:    noArgument(""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			current, err := d.World.CurrentProject()
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				return d.json(current.Document())
			}
			line := text.Printable(current.Dir)
			if current.Project != nil {
				line = projectLine(*current.Project)
			}
			fmt.Fprintln(d.Streams.Out, line)
			return nil
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

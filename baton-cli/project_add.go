package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/project"
)

// newProjectAddCmd registers a repository.
func newProjectAddCmd(d deps) *cobra.Command {
	var wanted project.Wanted
	var json bool
	cmd := &cobra.Command{
		Use:   "add PATH",
		Short: "Register a repository",
		Long: "Register the repository that PATH belongs to, with settings that come before those of\n" +
			"its configuration. The first project becomes the active one.",
		Example: "  baton project add .\n" +
			"  baton project add ~/src/parser --name Parser --diet caveman --primary claude --fallback codex\n" +
			"  baton project add ~/src/parser --diet lite --update",
		Args: oneArgument("the directory of a repository", "baton project add PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted.Path = args[0]
			added, err := d.World.AddProject(cmd.Context(), wanted)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				return d.json(added.Document())
			}
			d.added(added)
			return nil
		},
	}
	cmd.Flags().StringVar(&wanted.Name, "name", "", "call the project by this `NAME` (default: its directory's)")
	cmd.Flags().StringVar(&wanted.DefaultDiet, "diet", "", "the token-diet `PROFILE` that its commands go by")
	bindAgent(cmd, &wanted.PrimaryAgent, "primary", "the `AGENT` that begins")
	bindAgent(cmd, &wanted.FallbackAgent, "fallback", "the `AGENT` that goes on at a limit")
	cmd.Flags().StringArrayVar(&wanted.FallbackPatterns, "fallback-pattern", nil, "a further `PHRASE` that tells of a limit; may be given several times")
	cmd.Flags().BoolVar(&wanted.Update, "update", false, "apply the settings also where the repository is registered already")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	complete(cmd, "diet", d.completeDiets)
	return cmd
}

// added tells what came of registering.
func (d deps) added(a baton.ProjectAdded) {
	done := "added"
	switch {
	case a.Updated:
		done = "updated"
	case a.Already:
		done = "already registered"
	}
	line := done + ": " + projectLine(a.Project)
	if a.Active {
		line += "  (active)"
	}
	fmt.Fprintln(d.Streams.Out, line)
	if a.Already && !a.Updated {
		d.Sink.Notice("nothing was changed; --update applies new settings")
	}
}

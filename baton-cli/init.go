package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/text"
)

// newInitCmd makes a session.
func newInitCmd(d deps) *cobra.Command {
	var place baton.Place
	var ignore bool
	cmd := &cobra.Command{
		Use:     "init",
		Short:   "Make a session in this repository",
		Long:    "Make .ai-session/ with every file that agents and baton keep there. What is there\nalready is never touched.",
		Example: "  baton init --gitignore",
		Args:    noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			result, err := d.World.Init(cmd.Context(), place, ignore)
			d.notices(result.Notices)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if len(result.Created) == 0 {
				fmt.Fprintln(d.Streams.Out, "The session already exists; nothing was created.")
			}
			for _, name := range result.Created {
				fmt.Fprintln(d.Streams.Out, "created "+text.Printable(name))
			}
			if result.Ignored {
				fmt.Fprintln(d.Streams.Out, "added to .gitignore: "+baton.SessionDir+"/")
			}
			if result.Hint != "" {
				d.Sink.Notice(result.Hint)
			}
			return nil
		},
	}
	d.bindPlace(cmd, &place)
	cmd.Flags().BoolVar(&ignore, "gitignore", false, "add the session to .gitignore")
	return cmd
}

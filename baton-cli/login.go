package main

import (
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
)

// newLoginCmd runs the vendors' logins.
func newLoginCmd(d deps) *cobra.Command {
	var place baton.Place
	cmd := &cobra.Command{
		Use:   "login [codex|claude|all]",
		Short: "Log in to the agents' own accounts",
		Long: "Run 'codex login', or start claude, which asks for the login itself. The program gets\n" +
			"the terminal, and the environment without the API keys that baton keeps from agents.",
		Example:   "  baton login codex\n  baton login claude\n  baton login all",
		Args:      optionalArgument("the agent to log in to", "baton login all"),
		ValidArgs: append(baton.Logins(), baton.LoginAll),
		RunE: func(cmd *cobra.Command, args []string) error {
			who := baton.LoginAll
			if len(args) == 1 {
				who = args[0]
			}
			return exit(cmd.Context(), d.World.Login(cmd.Context(), place, who))
		},
	}
	d.bindPlace(cmd, &place)
	return cmd
}

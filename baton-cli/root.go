package main

import (
	"errors"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/buildinfo"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/zlog"
)

// deps is what the commands need of the world.
type deps struct {
	Build     buildinfo.Info
	Verbosity *zlog.Verbosity
	Log       zerolog.Logger
}

// errNotBuilt is the answer to every request that baton cannot serve yet.
var errNotBuilt = errors.New("this program does nothing yet: it will run a coding agent and hand its task on when a limit stops it. " +
	"Until then, start the next agent yourself and leave it the task with: exchange handoff post --repo REPO --body TEXT")

// newRootCmd returns baton's command tree. As long as nothing is built behind it,
// the root takes any arguments and refuses them all.
func newRootCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baton",
		Short: "Hand a task from one coding agent to the next",
		Long: "Run a coding agent, and hand its task to the next one when a limit stops it.\n\n" +
			"It does nothing yet. Until then, start the next agent yourself and leave it\n" +
			"the task with 'exchange handoff post', which it reads when it starts.",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			d.Log.Debug().Strs("args", args).Msg("nothing answers to these")
			return errNotBuilt
		},
		FParseErrWhitelist:    cobra.FParseErrWhitelist{UnknownFlags: true},
		DisableFlagsInUseLine: true,
	}
	cmd.PersistentFlags().BoolVar(&d.Verbosity.On, "verbose", false, "write debug lines to the error stream")
	cmd.AddCommand(cobracli.NewVersionCmd(d.Build.Line("baton")))
	return cmd
}

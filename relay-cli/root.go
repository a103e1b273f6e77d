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

// errNotBuilt is the answer to every request that relay cannot serve yet.
var errNotBuilt = errors.New("this program does nothing yet: it will carry messages between a planning and a building session. " +
	"Until then, leave work for another session with: exchange handoff post --repo REPO --body TEXT")

// newRootCmd returns relay's command tree. As long as nothing is built behind it,
// the root takes any arguments and refuses them all.
func newRootCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "relay",
		Short: "Carry messages between a planning and a building session",
		Long: "Carry messages between a session that plans and a session that builds.\n\n" +
			"It does nothing yet. Until then, leave work for another session with\n" +
			"'exchange handoff post', which that session reads when it starts.",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			d.Log.Debug().Strs("args", args).Msg("nothing answers to these")
			return errNotBuilt
		},
		FParseErrWhitelist:    cobra.FParseErrWhitelist{UnknownFlags: true},
		DisableFlagsInUseLine: true,
	}
	cmd.PersistentFlags().BoolVar(&d.Verbosity.On, "verbose", false, "write debug lines to the error stream")
	cmd.AddCommand(cobracli.NewVersionCmd(d.Build.Line("relay")))
	return cmd
}

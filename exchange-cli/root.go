package main

import (
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/buildinfo"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/adapters/zlog"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/exchange/ledger"
	"github.com/changeover/changeover/domain/relay"
)

// deps is what the commands need of the world.
type deps struct {
	Streams   cobracli.Streams
	Build     buildinfo.Info
	Verbosity *zlog.Verbosity
	Log       zerolog.Logger
	World     exchange.World
	Fold      ledger.Fold
	Retirer   exchange.HookRetirer
	Codex     exchange.CodexReader
	// Relay tells what relay kept from a session.
	Relay relay.Operator
	// Table looks at what processes were started with.
	Table proc.Table
}

// shared is what every command is given on the command line.
type shared struct {
	deps
	dir string
	// command is the path of the command that runs.
	command string
}

// cwd returns the working directory that --cwd names, absolute; the process's
// own where there is none. A directory that does not exist is told by whoever
// resolves it.
func (s *shared) cwd() string {
	if strings.HasPrefix(s.dir, "~") {
		return s.dir
	}
	dir := s.dir
	if dir == "" {
		dir = "."
	}
	if absolute, err := filepath.Abs(dir); err == nil {
		return absolute
	}
	return dir
}

// newRootCmd returns the tree of commands.
func newRootCmd(d deps) *cobra.Command {
	s := &shared{deps: d}
	cmd := &cobra.Command{
		Use:   "exchange",
		Short: "Tell sessions of each other and keep what they leave for each other",
		Long: "Several coding-agent sessions run at once in one directory tree. exchange tells\n" +
			"who else is here and what they are doing, and keeps handoffs for a repo, for\n" +
			"paths in it, or for one session.",
		Example: "  exchange init                                     # mark this tree as a root, once\n" +
			"  exchange show                                     # who is here, what is waiting\n" +
			"  exchange claim --focus \"port the parser\" --path lib/parse\n" +
			"  exchange handoff post --repo site --body \"the API of /search changed\"\n" +
			"  exchange doctor                                   # is everything wired and healthy",
	}
	cmd.Version = d.Build.Line("exchange")
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		s.command = cmd.CommandPath()
		s.Log.Debug().Str("command", cmd.CommandPath()).Str("cwd", s.cwd()).Msg("begins")
	}
	cmd.PersistentFlags().StringVar(&s.dir, "cwd", "", "work as if started in `DIR`")
	cmd.PersistentFlags().BoolVar(&d.Verbosity.On, "verbose", false, "write debug lines to the error stream")
	cmd.AddCommand(
		newInitCmd(s), newShowCmd(s), newWatchCmd(s), newClaimCmd(s), newDoctorCmd(s), newHandoffCmd(s), newTidyCmd(s),
		newMigrateCmd(s), newCodexHooksCmd(s),
		cobracli.NewVersionCmd(d.Build.Line("exchange")),
	)
	nextSteps().Teach(cmd)
	return cmd
}

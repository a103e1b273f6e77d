package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/buildinfo"
	"github.com/changeover/changeover/adapters/claudesettings"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/linkstore"
	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/adapters/zlog"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
	"github.com/changeover/changeover/domain/text"
)

// deps is what the commands need of the world.
type deps struct {
	Streams   cobracli.Streams
	Build     buildinfo.Info
	Verbosity *zlog.Verbosity
	Log       zerolog.Logger
	Operator  relay.Operator
	Store     linkstore.Store
	Agents    port.AgentRunner
	Settings  claudesettings.Reader
	Table     proc.Table
	Mailbox   exchange.Mailbox
	Env       port.Environment
}

// shared is what every command is given on the command line.
type shared struct {
	deps
	session string
}

// newRootCmd returns the tree of commands.
func newRootCmd(d deps) *cobra.Command {
	s := &shared{deps: d}
	cmd := &cobra.Command{
		Use:   "relay",
		Short: "Pair two live sessions as planner and builder",
		Long: "Pair two live coding-agent sessions: the planner's <handoff> block is delivered to\n" +
			"the builder, whose report comes back. Nobody copies text.",
		Example: "  relay sessions                          # who can be paired\n" +
			"  relay planner 071a81ba                  # ask that session to be the builder\n" +
			"  relay builder 28410c0e                  # in the other one: accept\n" +
			"  relay goal \"make the parser stream\"     # start the work\n" +
			"  relay status",
	}
	cmd.Version = d.Build.Line("relay")
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.PersistentFlags().StringVar(&s.session, "session", "", "speak for the session with this `ID`, prefix or name")
	cmd.PersistentFlags().BoolVar(&d.Verbosity.On, "verbose", false, "write debug lines to the error stream")
	cmd.AddCommand(
		newSessionsCmd(s), newPairCmd(s, relay.Planner), newPairCmd(s, relay.Builder),
		newAcceptCmd(s), newDeclineCmd(s), newGoalCmd(s), newResumeCmd(s), newPauseCmd(s), newUnlinkCmd(s),
		newStatusCmd(s), newLogCmd(s), newWatchCmd(s), newDoctorCmd(s), newRunCmd(s), newAttachCmd(s), newEventCmd(s),
		cobracli.NewVersionCmd(d.Build.Line("relay")),
	)
	nextSteps().Teach(cmd)
	if err := cmd.RegisterFlagCompletionFunc("session", s.completeSessions); err != nil {
		panic(err) // the flag is defined just above
	}
	return cmd
}

// cwd is the working directory, without symbolic links; empty where not known.
func cwd() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// speaker is the session that a command speaks for.
func (s *shared) speaker() (relay.Speaker, error) { return s.Operator.Speak(s.session, cwd()) }

// errSaid ends a command that has printed what is wrong: exit code 1.
var errSaid = &cobracli.StatusError{Code: cobracli.Failed}

// print writes lines to the results.
func (s *shared) print(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = text.Printable(line)
	}
	_, err := s.Streams.Out.Write([]byte(strings.Join(shown, "\n") + "\n"))
	return err
}

func (s *shared) json(doc jsondoc.Object) error {
	_, err := s.Streams.Out.Write(jsondoc.Shown(doc))
	return err
}

// say prints what a verb answered, or why it could not.
func (s *shared) say(self relay.Speaker, r relay.Outcome, err error) error {
	if err != nil {
		return errors.New(text.Printable(s.Operator.Word(err, self.Session)))
	}
	return s.print(r.Lines())
}

// completeSessions offers the live sessions to the shell.
func (s *shared) completeSessions(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	rows, err := s.Operator.Live(cwd())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []cobra.Completion
	for _, row := range rows {
		ids = append(ids, cobra.CompletionWithDesc(row.SessionID, text.Printable(row.Label()+" "+row.Cwd)))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

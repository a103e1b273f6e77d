package main

import (
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/buildinfo"
	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/zlog"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/jsondoc"
)

// deps is what the commands need of the world.
type deps struct {
	Streams   cobracli.Streams
	Build     buildinfo.Info
	Verbosity *zlog.Verbosity
	Log       zerolog.Logger
	World     baton.World
	Sink      *sink
}

// newRootCmd returns baton's command tree.
func newRootCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baton",
		Short: "Hand the work in a repository from one coding agent to the next",
		Long: "Run a coding agent on a repository, and hand its work to the next one when a limit\n" +
			"stops it; or have one agent write a plan and another carry it out. What a session\n" +
			"knows lies under .ai-session/. baton itself never asks a model, commits or pushes.",
		Example: "  baton init\n" +
			"  baton run \"make the parser stream\"        # claude goes on where codex is stopped\n" +
			"  baton plan \"add an import counter\"        # claude writes .ai-session/plan.md\n" +
			"  baton execute                             # codex carries it out\n" +
			"  baton status\n" +
			"  baton explain                             # why the last run did or did not hand over",
		Annotations: map[string]string{cobracli.Prefix: prefix},
	}
	cmd.Version = d.Build.Line("baton")
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.PersistentFlags().BoolVar(&d.Verbosity.On, "verbose", false, "write debug lines to the error stream")
	version := cobracli.NewVersionCmd(d.Build.Line("baton"))
	version.Args = noArgument("")
	cmd.AddCommand(
		newInitCmd(d), newRunCmd(d), newHandoffCmd(d), newPlanCmd(d), newExecuteCmd(d),
		newStatusCmd(d), newTUICmd(d), newExplainCmd(d), newBudgetCmd(d), newReceiptCmd(d), newReviewCmd(d),
		newCompressContextCmd(d), newCompactCmd(d), newCompressCmd(d),
		newDoctorCmd(d), newVerifyCmd(d), newProjectCmd(d), newLoginCmd(d),
		version,
	)
	nextSteps().Teach(cmd)
	return cmd
}

// json writes one document to the results.
func (d deps) json(doc any) error {
	_, err := d.Streams.Out.Write(jsondoc.Shown(doc))
	return err
}

// notices tells the person what is to be known beside the result.
func (d deps) notices(lines []string) {
	for _, line := range lines {
		d.Sink.Notice(line)
	}
}

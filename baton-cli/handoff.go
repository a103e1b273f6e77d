package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/baton"
)

// newHandoffCmd writes a handoff and starts an agent from it.
func newHandoffCmd(d deps) *cobra.Command {
	var q baton.HandoffRequest
	var l launching
	var json bool
	cmd := &cobra.Command{
		Use:   "handoff --to AGENT",
		Short: "Write a handoff for an agent and start it",
		Long:  "Write .ai-session/handoff.md, the one before kept as a backup, and start the agent\nfrom it unless --no-run is given.",
		Example: "  baton handoff --to claude\n" +
			"  baton handoff --to codex --no-run\n" +
			"  baton handoff history",
		Args: toTarget,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if q.To == "" {
				return cobracli.Usage(errors.New("say who goes on: baton handoff --to AGENT"))
			}
			q.Launching = l.value(cmd)
			if json {
				d.Sink.aside()
			}
			told := func(w baton.Written) {
				cut := ""
				if w.Cut {
					cut = ", cut to fit"
				}
				d.Sink.Notice(fmt.Sprintf("handoff written: %s, %d of %d chars%s", w.File, w.Chars, w.Limit, cut))
			}
			return d.ended(cmd, q.Place, json, d.World.Handoff(cmd.Context(), signals(cmd.Context()), q, told))
		},
	}
	d.bindPlace(cmd, &q.Place)
	d.bindDiet(cmd, &q.Diet)
	bindAgent(cmd, &q.To, "to", "the `AGENT` that goes on")
	l.bind(cmd)
	cmd.Flags().BoolVar(&q.NoRun, "no-run", false, "only write the handoff")
	cmd.Flags().BoolVar(&q.Force, "force", false, "go on although a gate refuses the handoff")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document at the end; the agent's stream goes to the error stream")
	cmd.AddCommand(newHistoryCmd(d), newShowCmd(d))
	return cmd
}

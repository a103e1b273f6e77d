package main

import (
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
)

// newExecuteCmd has an agent carry out the plan.
func newExecuteCmd(d deps) *cobra.Command {
	var q baton.ExecuteRequest
	var l launching
	var json bool
	cmd := &cobra.Command{
		Use:   "execute",
		Short: "Have an agent carry out the plan",
		Long:  "Check .ai-session/plan.md, or the plan that --from names, and start the executor on it.\nAt a limit the next agent goes on, as with run.",
		Example: "  baton execute\n" +
			"  baton execute --with claude --from docs/plan.md",
		Args: noArgument("from"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			q.Launching = l.value(cmd)
			if json {
				d.Sink.aside()
			}
			return d.ended(cmd, q.Place, json, d.World.Execute(cmd.Context(), signals(cmd.Context()), q))
		},
	}
	d.bindPlace(cmd, &q.Place)
	d.bindDiet(cmd, &q.Diet)
	bindAgent(cmd, &q.With, "with", "the `AGENT` that carries the plan out")
	cmd.Flags().StringVar(&q.From, "from", "", "carry out the plan in this `FILE`; it becomes the session's plan")
	l.bind(cmd)
	bindGoing(cmd, &q.Going)
	cmd.Flags().BoolVar(&q.Force, "force", false, "go on although a gate refuses the plan or a handoff")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document at the end; the agent's stream goes to the error stream")
	return cmd
}

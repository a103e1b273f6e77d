package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
)

// newRunCmd runs an agent on a task.
func newRunCmd(d deps) *cobra.Command {
	var q baton.RunRequest
	var l launching
	var json bool
	cmd := &cobra.Command{
		Use:   "run TASK",
		Short: "Run an agent on a task, and the next one where a limit stops it",
		Long: "Start the primary agent with the task. When it meets a limit that its own client\n" +
			"proves, a compact handoff is written and the fallback agent goes on from it. A task\n" +
			"of \"-\" is read from standard input.",
		Example: "  baton run \"make the parser stream\"\n" +
			"  baton run \"fix the tests\" --primary claude --fallback codex\n" +
			"  baton run \"port it to Go\" --wait --return\n" +
			"  baton run - < task.md",
		Args: needsTask,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if q.Task, err = d.task(args[0]); err != nil {
				return err
			}
			q.Launching = l.value(cmd)
			if json {
				d.Sink.aside()
			}
			return d.ended(cmd, q.Place, json, d.World.Run(cmd.Context(), signals(cmd.Context()), q))
		},
	}
	d.bindPlace(cmd, &q.Place)
	d.bindDiet(cmd, &q.Diet)
	bindAgent(cmd, &q.Primary, "primary", "the `AGENT` that begins")
	bindAgent(cmd, &q.Fallback, "fallback", "the `AGENT` that goes on at a limit")
	l.bind(cmd)
	bindGoing(cmd, &q.Going)
	cmd.Flags().BoolVar(&q.Force, "force", false, "hand over although a gate refuses the handoff")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document at the end; the agent's stream goes to the error stream")
	return cmd
}

// ended ends a command that started agents.
func (d deps) ended(cmd *cobra.Command, place baton.Place, json bool, err error) error {
	if json && baton.ExitCode(err) != baton.ExitUsage && baton.ExitCode(err) != baton.ExitBusy {
		// A signal that ended the work does not keep the document back.
		if doc, docErr := d.World.RunDocument(context.WithoutCancel(cmd.Context()), place); docErr == nil {
			if printErr := d.json(doc); printErr != nil {
				return printErr
			}
		}
	}
	return exit(cmd.Context(), err)
}

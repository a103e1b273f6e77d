package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/exchange"
)

func newMoveCmd(s *shared, verb, short, example string, status exchange.Status) *cobra.Command {
	var note string
	cmd := &cobra.Command{
		Use:     verb + " ID",
		Short:   short,
		Example: "  exchange handoff " + verb + " 20260301T101500Z-0a1b2c --note \"" + example + "\"",
		Args:    oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := exchange.Mail{World: s.World}.Move(exchange.MoveRequest{
				Cwd: s.cwd(), ID: args[0], Status: status, Note: note,
			})
			if err != nil {
				return s.refuse(err)
			}
			return s.print(r.Lines())
		},
		ValidArgsFunction: s.completeIDs(exchange.ListRequest{}),
	}
	cmd.Flags().StringVar(&note, "note", "", "say more with a `TEXT`")
	return cmd
}

func newResolveCmd(s *shared) *cobra.Command {
	var status, note string
	cmd := &cobra.Command{
		Use:   "resolve ID",
		Short: "Settle a handoff that two sessions moved at once",
		Long: "Two sessions that move one handoff at the same moment leave two moves at one\n" +
			"position, and nobody can tell which came first. resolve adds one more move that\n" +
			"says how it is, and why. The two stay on disk and stay reported.",
		Example: "  exchange handoff resolve 20260301T101500Z-0a1b2c --status closed --note \"agreed with dock\"",
		Args:    oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			wanted, err := exchange.ParseStatus(status)
			if err != nil {
				return cobracli.Usage(err)
			}
			if strings.TrimSpace(note) == "" {
				return cobracli.Usage(errors.New("--note says nothing: say why it is so"))
			}
			r, err := exchange.Mail{World: s.World}.Resolve(exchange.MoveRequest{
				Cwd: s.cwd(), ID: args[0], Status: wanted, Note: note,
			})
			if err != nil {
				return s.refuse(err)
			}
			return s.print(r.Lines())
		},
		ValidArgsFunction: s.completeIDs(exchange.ListRequest{}),
	}
	cmd.Flags().StringVar(&status, "status", "", "the `STATUS` it has: open, accepted or closed")
	cmd.Flags().StringVar(&note, "note", "", "the `REASON`")
	completeStatus := cobra.FixedCompletions([]cobra.Completion{"open", "accepted", "closed"}, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("status", completeStatus); err != nil {
		panic(err) // the flag is defined just above
	}
	for _, flag := range []string{"status", "note"} {
		if err := cmd.MarkFlagRequired(flag); err != nil {
			panic(err) // the flag is defined just above
		}
	}
	return cmd
}

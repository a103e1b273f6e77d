package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/exchange"
)

func newHandoffCmd(s *shared) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "handoff",
		Short: "Leave work for others, and take it on",
		Example: "  exchange handoff post --repo site --body \"the API of /search changed\"\n" +
			"  exchange handoff list\n" +
			"  exchange handoff accept 20260301T101500Z-0a1b2c",
	}
	cmd.AddCommand(
		newPostCmd(s), newListCmd(s), newLetterCmd(s), newRestoreCmd(s), newResolveCmd(s),
		newMoveCmd(s, "accept", "Take a handoff on; everybody sees who did", "on it", exchange.Accepted),
		newMoveCmd(s, "close", "Close a handoff that is done; it is listed no more", "the display shows newtons", exchange.Closed),
	)
	return cmd
}

func newListCmd(s *shared) *cobra.Command {
	var req exchange.ListRequest
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the handoffs that are not closed, newest first",
		Example: "  exchange handoff list\n  exchange handoff list --all --json\n  exchange handoff list --archived",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			req.Cwd = s.cwd()
			r, err := exchange.Reader{World: s.World}.List(req)
			if err != nil {
				return s.cannotRead(err, asJSON)
			}
			return s.read(r, len(r.Problems) > 0, asJSON)
		},
	}
	cmd.Flags().BoolVar(&req.All, "all", false, "list closed ones too")
	cmd.Flags().BoolVar(&req.Archived, "archived", false, "list the archive instead")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newLetterCmd(s *shared) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Show one handoff with its whole body and its moves",
		Example: "  exchange handoff show 20260301T101500Z-0a1b2c\n  exchange handoff show 20260301T101500Z-0a1b2c --json",
		Args:    oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := exchange.Reader{World: s.World}.Show(s.cwd(), args[0])
			if err != nil {
				return s.cannotRead(err, asJSON)
			}
			return s.read(r, len(r.Problems()) > 0, asJSON)
		},
		ValidArgsFunction: s.completeIDs(exchange.ListRequest{All: true}),
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newRestoreCmd(s *shared) *cobra.Command {
	var apply bool
	cmd := &cobra.Command{
		Use:     "restore ID",
		Short:   "Bring an archived handoff back into the store",
		Long:    "Say what would be brought back from the archive; --apply brings it.",
		Example: "  exchange handoff restore 20260301T101500Z-0a1b2c\n  exchange handoff restore 20260301T101500Z-0a1b2c --apply",
		Args:    oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := exchange.Archivist{World: s.World}.Restore(s.cwd(), args[0], apply)
			if err != nil {
				return s.refuse(err)
			}
			return s.print(r.Lines())
		},
		ValidArgsFunction: s.completeIDs(exchange.ListRequest{Archived: true}),
	}
	cmd.Flags().BoolVar(&apply, "apply", false, "move it")
	return cmd
}

// oneID wants the id of one handoff.
func oneID(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("which handoff? give one id: exchange handoff list names them")
	}
	return nil
}

// completeIDs offers the ids of handoffs to the shell.
func (s *shared) completeIDs(req exchange.ListRequest) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		req.Cwd = s.cwd()
		r, err := exchange.Reader{World: s.World}.List(req)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var ids []cobra.Completion
		for _, item := range r.Items {
			ids = append(ids, item.ID)
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/exchange"
)

func newInitCmd(s *shared) *cobra.Command {
	var req exchange.InitRequest
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Mark a directory tree as a root",
		Long: "Mark a directory as a root: the sessions at and below it know of each other.\n\n" +
			"Without DIR, the nearest directory above this repository that has a CLAUDE.md\n" +
			"is taken. A directory that merges separate workspaces is refused unless --force\n" +
			"says that they may see each other.",
		Example: "  exchange init\n  exchange init ~/src/harbour --name harbour",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			req.Cwd = s.cwd()
			if len(args) == 1 {
				req.Dir = args[0]
				if req.Dir == "" {
					req.Dir = "."
				}
			}
			r := exchange.Founder{World: s.World}.Init(req)
			if r.Refused {
				r.Lines = s.hinted(r.Lines)
			}
			return s.report(r.Lines, r.Refused)
		},
	}
	cmd.Flags().StringVar(&req.Name, "name", "", "call the root `NAME` (default: the name of its directory)")
	cmd.Flags().BoolVar(&req.Force, "force", false, "mark even a directory that merges separate workspaces")
	return cmd
}

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/jsondoc"
)

func newStatusCmd(s *shared) *cobra.Command {
	var asJSON, line bool
	var named linkFlags
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Show where a link stands",
		Example: "  relay status\n  relay status --json\n  relay status --line      # for a status line",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r, err := s.status(&named)
			if err != nil {
				return err
			}
			switch {
			case asJSON:
				err = s.json(r.Document())
			case line:
				band, _ := r.Line()
				err = s.print([]string{band})
			default:
				err = s.print(r.Lines())
			}
			return errors.Join(err, s.worded(r.Unread, r.Session))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().BoolVar(&line, "line", false, "print the band alone")
	cmd.MarkFlagsMutuallyExclusive("json", "line")
	named.add(cmd)
	return cmd
}

func newLogCmd(s *shared) *cobra.Command {
	var asJSON, markdown bool
	var named linkFlags
	cmd := &cobra.Command{
		Use:     "log",
		Short:   "Show the trail of a link: each round's texts, receipts and times",
		Example: "  relay log\n  relay log --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			trail, err := s.trail(&named)
			if err != nil {
				return err
			}
			if asJSON {
				return s.json(trail.Document())
			}
			_, err = fmt.Fprint(s.Streams.Out, trail.Markdown())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print Markdown (the default)")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	named.add(cmd)
	return cmd
}

func newSessionsCmd(s *shared) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "sessions",
		Short:   "List the live sessions that can be paired",
		Example: "  relay sessions\n  relay sessions --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			rows, err := s.Operator.Live(cwd())
			if err != nil {
				return fmt.Errorf("the session registry could not be read: %w", err)
			}
			docs, lines := []jsondoc.Object{}, []string{}
			for _, row := range rows {
				docs = append(docs, jsondoc.Object{
					{Key: "session_id", Value: row.SessionID}, {Key: "name", Value: row.Name}, {Key: "cwd", Value: row.Cwd},
				})
				lines = append(lines, fmt.Sprintf("%s  %s  %s", row.SessionID, row.Label(), row.Cwd))
			}
			if asJSON {
				return s.json(jsondoc.Object{{Key: "sessions", Value: docs}})
			}
			if len(lines) == 0 {
				lines = append(lines, "no live session: start one with claude")
			}
			return s.print(lines)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

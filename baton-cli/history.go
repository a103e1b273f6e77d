package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// newHistoryCmd lists the handoffs.
func newHistoryCmd(d deps) *cobra.Command {
	var place baton.Place
	var json bool
	cmd := &cobra.Command{
		Use:     "history",
		Short:   "List the handoff and the earlier ones",
		Example: "  baton handoff history",
		Args:    noArgument("path"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			entries, err := d.World.History(cmd.Context(), place)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				list := []jsondoc.Object{}
				for _, e := range entries {
					list = append(list, e.Document())
				}
				return d.json(list)
			}
			if len(entries) == 0 {
				fmt.Fprintln(d.Streams.Out, "No handoff has been written yet; 'baton handoff --to AGENT' writes one.")
				return nil
			}
			table := tabwriter.NewWriter(d.Streams.Out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, strings.Join(handoff.Columns(), "\t"))
			for _, e := range entries {
				fmt.Fprintln(table, strings.Join(e.Cells(d.World.Cut), "\t"))
			}
			return table.Flush()
		},
	}
	d.bindPlace(cmd, &place)
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	return cmd
}

// newShowCmd prints a handoff.
func newShowCmd(d deps) *cobra.Command {
	var place baton.Place
	var file string
	var json bool
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Print the handoff, or an earlier one",
		Example: "  baton handoff show\n  baton handoff show --file handoff.2026-05-28T09-00-00-000Z.md",
		Args:    noArgument("file"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			shown, err := d.World.ShowHandoff(cmd.Context(), place, file)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			if json {
				return d.json(shown.Document())
			}
			body := shown.Body
			if isTerminal(d.Streams.Out) {
				body = printableLines(body)
			}
			_, err = io.WriteString(d.Streams.Out, body)
			return err
		},
	}
	d.bindPlace(cmd, &place)
	cmd.Flags().StringVar(&file, "file", "", "the `NAME` of an earlier handoff, as 'baton handoff history' lists it")
	cmd.Flags().BoolVar(&json, "json", false, "print one JSON document")
	complete(cmd, "file", d.completeHandoffs)
	return cmd
}

// printableLines takes the control characters out of a text of several lines.
func printableLines(body string) string {
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		lines[i] = text.Printable(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

// completeHandoffs offers the handoffs to the shell.
func (d deps) completeHandoffs(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	entries, err := d.World.History(cmd.Context(), placeOf(cmd))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, e := range entries {
		names = append(names, cobra.CompletionWithDesc(e.Name, text.Printable(e.Label)))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

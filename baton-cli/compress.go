package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// newCompressCmd makes a markdown file short.
func newCompressCmd(d deps) *cobra.Command {
	var over bool
	var out string
	cmd := &cobra.Command{
		Use:   "compress FILE",
		Short: "Shrink a markdown or instruction file by rule",
		Long: "Strip white space at line ends, and leave one of several blank or identical lines on end.\n" +
			"What stands in fenced code stays byte for byte. The result goes to the output.",
		Example: "  baton compress AGENTS.md | less\n" +
			"  baton compress AGENTS.md --write\n" +
			"  baton compress AGENTS.md --out AGENTS.short.md",
		Args: oneArgument("the file to shrink", "baton compress FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := d.World.Shrink(args[0], over, out)
			if err != nil {
				return exit(cmd.Context(), err)
			}
			wanted := over || out != ""
			if !wanted {
				if _, err := io.WriteString(d.Streams.Out, s.Text); err != nil {
					return err
				}
			}
			note := fmt.Sprintf("%s: %d -> %d chars", args[0], s.Before, s.After)
			switch {
			case wanted && !s.Smaller():
				note = fmt.Sprintf("%s: nothing to shrink, %d chars; nothing was written", args[0], s.Before)
			case wanted:
				note += ", written to " + s.Written
			}
			d.Sink.Notice(note)
			return nil
		},
	}
	cmd.Flags().BoolVar(&over, "write", false, "write the result over the file")
	cmd.Flags().StringVar(&out, "out", "", "write the result to this `FILE`")
	return cmd
}

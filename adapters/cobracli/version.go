package cobracli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// NewVersionCmd returns the version command, which prints line on the output
// stream.
func NewVersionCmd(line string) *cobra.Command {
	program, _, _ := strings.Cut(line, " ")
	return &cobra.Command{
		Use:     "version",
		Short:   "Print which build this is",
		Example: "  " + program + " version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), line)
			return err
		},
	}
}

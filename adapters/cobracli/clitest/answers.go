package clitest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// Answers checks that the commands of a tree that have the flag --json are those of
// a list of commands of all programs.
func Answers(t *testing.T, tree func() *cobra.Command, described []string) {
	t.Helper()
	root := furnished(tree)
	var have, want []string
	eachCommand(root, func(cmd *cobra.Command) {
		if cmd.Flags().Lookup("json") != nil {
			have = append(have, cmd.CommandPath())
		}
	})
	for _, command := range described {
		if strings.HasPrefix(command, root.Name()+" ") {
			want = append(want, command)
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("the commands with --json are not those that adapters/outputs describes (-described +there):\n%s", diff)
	}
}

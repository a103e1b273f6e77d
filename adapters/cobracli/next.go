package cobracli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Next is the annotation of a command with what a person types after it: one
// command a line, with an optional comment, as in an example.
const Next = "next"

// Steps are what to type after each command, by the command's path.
type Steps map[string][]string

// Teach notes the steps on the commands of a tree. A path that no command has
// is a bug.
func (s Steps) Teach(root *cobra.Command) {
	commands := map[string]*cobra.Command{}
	gather(root, commands)
	for path, lines := range s {
		cmd, known := commands[path]
		if !known {
			panic("what follows " + path + ": there is no such command")
		}
		note(cmd, lines...)
	}
}

func gather(cmd *cobra.Command, into map[string]*cobra.Command) {
	into[cmd.CommandPath()] = cmd
	for _, sub := range cmd.Commands() {
		gather(sub, into)
	}
}

func note(cmd *cobra.Command, lines ...string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[Next] = strings.Join(lines, "\n")
}

// nextLines are what a person types after a command.
func nextLines(cmd *cobra.Command) []string {
	if cmd.Annotations[Next] == "" {
		return nil
	}
	return strings.Split(cmd.Annotations[Next], "\n")
}

// showNext ends every help of the tree with what to type next.
func showNext(root *cobra.Command) {
	usage := root.UsageFunc()
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		if err := usage(cmd); err != nil {
			return err
		}
		lines := nextLines(cmd)
		if len(lines) == 0 {
			return nil
		}
		_, err := fmt.Fprintf(cmd.OutOrStderr(), "\nNext:\n  %s\n", strings.Join(lines, "\n  "))
		return err
	})
}

// Package clitest checks what a tree of commands teaches.
package clitest

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
)

// fault is one thing that a tree leaves out or gets wrong.
type fault struct {
	command, says string
}

// Teaches checks that every command which a person types says what it does, has an
// example of itself, and says what to type next; and that the program would take
// each of these lines. The func makes a new tree each time.
func Teaches(t *testing.T, tree func() *cobra.Command) {
	t.Helper()
	for _, f := range faults(tree) {
		t.Errorf("%s: %s", f.command, f.says)
	}
}

func furnished(tree func() *cobra.Command) *cobra.Command {
	root := tree()
	cobracli.Furnish(root)
	return root
}

func faults(tree func() *cobra.Command) []fault {
	var found []fault
	eachCommand(furnished(tree), func(cmd *cobra.Command) {
		say := func(s string) { found = append(found, fault{command: cmd.CommandPath(), says: s}) }
		if cmd.Hidden && cmd.Example == "" {
			return
		}
		if strings.TrimSpace(cmd.Short) == "" {
			say("has no Short")
		}
		if own := check(tree, cmd, cmd.Example, "example", say); own == 0 {
			say("has no example of itself")
		}
		if cmd.Hidden {
			return
		}
		next := cmd.Annotations[cobracli.Next]
		if next == "" {
			say("says nothing to type next")
			return
		}
		check(tree, cmd, next, "next", say)
	})
	return found
}

func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, sub := range cmd.Commands() {
		eachCommand(sub, do)
	}
}

// check parses lines, and returns how many of them call cmd itself or, where it only
// groups others, one below it.
func check(tree func() *cobra.Command, cmd *cobra.Command, lines, what string, say func(string)) (own int) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		read, ok, err := Read(line, cmd.Root().Name())
		if err != nil {
			say(what + " " + line + ": " + err.Error())
			continue
		}
		if !ok {
			say(what + " " + line + ": does not call " + cmd.Root().Name())
			continue
		}
		called, err := Parse(furnished(tree), read.Words)
		if err != nil {
			say(what + " " + line + ": " + err.Error())
			continue
		}
		path := called.CommandPath()
		if path == cmd.CommandPath() || !cmd.Runnable() && strings.HasPrefix(path, cmd.CommandPath()+" ") {
			own++
		}
	}
	return own
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/text"
)

// longTyped is how many characters of loose words a message repeats.
const longTyped = 60

// oneArgument takes one argument: what it is stands in the message that asks for
// it, and next is the command to type then.
func oneArgument(what, next string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch len(args) {
		case 1:
			return nil
		case 0:
			return fmt.Errorf("%s is missing: type '%s'", what, next)
		}
		return fmt.Errorf("%s is one argument, and %d were given: type '%s'", what, len(args), next)
	}
}

// optionalArgument takes one argument or none.
func optionalArgument(what, next string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return oneArgument(what, next)(cmd, args)
	}
}

// oneTask takes one task; without one it is the command that says what is missing.
// Words are not joined to a task: the value of a flag that takes none would become
// part of what an agent is sent.
func oneTask(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return nil
	}
	return fmt.Errorf("the task is one argument, and %d were given: put it in quotes, as in '%s'", len(args), quoted(cmd.CommandPath(), args))
}

// needsTask is oneTask for a command that does nothing without one.
func needsTask(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("the task is missing: say what is to be done, as in '%s'", quoted(cmd.CommandPath(), nil))
	}
	return oneTask(cmd, args)
}

// quoted is a command with words as its one argument, or with a place for them
// where they cannot be repeated as they are.
func quoted(command string, words []string) string {
	line := strings.Join(words, " ")
	if line == "" || len(line) > longTyped || strings.ContainsAny(line, "\"'$`\\!") || text.Printable(line) != line {
		line = "TASK"
	}
	return command + ` "` + line + `"`
}

// toTarget takes none: the agent of a handoff is named by a flag.
func toTarget(cmd *cobra.Command, args []string) error {
	if err := noArgument("to")(cmd, args); err == nil || !slices.Contains(agent.Names(), args[0]) {
		return err
	}
	return fmt.Errorf("who goes on is named by a flag: type '%s --to %s'", cmd.CommandPath(), args[0])
}

// noArgument takes none. One that is given may be the value of the flag: empty
// where the command has no such flag.
func noArgument(flag string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		command := cmd.CommandPath()
		cmd.SuggestionsMinimumDistance = 2
		if near := cmd.SuggestionsFor(args[0]); cmd.HasAvailableSubCommands() && len(near) > 0 {
			return fmt.Errorf("%s has no command %q; did you mean '%s %s'?", command, args[0], command, near[0])
		}
		next := fmt.Sprintf("type '%s'", command)
		if flag != "" {
			next += fmt.Sprintf(", or '%s --%s %s' where you meant that", command, flag, args[0])
		}
		return fmt.Errorf("%s takes no argument, and %q was given: %s", command, args[0], next)
	}
}

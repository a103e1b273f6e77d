// Package cobracli runs a tree of cobra commands and turns how it ended into
// an exit code: 0 done, 1 failed, 2 wrong usage.
package cobracli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/text"
)

// The exit codes that every binary shares.
const (
	Done       = 0
	Failed     = 1
	WrongUsage = 2
)

// Streams are the input and the two outputs of one program. Results go to Out;
// usage errors, progress and debug lines go to Err.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// StatusError is an error with an exit code of its own. A command that has already
// said what is wrong returns one without Err: then nothing more is printed.
type StatusError struct {
	Code int
	Err  error
}

// Error implements error.
func (s *StatusError) Error() string {
	if s.Err == nil {
		return fmt.Sprintf("exit status %d", s.Code)
	}
	return s.Err.Error()
}

// Unwrap returns Err.
func (s *StatusError) Unwrap() error { return s.Err }

// Usage marks err as wrong usage that only a running command could notice.
func Usage(err error) error { return &StatusError{Code: WrongUsage, Err: err} }

// Execute runs the command that args name and returns the exit code. Every
// error from before a command's own RunE is wrong usage, and so is naming no
// command where one is needed. Errors are printed once, on the error stream.
func Execute(ctx context.Context, root *cobra.Command, args []string, s Streams) int {
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(suggestFlag)
	Furnish(root, args...)

	var entered bool
	prepare(root, &entered)

	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return Done
	}
	var status *StatusError
	if !errors.As(err, &status) {
		status = &StatusError{Code: Failed, Err: err}
		if !entered {
			status.Code = WrongUsage
		}
	}
	if status.Err != nil {
		for line := range strings.SplitSeq(status.Error(), "\n") {
			cmd.PrintErrf("%s%s\n", prefix(root), text.Printable(line))
		}
	}
	if status.Err != nil && status.Code == WrongUsage {
		cmd.PrintErrf("%sRun '%s --help' for usage.\n", root.Annotations[Prefix], cmd.CommandPath())
	}
	return status.Code
}

// Prefix is the annotation of a root command with what its errors begin with, in
// place of the program's name.
const Prefix = "prefix"

func prefix(root *cobra.Command) string {
	if own, ok := root.Annotations[Prefix]; ok {
		return own
	}
	return root.Name() + ": "
}

// prepare makes every command of the tree note in entered that it has begun,
// and gives those that only group others an answer to being called bare.
func prepare(cmd *cobra.Command, entered *bool) {
	if !cmd.Runnable() && cmd.HasSubCommands() {
		cmd.Args = cobra.ArbitraryArgs
		cmd.DisableFlagsInUseLine = true
		cmd.RunE = refuse
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*entered = true
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		prepare(sub, entered)
	}
}

// refuse is the RunE of a command that only groups others.
func refuse(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return Usage(errors.New("no command given"))
	}
	cmd.SuggestionsMinimumDistance = 2
	near := cmd.SuggestionsFor(args[0])
	if len(near) > 0 {
		return Usage(fmt.Errorf("unknown command %q; did you mean %q?", args[0], near[0]))
	}
	return Usage(fmt.Errorf("unknown command %q", args[0]))
}

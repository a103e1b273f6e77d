package main

import (
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/changeover/changeover/adapters/cobracli"
)

// run assembles the program, runs the command that args name and returns the
// exit code: 0 fine, 1 something is wrong or was refused, 2 wrong usage.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	for i, arg := range args {
		if !utf8.ValidString(arg) {
			_, _ = fmt.Fprintf(stdout, "problem: argument %d is not valid UTF-8: nothing was done\n", i+1) // nowhere else to say it
			return cobracli.Failed
		}
	}
	streams := cobracli.Streams{In: stdin, Out: stdout, Err: stderr}
	return cobracli.Execute(ctx, assemble(streams), args, streams)
}

package main

import (
	"context"
	"io"

	"github.com/changeover/changeover/adapters/cobracli"
)

// run assembles the program, runs the command that args name and returns the
// exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	streams := cobracli.Streams{In: stdin, Out: stdout, Err: stderr}
	return cobracli.Execute(ctx, assemble(streams), args, streams)
}

package main

import (
	"io"
	"testing"

	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/adapters/cobracli/clitest"
	"github.com/changeover/changeover/adapters/outputs"
)

func freshTree() *cobra.Command {
	return assemble(cobracli.Streams{Out: io.Discard, Err: io.Discard})
}

func TestCommands_TeachWhatTheyDoAndWhatComesNext(t *testing.T) { clitest.Teaches(t, freshTree) }

func TestCommands_EveryJSONHasItsSchema(t *testing.T) {
	clitest.Answers(t, freshTree, outputs.Commands())
}

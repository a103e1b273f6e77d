package main

import (
	"os"
	"testing"

	"github.com/matryer/is"
)

// Codex works in a repository alone, so a run that it is part of says so outside.
func TestRunOptions_CodexOutsideARepository(t *testing.T) {
	is := is.New(t)
	t.Chdir(t.TempDir())
	o := runOptions{planner: "claude", builder: "codex"}
	is.True(o.codexIsApart())
	is.True(!(&runOptions{planner: "claude", builder: "claude"}).codexIsApart())
	is.NoErr(os.Mkdir(".git", 0o755))
	is.True(!o.codexIsApart())
}

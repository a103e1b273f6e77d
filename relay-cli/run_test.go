package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// call runs the program with args and returns its exit code and both outputs.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestRun_SaysThatNothingIsBuiltYet(t *testing.T) {
	for _, args := range [][]string{nil, {"run", "add a flag"}, {"run", "--planner", "claude", "a goal"}, {"--unheard-of"}} {
		is := is.New(t)
		code, stdout, stderr := call(t, args...)
		is.Equal(code, 1)
		is.Equal(stdout, "")
		is.Equal(stderr, "relay: "+errNotBuilt.Error()+"\n")
	}
}

func TestRun_VersionNamesTheProgram(t *testing.T) {
	is := is.New(t)
	code, stdout, stderr := call(t, "version")
	is.Equal(code, 0)
	is.True(strings.HasPrefix(stdout, "relay "))
	is.Equal(stderr, "")
}

func TestRun_VerboseWritesDebugLinesToTheErrorStream(t *testing.T) {
	is := is.New(t)
	code, stdout, stderr := call(t, "--verbose", "run")
	is.Equal(code, 1)
	is.Equal(stdout, "")
	is.True(strings.HasPrefix(stderr, "DBG nothing answers to these args=[\"run\"]\n"))
}

func TestRun_HelpSaysItToo(t *testing.T) {
	is := is.New(t)
	code, stdout, _ := call(t, "--help")
	is.Equal(code, 0)
	is.True(strings.Contains(stdout, "does nothing yet"))
}

func TestRun_CompletionScript(t *testing.T) {
	is := is.New(t)
	code, stdout, _ := call(t, "completion", "bash")
	is.Equal(code, 0)
	is.True(strings.Contains(stdout, "__start_relay"))
}

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
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("CLAUDE_CODE_SESSION_ID", "")
	t.Setenv("RELAY_STATE_DIR", t.TempDir())
	var out, errs bytes.Buffer
	code = run(t.Context(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestRun_SaysWhatToTypeWithoutASession(t *testing.T) {
	is := is.New(t)
	code, stdout, stderr := call(t, "status")
	is.Equal(code, 1)
	is.Equal(stdout, "")
	is.True(strings.Contains(stderr, "--session <id>"))
	is.True(strings.Contains(stderr, "relay sessions"))
}

func TestRun_UsageErrors(t *testing.T) {
	for _, args := range [][]string{nil, {"planner"}, {"goal"}, {"nosuch"}, {"status", "--json", "--line"}, {"builder", "a", "--lang", "xx"}} {
		is := is.New(t)
		code, _, stderr := call(t, args...)
		is.Equal(code, 2) // wrong usage
		is.True(stderr != "")
	}
}

func TestRun_SessionsIsEmptyAndSaysSo(t *testing.T) {
	is := is.New(t)
	code, stdout, _ := call(t, "sessions", "--json")
	is.Equal(code, 0)
	is.Equal(stdout, "{\n  \"sessions\": []\n}\n")
}

func TestRun_CompletionScript(t *testing.T) {
	is := is.New(t)
	code, stdout, _ := call(t, "completion", "bash")
	is.Equal(code, 0)
	is.True(strings.Contains(stdout, "__start_relay"))
}

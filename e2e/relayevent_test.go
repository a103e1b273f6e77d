package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestRelay(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/relay", Setup: setup, Cmds: scriptCommands(), RequireExplicitExec: true, RequireUniqueNames: true,
	})
}

// whole is an answer with everything that either tool may put into it.
type whole struct {
	Decision           string `json:"decision"`
	Reason             string `json:"reason"`
	SystemMessage      string `json:"systemMessage"`
	HookSpecificOutput struct {
		AdditionalContext      string   `json:"additionalContext"`
		WatchPaths             []string `json:"watchPaths"`
		SuppressOriginalPrompt bool     `json:"suppressOriginalPrompt"`
	} `json:"hookSpecificOutput"`
}

// event sends a payload as the client does and shows whatever the answer says,
// each line with whom it is for.
func (inv *invocation) event(ts *testscript.TestScript, args []string) {
	inv.payload(ts, args)
	out := inv.run(ts, []string{"hookd", args[0]})
	stdout := ts.Stdout()
	switch {
	case out.Code == 2 && len(out.Stdout) == 0:
		show(stdout, "wake", string(out.Stderr))
		return
	case out.Code != 0 || len(out.Stderr) > 0:
		ts.Fatalf("exit code %d\nstdout: %s\nstderr: %s", out.Code, out.Stdout, out.Stderr)
	case len(out.Stdout) == 0:
		return
	}
	var a whole
	ts.Check(json.Unmarshal(out.Stdout, &a))
	if a.Decision == "block" {
		show(stdout, "block", a.Reason)
		if !a.HookSpecificOutput.SuppressOriginalPrompt {
			ts.Fatalf("a block shows the prompt: %s", out.Stdout)
		}
	}
	show(stdout, "person", a.SystemMessage)
	show(stdout, "model", a.HookSpecificOutput.AdditionalContext)
	show(stdout, "watch", strings.Join(a.HookSpecificOutput.WatchPaths, "\n"))
}

func show(w io.Writer, whom, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintf(w, "%s: %s\n", whom, line)
	}
}

//go:build clients

package clients_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/e2e/modelserver"
)

// continuation is how an agent that goes on is told so.
const continuation = "This is a handoff through relay-baton"

func TestBaton_CodexMeetsAUsageLimitHalfWayAndClaudeFinishes(t *testing.T) {
	w := newBatonWorld(t)
	reset := time.Now().Add(90 * time.Minute).Truncate(time.Minute)
	w.codex(
		modelserver.Say(modelserver.Text("I begin."), codexShell("call_1", "printf 'half\\n' > tide.txt")),
		codexLimit(reset),
	)
	w.claude(
		modelserver.Say(modelserver.Text("I go on."), w.claudeWrite("toolu_1", "done.txt", "whole\n")),
		modelserver.Say(modelserver.Text("The table stands.")),
	)
	output := w.baton(0, "run", batonTask)
	wantText(t, "the output", output, "I begin.")
	wantText(t, "the output", output, "claude goes on")
	wantText(t, "the output", output, "The table stands.")
	if got := w.content("tide.txt") + w.content("done.txt"); got != "half\nwhole\n" {
		t.Errorf("the two agents wrote %q", got)
	}
	w.wantPrompted(codexPath, continuation, 0)
	w.wantPrompted(codexPath, batonTask, 2) // the turn, and its second request with the tool's result
	w.wantPrompted(claudePath, continuation, 2)
	if n := len(w.asked(codexPath)); n != 2 {
		t.Errorf("codex asked %d times, want 2: a prompt is never sent again", n)
	}
	wantText(t, "the handoff", w.content(".ai-session/handoff.md"), "tide.txt")
	s := w.status()
	if s.Status != "completed" || s.Timing.HandoffCount != 1 {
		t.Errorf("the session is %s with %d handoffs", s.Status, s.Timing.HandoffCount)
	}
	if len(s.Limits) != 1 || s.Limits[0].Agent != "codex" || s.Limits[0].Class != "usage_limit" || !s.Limits[0].ResetAt.Equal(reset) {
		t.Errorf("the noted limits are %+v, want codex's with a reset at %s", s.Limits, reset)
	}
	explained := w.baton(0, "explain", "--run", "1")
	wantText(t, "the explanation", explained, "class: usage_limit")
	wantText(t, "the explanation", explained, "You’ve hit your usage limit")
	wantText(t, "the explanation", explained, ".ai-session/commands.log:")
}

func TestBaton_ClaudeMeetsAUsageLimitHalfWayAndCodexFinishes(t *testing.T) {
	w := newBatonWorld(t)
	reset := time.Now().Add(90 * time.Minute).Truncate(time.Second)
	w.claude(
		modelserver.Say(modelserver.Text("I begin."), w.claudeWrite("toolu_1", "tide.txt", "half\n")),
		claudeLimit(reset),
	)
	w.codex(
		modelserver.Say(modelserver.Text("I go on."), codexShell("call_1", "printf 'whole\\n' > done.txt")),
		modelserver.Say(modelserver.Text("The table stands.")),
	)
	w.baton(0, "run", batonTask, "--primary", "claude", "--fallback", "codex")
	if got := w.content("tide.txt") + w.content("done.txt"); got != "half\nwhole\n" {
		t.Errorf("the two agents wrote %q", got)
	}
	w.wantPrompted(claudePath, continuation, 0)
	w.wantPrompted(codexPath, continuation, 2)
	s := w.status()
	if len(s.Limits) != 1 || s.Limits[0].Agent != "claude" || s.Limits[0].Kind != "session" || !s.Limits[0].ResetExact || !s.Limits[0].ResetAt.Equal(reset) {
		t.Errorf("the noted limits are %+v, want claude's of the session with an exact reset at %s", s.Limits, reset)
	}
}

// batonPlan is a plan that passes its gate.
const batonPlan = `# relay-baton plan

## Goal
The tide table stands.

## Scope (in)
- tide.txt

## Out of scope
- greet.py

## Approach
Measure, then write.

## Steps
1. Write tide.txt

## Risks
- the tide turns

## Verification
cat tide.txt

## Next step
- Write tide.txt
`

func TestBaton_ClaudePlansAndCodexExecutes(t *testing.T) {
	w := newBatonWorld(t)
	w.claude(
		modelserver.Say(w.claudeWrite("toolu_1", ".ai-session/plan.md", batonPlan)),
		modelserver.Say(modelserver.Text("The plan stands.")),
	)
	w.codex(
		modelserver.Say(codexShell("call_1", "printf '3.1 m\\n' > tide.txt; "+filepath.Join(w.checkout, "bin", "baton")+" receipt done 1")),
		modelserver.Say(modelserver.Text("The table stands.")),
	)
	w.baton(0, "plan", batonTask)
	if got := w.content(".ai-session/plan.md"); got != batonPlan {
		t.Fatalf("the plan is\n%s", got)
	}
	w.baton(0, "plan", "--check")
	w.baton(0, "execute")
	if got := w.content("tide.txt"); got != "3.1 m\n" {
		t.Errorf("codex wrote %q", got)
	}
	w.wantPrompted(claudePath, "You are the planner", 2)
	w.wantPrompted(codexPath, "You are the executor", 2)
	wantText(t, "the trail", w.baton(0, "receipt", "list"), "done")
	wantText(t, "the review", w.baton(0, "review"), "+ step 1 [done] Write tide.txt: tide.txt")
}

func TestBaton_TalkOfLimitsIsNoLimit(t *testing.T) {
	w := newBatonWorld(t)
	w.write(filepath.Join(w.repo, "ci.log"), "ERROR: exceeded retry limit, last status: 429 Too Many Requests\nYou've hit your usage limit\n")
	w.codex(
		modelserver.Say(modelserver.Text("I look for the rate limit exceeded case."), codexShell("call_1", "grep -n limit ci.log; cat ci.log")),
		modelserver.Say(modelserver.Text("You've hit your usage limit. Quota exceeded. 429 too many requests.")),
	)
	w.baton(0, "run", batonTask)
	if n := len(w.asked(claudePath)); n != 0 {
		t.Errorf("claude was asked %d times", n)
	}
	s := w.status()
	if s.Status != "completed" || s.LastRun.Class != "none" || s.LastRun.Ignored.Count == 0 {
		t.Errorf("the session is %s after a run of class %s with %d lines passed over", s.Status, s.LastRun.Class, s.LastRun.Ignored.Count)
	}
	wantText(t, "the explanation", w.baton(0, "explain"), "seen and not believed")
}

func TestBaton_ContextWall(t *testing.T) {
	w := newBatonWorld(t)
	w.codex(modelserver.Refuse(400, map[string]any{"error": map[string]any{
		"type": "invalid_request_error", "code": "context_length_exceeded", "message": "Your input exceeds the context window of this model.",
	}}, nil))
	w.baton(0, "run", batonTask)
	w.wantPrompted(claudePath, continuation, 1)
	wantText(t, "the reason", w.status().FallbackReason, "context_limit")
}

func TestBaton_RefusedLoginStops(t *testing.T) {
	w := newBatonWorld(t)
	w.codex(slices.Repeat([]modelserver.Answer{modelserver.Refuse(401, map[string]any{"error": map[string]any{
		"type": "invalid_request_error", "code": "invalid_api_key", "message": "Incorrect API key provided",
	}}, nil)}, 20)...)
	output := w.baton(4, "run", batonTask)
	wantText(t, "the output", output, "baton login codex")
	if n := len(w.asked(claudePath)); n != 0 {
		t.Errorf("claude was asked %d times", n)
	}
	if s := w.status(); s.Status != "failed" || s.LastRun.Class != "auth" {
		t.Errorf("the session is %s after a run of class %s", s.Status, s.LastRun.Class)
	}
}

func TestBaton_ClientThatHangsIsEndedAndTheNextGoesOn(t *testing.T) {
	w := newBatonWorld(t)
	w.codex(modelserver.Answer{Hold: make(chan struct{})})
	w.baton(0, "run", batonTask, "--silence", "20s")
	w.wantPrompted(claudePath, continuation, 1)
	wantText(t, "the reason", w.status().FallbackReason, "network")
	w.wantNoneLeft()
}

// wantNoneLeft fails where a process still works in the repository.
func (w *batonWorld) wantNoneLeft() {
	w.t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		cwd, err := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		if err == nil && cwd == w.repo {
			line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
			w.t.Errorf("process %s is left: %q", e.Name(), line)
		}
	}
}

func TestBaton_LongPromptArrivesWhole(t *testing.T) {
	for _, id := range []string{"codex", "claude"} {
		t.Run(id, func(t *testing.T) {
			w := newBatonWorld(t)
			task := "begin of the task " + strings.Repeat("word ", 40_000) + "end of the task"
			cmd := w.command("run", "-", "--primary", id, "--no-fallback")
			cmd.Stdin = strings.NewReader(task)
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v:\n%s", err, w.outputs.String())
			}
			path := map[string]string{"codex": codexPath, "claude": claudePath}[id]
			asked := w.asked(path)
			if len(asked) != 1 || !strings.Contains(asked[0].Text(), task) {
				t.Errorf("%d requests came, the first with the whole task: %t", len(asked), len(asked) > 0 && strings.Contains(asked[0].Text(), task))
			}
		})
	}
}

func TestBaton_WaitsOverAResetAndTheSameAgentGoesOn(t *testing.T) {
	w := newBatonWorld(t)
	reset := time.Now().Add(15 * time.Second).Truncate(time.Second)
	w.claude(claudeLimit(reset), modelserver.Say(modelserver.Text("The table stands.")))
	output := w.baton(0, "run", batonTask, "--primary", "claude", "--fallback", "codex", "--wait")
	wantText(t, "the output", output, "waiting for claude until")
	turns := w.asked(claudePath)
	if len(turns) != 2 || len(w.asked(codexPath)) != 0 {
		t.Fatalf("claude asked %d times and codex %d, want 2 and 0", len(turns), len(w.asked(codexPath)))
	}
	if turns[1].At.Before(reset) {
		t.Errorf("claude went on at %s, before the reset at %s", turns[1].At, reset)
	}
	if strings.Contains(turns[0].LastText(), continuation) || !strings.Contains(turns[1].LastText(), continuation) {
		t.Error("the first prompt is not the task, or the second one not the continuation")
	}
	if s := w.status(); s.Status != "completed" || s.Timing.HandoffCount != 1 || len(s.Limits) != 0 {
		t.Errorf("the session is %s with %d handoffs and the limits %+v", s.Status, s.Timing.HandoffCount, s.Limits)
	}
}

func TestBaton_InterruptInMidToolLeavesNothingRunning(t *testing.T) {
	for _, id := range []string{"codex", "claude"} {
		t.Run(id, func(t *testing.T) {
			w := newBatonWorld(t)
			const endless = "tail -f greet.py"
			w.write(filepath.Join(w.repo, "relay-baton.config.json"),
				`{"agents":{"claude":{"args":["--permission-mode","acceptEdits","--allowedTools","Bash(tail *)","--output-format","stream-json","--verbose","-p"]}}}`)
			w.codex(modelserver.Say(codexShell("call_1", endless)))
			w.claude(modelserver.Say(modelserver.ToolUse("toolu_1", "Bash", []byte(`{"command":"`+endless+`","timeout":600000}`))))
			cmd := w.command("run", batonTask, "--primary", id)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			var children []int
			w.until("the tool's process", func() bool {
				children = descendants(t, cmd.Process.Pid)
				return slices.ContainsFunc(children, func(pid int) bool {
					line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
					return err == nil && strings.ReplaceAll(strings.TrimRight(string(line), "\x00"), "\x00", " ") == endless
				})
			})
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-ended:
				t.Logf("baton run: %v", err)
			case <-time.After(patience):
				t.Fatal("baton did not end")
			}
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit code %d, want 130:\n%s", code, w.outputs.String())
			}
			for _, pid := range children {
				if proc.New().Alive(pid) {
					t.Errorf("process %d is left", pid)
				}
			}
			if s := w.status(); s.Status != "failed" || s.LastError != "interrupted" || s.LastRun.Class != "killed" {
				t.Errorf("the session is %s (%s) after a run of class %s", s.Status, s.LastError, s.LastRun.Class)
			}
		})
	}
}

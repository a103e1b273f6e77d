package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/matryer/is"
)

// section is the body of a section of the handoff.
func (s *scene) section(title string) string {
	s.t.Helper()
	_, rest, found := strings.Cut(s.read(".ai-session/handoff.md"), "\n## "+title+"\n\n")
	is.New(s.t).True(found) // the section
	body, _, _ := strings.Cut(rest, "\n\n## ")
	return strings.TrimSuffix(body, "\n")
}

// The agent before is the one that ran last, else the primary one, else, where
// that is the target, the fallback.
func TestHandoff_PreviousAgent(t *testing.T) {
	tests := []struct {
		name, config, last, to, want string
	}{
		{"the primary", `{}`, "none", "claude", "codex"},
		{"the fallback", `{}`, "none", "codex", "claude"},
		{"the configured primary", `{"primaryAgent":"claude","fallbackAgent":"codex"}`, "none", "codex", "claude"},
		{"the configured fallback", `{"primaryAgent":"claude","fallbackAgent":"codex"}`, "none", "claude", "codex"},
		{"the last", `{}`, "claude", "claude", "claude"},
		{"the last of another", `{}`, "codex", "claude", "codex"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.write("relay-baton.config.json", tt.config)
			s.must("init")
			replace(t, s.at(".ai-session/session.json"), `"lastAgent": "none"`, `"lastAgent": "`+tt.last+`"`)
			s.must("handoff", "--to", tt.to, "--no-run")
			is.Equal(s.section("Previous Agent"), tt.want)
			is.Equal(s.section("Next Agent"), tt.to)
			is.Equal(s.section("Fallback Reason"), "manual handoff")
			is.Equal(s.session()["status"], "handoff_ready")
			is.Equal(s.session()["activeAgent"], "none")
		})
	}
}

func TestHandoff_TellsWhatItWroteAndStampsTheSession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("ok")
	s.must("run", "t")
	ended := s.session()
	got := s.must("handoff", "--to", "claude", "--no-run")
	is.Equal(got.out, "")
	chars := len([]rune(s.read(".ai-session/handoff.md")))
	is.Equal(got.notice, fmt.Sprintf("[relay-baton] handoff written: .ai-session/handoff.md, %d of 40000 chars\n", chars))
	meta := s.session()
	is.Equal(meta["handoffCount"], 1.0)
	is.True(meta["startedAt"] != ended["startedAt"])
	for _, key := range []string{"endedAt", "durationMs"} {
		_, there := meta[key]
		is.True(!there) // of the run before
	}
	is.True(meta["lastHandoffAt"] != nil)
	is.Equal(meta["workflowMode"], "fallback")

	s.write(".ai-session/task.md", strings.Repeat("many words to be cut ", 6000))
	got = s.must("handoff", "--to", "claude", "--no-run", "--diet", "ultra")
	is.True(strings.HasSuffix(got.notice, " of 12000 chars, cut to fit\n"))
	is.Equal(s.session()["handoffCount"], 2.0)
}

// A gate that refuses leaves the handoff for inspection, and nobody starts.
func TestHandoff_ARefusedOneStartsNobody(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("ok")
	s.must("init")
	s.write("AGENTS.md", strings.Repeat("Measure the tide at the pier each morning. ", 20))
	s.write(".ai-session/test-results.md", s.read("AGENTS.md"))
	for _, args := range [][]string{{"--no-run"}, nil} {
		got := s.call(append([]string{"handoff", "--to", "claude"}, args...)...)
		is.Equal(got.code, 3)
		is.True(strings.Contains(got.notice, "token-diet: text of AGENTS.md is copied into handoff.md"))
		meta := s.session()
		is.Equal(meta["status"], "handoff_ready")
		is.True(strings.Contains(fmt.Sprint(meta["lastError"]), "AGENTS.md"))
		_, there := meta["lastHandoffAt"]
		is.True(!there)
		is.True(!s.has(".ai-session/runs.jsonl"))
	}
	is.Equal(s.session()["handoffCount"], 2.0)
	got := s.must("handoff", "--to", "claude", "--force")
	is.True(strings.Contains(got.notice, "warning: the token-diet gate is overridden: "))
	is.True(strings.Contains(s.read(".ai-session/commands.log"), "[relay-baton] gate overridden: token-diet: "))
	is.Equal(s.session()["status"], "completed")
}

// The reason names the reset of the limit, where it is known.
func TestHandoff_ReasonNamesTheReset(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("ok")
	reset := time.Now().Add(5 * time.Hour).Truncate(time.Second).UTC()
	s.client("claude", fmt.Sprintf(`cat <<'END'
{"type":"system","subtype":"init","session_id":"c","model":"m"}
{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":"five_hour"}}
{"type":"result","subtype":"success","is_error":true,"result":"You've hit your session limit","api_error":"usage_limit_reached","num_turns":1}
END
exit 1
`, reset.Unix()))
	replace(t, s.at("relay-baton.config.json"), `"claude":{"args":[],"command":"`+s.home+`/fake-agent.sh"}`, `"claude":{}`)
	s.must("run", "t", "--primary", "claude", "--fallback", "codex")
	want := "usage_limit (session), terminal event: You've hit your session limit\n- resets at " + reset.Format("2006-01-02T15:04:05.000Z")
	is.Equal(s.section("Fallback Reason"), want)
	replace(t, s.at(".ai-session/session.json"), `"lastAgent": "codex"`, `"lastAgent": "claude"`)
	s.must("handoff", "--to", "codex", "--no-run")
	is.Equal(s.section("Fallback Reason"), want)
}

// The record beside the handoff says what it used.
func TestHandoff_RecordsWhatItUsed(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("süß.txt", "größe\n")
	s.must("init")
	s.write(".ai-session/plan.md", goodPlan+"\n## Execution receipts\n- none\n")
	s.write(".ai-session/commands.log", "[stdout] größe\n")
	s.must("handoff", "--to", "claude", "--no-run", "--diet", "lite")
	var budget struct {
		Profile                       string
		MaxHandoffChars, MaxPlanChars int
		Used                          struct{ Handoff, Plan, RepoMap, FullDiff, CommandsLog, CompactState int }
		Truncated                     bool
	}
	is.NoErr(json.Unmarshal([]byte(s.read(".ai-session/context-budget.json")), &budget))
	chars := func(name string) int { return utf8.RuneCountInString(s.read(".ai-session/" + name)) }
	is.Equal(budget.Profile, "lite")
	is.Equal([]int{budget.MaxHandoffChars, budget.MaxPlanChars}, []int{60000, 45000})
	is.Equal(budget.Used.Handoff, chars("handoff.md"))
	is.Equal(budget.Used.Plan, utf8.RuneCountInString(goodPlan)) // without the receipts
	is.Equal(budget.Used.RepoMap, chars("repo-map.md"))
	is.Equal(budget.Used.FullDiff, chars("full-diff.patch"))
	is.Equal(budget.Used.CommandsLog, chars("commands.log"))
	is.Equal(budget.Used.CompactState, chars("compact-state.md"))
	is.True(!budget.Truncated)
	lines := s.must("budget", "--diet", "lite").lines()
	is.Equal(lines["handoff.md"], fmt.Sprintf("%d chars", chars("handoff.md")))
	is.Equal(lines["last handoff cut"], "no")
}

// What must not be copied is looked for at the top of the repository, wherever the
// caller stands.
func TestHandoff_CopiesAreFoundFromASubdirectory(t *testing.T) {
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.must("init")
			s.write(name, strings.Repeat("Measure the tide at the pier each morning. ", 20))
			s.write(".ai-session/test-results.md", s.read(name))
			s.write(".ai-session/plan.md", strings.Replace(goodPlan, "Count rows", s.read(name), 1))
			s.write("sub/a.txt", "")
			t.Chdir(s.at("sub"))
			got := s.call("handoff", "--to", "claude", "--no-run")
			is.Equal(got.code, 3)
			is.True(strings.Contains(got.notice, "text of "+name+" is copied into handoff.md"))
			got = s.call("plan", "--check")
			is.Equal(got.code, 3)
			is.True(strings.Contains(got.out, "text of "+name))
		})
	}
}

// Where a person hands over to the agent whose limit had stopped an earlier run, the
// reason is the person's, and a limit that still holds is told.
func TestHandoff_ByHandToTheAgentThatMetTheLimit(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	reset := time.Now().Add(5 * time.Hour)
	s.client("claude", fmt.Sprintf(`[ -e ran ] || cat <<'END'
{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%d,"rateLimitType":"five_hour"}}
{"type":"result","subtype":"success","is_error":true,"result":"You've hit your session limit","api_error":"usage_limit_reached","num_turns":1}
END
exit 1
`, reset.Unix()))
	s.fakeAgent("ok")
	replace(t, s.at("relay-baton.config.json"), `"claude":{"args":[],"command":"`+s.home+`/fake-agent.sh"}`, `"claude":{}`)
	s.must("run", "t", "--primary", "claude", "--fallback", "codex")
	got := s.must("handoff", "--to", "claude", "--no-run")
	is.Equal(s.section("Fallback Reason"),
		"manual handoff; run 1 of claude had ended at usage_limit (session), terminal event: You've hit your session limit")
	is.True(strings.Contains(got.notice, "[relay-baton] warning: claude met its session limit; the reset is at "))
	is.True(!strings.Contains(s.must("handoff", "--to", "codex", "--no-run").notice, "warning"))
}

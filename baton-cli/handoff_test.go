package main

import (
	"fmt"
	"strings"
	"testing"

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

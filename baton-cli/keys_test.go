package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// telling is a generic agent that says which variables it sees.
func telling(s *scene) {
	s.t.Helper()
	s.client("telling", "echo \"openai=$OPENAI_API_KEY anthropic=$ANTHROPIC_API_KEY path=$PATH\"\n")
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "telling", "args": []string{}}}})
	s.t.Setenv("OPENAI_API_KEY", "first-secret")
	s.t.Setenv("ANTHROPIC_API_KEY", "second-secret")
}

// Row 15.
func TestRun_KeysAreKeptFromTheAgent(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	telling(s)
	got := s.must("run", "t")
	is.True(strings.HasPrefix(got.out, "openai= anthropic= path="+s.home+"/bin:"))
	is.Equal(strings.Count(got.notice, "OPENAI_API_KEY, ANTHROPIC_API_KEY are set and kept from the agents"), 1)
	log := s.read(".ai-session/commands.log")
	is.True(strings.Contains(log, "[relay-baton] blocked env vars: OPENAI_API_KEY, ANTHROPIC_API_KEY\n"))
	for name, content := range s.files() {
		is.True(!strings.Contains(content, "-secret")) // in a file
		_ = name
	}
}

// Row 16.
func TestRun_KeysReachTheAgentWhereThatIsSaid(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	telling(s)
	got := s.must("run", "t", "--allow-api-key-env")
	is.True(strings.HasPrefix(got.out, "openai=first-secret anthropic=second-secret path="))
	is.True(!strings.Contains(got.notice, "API_KEY"))
	log := s.read(".ai-session/commands.log")
	is.True(!strings.Contains(log, "blocked env vars"))
	is.True(strings.Contains(log, "[relay-baton] passed env vars: OPENAI_API_KEY, ANTHROPIC_API_KEY\n"))
}

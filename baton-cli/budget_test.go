package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

func TestBudget_WithoutASession(t *testing.T) {
	want := strings.Join([]string{
		"profile: balanced", "maxHandoffChars: 40000", "maxPlanChars: 30000",
		"handoff.md: 0 chars", "plan.md: 0 chars", "repo-map.md: 0 chars", "full-diff.patch: 0 chars", "commands.log: 0 chars",
		"state.md: 0 chars", "compact-state.md: 0 chars", "last handoff cut: (no handoff yet)",
		"context weight: 0 of 26000 chars, ratio 0.00",
	}, "\n") + "\n"
	for name, scene := range map[string]func(*testing.T) *scene{"in a repository": newScene, "outside of one": newGround} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := scene(t)
			is.Equal(cmp.Diff(want, s.must("budget").out), "")
			is.Equal(len(s.files()), 1) // nothing was written
		})
	}
}

func TestBudget_OfASession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("plan", "t", "--no-run", "--diet", "caveman")
	s.must("handoff", "--to", "claude", "--no-run")
	s.write(".ai-session/state.md", "größe\n")
	s.write(".ai-session/commands.log", strings.Repeat("x", 994))
	s.write(".ai-session/decisions.md", "")
	s.write(".ai-session/errors.md", "")
	got := s.must("budget").lines()
	is.Equal(got["profile"], "caveman") // that of the session
	is.Equal(got["maxHandoffChars"], "25000")
	is.Equal(got["maxPlanChars"], "18000")
	is.Equal(got["state.md"], "6 chars") // not bytes
	is.Equal(got["commands.log"], "994 chars")
	is.Equal(got["last handoff cut"], "no")
	is.Equal(got["context weight"], "1000 of 13500 chars, ratio 0.07")
	is.Equal(s.must("budget", "--diet", "ultra").lines()["profile"], "ultra")
	is.Equal(s.call("budget", "--diet", "vegan").code, 2)

	var doc struct {
		Profile        string
		Chars          map[string]int
		LastHandoffCut bool
		Context        struct {
			Total, Budget int
			Ratio         float64
		}
	}
	s.document(&doc, "budget", "--json")
	is.Equal(doc.Chars["state.md"], 6)
	is.Equal(doc.Context.Ratio, 0.07)

	s.write(".ai-session/context-budget.json", strings.Replace(s.read(".ai-session/context-budget.json"), `"truncated": false`, `"truncated": true`, 1))
	is.Equal(s.must("budget").lines()["last handoff cut"], "yes")
}

func TestBudget_GoesOnWithWhatItCanRead(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("relay-baton.config.json", "{")
	s.write(".ai-session/session.json", "{")
	s.write(".ai-session/context-budget.json", "{")
	got := s.must("budget")
	is.Equal(got.lines()["profile"], "balanced")
	for _, what := range []string{"relay-baton.config.json", "session.json", "context-budget.json"} {
		is.True(strings.Contains(got.notice, what))
	}
}

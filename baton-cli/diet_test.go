package main

import (
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// dieting is a repository whose configuration, project and session each name
// another profile: caveman, ultra and lite.
func dieting(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.fakeAgent("quota")
	s.must("project", "add", ".", "--diet", "ultra")
	s.must("compact", "--diet", "lite")
	replace(t, s.at("relay-baton.config.json"), `{`, `{"tokenDiet":{"profile":"caveman"},`)
	s.write(".ai-session/plan.md", goodPlan)
	return s
}

// handedWith is the profile that the last handoff was made with.
func (s *scene) handedWith() string {
	s.t.Helper()
	_, rest, _ := strings.Cut(s.read(".ai-session/context-budget.json"), `"profile": "`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// run, plan and compact go by the flag, the project and the configuration, and
// record what they chose.
func TestDiet_OfCommandsThatBeginAnew(t *testing.T) {
	for _, args := range [][]string{{"run", "t"}, {"plan", "t", "--no-run"}, {"compact"}} {
		t.Run(args[0], func(t *testing.T) {
			is := is.New(t)
			s := dieting(t)
			recorded := func(more ...string) any {
				s.call(append(args, more...)...)
				if args[0] == "run" {
					is.Equal(s.handedWith(), s.session()["tokenDietProfile"])
				}
				return s.session()["tokenDietProfile"]
			}
			is.Equal(recorded("--diet", "off"), "off")
			is.Equal(recorded(), "ultra") // the project's, whatever the session has recorded
			s.must("project", "remove", "repo")
			is.Equal(recorded(), "caveman")
			replace(t, s.at("relay-baton.config.json"), `{"tokenDiet":{"profile":"caveman"},`, `{"tokenDiet":{"enabled":false},`)
			is.Equal(recorded("--diet", "ultra"), "off")
		})
	}
}

// handoff, execute, budget and compress-context go by the session before the
// project. A profile that is gone is a warning.
func TestDiet_OfCommandsThatGoOn(t *testing.T) {
	profile := map[string]func(s *scene, more ...string) (string, said){
		"handoff": func(s *scene, more ...string) (string, said) {
			got := s.must(append([]string{"handoff", "--to", "claude", "--no-run"}, more...)...)
			return s.handedWith(), got
		},
		"execute": func(s *scene, more ...string) (string, said) {
			got := s.call(append([]string{"execute"}, more...)...)
			return s.handedWith(), got
		},
		"budget": func(s *scene, more ...string) (string, said) {
			got := s.must(append([]string{"budget"}, more...)...)
			return got.lines()["profile"], got
		},
		"compress-context": func(s *scene, more ...string) (string, said) {
			var doc struct{ Profile string }
			got := s.document(&doc, append([]string{"compress-context", "--json", "--threshold", "1"}, more...)...)
			return doc.Profile, got
		},
	}
	for name, call := range profile {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := dieting(t)
			chosen, _ := call(s, "--diet", "off")
			is.Equal(chosen, "off")
			chosen, got := call(s)
			is.Equal(chosen, "lite")
			is.True(!strings.Contains(got.notice, "is not there any more"))
			is.Equal(s.session()["tokenDietProfile"], "lite") // as it was
			replace(t, s.at(".ai-session/session.json"), `"tokenDietProfile": "lite"`, `"tokenDietProfile": "vegan"`)
			chosen, got = call(s)
			is.Equal(chosen, "ultra")
			is.Equal(strings.Count(got.notice, `the diet "vegan" of the session is not there any more`), 1)
			s.must("project", "remove", "repo")
			chosen, _ = call(s)
			is.Equal(chosen, "caveman")
			is.NoErr(os.Remove(s.at("relay-baton.config.json")))
			if name != "execute" { // whose agents are gone
				chosen, _ = call(s)
				is.Equal(chosen, "balanced")
			}
		})
	}
}

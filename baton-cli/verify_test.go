package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

func TestVerify_PassesAndTouchesNothing(t *testing.T) {
	for _, diet := range []string{"off", "lite", "balanced", "caveman", "ultra"} {
		t.Run(diet, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.clients()
			s.must("init")
			temp := filepath.Join(s.home, "temp")
			is.NoErr(os.Mkdir(temp, 0o755))
			t.Setenv("TMPDIR", temp)
			t.Setenv("OPENAI_API_KEY", "a-very-secret-value")
			before := s.files()
			got := s.must("verify", "--diet", diet)
			var names []string
			for line := range strings.Lines(got.out) {
				if name, _, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, " ") {
					names = append(names, name)
				}
			}
			is.Equal(cmp.Diff([]string{
				"WARN  core checks", "PASS  detector", "PASS  blocked variables", "PASS  plan gate", "PASS  secrets gate", "PASS  event streams",
				"PASS  handoff", "PASS  handoff budget", "PASS  compression rolls back", "PASS  compression",
			}, names), "")
			is.True(strings.HasSuffix(got.out, "9 passed, 1 warning, 0 failures\n"))
			is.Equal(got.notice, "")
			is.True(!strings.Contains(got.out, "a-very-secret-value"))
			is.Equal(cmp.Diff(before, s.files()), "") // the session here
			left, err := os.ReadDir(temp)
			is.NoErr(err)
			is.Equal(len(left), 0) // the temporary repository is gone
		})
	}
}

func TestVerify_KeepsTheTemporaryRepository(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	t.Setenv("TMPDIR", s.home)
	var doc struct {
		Passed bool
		Temp   string
		Steps  []struct{ Name, Result, Text string }
	}
	s.document(&doc, "verify", "--keep-temp", "--json")
	is.True(doc.Passed)
	is.Equal(len(doc.Steps), 10)
	_, err := os.Stat(filepath.Join(doc.Temp, ".ai-session", "handoff.md"))
	is.NoErr(err)
	is.True(strings.Contains(s.must("verify", "--keep-temp").out, "\ntemporary repository: "+s.home+"/baton-"))
}

func TestVerify_TellsMoreWhenAsked(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	const detail = "        claude with exit code 1: context_limit\n"
	is.True(!strings.Contains(s.must("verify").out, detail))
	is.True(strings.Contains(s.must("verify", "--verbose").out, detail))
}

func TestVerify_Warns(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.configure(map[string]any{"fallbackPatterns": []string{}, "authPolicy": map[string]any{"allowApiKeyEnv": true}})
	got := s.must("verify")
	is.True(strings.Contains(got.out, "WARN  detector: fallbackPatterns is empty"))
	is.True(strings.Contains(got.out, "WARN  blocked variables: authPolicy.allowApiKeyEnv"))
}

func TestVerify_Fails(t *testing.T) {
	tests := []struct {
		name  string
		scene func(*testing.T) *scene
		says  string
	}{
		{"outside of a repository", newGround, "FAIL  core checks: git repository: "},
		{"with a phrase that no line can be a hit for", func(t *testing.T) *scene {
			s := newScene(t)
			s.configure(map[string]any{"fallbackPatterns": []string{"usage/rate/quota limit"}})
			return s
		}, "FAIL  detector: "},
		{"with budgets that nothing fits in", func(t *testing.T) *scene {
			s := newScene(t)
			s.configure(map[string]any{"tokenDiet": map[string]any{"profile": "tiny", "profiles": map[string]any{"tiny": map[string]any{
				"maxHandoffChars": 100, "maxPlanChars": 50,
			}}}})
			return s
		}, "FAIL  plan gate: "},
		{"without git", func(t *testing.T) *scene {
			s := newScene(t)
			t.Setenv("PATH", s.home)
			return s
		}, "FAIL  temporary repository: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := tt.scene(t).call("verify")
			is.Equal(got.code, 1)
			is.True(strings.Contains(got.out, tt.says))
		})
	}
}

func TestVerify_Refuses(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	is.Equal(s.call("verify", "--diet", "vegan").code, 2)
	s.write("relay-baton.config.json", "{")
	is.Equal(s.call("verify").code, 2)
}

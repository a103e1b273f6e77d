package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// Every command refuses an invalid configuration but the four that tell how
// things stand; those warn and go on with the defaults.
func TestConfiguration_AnInvalidOneIsRefused(t *testing.T) {
	for name, content := range map[string]string{
		"no JSON": `{"tokenDiet":`, "a broken rule": `{"contextCompression":{"threshold":2}}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.must("plan", "t", "--no-run")
			s.write(".ai-session/plan.md", goodPlan)
			s.write(earlier, goodPlan)
			s.must("handoff", "--to", "claude", "--no-run")
			s.write("relay-baton.config.json", content)
			before := s.files()
			for _, args := range [][]string{
				{"run", "t"},
				{"plan", "t"},
				{"plan", "t", "--no-run"},
				{"plan", "--check"},
				{"plan", "--diff"},
				{"execute"},
				{"handoff", "--to", "claude"},
				{"handoff", "--to", "claude", "--no-run"},
				{"handoff", "history"},
				{"handoff", "show"},
				{"compact"},
				{"compress-context"},
				{"compress-context", "--dry-run"},
				{"compress-context", "--diff"},
				{"explain"},
				{"review"},
				{"receipt", "done", "1"},
				{"receipt", "list"},
				{"receipt", "list", "--path", "."},
				{"verify"},
				{"login", "codex"},
			} {
				t.Run(strings.Join(args, " "), func(t *testing.T) {
					is := is.New(t)
					got := s.call(args...)
					is.Equal(got.code, 2)
					is.Equal(got.out, "")
					is.True(strings.Contains(got.notice, prefix+"relay-baton.config.json: "))
					is.Equal(cmp.Diff(before, s.files()), "")
				})
			}
			for _, args := range [][]string{{"init"}, {"status"}, {"status", "--json"}, {"budget"}, {"budget", "--json"}} {
				t.Run(strings.Join(args, " "), func(t *testing.T) {
					is := is.New(t)
					got := s.must(args...)
					is.Equal(strings.Count(got.notice, prefix+"relay-baton.config.json: "), 1)
					is.True(strings.Contains(got.notice, "the defaults are used"))
				})
			}
			is.New(t).Equal(s.call("doctor").code, 1)
		})
	}
}

func TestConfiguration_OfTheRepositoryAlone(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("sub/relay-baton.config.json", "{")
	s.write("sub/long.md", "a\na\n")
	t.Chdir(s.at("sub"))
	is.Equal(s.must("status").notice, "") // the one at its top counts
	s.write("relay-baton.config.json", "{")
	is.Equal(s.must("compress", "long.md").out, "a\n") // a file, and no repository
	is.Equal(s.must("project", "list").code, 0)
}

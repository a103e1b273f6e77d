package main

import (
	"math"
	"strconv"
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

// Budgets that nothing can reach are as good as none, and add up.
func TestConfiguration_BudgetsWithoutEnd(t *testing.T) {
	for _, chars := range []int64{1 << 60, 1 << 61, 1 << 62, math.MaxInt64} {
		t.Run(strconv.FormatInt(chars, 10), func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.client("codex", `echo '{"type":"turn.failed","error":{"message":"You’ve hit your usage limit."}}'; exit 1`)
			s.client("claude", `echo '{"type":"result","subtype":"success","is_error":false,"result":"ok","usage":{"output_tokens":1}}'`)
			profile := map[string]any{}
			for _, key := range []string{
				"maxHandoffChars", "maxDiffChars", "maxRepoMapChars", "maxLogTailChars", "maxStateChars", "maxErrorChars", "maxPlanChars",
			} {
				profile[key] = chars
			}
			s.configure(map[string]any{"tokenDiet": map[string]any{"profiles": map[string]any{"balanced": profile}}})
			s.write("a.txt", "one\n")
			s.must("init")
			s.write(".ai-session/commands.log", strings.Repeat("[stdout] build failed\n", 300))
			s.must("run", "t")
			is.Equal(s.session()["status"], "completed")
			is.True(strings.Contains(s.must("compress-context", "--dry-run").out, "of 500000000 chars"))
		})
	}
}

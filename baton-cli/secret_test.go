package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// Rows 105, 107: a plan with a secret, also one from elsewhere, is not carried out,
// and the secret is told nowhere.
func TestSecrets_OfAPlan(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5fG7hJ9", 3)
	for name, tt := range map[string]struct{ value, code, says string }{
		"a token":               {token, "secret:github-token:13", "github-token ghp_… (40 chars)"},
		"the value of a key":    {"tide-table-key-of-mine", "secret:environment:13", "environment tide… (22 chars)"},
		"a private key's begin": {"-----BEGIN RSA PRIVATE KEY-----", "secret:private-key:13", "private-key ----… (31 chars)"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			t.Setenv("OPENAI_API_KEY", "tide-table-key-of-mine")
			s.fakeAgent("ok")
			s.must("init")
			s.write("plan.md", strings.Replace(goodPlan, "Count rows", "Use "+tt.value+"; count rows", 1))
			before := s.files()
			for _, args := range [][]string{
				{"plan", "--check", "--from", "plan.md"},
				{"plan", "--check", "--from", "plan.md", "--json"},
				{"execute", "--from", "plan.md"},
			} {
				got := s.call(args...)
				is.Equal(got.code, 3)
				is.True(!strings.Contains(got.out+got.notice, tt.value[4:]))
				is.True(strings.Contains(got.out+got.notice, tt.says) || strings.Contains(got.out, tt.code))
				is.Equal(cmp.Diff(before, s.files()), "")
			}
			got := s.must("execute", "--from", "plan.md", "--force")
			is.True(strings.Contains(got.notice, "warning: the plan gate is overridden: secret in plan.md:13 "+tt.says))
			is.True(strings.Contains(s.read(".ai-session/commands.log"), "[relay-baton] gate overridden: plan: "+tt.code+"\n"))
			for _, file := range []string{"session.json", "runs.jsonl", "commands.log"} {
				is.True(!strings.Contains(s.read(".ai-session/"+file), tt.value[4:]))
			}
			is.Equal(s.call("plan", "t", "--no-run").code, 0)
			is.Equal(s.must("status").lines()["plan"], "draft, 1 failure; 'baton plan --check' lists them")
		})
	}
}

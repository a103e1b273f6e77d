package agent_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
)

// Row 87.
func TestWithoutSession_TakesNothingElse(t *testing.T) {
	env := []string{
		"CLAUDECODE=1", "CLAUDE_CODE_OAUTH_TOKEN=a", "CLAUDE_CODE_SESSION_ID=b", "CLAUDE_CONFIG_DIR=c", "CODEX_HOME=d",
		"CODEX_THREAD_ID=e", "CLAUDE_CODE_CHILD_SESSION=1", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_PID=1",
		"CLAUDE_PROJECT_DIR=/p", "CODEX_SESSION_ID=f", "CODEX_TOOL_CALL_ID=g", "CLAUDECODE_X=1", "ODD",
	}
	want := []string{"CLAUDE_CODE_OAUTH_TOKEN=a", "CLAUDE_CONFIG_DIR=c", "CODEX_HOME=d", "CLAUDECODE_X=1", "ODD"}
	if diff := cmp.Diff(want, agent.WithoutSession(env)); diff != "" {
		t.Error(diff)
	}
}

// keys is the default policy.
func keys() agent.KeyPolicy {
	return agent.KeyPolicy{Blocked: []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY"}}
}

// Row 15.
func TestKeyPolicy_TakesTheKeysAndNamesThem(t *testing.T) {
	env := keys().Apply([]string{"ANTHROPIC_API_KEY=sk-a", "PATH=/bin", "OPENAI_API_KEY=sk-o", "OPENAI_API_KEY_X=1"})
	want := agent.Environment{
		Environ: []string{"PATH=/bin", "OPENAI_API_KEY_X=1"},
		Removed: []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY"},
	}
	if diff := cmp.Diff(want, env); diff != "" {
		t.Error(diff)
	}
}

// Row 16.
func TestKeyPolicy_AllowedKeysAreOnlyNamed(t *testing.T) {
	policy := keys()
	policy.Allow = true
	env := policy.Apply([]string{"OPENAI_API_KEY=sk-o", "PATH=/bin"})
	want := agent.Environment{Environ: []string{"OPENAI_API_KEY=sk-o", "PATH=/bin"}, Passed: []string{"OPENAI_API_KEY"}}
	if diff := cmp.Diff(want, env); diff != "" {
		t.Error(diff)
	}
}

func TestKeyPolicy_NamesEachKeyOnceAndOnlyWhatIsSet(t *testing.T) {
	is := is.New(t)
	policy := agent.KeyPolicy{Blocked: []string{"B", "A", "B", "C"}}
	env := policy.Apply([]string{"A=", "B=1", "B=2"})
	is.Equal(env.Removed, []string{"B", "A"})
	is.Equal(len(env.Environ), 0)
}

func TestKeyPolicy_AddsWhatIsMissing(t *testing.T) {
	is := is.New(t)
	policy := keys()
	policy.Add = map[string]string{"CLAUDE_CODE_MAX_RETRIES": "5", "A": "1", "PATH": "/nowhere", "OPENAI_API_KEY": "x"}
	env := policy.Apply([]string{"PATH=/bin", "CLAUDECODE=1"})
	is.Equal(env.Environ, []string{"PATH=/bin", "A=1", "CLAUDE_CODE_MAX_RETRIES=5"}) // no blocked one
}

func TestKeyPolicy_LeavesTheCallersOwnAlone(t *testing.T) {
	is := is.New(t)
	environ := []string{"CLAUDECODE=1", "OPENAI_API_KEY=x", "PATH=/bin"}
	before := slices.Clone(environ)
	keys().Apply(environ)
	is.Equal(environ, before)
}

// Row 87.
func TestKeyPolicy_TakesWhatNamesTheCallersSession(t *testing.T) {
	is := is.New(t)
	for _, allow := range []bool{true, false} {
		policy := keys()
		policy.Allow = allow
		env := policy.Apply([]string{"CLAUDECODE=1", "CLAUDE_CODE_OAUTH_TOKEN=t", "CODEX_THREAD_ID=x", "CODEX_HOME=/c"})
		is.Equal(env.Environ, []string{"CLAUDE_CODE_OAUTH_TOKEN=t", "CODEX_HOME=/c"})
		is.Equal(len(env.Removed), 0) // they are no keys
	}
}

package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/jsondoc"
)

// Row 17: a forbidden argument is a hard failure.
func TestParse_Refuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"no agent", `{"primaryAgent":"gemini"}`, "primaryAgent is not one of claude, codex"},
		{"no agent to fall back to", `{"fallbackAgent":""}`, "fallbackAgent is not one of claude, codex"},
		{"no planner", `{"planExecute":{"defaultPlanner":"x"}}`, "planExecute.defaultPlanner is not one of claude, codex"},
		{"no executor", `{"planExecute":{"defaultExecutor":"x"}}`, "planExecute.defaultExecutor is not one of claude, codex"},
		{"an agent of another type", `{"primaryAgent":7}`, "primaryAgent is not a text"},
		{"an object for a text", `{"primaryAgent":{"a":1}}`, "primaryAgent is not a text"},
		{"a text for an object", `{"agents":"codex"}`, "agents is not an object"},
		{"no command", `{"agents":{"codex":{"command":" "}}}`, "agents.codex.command is not the name of a program"},
		{"args of another type", `{"agents":{"codex":{"args":["exec",1]}}}`, "agents.codex.args is not a list of texts"},
		{"args as a text", `{"agents":{"codex":{"args":"exec"}}}`, "agents.codex.args is not a list of texts"},
		{"protocol", `{"agents":{"codex":{"protocol":"telnet"}}}`, `agents.codex.protocol is not readable: no protocol is called "telnet": auto, codex-json, codex-plain, claude-json, claude-plain, generic are known`},
		{"silence", `{"agents":{"codex":{"silence":"15"}}}`, "agents.codex.silence is not a duration such as 15m"},
		{"silence before now", `{"agents":{"codex":{"silence":"-1s"}}}`, "agents.codex.silence is not a duration such as 15m"},
		{"silence as a number", `{"agents":{"codex":{"silence":15}}}`, "agents.codex.silence is not a text"},
		{"env of another type", `{"agents":{"codex":{"env":{"A":1}}}}`, "agents.codex.env.A is not a text"},
		{"env without a name", `{"agents":{"codex":{"env":{"A=B":"1"}}}}`, `agents.codex.env is not a list of variables: "A=B" is no name of one`},
		{"env that is blocked", `{"agents":{"codex":{"env":{"OPENAI_API_KEY":"1"}}}}`, "agents.codex.env is not allowed: authPolicy.blockedEnvVars holds OPENAI_API_KEY"},
		{"full auto", `{"agents":{"codex":{"args":["exec","--full-auto"]}}}`, "agents.codex.args is not allowed: it holds the forbidden --full-auto"},
		{"approval", `{"agents":{"codex":{"args":["--ask-for-approval=never"]}}}`, "agents.codex.args is not allowed: it holds the forbidden --ask-for-approval"},
		{"bypass", `{"agents":{"codex":{"args":["--dangerously-bypass-approvals-and-sandbox"]}}}`, "agents.codex.args is not allowed: it holds the forbidden --dangerously-bypass-approvals-and-sandbox"},
		{"permissions", `{"agents":{"claude":{"args":["--permission-mode","bypassPermissions"]}}}`, "agents.claude.args is not allowed: it holds the forbidden bypassPermissions"},
		{"permissions in one word", `{"agents":{"claude":{"args":["--permission-mode=bypassPermissions"]}}}`, "agents.claude.args is not allowed: it holds the forbidden bypassPermissions"},
		{"class", `{"fallbackOn":["usage"]}`, `fallbackOn is not a list of classes that can hand over: it holds "usage"`},
		{"none", `{"fallbackOn":["none"]}`, `fallbackOn is not a list of classes that can hand over: it holds "none"`},
		{"killed", `{"fallbackOn":["network","killed"]}`, `fallbackOn is not a list of classes that can hand over: it holds "killed"`},
		{"on success", `{"fallbackOnSuccess":"maybe"}`, "fallbackOnSuccess is not one of never, strong, always"},
		{"patterns", `{"fallbackPatterns":"x"}`, "fallbackPatterns is not a list of texts"},
		{"mode", `{"authPolicy":{"mode":"x"}}`, "authPolicy.mode is not one of cli-session, api-key"},
		{"flag", `{"authPolicy":{"allowApiKeyEnv":"yes"}}`, "authPolicy.allowApiKeyEnv is not true or false"},
		{"profile", `{"tokenDiet":{"profile":"keto","profiles":{"mine":{}}}}`, "tokenDiet.profile is not one of off, lite, balanced, caveman, ultra, mine"},
		{"budget 0", `{"tokenDiet":{"profiles":{"lite":{"maxDiffChars":0}}}}`, "tokenDiet.profiles.lite.maxDiffChars is not an integer from 1 on"},
		{"half a budget", `{"tokenDiet":{"profiles":{"mine":{"maxPlanChars":1.5}}}}`, "tokenDiet.profiles.mine.maxPlanChars is not an integer"},
		{"half a budget of balanced", `{"tokenDiet":{"profiles":{"balanced":{"maxDiffChars":1.5}}}}`, "tokenDiet.profiles.balanced.maxDiffChars is not an integer"},
		{"no profile", `{"tokenDiet":{"profiles":{"mine":5}}}`, "tokenDiet.profiles.mine is not an object"},
		{"plan bound", `{"planExecute":{"maxPlanChars":-1}}`, "planExecute.maxPlanChars is not an integer from 1 on"},
		{"threshold above", `{"contextCompression":{"threshold":1.01}}`, "contextCompression.threshold is not a number from 0 to 1"},
		{"threshold below", `{"contextCompression":{"threshold":-0.1}}`, "contextCompression.threshold is not a number from 0 to 1"},
		{"threshold in words", `{"contextCompression":{"threshold":"0.5"}}`, "contextCompression.threshold is not a number"},
		{"lines", `{"contextCompression":{"checkEveryLines":0}}`, "contextCompression.checkEveryLines is not an integer from 1 on"},
		{"rotations", `{"contextCompression":{"keepRotations":0}}`, "contextCompression.keepRotations is not an integer from 1 on"},
		{"version", `{"configVersion":0}`, "configVersion is not an integer from 1 on"},
		{"a list", `[]`, "the document is not an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			c, err := config.Parse([]byte(tt.in), config.File)
			var invalid *config.InvalidError
			is.True(errors.As(err, &invalid))
			is.Equal(err.Error(), config.File+": "+tt.want) // that alone
			is.Equal(cmp.Diff(c, config.Default()), "")     // the defaults
		})
	}
}

func TestParse_Accepts(t *testing.T) {
	for _, in := range []string{
		`{"contextCompression":{"threshold":0}}`, `{"contextCompression":{"threshold":1}}`, `{"primaryAgent":"claude","fallbackAgent":"claude"}`,
		`{"fallbackOn":[]}`, `{"fallbackOnSuccess":"strong"}`, `{"authPolicy":{"mode":"api-key"}}`, `{"primaryAgent":null,"agents":null}`,
		`{"planExecute":{"maxPlanChars":null}}`, `{"authPolicy":{"blockedEnvVars":[]},"agents":{"codex":{"env":{"OPENAI_API_KEY":"1"}}}}`,
	} {
		t.Run(in, func(t *testing.T) {
			is := is.New(t)
			_, err := config.Parse([]byte(in), config.File)
			is.NoErr(err)
		})
	}
}

func TestParse_BadSamples(t *testing.T) {
	for name, want := range map[string]string{
		"bad-threshold.json":  "threshold",
		"bad-agent-flag.json": "--full-auto",
		"not-json.json":       "JSON",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c, err := config.Parse(fixture(t, name), config.File)
			is.True(err != nil && strings.Contains(err.Error(), want))
			is.Equal(cmp.Diff(c, config.Default()), "")
		})
	}
}

func TestParse_NamesEveryProblem(t *testing.T) {
	is := is.New(t)
	_, err := config.Parse([]byte(`{"primaryAgent":"x","contextCompression":{"threshold":2,"keepRotations":0}}`), config.File)
	var invalid *config.InvalidError
	is.True(errors.As(err, &invalid))
	is.Equal(len(invalid.Problems), 3)
	var field *jsondoc.FieldError
	is.True(errors.As(err, &field))
	is.Equal(field.Path, "primaryAgent")
}

package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
)

func parse(t *testing.T, text string) config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text), config.File)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Row 7.
func TestDefault(t *testing.T) {
	is := is.New(t)
	want := config.Config{
		Source: "default", PrimaryAgent: "codex", FallbackAgent: "claude",
		Agents: map[string]config.Agent{
			"codex": {
				Launch:  agent.Launch{Program: "codex", Args: []string{"exec", "--sandbox", "workspace-write", "--json"}, Protocol: agent.CodexJSON},
				Env:     map[string]string{},
				Silence: 15 * time.Minute,
			},
			"claude": {
				Launch: agent.Launch{
					Program: "claude", Protocol: agent.ClaudeJSON,
					Args: []string{"--permission-mode", "acceptEdits", "--output-format", "stream-json", "--verbose", "-p"},
				},
				Env:     map[string]string{"CLAUDE_CODE_MAX_RETRIES": "5"},
				Silence: 15 * time.Minute,
			},
		},
		FallbackPatterns: []string{
			"usage limit reached", "rate limit exceeded", "context length exceeded", "context limit exceeded", "token limit exceeded",
			"quota exceeded", "quota limit", "insufficient quota", "maximum context length", "too many requests", "hit your usage limit",
			"5-hour limit reached", "weekly limit reached", "prompt is too long", "exceeds the context window", "credit balance is too low",
		},
		FallbackOn:        []wall.Class{"usage_limit", "rate_limit", "context_limit", "overloaded", "network"},
		FallbackOnSuccess: phrase.Never,
		Auth:              config.Auth{Mode: "cli-session", WarnIfDetected: true, Blocked: []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY"}},
		Diet: config.Diet{Enabled: true, Profile: "balanced", OutputCompression: true, Profiles: map[string]compact.Profile{
			"off":      {MaxHandoffChars: 200000, MaxDiffChars: 100000, MaxRepoMapChars: 50000, MaxLogTailChars: 50000, MaxStateChars: 50000, MaxErrorChars: 50000, MaxPlanChars: 150000},
			"lite":     {MaxHandoffChars: 60000, MaxDiffChars: 20000, MaxRepoMapChars: 12000, MaxLogTailChars: 8000, MaxStateChars: 8000, MaxErrorChars: 6000, MaxPlanChars: 45000},
			"balanced": {MaxHandoffChars: 40000, MaxDiffChars: 12000, MaxRepoMapChars: 8000, MaxLogTailChars: 5000, MaxStateChars: 6000, MaxErrorChars: 4000, MaxPlanChars: 30000},
			"caveman":  {MaxHandoffChars: 25000, MaxDiffChars: 6000, MaxRepoMapChars: 4000, MaxLogTailChars: 2500, MaxStateChars: 3500, MaxErrorChars: 2500, MaxPlanChars: 18000},
			"ultra":    {MaxHandoffChars: 12000, MaxDiffChars: 2500, MaxRepoMapChars: 2000, MaxLogTailChars: 1000, MaxStateChars: 1800, MaxErrorChars: 1000, MaxPlanChars: 9000},
		}},
		PlanExecute: config.PlanExecute{Planner: "claude", Executor: "codex"},
		Compression: config.Compression{Enabled: true, Auto: true, Threshold: 0.8, RotateRaw: true, CheckEveryLines: 50, KeepRotations: 1},
	}
	is.Equal(cmp.Diff(config.Default(), want), "")
}

func TestDefault_KeepsToTheRules(t *testing.T) {
	is := is.New(t)
	want := config.Default()
	want.Source = config.File
	is.Equal(cmp.Diff(parse(t, "{}"), want), "")
}

// Row 8.
func TestParse_AnotherProfile(t *testing.T) {
	is := is.New(t)
	c := parse(t, `{"tokenDiet":{"profile":"caveman"}}`)
	is.Equal(c.Diet.Profile, "caveman")
	is.Equal(c.Diet.Profiles["balanced"], config.Default().Diet.Profiles["balanced"])
	is.True(c.Diet.Enabled)
	is.Equal(c.Source, config.File)
}

// Row 9.
func TestParse_OneKeyOfAProfile(t *testing.T) {
	is := is.New(t)
	want := config.Default()
	want.Source = config.File
	ultra := want.Diet.Profiles["ultra"]
	ultra.MaxDiffChars = 7
	want.Diet.Profiles["ultra"] = ultra
	is.Equal(cmp.Diff(parse(t, `{"tokenDiet":{"profiles":{"ultra":{"maxDiffChars":7}}}}`), want), "")
}

func TestParse_Sample(t *testing.T) {
	is := is.New(t)
	c, err := config.Parse(fixture(t, "partial.json"), config.File)
	is.NoErr(err)
	want := config.Default()
	want.Source, want.Diet.Profile = config.File, "caveman"
	balanced := want.Diet.Profiles["balanced"]
	balanced.MaxPlanChars = 20000
	want.Diet.Profiles["balanced"] = balanced
	codex := want.Agents["codex"]
	codex.Program = "/opt/tools/codex"
	want.Agents["codex"] = codex
	want.Compression.Auto, want.PlanExecute.Executor = false, "claude"
	is.Equal(cmp.Diff(c, want), "")
}

func TestParse_ObjectsMergeAndListsReplace(t *testing.T) {
	is := is.New(t)
	c := parse(t, `{
		"agents": {"claude": {"env": {"A": "1"}}, "codex": {"args": ["exec"]}},
		"fallbackPatterns": ["no more"], "authPolicy": {"blockedEnvVars": ["X"]}, "fallbackOn": ["auth", "network", "auth"]
	}`)
	is.Equal(c.Agents["claude"].Env, map[string]string{"A": "1", "CLAUDE_CODE_MAX_RETRIES": "5"})
	is.Equal(c.Agents["codex"].Args, []string{"exec"})
	is.Equal(c.Agents["codex"].Program, "codex")
	is.Equal(c.FallbackPatterns, []string{"no more"})
	is.Equal(c.Auth.Blocked, []string{"X"})
	is.True(c.Auth.WarnIfDetected)
	is.Equal(c.FallbackOn, []wall.Class{wall.Auth, wall.Network})
}

func TestParse_ACustomProfileLeansOnBalanced(t *testing.T) {
	is := is.New(t)
	c := parse(t, `{"tokenDiet":{"profile":"mine","profiles":{"balanced":{"maxErrorChars":5},"mine":{"maxHandoffChars":50000}}}}`)
	want := config.Default().Diet.Profiles["balanced"]
	want.MaxErrorChars, want.MaxHandoffChars, want.MaxPlanChars = 5, 50000, 0
	got, ok := c.Budgets("mine")
	is.True(ok)
	is.Equal(cmp.Diff(got, want), "")
}

// Row 10.
func TestConfig_PlanBudget(t *testing.T) {
	tests := []struct {
		name, in, profile string
		want              int
	}{
		{"built in", "{}", "ultra", 9000},
		{"custom without one", `{"tokenDiet":{"profiles":{"mine":{"maxHandoffChars":50000}}}}`, "mine", 50000},
		{"taken out", `{"tokenDiet":{"profiles":{"ultra":{"maxPlanChars":null}}}}`, "ultra", 12000},
		{"bounded", `{"planExecute":{"maxPlanChars":8000}}`, "ultra", 8000},
		{"bounded further up", `{"planExecute":{"maxPlanChars":10000}}`, "ultra", 9000},
		{"bounded without one", `{"planExecute":{"maxPlanChars":8000},"tokenDiet":{"profiles":{"mine":{}}}}`, "mine", 8000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(parse(t, tt.in).PlanBudget(tt.profile), tt.want)
		})
	}
}

func TestParse_Silence(t *testing.T) {
	tests := []struct {
		name, agent string
		want        time.Duration
	}{
		{"set", `{"silence":"90s"}`, 90 * time.Second},
		{"off", `{"silence":"0"}`, 0},
		{"off as a number", `{"silence":0}`, 0},
		{"plain client", `{"args":["exec"]}`, 0},
		{"generic", `{"args":[]}`, 0},
		{"protocol named", `{"args":[],"protocol":"codex-json"}`, 15 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(parse(t, `{"agents":{"codex":`+tt.agent+`}}`).Agents["codex"].Silence, tt.want)
		})
	}
}

// Row 77: a configured protocol wins.
func TestParse_Protocol(t *testing.T) {
	is := is.New(t)
	is.Equal(parse(t, `{"agents":{"codex":{"protocol":"generic"}}}`).Agents["codex"].Protocol, agent.Generic)
	is.Equal(parse(t, `{"agents":{"codex":{"protocol":"auto","args":["exec"]}}}`).Agents["codex"].Protocol, agent.CodexPlain)
}

// Row 108: the line ends and a mark change nothing.
func TestParse_AnyLineEnds(t *testing.T) {
	const text = "{\n  \"tokenDiet\": {\n    \"profile\": \"lite\"\n  }\n}\n"
	for name, raw := range map[string]string{
		"CRLF": strings.ReplaceAll(text, "\n", "\r\n"), "lone CR": strings.ReplaceAll(text, "\n", "\r"),
		"mix": strings.Replace(text, "\n", "\r\n", 2), "mark": "\ufeff" + text,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cmp.Diff(parse(t, raw), parse(t, text)), "")
		})
	}
}

// Row 109.
func TestParse_LoneSurrogate(t *testing.T) {
	is := is.New(t)
	is.Equal(parse(t, `{"commands":{"test":"x\ud83d"}}`).TestCommand, "x\ufffd")
}

func TestParse_ListsUnknownKeys(t *testing.T) {
	is := is.New(t)
	c := parse(t, `{"zz":1,"agents":{"gemini":{"command":""},"codex":{"model":"x","env":{"FREE":"1"}}},"tokenDiet":{"profiles":{"mine":{"maxFun":1}},"x":null}}`)
	is.Equal(c.Unknown, []string{"agents.codex.model", "agents.gemini", "tokenDiet.profiles.mine.maxFun", "tokenDiet.x", "zz"})
}

func TestParse_Warnings(t *testing.T) {
	is := is.New(t)
	is.Equal(len(parse(t, "{}").Warnings), 0)
	is.Equal(parse(t, `{"fallbackPatterns":[" "],"authPolicy":{"blockedEnvVars":["ANTHROPIC_API_KEY"]}}`).Warnings, []string{
		"fallbackPatterns is empty: the walls of agents without a JSON mode are not noticed",
		"authPolicy.blockedEnvVars does not hold OPENAI_API_KEY: agents get that key",
	})
}

func TestRefuses(t *testing.T) {
	is := is.New(t)
	for command, want := range map[string]bool{
		"run": true, "plan": true, "execute": true, "handoff": true, "compact": true, "compress-context": true, "verify": true,
		"doctor": false, "init": false, "status": false, "budget": false,
	} {
		is.Equal(config.Refuses(command), want)
	}
}

// Row 17: the defaults hold no forbidden argument.
func TestForbidden(t *testing.T) {
	is := is.New(t)
	for _, a := range config.Default().Agents {
		_, found := config.Forbidden(a.Args)
		is.True(!found)
	}
	word, found := config.Forbidden([]string{"exec", "--FULL-AUTO"})
	is.True(found)
	is.Equal(word, "--full-auto")
	_, found = config.Forbidden([]string{"--model", "full-auto", "--sandbox=workspace-write"})
	is.True(!found)
}

func TestConfig_PhrasesEndWithTheProjects(t *testing.T) {
	is := is.New(t)
	got := parse(t, `{"fallbackPatterns":["One","two"]}`).Phrases([]string{"ONE", " three "}).Texts()
	is.Equal(got, []string{"One", "two", "three"})
}

func TestCheckAgent(t *testing.T) {
	is := is.New(t)
	is.NoErr(config.CheckAgent("codex"))
	is.Equal(config.CheckAgent("Codex").Error(), `no agent is called "Codex": claude and codex are known`)
}

func TestParse_NeverPanicsAndAlwaysKeepsToTheRules(t *testing.T) {
	value := rapid.OneOf(
		rapid.SampledFrom([]any{nil, true, "codex", "off", "never", []any{"x"}, []any{1}, jsondoc.Number("1"), jsondoc.Number("-2e9")}),
		rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"codex", "balanced", "args", "command", "profile", "maxPlanChars"}), 0, 3), func(keys []string) any {
			var o jsondoc.Object
			for _, k := range keys {
				o.Add(k, "x")
			}
			return o
		}),
	)
	keys := []string{"primaryAgent", "agents", "tokenDiet", "fallbackOn", "planExecute", "contextCompression", "authPolicy", "commands", "more"}
	rapid.Check(t, func(t *rapid.T) {
		var o jsondoc.Object
		for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom(keys), rapid.ID).Draw(t, "keys") {
			v := value.Draw(t, key)
			if list, ok := v.([]any); ok && len(list) == 1 && list[0] == 1 {
				v = []any{jsondoc.Number("1")}
			}
			o.Add(key, v)
		}
		c, err := config.Parse(jsondoc.Line(o), "f")
		if err != nil && cmp.Diff(c, config.Default()) != "" {
			t.Fatal("an invalid file is no default")
		}
		if _, ok := c.Budgets(c.Diet.Profile); !ok || c.PlanBudget(c.Diet.Profile) < 1 || config.CheckAgent(c.PrimaryAgent) != nil {
			t.Fatalf("%+v", c)
		}
	})
}

func TestArgs_AlsoOfAFileThatBreaksTheRules(t *testing.T) {
	is := is.New(t)
	args, ok := config.Args([]byte("\ufeff{\"agents\":{\"codex\":{\"args\":[\"exec\",\"--full-auto\"]}},\"primaryAgent\":7}"), "codex")
	is.True(ok)
	is.Equal(args, []string{"exec", "--full-auto"})
	for _, none := range []string{`{"agents":{"codex":{"args":[1]}}}`, `{"agents":{"codex":{}}}`, `{"agents":[]}`, `{`, ``} {
		_, ok := config.Args([]byte(none), "codex")
		is.True(!ok)
	}
}

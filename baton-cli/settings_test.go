package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// prompted configures two generic agents, with more settings beside them, and
// returns where their prompts are kept.
func (s *scene) prompted(mode string, more string) (prompts func() string) {
	s.t.Helper()
	s.fakeAgent(mode)
	s.t.Setenv("FAKE_PROMPTS", s.at("../prompts"))
	replace(s.t, s.at("relay-baton.config.json"), "{", "{"+more+",")
	return func() string { return s.read("../prompts") }
}

// commands.test, commands.build and tokenDiet.outputCompression reach the prompts
// of those who work on code.
func TestSettings_OfPrompts(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	prompts := s.prompted("quota", `"commands":{"test":"make check","build":"make all"}`)
	is.Equal(s.call("run", "just the task").code, 4)
	first, second, _ := strings.Cut(prompts(), "=== quota ===\n")
	is.Equal(first, "")
	task, continuation, _ := strings.Cut(second, "=== quota ===\n")
	is.Equal(task, "just the task\n") // nothing beside it
	for _, command := range []string{"make check", "make all", "concise"} {
		is.True(strings.Contains(continuation, command))
	}
	s.write(".ai-session/plan.md", goodPlan)
	is.Equal(s.call("execute", "--no-fallback").code, 4)
	executor := prompts()[len(first)+len(second):]
	for _, command := range []string{"make check", "make all", "concise"} {
		is.True(strings.Contains(executor, command))
	}
	before := len(prompts())
	replace(t, s.at("relay-baton.config.json"), `"commands":`, `"tokenDiet":{"outputCompression":false},"commands":`)
	is.Equal(s.call("execute", "--no-fallback").code, 4)
	is.True(!strings.Contains(prompts()[before:], "concise"))
}

// The agents of a command are those of the flag, then those of the project, then
// those of the configuration.
func TestSettings_OfAgents(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.prompted("quota", `"primaryAgent":"claude","fallbackAgent":"codex","planExecute":{"defaultPlanner":"codex","defaultExecutor":"claude"}`)
	ran := func(args ...string) string {
		s.call(args...)
		var records []struct{ Agent, Role string }
		s.document(&records, "explain", "--all", "--json")
		last := records[len(records)-1]
		if len(records) > 1 && last.Role == "fallback" {
			return records[len(records)-2].Agent + " " + last.Agent
		}
		return last.Agent
	}
	is.Equal(ran("run", "t"), "claude codex")
	is.Equal(s.session()["primaryAgent"], "claude")
	is.Equal(s.session()["fallbackAgent"], "codex")
	is.Equal(ran("run", "t", "--primary", "codex"), "codex") // the fallback is the same then
	is.Equal(ran("plan", "t"), "codex")
	is.Equal(ran("plan", "t", "--planner", "claude"), "claude")
	s.write(".ai-session/plan.md", goodPlan)
	is.Equal(ran("execute"), "claude codex")
	is.Equal(ran("execute", "--with", "codex"), "codex claude") // the primary, where the fallback executes
	is.Equal(s.session()["executor"], "codex")

	s.must("project", "add", ".", "--primary", "codex", "--fallback", "claude")
	is.Equal(ran("run", "t"), "codex claude")
	is.Equal(ran("run", "t", "--primary", "claude", "--fallback", "codex"), "claude codex")
	is.Equal(ran("execute"), "claude codex") // of the project: the fallback is the executor, so the primary
	s.must("project", "add", ".", "--primary", "claude", "--fallback", "claude", "--update")
	is.Equal(ran("run", "t"), "claude")
	is.Equal(ran("execute"), "claude")
	is.Equal(s.session()["status"], "failed")
	is.True(strings.Contains(s.must("status").lines()["fallbackReason"], "quota exceeded"))
}

// What an agent gets of the environment is the configuration's matter.
func TestSettings_OfTheEnvironment(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	telling(s)
	t.Setenv("MINE", "of the caller")
	s.client("telling", "echo \"key=$OPENAI_API_KEY token=$DEPLOY_TOKEN mine=$MINE added=$ADDED\"\n")
	policy := func(auth string) said {
		s.write("relay-baton.config.json", `{"authPolicy":`+auth+`,"agents":{"codex":{"command":"telling","args":[],"env":{"ADDED":"by baton","MINE":"not this"}}}}`)
		return s.must("run", "t")
	}
	t.Setenv("DEPLOY_TOKEN", "third-secret")
	got := policy(`{}`)
	is.Equal(got.out, "key= token=third-secret mine=of the caller added=by baton\n")
	is.True(strings.Contains(got.notice, "OPENAI_API_KEY, ANTHROPIC_API_KEY are set and kept"))

	got = policy(`{"warnIfApiKeyEnvDetected":false}`)
	is.Equal(got.out, "key= token=third-secret mine=of the caller added=by baton\n")
	is.Equal(got.notice, "")

	got = policy(`{"allowApiKeyEnv":true}`)
	is.Equal(got.out, "key=first-secret token=third-secret mine=of the caller added=by baton\n")
	is.Equal(got.notice, "")

	got = policy(`{"blockedEnvVars":["DEPLOY_TOKEN"]}`)
	is.Equal(got.out, "key=first-secret token= mine=of the caller added=by baton\n")
	is.True(strings.Contains(got.notice, "DEPLOY_TOKEN is set and kept from the agents"))
	is.True(strings.HasSuffix(s.read(".ai-session/commands.log"),
		"[relay-baton] blocked env vars: DEPLOY_TOKEN\n[stdout] key=first-secret token= mine=of the caller added=by baton\n--- exit 0 ---\n"))
}

// The phrases of a generic agent are the configuration's, then the project's.
func TestSettings_OfPhrases(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.prompted("quota", `"fallbackPatterns":["  Half   WAY ", "half way", ""]`)
	is.Equal(s.call("run", "t").code, 4)
	is.Equal(s.session()["fallbackReason"], `"Half   WAY" on stdout: half way`)
	s.prompted("quota", `"fallbackPatterns":[]`)
	is.Equal(s.call("run", "t").code, 4)
	is.Equal(s.session()["lastError"], "codex ended with exit code 1")
	s.must("project", "add", ".", "--fallback-pattern", "quota exceeded")
	is.Equal(s.call("run", "t").code, 4)
	is.True(strings.Contains(s.must("status").lines()["fallbackReason"], `"quota exceeded" on stderr`))
}

// An agent that says nothing is ended after the time of the configuration, unless a
// flag says otherwise.
func TestSettings_OfSilence(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("quiet", "exec sleep 600\n")
	s.write("relay-baton.config.json", `{"agents":{"codex":{"command":"quiet","args":[],"silence":"300ms"}}}`)
	got := s.call("run", "t", "--no-fallback")
	is.Equal(got.code, 4)
	is.True(strings.Contains(s.read(".ai-session/commands.log"), "[relay-baton] ended: said nothing for 300ms\n"))
	is.Equal(s.session()["lastError"], "codex met a network that does not answer, and no other agent is there to go on")
	got = s.call("run", "t", "--silence", "0", "--timeout", "1s")
	is.Equal(got.code, 4)
	is.Equal(s.session()["lastError"], "timed out after 1s")
}

// planExecute.maxPlanChars bounds the plan of every profile.
func TestSettings_OfThePlansLength(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write(".ai-session/plan.md", goodPlan)
	s.write("relay-baton.config.json", `{"planExecute":{"maxPlanChars":100}}`)
	got := s.call("plan", "--check", "--diet", "off")
	is.Equal(got.code, 3)
	is.True(strings.Contains(got.out, "and 100 is the limit"))
	is.Equal(s.must("budget").lines()["maxPlanChars"], "100")
	before := s.files()
	is.Equal(s.call("execute").code, 3)
	is.Equal(len(s.files()), len(before)) // nothing was made
}

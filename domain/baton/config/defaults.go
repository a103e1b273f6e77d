package config

import (
	"strconv"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
)

// planBudget is the one key that a profile may be without.
const planBudget = "maxPlanChars"

// builtIn is a profile that every configuration has.
type builtIn struct {
	name string
	compact.Profile
}

// builtIns are in the order of their budgets.
func builtIns() []builtIn {
	return []builtIn{
		{"off", compact.Profile{
			MaxHandoffChars: 200000, MaxDiffChars: 100000, MaxRepoMapChars: 50000, MaxLogTailChars: 50000,
			MaxStateChars: 50000, MaxErrorChars: 50000, MaxPlanChars: 150000,
		}},
		{"lite", compact.Profile{
			MaxHandoffChars: 60000, MaxDiffChars: 20000, MaxRepoMapChars: 12000, MaxLogTailChars: 8000,
			MaxStateChars: 8000, MaxErrorChars: 6000, MaxPlanChars: 45000,
		}},
		{balanced, compact.Profile{
			MaxHandoffChars: 40000, MaxDiffChars: 12000, MaxRepoMapChars: 8000, MaxLogTailChars: 5000,
			MaxStateChars: 6000, MaxErrorChars: 4000, MaxPlanChars: 30000,
		}},
		{"caveman", compact.Profile{
			MaxHandoffChars: 25000, MaxDiffChars: 6000, MaxRepoMapChars: 4000, MaxLogTailChars: 2500,
			MaxStateChars: 3500, MaxErrorChars: 2500, MaxPlanChars: 18000,
		}},
		{"ultra", compact.Profile{
			MaxHandoffChars: 12000, MaxDiffChars: 2500, MaxRepoMapChars: 2000, MaxLogTailChars: 1000,
			MaxStateChars: 1800, MaxErrorChars: 1000, MaxPlanChars: 9000,
		}},
	}
}

// balanced is the default profile, and what a custom one leaves out.
const balanced = "balanced"

// keyNames are the variables that hold a vendor's key.
func keyNames() []string { return []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY"} }

// handOver are the classes at which another agent goes on, by default.
func handOver() []wall.Class {
	return []wall.Class{wall.UsageLimit, wall.RateLimit, wall.ContextLimit, wall.Overloaded, wall.Network}
}

// defaults is the configuration that a file is laid over.
func defaults() map[string]any {
	profiles := map[string]any{}
	for _, p := range builtIns() {
		profiles[p.name] = budgetsOf(p.Profile)
	}
	var classes []any
	for _, class := range handOver() {
		classes = append(classes, string(class))
	}
	return map[string]any{
		"configVersion": number(1),
		"primaryAgent":  "codex",
		"fallbackAgent": "claude",
		"agents": map[string]any{
			"codex":  agentDefaults("codex", map[string]any{}),
			"claude": agentDefaults("claude", map[string]any{"CLAUDE_CODE_MAX_RETRIES": "5"}),
		},
		"fallbackPatterns":  list(phrase.Defaults().Texts()),
		"fallbackOn":        classes,
		"fallbackOnSuccess": string(phrase.Never),
		"commands":          map[string]any{"test": "", "build": ""},
		"authPolicy": map[string]any{
			"mode": modeSession, "allowApiKeyEnv": false, "warnIfApiKeyEnvDetected": true, "blockedEnvVars": list(keyNames()),
		},
		"tokenDiet": map[string]any{
			"enabled": true, "profile": balanced, "outputCompression": true, "profiles": profiles,
		},
		"planExecute": map[string]any{"defaultPlanner": "claude", "defaultExecutor": "codex", "receipts": false},
		"contextCompression": map[string]any{
			"enabled": true, "auto": true, "threshold": jsondoc.Number("0.8"), "rotateRawArtifacts": true,
			"checkEveryLines": number(50), "keepRotations": number(1),
		},
	}
}

func agentDefaults(id string, env map[string]any) map[string]any {
	args, command := []string{}, id
	if client, err := agent.ByName(id); err == nil {
		launch := agent.DefaultLaunch(client)
		args, command = launch.Args, launch.Program
	}
	return map[string]any{"command": command, "args": list(args), "protocol": agent.Auto, "env": env}
}

// budgetsOf writes a profile as a file has it.
func budgetsOf(p compact.Profile) map[string]any {
	object := map[string]any{}
	for _, b := range budgets(&p) {
		object[b.key] = number(*b.chars)
	}
	return object
}

// budget is one key of a profile.
type budget struct {
	key   string
	chars *int
}

// budgets are the keys of a profile and where each is kept.
func budgets(p *compact.Profile) []budget {
	return []budget{
		{"maxHandoffChars", &p.MaxHandoffChars},
		{"maxDiffChars", &p.MaxDiffChars},
		{"maxRepoMapChars", &p.MaxRepoMapChars},
		{"maxLogTailChars", &p.MaxLogTailChars},
		{"maxStateChars", &p.MaxStateChars},
		{"maxErrorChars", &p.MaxErrorChars},
		{planBudget, &p.MaxPlanChars},
	}
}

func number(n int) jsondoc.Number { return jsondoc.Number(strconv.Itoa(n)) }

func list(texts []string) []any {
	values := []any{}
	for _, s := range texts {
		values = append(values, s)
	}
	return values
}

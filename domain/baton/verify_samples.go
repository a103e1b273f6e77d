package baton

import (
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
)

// detector looks whether a phrase is found where an agent says it, and passed over
// where a search does.
func (t *trial) detector() {
	const name = "detector"
	phrases := t.Phrases()
	if len(phrases.Texts()) == 0 {
		t.warn(name, "fallbackPatterns is empty: the walls of agents without a JSON mode are not noticed")
		return
	}
	first := phrases.Texts()[0]
	var faults []string
	line := logs.StderrTag.Line("Error: " + first)
	if _, hit := phrases.Hit(line); !hit {
		faults = append(faults, fmt.Sprintf("%q is not found in %q", first, line))
	}
	line = logs.StdoutTag.Line("src/limits.go:12: " + first)
	if _, hit := phrases.Hit(line); hit {
		faults = append(faults, fmt.Sprintf("%q counts in the search result %q", first, line))
	}
	t.add(name, fmt.Sprintf("%q is found in an error line and passed over in a search result", first), faults)
}

// keys looks whether an agent is kept from the keys in the environment.
func (t *trial) keys() {
	const name = "blocked variables"
	blocked := t.Config.Auth.Blocked
	if t.Config.Auth.AllowKeys {
		t.warn(name, "authPolicy.allowApiKeyEnv lets them through to the agents", blocked...)
		return
	}
	environ := []string{"PATH=/bin"}
	for _, variable := range blocked {
		environ = append(environ, variable+"=value")
	}
	seen := agent.KeyPolicy{Blocked: blocked}.Apply(environ)
	var faults []string
	for _, variable := range blocked {
		if slices.Contains(seen.Environ, variable+"=value") || !slices.Contains(seen.Removed, variable) {
			faults = append(faults, variable+" reaches the agents")
		}
	}
	if !slices.Contains(seen.Environ, "PATH=/bin") {
		faults = append(faults, "PATH does not reach the agents")
	}
	t.add(name, fmt.Sprintf("%d are kept from the agents", len(blocked)), faults, blocked...)
}

// samplePlan is a plan that passes its gate.
const samplePlan = `# relay-baton plan

## Goal
Show how far an import has come.

## Scope (in)
- the import of src/import.go

## Out of scope
- the upload form

## Approach
Count the rows, and serve the count.

## Steps
1. Count the rows in src/import.go
2. Serve the count in src/server.go

## Risks
- the count may drift when a row is read twice

## Verification
go test ./...

## Next step
- Count the rows in src/import.go
`

// planGate looks whether a good plan passes and a broken one does not.
func (t *trial) planGate() {
	gate := plan.Gate{Limit: t.diet.budgets.MaxPlanChars}
	var faults []string
	for _, issue := range gate.Check(samplePlan).Failures {
		faults = append(faults, "the good plan does not pass: "+issue.Message)
	}
	broken := strings.Replace(samplePlan, "1. Count the rows in src/import.go\n2. Serve the count in src/server.go\n", "", 1)
	report := gate.Check(broken)
	if report.Passed() {
		faults = append(faults, "a plan without a step passes")
	}
	t.add("plan gate", "a good plan passes, and one without a step does not", faults, report.Codes()...)
}

// secretsGate looks whether a plan with a token is refused.
func (t *trial) secretsGate() {
	gate := plan.Gate{Limit: t.diet.budgets.MaxPlanChars + len(samplePlan)}
	token := "ghp_" + "q7Zr2mXw9Lk4Tn8Vb1Cy6Pd3Hs5Gj0FaUeWo" // in two parts: it is nobody's
	report := gate.Check(samplePlan + "- sign in with " + token + "\n")
	found := slices.ContainsFunc(report.Codes(), func(code string) bool { return strings.HasPrefix(code, "secret:github-token:") })
	var faults []string
	if !found {
		faults = append(faults, "a plan with a token passes")
	}
	for _, issue := range report.Failures {
		if strings.Contains(issue.Message, token) {
			faults = append(faults, "the gate shows the token")
		}
	}
	t.add("secrets gate", "a plan with a token is refused, and the token is not shown", faults, report.Codes()...)
}

// recital is what a client says in a run, how that ends and the class it must get.
type recital struct {
	client string
	lines  []string
	code   int
	class  wall.Class
}

// recitals are a run at a limit and a good one of each client. The good ones talk
// of a limit, which makes none.
func recitals() []recital {
	return []recital{
		{"codex", []string{
			`{"type":"thread.started","thread_id":"t"}`, `{"type":"turn.started"}`,
			`{"type":"error","message":"You’ve hit your usage limit. Try again later."}`,
			`{"type":"turn.failed","error":{"message":"You’ve hit your usage limit. Try again later."}}`,
		}, 1, wall.UsageLimit},
		{"codex", []string{
			`{"type":"thread.started","thread_id":"t"}`, `{"type":"turn.started"}`,
			`{"type":"item.completed","item":{"id":"0","type":"command_execution","command":"cat log","aggregated_output":"Error: rate limit exceeded","exit_code":0,"status":"completed"}}`,
			`{"type":"turn.completed","usage":{"input_tokens":10,"output_tokens":5}}`,
		}, 0, wall.None},
		{"claude", []string{
			`{"type":"system","subtype":"init","session_id":"s","model":"m"}`,
			`{"type":"result","subtype":"success","is_error":true,"api_error_status":400,"terminal_reason":"prompt_too_long","result":"Prompt is too long","num_turns":1,"usage":{"input_tokens":0,"output_tokens":0}}`,
		}, 1, wall.ContextLimit},
		{"claude", []string{
			`{"type":"system","subtype":"init","session_id":"s","model":"m"}`,
			`{"type":"assistant","message":{"content":[{"type":"text","text":"You've hit your 5-hour limit"}]}}`,
			`{"type":"result","subtype":"success","is_error":false,"result":"You've hit your 5-hour limit","num_turns":1,"usage":{"input_tokens":10,"output_tokens":5}}`,
		}, 0, wall.None},
	}
}

// streams looks whether runs of both clients get their class.
func (t *trial) streams() {
	var faults, details []string
	for _, r := range recitals() {
		client, err := agent.ByName(r.client)
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		run := agent.NewRun(agent.Setup{
			Protocol: agent.DefaultLaunch(client).Protocol, Phrases: t.Phrases(), Cutter: t.Cut, Zones: t.Zones, Now: t.Clock.Now,
			Tell: func(*agent.Event) int { return 0 },
		})
		if _, err := run.Stdout().Write([]byte(strings.Join(r.lines, "\n") + "\n")); err != nil {
			faults = append(faults, err.Error())
			continue
		}
		outcome := run.Outcome(port.Ending{Code: r.code}, agent.ByItself)
		line := fmt.Sprintf("%s with exit code %d: %s", r.client, r.code, outcome.Class)
		if outcome.Class != r.class {
			faults = append(faults, line+", and not "+string(r.class))
		}
		details = append(details, line)
	}
	t.add("event streams", "a failed and a good run of each client get their class", faults, details...)
}

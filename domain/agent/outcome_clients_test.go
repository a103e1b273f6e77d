package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/wall"
)

func TestOutcome_OfCodex(t *testing.T) {
	var tests []verdict
	for _, tt := range []struct {
		text  string
		class wall.Class
	}{
		{"exceeded retry limit, last status: 429 Too Many Requests", wall.RateLimit},
		{"exceeded retry limit, last status: 503 Service Unavailable", wall.Overloaded},
		{"rate limit exceeded: Please slow down.", wall.RateLimit},
		{"You’ve hit your usage limit. Try again later.", wall.UsageLimit},
		{"You've hit your usage limit for gpt-x. Switch to another model now.", wall.UsageLimit},
		{"Your workspace is out of credits. Add credits to continue.", wall.UsageLimit},
		{"You hit your spend cap set by your workspace owner.", wall.UsageLimit},
		{"To use Codex with your ChatGPT plan, upgrade to Plus", wall.UsageLimit},
		{"Quota exceeded. Check your plan and billing details.", wall.UsageLimit},
		{"unexpected status 402 Payment Required: x", wall.UsageLimit},
		{"Codex ran out of room in the model's context window. Start a new thread", wall.ContextLimit},
		{"Selected model is at capacity. Please try a different model.", wall.Overloaded},
		{"We’re currently experiencing high demand, which may cause temporary errors.", wall.Overloaded},
		{"unexpected status 502 Bad Gateway: x", wall.Overloaded},
		{"unexpected status 529 <unknown status code>: x", wall.Overloaded},
		{"unexpected status 401 Unauthorized: x", wall.Auth},
		{"unexpected status 403 Forbidden: x", wall.Auth},
		{"Missing environment variable: `OPENAI_API_KEY`.", wall.Auth},
		{"stream disconnected before completion: x", wall.Network},
		{"unexpected status 404 Not Found: x", wall.None},
		{"unexpected status ok", wall.None},
		{`{"error":{"message":"unexpected status 429"}}`, wall.None},
		{"Incomplete response returned, reason: content_filter", wall.None},
		{"It said: You’ve hit a wall", wall.None},
		{"", wall.None},
	} {
		rule := "codex-" + strings.ReplaceAll(string(tt.class), "_", "-")
		if tt.class == wall.None {
			rule = "codex-failed"
		}
		tests = append(tests,
			verdict{"JSON: " + tt.text, agent.CodexJSON, codexBegan + codexFailed(tt.text), "", exit(1), tt.class, rule},
			verdict{"plain: " + tt.text, agent.CodexPlain, "", "user\nx\nERROR: " + tt.text + "\nERROR: " + tt.text + "\n", exit(1), tt.class, rule})
	}
	check(t, tests)
	began := codexBegan
	check(t, []verdict{
		{"completed", agent.CodexJSON, began + codexCompleted, "", exit(0), wall.None, "codex-completed"},
		{"completed, and exit 1", agent.CodexJSON, began + codexCompleted, "", exit(1), wall.None, "exit-code"},
		{"the last terminal event counts", agent.CodexJSON, began + codexFailed("Quota exceeded. Check your plan") + codexCompleted, "", exit(0), wall.None, "codex-completed"},
		{"an error event is no verdict", agent.CodexJSON, began + `{"type":"error","message":"Quota exceeded. Check your plan"}` + "\n" + codexCompleted, "", exit(0), wall.None, "codex-completed"},
		{"a failed turn counts at exit 0 too", agent.CodexJSON, began + codexFailed("Quota exceeded. Check your plan"), "", exit(0), wall.UsageLimit, "codex-usage-limit"},
		{"interrupted", agent.CodexJSON, began, "", exit(1), wall.Killed, "codex-interrupted"},
		{"gone before its turn", agent.CodexJSON, `{"type":"thread.started","thread_id":"t"}`, "x", exit(1), wall.None, "no-result"},
		{"nobody read it", agent.CodexJSON, began, "failed printing to stdout: Broken pipe", exit(101), wall.None, "no-result"},
		{"wrong usage", agent.CodexJSON, "", "error: quota exceeded", exit(2), wall.None, "no-events"},
		{"failed before any event", agent.CodexJSON, "", "Error: No such file or directory", exit(1), wall.None, "no-events"},
		{"plain, good", agent.CodexPlain, "x", "ERROR: Quota exceeded. Check your plan", exit(0), wall.None, "codex-completed"},
		{"plain, tokens behind it", agent.CodexPlain, "", "ERROR: Quota exceeded. Check your plan\ntokens used\n1,240\n", exit(1), wall.UsageLimit, "codex-usage-limit"},
		{"plain, its log behind it", agent.CodexPlain, "", "ERROR: Quota exceeded. Check your plan\n2026-11-30T09:38:39.172351Z ERROR codex_core::session: x\n", exit(1), wall.UsageLimit, "codex-usage-limit"},
		{"plain, a tool's output", agent.CodexPlain, "", "exec\nERROR: Quota exceeded. Check your plan\ndone\n", exit(1), wall.None, "exit-code"},
		{"plain, interrupted", agent.CodexPlain, "", "turn interrupted\n2026-11-30T09:38:32.624776Z ERROR codex_core::session: x\ntokens used\n1.240\n", exit(1), wall.Killed, "codex-interrupted"},
		{"plain, nothing", agent.CodexPlain, "", "", exit(1), wall.None, "exit-code"},
	})
}

func TestOutcome_OfClaude(t *testing.T) {
	failed := func(text, fields string) string { return claudeBegan + claudeResult(true, text, fields) }
	after := func(fault, text, fields string) string {
		return claudeBegan + claudeFault(fault) + claudeResult(true, text, fields)
	}
	const json = agent.ClaudeJSON
	check(t, []verdict{
		{"good", json, claudeBegan + claudeResult(false, "x", ""), "", exit(0), wall.None, "claude-completed"},
		{"good, and exit 1", json, claudeBegan + claudeResult(false, "x", ""), "", exit(1), wall.None, "exit-code"},
		{"aborted, exit 0", json, failed("", `"terminal_reason":"aborted_streaming"`), "", exit(0), wall.Killed, "claude-aborted"},
		{"aborted comes first", json, failed("Credit balance is too low", `"terminal_reason":"aborted_tools","api_error_status":429`), "", exit(1), wall.Killed, "claude-aborted"},
		{"usage limit", json, failed("x", `"api_error":"usage_limit_reached","api_error_status":429`), "", exit(1), wall.UsageLimit, "claude-usage-limit"},
		{"402", json, failed("x", `"api_error_status":402`), "", exit(1), wall.UsageLimit, "claude-billing"},
		{"billing error", json, failed("x", `"api_error_type":"billing_error","api_error_status":400`), "", exit(1), wall.UsageLimit, "claude-billing"},
		{"billing error of the message", json, after(`"error":"billing_error"`, "x", `"api_error_status":400`), "", exit(1), wall.UsageLimit, "claude-billing"},
		{"spend cap", json, failed("API Error: 400 You have reached your specified API usage limits. x", `"api_error_status":400`), "", exit(1), wall.UsageLimit, "claude-billing"},
		{"prompt too long", json, failed("x", `"terminal_reason":"prompt_too_long","api_error_status":400`), "", exit(1), wall.ContextLimit, "claude-prompt-too-long"},
		{"413", json, failed("x", `"api_error_status":413`), "", exit(1), wall.ContextLimit, "claude-prompt-too-long"},
		{"context window", json, after(`"api_error_params":{"cut":"context_window"}`, "x", `"api_error":"max_output_tokens"`), "", exit(1), wall.ContextLimit, "claude-context-window"},
		{"context window, single object", json, claudeResult(true, "API Error: The model has reached its context window limit.", `"api_error":"max_output_tokens"`), "", exit(1), wall.ContextLimit, "claude-context-limit"},
		{"429", json, failed("x", `"api_error_status":429`), "", exit(1), wall.RateLimit, "claude-rate-limit"},
		{"401", json, failed("x", `"api_error_status":401`), "", exit(1), wall.Auth, "claude-auth"},
		{"403", json, failed("x", `"api_error_status":403`), "", exit(1), wall.Auth, "claude-auth"},
		{"not logged in", json, after(`"error":"authentication_failed"`, "x", `"api_error_status":null`), "", exit(1), wall.Auth, "claude-auth"},
		{"not logged in, single object", json, claudeResult(true, "Not logged in · Please run /login", `"api_error_status":null`), "", exit(1), wall.Auth, "claude-auth"},
		{"500", json, failed("x", `"api_error_status":500`), "", exit(1), wall.Overloaded, "claude-overloaded"},
		{"529", json, failed("x", `"api_error_status":529`), "", exit(1), wall.Overloaded, "claude-overloaded"},
		{"no connection", json, failed("x", `"api_error":"connection_failed","api_error_status":null`), "", exit(1), wall.Network, "claude-network"},
		{"no response", json, failed("x", `"api_error":"no_response"`), "", exit(1), wall.Network, "claude-network"},
		{"server error without a status", json, after(`"error":"server_error"`, "x", ""), "", exit(1), wall.Network, "claude-network"},
		{"an error that it got over", json, claudeBegan + claudeFault(`"error":"billing_error"`) + `{"type":"assistant","message":{"content":[]}}` + "\n" + claudeResult(true, "x", `"api_error_status":400`), "", exit(1), wall.None, "claude-failed"},
		{"a sub-agent's error", json, claudeBegan + claudeFault(`"error":"billing_error","parent_tool_use_id":"t"`) + claudeResult(true, "x", `"api_error_status":400`), "", exit(1), wall.None, "claude-failed"},
		{"404", json, failed("There's an issue with the selected model", `"api_error_status":404`), "", exit(1), wall.None, "claude-failed"},
		{"no result, exit 1", json, claudeBegan, "", exit(1), wall.None, "no-result"},
		{"before any event", json, "", "Error: Input must be provided", exit(1), wall.None, "no-events"},
	})
	const plain = agent.ClaudePlain
	check(t, []verdict{
		{"plain, good", plain, "Credit balance is too low", "", exit(0), wall.None, "claude-completed"},
		{"plain, interrupted", plain, "Execution error\n", "", exit(0), wall.Killed, "claude-aborted"},
		{"plain, interrupted, exit 1", plain, "Execution error", "", exit(1), wall.Killed, "claude-aborted"},
		{"plain, interrupted in prose", plain, "Execution error\nwas what it printed", "", exit(0), wall.None, "claude-completed"},
		{"plain, nothing", plain, "", "Error: x", exit(1), wall.None, "exit-code"},
		{"plain, another failure", plain, "API Error: 400 x", "", exit(1), wall.None, "claude-failed"},
	})
	for text, class := range map[string]wall.Class{
		"You've hit your 5-hour limit · resets 12:02pm (UTC)":                       wall.UsageLimit,
		"You've hit your individual spend limit":                                    wall.UsageLimit,
		"Claude AI usage limit reached|1796041147":                                  wall.UsageLimit,
		"Credit balance is too low":                                                 wall.UsageLimit,
		"API Error: 402 Payment required.":                                          wall.UsageLimit,
		"API Error: 400 You have reached your specified API usage limits. x":        wall.UsageLimit,
		"API Error: Request rejected (429) · x":                                     wall.RateLimit,
		"API Error: Server is temporarily limiting requests (not your usage limit)": wall.RateLimit,
		"Prompt is too long · x":                                                    wall.ContextLimit,
		"Request too large (max 32MB).":                                             wall.ContextLimit,
		"API Error: The model has reached its context window limit.":                wall.ContextLimit,
		"API Error: 500 Internal server error.":                                     wall.Overloaded,
		"API Error: 529 Overloaded.":                                                wall.Overloaded,
		"API Error: Repeated 529 Overloaded errors.":                                wall.Overloaded,
		"Invalid API key · x":                                                       wall.Auth,
		"Not logged in · Please run /login":                                         wall.Auth,
		"Failed to authenticate. API Error: 403 x":                                  wall.Auth,
		"Your organization has disabled x":                                          wall.Auth,
		"API Error: Connection refused — x (ECONNREFUSED)":                          wall.Network,
		"Request timed out. x":                                                      wall.Network,
	} {
		is := is.New(t)
		o, f := judged(plain, "\n"+text+"\nmore\n", "", exit(1), agent.ByItself)
		if o.Class != class {
			t.Errorf("%q is %s, not %s", text, o.Class, class)
		}
		is.Equal(f.logLine(o.Evidence.Line), "[stdout] "+text)
	}
}

// Row 78.
func TestOutcome_WhatToolsPrintAndAgentsSayIsOnlyCounted(t *testing.T) {
	limits := []string{
		"Claude usage limit reached. Your limit will reset at 12am.", "You've hit your usage limit. Try again at 3:00 PM.",
		"Quota exceeded. Check your plan", "HTTP 429: too many requests", "prompt is too long: 215032 tokens > 200000 maximum",
		"credit balance is too low", "exceeds the context window", "rate  LIMIT\texceeded",
	}
	all := strings.Join(limits, "\n") + "\nand nothing here\n"
	codex := codexBegan + fmt.Sprintf(`{"type":"item.completed","item":{"type":"command_execution","aggregated_output":%q,"exit_code":1}}`, all) + "\n" +
		fmt.Sprintf(`{"type":"item.completed","item":{"type":"agent_message","text":%q}}`, all) + "\n" +
		fmt.Sprintf(`{"type":"item.completed","item":{"type":"reasoning","text":%q}}`, all) + "\n" +
		fmt.Sprintf(`{"type":"item.completed","item":{"type":"error","message":%q}}`, all) + "\n" + codexCompleted
	claude := claudeBegan + fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":%q}]}}`, all) + "\n" +
		fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"text","text":%q},{"type":"thinking","thinking":%q}]}}`, all, all) + "\n" +
		claudeResult(false, all, `"usage":{"output_tokens":9}`)
	for p, stdout := range map[agent.Protocol]string{agent.CodexJSON: codex, agent.ClaudeJSON: claude} {
		is := is.New(t)
		o, _ := judged(p, stdout, "", exit(0), agent.ByItself)
		is.Equal(o.Class, wall.None)
		is.Equal(o.Fault, "")
		is.Equal(o.Ignored, wall.Ignored{Count: 3 * len(limits), FirstLine: "[out] " + limits[0]})
	}
	for _, p := range []agent.Protocol{agent.CodexPlain, agent.ClaudePlain} {
		is := is.New(t)
		o, _ := judged(p, all, all, exit(0), agent.ByItself)
		is.Equal(o.Class, wall.None)
	}
}

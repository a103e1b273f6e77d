package agent_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/wall"
)

// Row 79.
func TestOutcome_ALimitTextWithoutTokensIsALimit(t *testing.T) {
	const text = "Claude AI usage limit reached|1796041147"
	reset := wall.Limit{Kind: wall.Unknown, ResetAt: time.Date(2026, 11, 30, 12, 19, 7, 0, time.UTC), Exact: true}
	tests := []struct {
		name  string
		event string
		code  int
		class wall.Class
		rule  string
	}{
		{"no tokens, exit 0", claudeResult(false, text, `"usage":{"output_tokens":0}`), 0, wall.UsageLimit, "claude-limit-text"},
		{"no tokens, exit 1", claudeResult(false, text, ""), 1, wall.UsageLimit, "claude-limit-text"},
		{"tokens", claudeResult(false, text, `"usage":{"output_tokens":7}`), 0, wall.None, "claude-completed"},
		{"an error, whatever the status", claudeResult(true, text, `"api_error_status":429,"usage":{"output_tokens":7}`), 1, wall.UsageLimit, "claude-limit-text"},
		{"an answer without tokens", claudeResult(false, "Done.", ""), 0, wall.None, "claude-completed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			o, _ := judged(agent.ClaudeJSON, claudeBegan+tt.event, "", exit(tt.code), agent.ByItself)
			is.Equal(o.Class, tt.class)
			is.Equal(o.Rule, tt.rule)
			if tt.class == wall.UsageLimit {
				is.Equal(o.Limit, reset)
			}
		})
	}
}

func limitEvent(status, kind string) string {
	return fmt.Sprintf(`{"type":"rate_limit_event","rate_limit_info":{"status":%q,"resetsAt":1796041147,"rateLimitType":%q}}`+"\n", status, kind)
}

// Row 80.
func TestOutcome_ALimitThatWasSurvivedIsNoted(t *testing.T) {
	is := is.New(t)
	o, f := judged(agent.ClaudeJSON, claudeBegan+limitEvent("rejected", "five_hour")+limitEvent("allowed", "")+claudeResult(false, "x", ""), "", exit(0), agent.ByItself)
	is.Equal(o.Class, wall.None)
	is.Equal(o.Fault, "")
	is.Equal(o.Rule, "limit-survived")
	is.Equal(o.Limit, wall.Limit{Kind: wall.Session, ResetAt: time.Date(2026, 11, 30, 12, 19, 7, 0, time.UTC), Exact: true})
	is.Equal(f.logLine(o.Evidence.Line), "[note] limit five_hour: rejected, resets 2026-11-30T12:19:07Z")
	is.Equal(o.Warning, "")
}

func TestOutcome_AWarningIsNotNoted(t *testing.T) {
	is := is.New(t)
	o, _ := judged(agent.ClaudeJSON, claudeBegan+limitEvent("allowed_warning", "seven_day")+claudeResult(false, "x", ""), "", exit(0), agent.ByItself)
	is.Equal(o.Rule, "claude-completed")
	is.Equal(o.Limit, wall.Limit{})
	is.Equal(o.Warning, "limit seven_day: allowed_warning, resets 2026-11-30T12:19:07Z")
}

func TestOutcome_ALimitBeforeAnotherFailureIsNotNoted(t *testing.T) {
	is := is.New(t)
	o, _ := judged(agent.ClaudeJSON, claudeBegan+limitEvent("rejected", "five_hour")+claudeResult(true, "x", `"api_error_status":404`), "", exit(1), agent.ByItself)
	is.Equal(o.Class, wall.None)
	is.Equal(o.Limit, wall.Limit{})
}

func TestOutcome_TellsTheLimit(t *testing.T) {
	exact := time.Date(2026, 11, 30, 12, 19, 7, 0, time.UTC)
	info := func(kind string) string {
		return `"error":"rate_limit","api_error_params":{"rate_limit_info":{"status":"rejected","resetsAt":1796041147,"rateLimitType":"` + kind + `"}}`
	}
	tests := []struct {
		name     string
		protocol agent.Protocol
		stdout   string
		want     wall.Limit
	}{
		{"codex, by the text", agent.CodexJSON, codexFailed("You’ve hit your usage limit. Try again at 3:28 PM."), wall.Limit{Kind: wall.Unknown, ResetAt: time.Date(2026, 11, 30, 15, 28, 0, 0, time.UTC)}},
		{"codex, wrapped", agent.CodexJSON, codexFailed("You’ve hit your usage limit. Try again at\nDec 2nd, 2026 11:30 AM."), wall.Limit{Kind: wall.Unknown, ResetAt: time.Date(2026, 12, 2, 11, 30, 0, 0, time.UTC)}},
		{"codex, credits", agent.CodexJSON, codexFailed("Your workspace is out of credits. Try again at 3:28 PM."), wall.Limit{Kind: wall.Credits}},
		{"codex, a rate limit has no kind", agent.CodexJSON, codexFailed("rate limit exceeded: Please try again in 1.5s."), wall.Limit{ResetAt: seenAt.Add(1500 * time.Millisecond)}},
		{"codex, context", agent.CodexJSON, codexFailed("Codex ran out of room in the model's context window. Try again at 3:28 PM."), wall.Limit{}},
		{"claude, by the message", agent.ClaudeJSON, claudeFault(info("five_hour")) + limitEvent("rejected", "seven_day") + claudeResult(true, "You've hit your limit · resets 3am", `"api_error":"usage_limit_reached"`), wall.Limit{Kind: wall.Session, ResetAt: exact, Exact: true}},
		{"claude, by the event", agent.ClaudeJSON, limitEvent("rejected", "seven_day_opus") + claudeResult(true, "You've hit your limit", `"api_error":"usage_limit_reached"`), wall.Limit{Kind: wall.Weekly, ResetAt: exact, Exact: true}},
		{"claude, by the text", agent.ClaudeJSON, limitEvent("allowed", "seven_day") + claudeResult(true, "You've hit your 5-hour limit · resets 12:19pm (UTC)", `"api_error":"usage_limit_reached"`), wall.Limit{Kind: wall.Session, ResetAt: time.Date(2026, 11, 30, 12, 19, 0, 0, time.UTC)}},
		{"claude, a kind in words", agent.ClaudeJSON, limitEvent("rejected", "") + claudeResult(true, "You've hit your weekly limit", `"api_error":"usage_limit_reached"`), wall.Limit{Kind: wall.Weekly, ResetAt: exact, Exact: true}},
		{"claude, overage", agent.ClaudeJSON, limitEvent("rejected", "overage") + claudeResult(true, "x", `"api_error":"usage_limit_reached"`), wall.Limit{Kind: wall.Credits}},
		{"claude, 402", agent.ClaudeJSON, limitEvent("rejected", "five_hour") + claudeResult(true, "x", `"api_error_status":402`), wall.Limit{Kind: wall.Credits}},
		{"claude, neither", agent.ClaudeJSON, claudeResult(true, "x", `"api_error":"usage_limit_reached"`), wall.Limit{Kind: wall.Unknown}},
		{"claude, 429 of a subscription", agent.ClaudeJSON, limitEvent("rejected", "") + claudeResult(true, "x", `"api_error_status":429`), wall.Limit{ResetAt: exact, Exact: true}},
		{"claude, overloaded", agent.ClaudeJSON, limitEvent("rejected", "five_hour") + claudeResult(true, "x", `"api_error_status":529`), wall.Limit{}},
		{"plain claude", agent.ClaudePlain, "You've hit your weekly limit · resets Dec 3, 8pm (UTC)", wall.Limit{Kind: wall.Weekly, ResetAt: time.Date(2026, 12, 3, 20, 0, 0, 0, time.UTC)}},
		{"generic", agent.Generic, "Error: quota exceeded, try again in 45 minutes", wall.Limit{Kind: wall.Unknown, ResetAt: seenAt.Add(45 * time.Minute)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, _ := judged(tt.protocol, tt.stdout, "", exit(1), agent.ByItself)
			if diff := cmp.Diff(tt.want, o.Limit); diff != "" {
				t.Error(o.Rule, diff)
			}
		})
	}
}

package agent_test

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/wall"
)

// A duration in a limit's text counts from when the text was seen, not from the
// end of the run.
func TestOutcome_ADurationCountsFromWhenItWasSeen(t *testing.T) {
	const hour = time.Hour
	tests := []struct {
		name     string
		protocol agent.Protocol
		said     string
		why      agent.Force
		reset    time.Time
	}{
		{"codex", agent.CodexJSON, codexBegan + codexFailed("You’ve hit your usage limit. Try again in 45 minutes."), agent.ByItself, seenAt.Add(hour + 45*time.Minute)},
		{"claude", agent.ClaudeJSON, claudeResult(true, "You've hit your limit, try again in 45 minutes", ""), agent.ByItself, seenAt.Add(hour + 45*time.Minute)},
		{"a retry notice", agent.CodexJSON, codexBegan + `{"type":"error","message":"Reconnecting... 1/5 (rate limit exceeded: try again in 45 minutes)"}` + "\n", agent.Silent, seenAt.Add(hour + 45*time.Minute)},
		{"generic", agent.Generic, "Error: quota exceeded, try again in 45 minutes\n", agent.ByItself, seenAt.Add(hour + 45*time.Minute)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			now := seenAt
			f := follow(tt.protocol, func(s *agent.Setup) { s.Now = func() time.Time { return now } })
			now = seenAt.Add(hour)
			f.write(agent.Stdout, []byte(tt.said), len(tt.said))
			now = seenAt.Add(2 * hour)
			f.write(agent.Stderr, []byte("some warning\n"), 13) // heard last
			o := f.run.Outcome(exit(1), tt.why)
			is.Equal(o.Limit.ResetAt, tt.reset)
		})
	}
}

// The only limit that claude tries again at is one of money, which never resets.
func TestOutcome_OfASilentClientWithoutMoney(t *testing.T) {
	for _, retry := range []string{`"error_status":402,"error":"x"`, `"error_status":null,"error":"billing_error"`} {
		is := is.New(t)
		o, _ := judged(agent.ClaudeJSON, `{"type":"system","subtype":"api_retry","attempt":1,"max_retries":5,`+retry+"}\n", "", exit(143), agent.Silent)
		is.Equal(o.Class, wall.UsageLimit)
		is.Equal(o.Limit, wall.Limit{Kind: wall.Credits})
	}
}

package agent_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/wall"
)

const quarter = 15 * time.Minute

// watched is a run whose clock a test sets, in minutes after its begin.
type watched struct {
	*followed
	now time.Time
}

func watch(p agent.Protocol, limit time.Duration) *watched {
	w := &watched{now: seenAt}
	w.followed = follow(p, func(s *agent.Setup) {
		s.Silence = limit
		s.Now = func() time.Time { return w.now }
	})
	return w
}

// at writes to a stream at a minute.
func (w *watched) at(minute int, s agent.Stream, text string) {
	w.now = seenAt.Add(time.Duration(minute) * time.Minute)
	w.write(s, []byte(text), len(text))
}

// over is the minute at which the silence becomes too long, -1 for none.
func (w *watched) over() int {
	at, ok := w.run.Deadline()
	if !ok {
		return -1
	}
	return int(at.Sub(seenAt) / time.Minute)
}

// Row 85.
func TestRun_SilenceRunsAnewWithEachEventButARetry(t *testing.T) {
	tests := []struct {
		name     string
		protocol agent.Protocol
		stream   agent.Stream
		text     string
		over     int
	}{
		{"event", agent.CodexJSON, agent.Stdout, `{"type":"turn.started"}` + "\n", 22},
		{"line that is no event", agent.CodexJSON, agent.Stdout, "oops\n", 22},
		{"half an event", agent.CodexJSON, agent.Stdout, `{"type":`, 15},
		{"retry of codex", agent.CodexJSON, agent.Stdout, `{"type":"error","message":"Reconnecting... waiting for network (x)"}` + "\n", 15},
		{"error of codex", agent.CodexJSON, agent.Stdout, `{"type":"error","message":"x"}` + "\n", 22},
		{"retry of claude", agent.ClaudeJSON, agent.Stdout, `{"type":"system","subtype":"api_retry"}` + "\n", 15},
		{"system event of claude", agent.ClaudeJSON, agent.Stdout, `{"type":"system","subtype":"status"}` + "\n", 22},
		{"error stream of a JSON client", agent.ClaudeJSON, agent.Stderr, "a warning\n", 15},
		{"error stream of a plain client", agent.CodexPlain, agent.Stderr, "a warning\n", 22},
		{"dots of a generic agent", agent.Generic, agent.Stdout, "...", 22},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := watch(tt.protocol, quarter)
			is.Equal(w.over(), 15)
			w.at(7, tt.stream, tt.text)
			is.Equal(w.over(), tt.over)
		})
	}
}

// Row 85.
func TestRun_SilenceStandsStillWhileAToolCallIsOpen(t *testing.T) {
	codexTool := func(event, kind, id string) string {
		return fmt.Sprintf(`{"type":"item.%s","item":{"type":"%s","id":"%s"}}`+"\n", event, kind, id)
	}
	uses := func(message, parent, ids string) string {
		var blocks []string
		for id := range strings.FieldsSeq(ids) {
			blocks = append(blocks, `{"type":"tool_use","id":"`+id+`","name":"Bash"}`)
		}
		return fmt.Sprintf(`{"type":"assistant","parent_tool_use_id":%s,"message":{"id":"%s","content":[%s]}}`+"\n", parent, message, strings.Join(blocks, ","))
	}
	result := func(id string) string {
		return fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"%s"}]}}`+"\n", id)
	}
	tests := []struct {
		name     string
		protocol agent.Protocol
		output   string
		over     int // after one minute; -1 where it stands still
	}{
		{"codex, a command", agent.CodexJSON, codexTool("started", "command_execution", "1"), -1},
		{"codex, two, one ended", agent.CodexJSON, codexTool("started", "command_execution", "1") + codexTool("started", "mcp_tool_call", "2") + codexTool("completed", "command_execution", "1"), -1},
		{"codex, both ended", agent.CodexJSON, codexTool("started", "command_execution", "1") + codexTool("started", "file_change", "2") + codexTool("completed", "command_execution", "1") + codexTool("completed", "file_change", "2"), 16},
		{"codex, a tool of a later version", agent.CodexJSON, codexTool("started", "teleport", "1"), -1},
		{"codex, a list that stays open", agent.CodexJSON, codexTool("started", "todo_list", "1"), 16},
		{"codex, a message", agent.CodexJSON, codexTool("started", "agent_message", "1"), 16},
		{"codex, failed meanwhile", agent.CodexJSON, codexTool("started", "command_execution", "1") + `{"type":"turn.failed"}` + "\n", 16},
		{"codex, a retry meanwhile", agent.CodexJSON, codexTool("started", "command_execution", "1") + `{"type":"error","message":"Reconnecting... 1/5"}` + "\n", -1},
		{"claude, a call", agent.ClaudeJSON, uses("m1", "null", "a"), -1},
		{"claude, one of two results", agent.ClaudeJSON, uses("m1", "null", "a b") + result("a"), -1},
		{"claude, both results", agent.ClaudeJSON, uses("m1", "null", "a b") + result("b") + result("a"), 16},
		{"claude, the other block of the message", agent.ClaudeJSON, uses("m1", "null", "a") + uses("m1", "null", ""), -1},
		{"claude, a sub-agent at work", agent.ClaudeJSON, uses("m1", "null", "a") + uses("m2", `"a"`, "b") + result("b"), -1},
		{"claude, a call that the next message leaves behind", agent.ClaudeJSON, uses("m1", "null", "a") + uses("m2", "null", ""), 16},
		{"claude, a sub-agent's call while the main line goes on", agent.ClaudeJSON, uses("m1", `"t"`, "a") + uses("m2", "null", ""), -1},
		{"claude, ended meanwhile", agent.ClaudeJSON, uses("m1", "null", "a") + `{"type":"result"}` + "\n", 16},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := watch(tt.protocol, quarter)
			w.at(1, agent.Stdout, tt.output)
			is.Equal(w.over(), tt.over)
		})
	}
}

func TestRun_WithoutASilenceLimitNoneRunsOut(t *testing.T) {
	is := is.New(t)
	is.Equal(watch(agent.CodexJSON, 0).over(), -1)
}

func TestSilence_IsOverAtItsInstant(t *testing.T) {
	is := is.New(t)
	s := agent.NewSilence(quarter, seenAt)
	is.True(!s.Over(seenAt.Add(quarter - 1)))
	is.True(s.Over(seenAt.Add(quarter)))
	s.Sign(seenAt.Add(time.Minute))
	is.True(!s.Over(seenAt.Add(quarter)))
}

// Row 85.
func TestOutcome_OfASilentClient(t *testing.T) {
	reconnecting := func(cause string) string {
		return `{"type":"turn.started"}` + "\n" + `{"type":"error","message":"Reconnecting... ` + cause + `"}` + "\n"
	}
	retry := func(status, err string) string {
		return `{"type":"system","subtype":"api_retry","attempt":1,"max_retries":5,"error_status":` + status + `,"error":"` + err + `"}` + "\n"
	}
	tests := []struct {
		name     string
		protocol agent.Protocol
		output   string
		class    wall.Class
		source   wall.Source
	}{
		{"nothing at all", agent.CodexJSON, "", wall.Network, wall.OwnSignal},
		{"no notice", agent.CodexJSON, `{"type":"turn.started"}`, wall.Network, wall.OwnSignal},
		{"codex, rate", agent.CodexJSON, reconnecting("1/5 (exceeded retry limit, last status: 429 Too Many Requests)"), wall.RateLimit, wall.RetryNotice},
		{"codex, overloaded", agent.CodexJSON, reconnecting("1/5 (unexpected status 529 <unknown status code>: Overloaded)"), wall.Overloaded, wall.RetryNotice},
		{"codex, login", agent.CodexJSON, reconnecting("1/5 (unexpected status 401 Unauthorized: x)"), wall.Auth, wall.RetryNotice},
		{"codex, cut", agent.CodexJSON, reconnecting("1/5 (stream disconnected before completion: x)"), wall.Network, wall.RetryNotice},
		{"codex, unknown", agent.CodexJSON, reconnecting("waiting for network (Connection failed)"), wall.Network, wall.RetryNotice},
		{"codex, the last one decides", agent.CodexJSON, reconnecting("1/5 (unexpected status 529 x)") + reconnecting("2/5 (rate limit exceeded: x)"), wall.RateLimit, wall.RetryNotice},
		{"claude, status", agent.ClaudeJSON, retry("429", "x"), wall.RateLimit, wall.RetryNotice},
		{"claude, 529", agent.ClaudeJSON, retry("529", "overloaded"), wall.Overloaded, wall.RetryNotice},
		{"claude, 401", agent.ClaudeJSON, retry("401", "authentication_failed"), wall.Auth, wall.RetryNotice},
		{"claude, 402", agent.ClaudeJSON, retry("402", "x"), wall.UsageLimit, wall.RetryNotice},
		{"claude, rate without status", agent.ClaudeJSON, retry("null", "rate_limit"), wall.RateLimit, wall.RetryNotice},
		{"claude, login without status", agent.ClaudeJSON, retry("null", "authentication_failed"), wall.Auth, wall.RetryNotice},
		{"claude, billing without status", agent.ClaudeJSON, retry("null", "billing_error"), wall.UsageLimit, wall.RetryNotice},
		{"claude, overloaded without status", agent.ClaudeJSON, retry("null", "overloaded"), wall.Overloaded, wall.RetryNotice},
		{"claude, unknown", agent.ClaudeJSON, retry("null", "unknown"), wall.Network, wall.RetryNotice},
		{"plain codex", agent.CodexPlain, "ERROR: Reconnecting... waiting for network", wall.Network, wall.OwnSignal},
		{"generic", agent.Generic, "Error: quota exceeded", wall.Network, wall.OwnSignal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			o, f := judged(tt.protocol, tt.output, "", exit(143), agent.Silent)
			is.Equal(o.Class, tt.class)
			is.Equal(o.Rule, "silence")
			is.Equal(o.Evidence.Source, tt.source)
			if tt.source == wall.RetryNotice {
				is.Equal(f.logLine(o.Evidence.Line), "[retry] "+o.Evidence.Text)
				is.True(strings.Contains(tt.output, o.Evidence.Event))
			}
		})
	}
}

// A client that has said how it ended, and does not go, is judged by that.
func TestOutcome_OfAClientThatIsSilentAfterItsEnd(t *testing.T) {
	is := is.New(t)
	o, _ := judged(agent.CodexJSON, `{"type":"turn.failed","error":{"message":"Quota exceeded. Check your plan"}}`, "", exit(1), agent.Silent)
	is.Equal(o.Class, wall.UsageLimit)
	o, _ = judged(agent.ClaudeJSON, `{"type":"result","is_error":false,"result":"done"}`, "", exit(143), agent.Silent)
	is.Equal(o.Class, wall.None)
	is.Equal(o.Rule, "silence")
	is.True(strings.Contains(o.Fault, "was ended"))
}

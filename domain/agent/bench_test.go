package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/jsondoc"
)

// stream is about a megabyte of what a busy client writes: many short events,
// some with long outputs of tools.
func stream(p agent.Protocol) []byte {
	var out, tests strings.Builder
	for i := range 400 {
		fmt.Fprintf(&tests, "ok   example.test/pkg%03d\t0.0%02ds\tcoverage: 81.%d%% of statements in \"./...\"\n", i, i%100, i%10)
	}
	event := func(o jsondoc.Object) { out.Write(append(jsondoc.Line(o), '\n')) }
	object := func(pairs ...any) jsondoc.Object {
		var o jsondoc.Object
		for i := 0; i < len(pairs); i += 2 {
			o.Add(pairs[i].(string), pairs[i+1]) //nolint:errcheck // a test's own keys are strings
		}
		return o
	}
	for i := 0; out.Len() < 1<<20; i++ {
		id := fmt.Sprintf("item_%d", i)
		if p == agent.CodexJSON {
			event(object("type", "item.completed", "item", object("id", id, "type", "agent_message", "text", "I will run the tests and then look at what fails, one by one.")))
			event(object("type", "item.started", "item", object("id", id, "type", "command_execution", "command", "/bin/bash -lc 'go test ./...'", "aggregated_output", "", "exit_code", nil, "status", "in_progress")))
			event(object("type", "item.completed", "item", object("id", id, "type", "command_execution", "command", "/bin/bash -lc 'go test ./...'", "aggregated_output", tests.String(), "exit_code", 0, "status", "completed")))
			continue
		}
		usage := object("input_tokens", 1200, "cache_creation_input_tokens", 0, "cache_read_input_tokens", 0, "output_tokens", 1)
		message := func(block jsondoc.Object) jsondoc.Object {
			return object("id", id, "type", "message", "role", "assistant", "model", "claude-opus-5-5", "content", []any{block}, "stop_reason", nil, "usage", usage)
		}
		event(object("type", "assistant", "message", message(object("type", "text", "text", "I will run the tests and then look at what fails, one by one.")), "parent_tool_use_id", nil, "session_id", "c"))
		event(object("type", "assistant", "message", message(object("type", "tool_use", "id", id, "name", "Bash", "input", object("command", "go test ./..."))), "parent_tool_use_id", nil, "session_id", "c"))
		event(object("type", "user", "message", message(object("type", "tool_result", "tool_use_id", id, "content", tests.String())), "parent_tool_use_id", nil, "session_id", "c", "tool_use_result", object("stdout", tests.String(), "stderr", "")))
	}
	return []byte(out.String())
}

// A run reads, logs, shows and judges what its client writes.
func BenchmarkRun(b *testing.B) {
	for _, p := range []agent.Protocol{agent.CodexJSON, agent.ClaudeJSON, agent.CodexPlain} {
		b.Run(string(p), func(b *testing.B) {
			data := stream(p)
			if p == agent.CodexPlain {
				data = []byte(strings.ReplaceAll(string(data), `\n`, "\n"))
			}
			b.SetBytes(int64(len(data)))
			f := follow(p, func(s *agent.Setup) {
				s.Tell = func(e *agent.Event) int {
					n := 0
					for line := range e.Log {
						n += len(line.Text)
					}
					for line := range e.Screen {
						n += len(line.Text)
					}
					return n
				}
			})
			b.ReportAllocs()
			for b.Loop() {
				f.write(agent.Stdout, data, 64<<10)
			}
		})
	}
}

package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/agent"
)

// read gives a client's output to its reader, in pieces of n bytes.
func read(c agent.Client, output string, n int) (reports []agent.Report, verdict agent.Verdict) {
	r := c.Reader(func(e agent.Report) { reports = append(reports, e) })
	for piece := range slices.Chunk([]byte(output), n) {
		_, _ = r.Write(piece)
	}
	return reports, r.End()
}

func lines(reports []agent.Report) string {
	var all []string
	for _, r := range reports {
		all = append(all, r.Lines...)
	}
	return strings.Join(all, "\n")
}

const claudeTurn = `{"type":"system","subtype":"init","session_id":"c-1"}
{"type":"assistant","message":{"content":[{"type":"text","text":"Looking.\r\nThere."},{"type":"tool_use","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","name":"Edit","input":{"file_path":"a.go"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":"{\"type\":\"result\",\"is_error\":false,\"result\":\"no\"}"}]}}
{"type":"system","subtype":"compact_boundary"}
{"type":"result","subtype":"success","is_error":false,"num_turns":2,"result":"<handoff>x</handoff>"}
`

const codexTurn = `{"type":"thread.started","thread_id":"t-1"}
{"type":"turn.started"}
{"type":"error","message":"Reconnecting... 1/5 (cut)"}
{"type":"item.completed","item":{"type":"agent_message","text":"Looking."}}
{"type":"item.started","item":{"type":"command_execution","command":"ls"}}
{"type":"item.completed","item":{"type":"command_execution","command":"ls","aggregated_output":"{\"type\":\"turn.failed\"}","exit_code":2}}
{"type":"item.completed","item":{"type":"file_change","changes":[{"path":"a.go","kind":"add"}]}}
{"type":"item.completed","item":{"type":"agent_message","text":"<handoff>x</handoff>"}}
{"type":"turn.completed","usage":{"input_tokens":24,"output_tokens":8}}
`

func TestReader_Answer(t *testing.T) {
	tests := []struct{ client, output, conversation, shown string }{
		{"claude", claudeTurn, "c-1", "Looking.\nThere.\n$ ls\nedit: edit a.go\n  {\"type\":\"result\",\"is_error\":false,\"result\":\"no\"}\n  error\nnote: system/compact_boundary\n-- ok, 2 turns, tokens in 0 out 0"},
		{"codex", codexTurn, "t-1", "retry: 1/5 (cut)\nLooking.\n$ ls\n  {\"type\":\"turn.failed\"}\n  exit 2\nedit: add a.go\n<handoff>x</handoff>\n-- ok, tokens in 24 out 8"},
	}
	for _, tt := range tests {
		for _, n := range []int{1, 7, 1 << 20} {
			is := is.New(t)
			reports, verdict := read(named(t, tt.client), strings.TrimSuffix(tt.output, "\n"), n)
			is.Equal(verdict, agent.Verdict{Answered: true, Message: "<handoff>x</handoff>"})
			is.Equal(reports[0].Conversation, tt.conversation)
			is.True(reports[0].Began || reports[1].Began)
			is.Equal(lines(reports), tt.shown)
		}
	}
}

func TestReader_NoAnswer(t *testing.T) {
	tests := []struct{ name, client, output, failure string }{
		{"error with subtype success", "claude", `{"type":"result","subtype":"success","is_error":true,"result":"Prompt is too long"}`, "Prompt is too long"},
		{"blocked by a hook", "claude", `{"type":"result","is_error":false,"num_turns":0,"result":""}`, "the prompt was kept from the model"},
		{"interrupted", "claude", `{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"}`, "aborted_tools"},
		{"no verdict in the result", "claude", `{"type":"result","result":"x"}`, "x"},
		{"cut off", "claude", `{"type":"system","subtype":"init","session_id":"c"}`, ""},
		{"failed", "codex", `{"type":"turn.failed","error":{"message":"Quota exceeded."}}`, "Quota exceeded."},
		{"cut off after a message", "codex", `{"type":"item.completed","item":{"type":"agent_message","text":"<done>x</done>"}}`, ""},
		{"prose that looks like an event", "codex", `{"type":"item.completed","item":{"type":"agent_message","text":"{\"type\":\"turn.completed\"}"}}`, ""},
		{"an event of the wrong types", "codex", `{"type":"turn.failed","error":"x"}`, "no reason given"},
		{"nothing", "codex", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, verdict := read(named(t, tt.client), tt.output+"\n", 1<<20)
			is.True(!verdict.Answered)
			is.Equal(verdict.Failure, tt.failure)
		})
	}
}

func TestReader_ShowsNothingThatATerminalObeys(t *testing.T) {
	is := is.New(t)
	reports, _ := read(named(t, "codex"), "not json \x1b[2J\xff\n"+`{"type":"item.completed","item":{"type":"agent_message","text":"a\u001b[31mb\u202ec"}}`, 3)
	is.True(!strings.ContainsAny(lines(reports), "\x1b\u202e"))
	long, _ := read(named(t, "codex"), strings.Repeat("x", 5000), 4096)
	is.Equal(len([]rune(lines(long))), 500)
}

func TestReader_SkipsAnEventThatIsTooLong(t *testing.T) {
	is := is.New(t)
	long := `{"type":"item.completed","item":{"type":"agent_message","text":"` + strings.Repeat("x", 64<<20) + `"}}`
	reports, verdict := read(named(t, "codex"), long+"\n"+codexTurn, 1<<20)
	is.True(verdict.Answered)
	is.Equal(reports[0].Lines, []string{fmt.Sprintf("note: event of %d bytes skipped", len(long))})
}

func TestReader_TakesAnyBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := named(t, rapid.SampledFrom(agent.Names()).Draw(t, "client"))
		output := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		whole, wholeVerdict := read(c, output, 1<<20)
		pieces, verdict := read(c, output, rapid.IntRange(1, 9).Draw(t, "n"))
		if lines(whole) != lines(pieces) || wholeVerdict != verdict || verdict.Answered {
			t.Fatalf("%q and %q", lines(whole), lines(pieces))
		}
	})
}

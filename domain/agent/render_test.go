package agent_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
)

// Row 86.
func TestRun_LogAndScreenAreTheGoldenOnes(t *testing.T) {
	logs, err := filepath.Glob("testdata/render/*.log")
	if err != nil || len(logs) != 19 {
		t.Fatalf("%d logs: %v", len(logs), err)
	}
	for _, log := range logs {
		name := strings.TrimSuffix(filepath.Base(log), ".log")
		t.Run(name, func(t *testing.T) {
			c := captureOf(t, strings.Replace(name, "-", "/", 1))
			f := follow(c.protocol)
			f.write(agent.Stdout, c.stdout, 4096)
			f.run.Close()
			for suffix, got := range map[string]string{".log": f.log.String(), ".screen": f.screen.String()} {
				want, err := os.ReadFile(filepath.Join("testdata/render", name+suffix))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("%s: %s", suffix, diff)
				}
			}
		})
	}
}

// An event is rendered by itself, without memory of those before it.
func TestRun_RendersEachEventAlone(t *testing.T) {
	for _, c := range captures(t) {
		if !c.protocol.JSON() {
			continue
		}
		whole := follow(c.protocol)
		whole.write(agent.Stdout, c.stdout, 4096)
		whole.run.Close()
		var log, screen strings.Builder
		for line := range bytes.Lines(c.stdout) {
			alone := follow(c.protocol)
			alone.write(agent.Stdout, line, len(line))
			alone.run.Close()
			log.WriteString(alone.log.String())
			screen.WriteString(alone.screen.String())
		}
		if whole.log.String() != log.String() || whole.screen.String() != screen.String() {
			t.Errorf("%s: %s", c.name, cmp.Diff(whole.log.String(), log.String()))
		}
	}
}

type rendering struct{ name, event, log string }

// renders checks what each event becomes in the log. Lines are joined by a bar.
func renders(t *testing.T, p agent.Protocol, tests []rendering) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(strings.Join(logged(p, tt.event+"\n", 1<<16), "|"), tt.log)
		})
	}
}

// Row 86.
func TestRun_RendersCodex(t *testing.T) {
	item := func(fields string) string { return `{"type":"item.completed","item":{` + fields + `}}` }
	renders(t, agent.CodexJSON, []rendering{
		{"thread.started", `{"type":"thread.started","thread_id":"t-1"}`, "[session] t-1"},
		{"turn.started", `{"type":"turn.started"}`, ""},
		{"item.started of a message", `{"type":"item.started","item":{"type":"agent_message","text":"x"}}`, ""},
		{"item.started of a change", `{"type":"item.started","item":{"type":"file_change","changes":[{"path":"a","kind":"add"}]}}`, ""},
		{"item.updated", `{"type":"item.updated","item":{"type":"todo_list"}}`, ""},
		{"command begins", `{"type":"item.started","item":{"type":"command_execution","command":"ls"}}`, "[tool] $ ls"},
		{"command of several lines", `{"type":"item.started","item":{"type":"command_execution","command":"cat <<E\nx\n\nE\n"}}`, "[tool] $ cat <<E|[tool]   x|[tool]   |[tool]   E"},
		{"command without text", `{"type":"item.started","item":{"type":"command_execution"}}`, "[tool] $ "},
		{"command ends", item(`"type":"command_execution","aggregated_output":"a\n\nb\n","exit_code":0`), "[out] a|[out] |[out] b|[tool] exit 0"},
		{"command fails", item(`"type":"command_execution","aggregated_output":"","exit_code":101,"status":"failed"`), "[tool] exit 101"},
		{"command without a code", item(`"type":"command_execution","aggregated_output":"a","exit_code":null,"status":"declined"`), "[out] a|[tool] declined"},
		{"command with a wrong code", item(`"type":"command_execution","exit_code":"0","status":"failed"`), "[tool] failed"},
		{"command with neither", item(`"type":"command_execution"`), ""},
		{"changes", item(`"type":"file_change","changes":[{"path":"/home/dev/proj/a/b.go","kind":"update"},{"path":"/etc/x","kind":"add"}],"status":"completed"`), "[edit] update a/b.go|[edit] add /etc/x"},
		{"a change that failed", item(`"type":"file_change","changes":[{"path":"a.go","kind":"delete"}],"status":"failed"`), "[edit] delete a.go (failed)"},
		{"message", item(`"type":"agent_message","text":"one\r\n\r\ntwo\n"`), "[agent] one|[agent] |[agent] two"},
		{"message without text", item(`"type":"agent_message","text":""`), ""},
		{"message of a line end", item(`"type":"agent_message","text":"\n"`), ""},
		{"message of two line ends", item(`"type":"agent_message","text":"\n\n"`), "[agent] |[agent] "},
		{"reasoning", item(`"type":"reasoning","text":"hm"`), "[think] hm"},
		{"error item", item(`"type":"error","message":"falling back"`), "[note] falling back"},
		{"other item, text first", item(`"type":"x","title":"5","command":"4","query":"3","message":"2","text":"1"`), "[note] x: 1"},
		{"other item, message", item(`"type":"x","title":"5","command":"4","query":"3","message":"2","text":""`), "[note] x: 2"},
		{"other item, query", item(`"type":"web_search","title":"5","command":"4","query":"3"`), "[note] web_search: 3"},
		{"other item, command", item(`"type":"x","title":"5","command":"4"`), "[note] x: 4"},
		{"other item, title", item(`"type":"x","title":"5\n6"`), "[note] x: 5|[note] 6"},
		{"other item, nothing", item(`"type":"mcp_tool_call","text":7`), "[note] mcp_tool_call"},
		{"item without a type", item(`"id":"item_1"`), "[note] item without a type"},
		{"retry", `{"type":"error","message":"Reconnecting... 2/5 (cut)"}`, "[retry] 2/5 (cut)"},
		{"error", `{"type":"error","message":"Quota exceeded."}`, "[api] Quota exceeded."},
		{"completed", `{"type":"turn.completed","usage":{"input_tokens":24,"output_tokens":8}}`, "[result] ok, tokens in 24 out 8"},
		{"completed without usage", `{"type":"turn.completed","usage":null}`, "[result] ok, tokens in 0 out 0"},
		{"failed", `{"type":"turn.failed","error":{"message":"a\nb"}}`, "[error] a|[error] b|[result] failed"},
		{"failed without a reason", `{"type":"turn.failed","error":"x"}`, "[result] failed"},
		{"unknown event", `{"type":"turn.paused"}`, "[note] turn.paused"},
		{"event without a type", `{"item":{}}`, "[note] event without a type"},
		{"event with a wrong type", `{"type":7}`, "[note] event without a type"},
		{"broken event", `{"type":"turn.failed"`, `[stdout] {"type":"turn.failed"`},
		{"two events in a line", `{"type":"turn.started"}{}`, `[stdout] {"type":"turn.started"}{}`},
		{"no object", `["turn.started"]`, `[stdout] ["turn.started"]`},
		{"empty line", ``, "[stdout] "},
		{"the last of two keys counts", `{"type":"turn.failed","type":"turn.started"}`, ""},
		{"invalid bytes", "{\"type\":\"thread.started\",\"thread_id\":\"a\xffb\"}", "[session] a\ufffdb"},
		{"a lone surrogate", `{"type":"thread.started","thread_id":"a\ud83db"}`, "[session] a\ufffdb"},
		{"an event that is quoted", item(`"type":"agent_message","text":"{\"type\":\"turn.completed\"}"`), `[agent] {"type":"turn.completed"}`},
	})
}

// Row 86.
func TestRun_RendersClaude(t *testing.T) {
	says := func(block string) string { return `{"type":"assistant","message":{"content":[` + block + `]}}` }
	sub := func(block string) string {
		return `{"type":"assistant","parent_tool_use_id":"toolu_1","message":{"content":[` + block + `]}}`
	}
	user := func(block string) string { return `{"type":"user","message":{"content":[` + block + `]}}` }
	tool := func(name, input string) string {
		return says(`{"type":"tool_use","name":"` + name + `","input":` + input + `}`)
	}
	long := strings.Repeat("x", 600)
	renders(t, agent.ClaudeJSON, []rendering{
		{"init", `{"type":"system","subtype":"init","session_id":"c-1","model":"opus"}`, "[session] c-1 opus"},
		{"init without a model", `{"type":"system","subtype":"init","session_id":"c-1"}`, "[session] c-1"},
		{"retry", `{"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"retry_delay_ms":1076.4,"error_status":429,"error":"rate_limit"}`, "[retry] 2/10 in 1.1 s: 429 rate_limit"},
		{"retry without a status", `{"type":"system","subtype":"api_retry","attempt":1,"max_retries":5,"retry_delay_ms":35000,"error_status":null,"error":"unknown"}`, "[retry] 1/5 in 35.0 s: unknown"},
		{"permission denied", `{"type":"system","subtype":"permission_denied","tool_name":"Bash","message":"needs approval\nmore"}`, "[note] permission denied: Bash: needs approval"},
		{"other system, content first", `{"type":"system","subtype":"x","status":"5","summary":"4","description":"3","message":"2","content":"1"}`, "[note] x: 1"},
		{"other system, message", `{"type":"system","subtype":"x","status":"5","summary":"4","description":"3","message":"2","content":{}}`, "[note] x: 2"},
		{"other system, description", `{"type":"system","subtype":"task_started","status":"5","summary":"4","description":"3"}`, "[note] task_started: 3"},
		{"other system, summary", `{"type":"system","subtype":"x","status":"5","summary":"4\n5"}`, "[note] x: 4|[note] 5"},
		{"status", `{"type":"system","subtype":"status","status":"compacting"}`, "[note] status: compacting"},
		{"status without one", `{"type":"system","subtype":"status","status":null}`, ""},
		{"other system, nothing", `{"type":"system","subtype":"compact_boundary"}`, "[note] system/compact_boundary"},
		{"limit", `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1796041147,"rateLimitType":"five_hour"}}`, "[note] limit five_hour: rejected, resets 2026-11-30T12:19:07Z"},
		{"limit without details", `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}`, "[note] limit unknown: allowed"},
		{"limit with a wrong reset", `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":1e99}}`, "[note] limit unknown: allowed"},
		{"text", says(`{"type":"text","text":"one\ntwo\n"}`), "[agent] one|[agent] two"},
		{"text of a user message", user(`{"type":"text","text":"[Request interrupted by user]"}`), "[note] [Request interrupted by user]"},
		{"text that is the whole content", `{"type":"user","message":{"content":"go on"}}`, "[note] go on"},
		{"API error", `{"type":"assistant","is_api_error_message":true,"message":{"content":[{"type":"text","text":"a\n\nb"}]}}`, "[api] a|[api] |[api] b"},
		{"thinking", says(`{"type":"thinking","thinking":"hm"}`), "[think] hm"},
		{"blocks in order", says(`{"type":"text","text":"a"},{"type":"thinking","thinking":"b"},{"type":"text","text":"c"}`), "[agent] a|[think] b|[agent] c"},
		{"Bash", tool("Bash", `{"command":"cat <<E\nx\nE","description":"d"}`), "[tool] $ cat <<E|[tool]   x|[tool]   E"},
		{"Edit", tool("Edit", `{"file_path":"/home/dev/proj/a/b.go"}`), "[edit] edit a/b.go"},
		{"Write", tool("Write", `{"file_path":"/home/dev/project/b.go"}`), "[edit] write /home/dev/project/b.go"},
		{"MultiEdit", tool("MultiEdit", `{"file_path":"b.go"}`), "[edit] multiedit b.go"},
		{"NotebookEdit", tool("NotebookEdit", `{"notebook_path":"/home/dev/proj/b.ipynb"}`), "[edit] notebookedit b.ipynb"},
		{"other tool, file_path first", tool("Read", `{"prompt":"7","description":"6","url":"5","query":"4","pattern":"3","path":"2","file_path":"/home/dev/proj/1"}`), "[tool] Read 1"},
		{"other tool, path", tool("LS", `{"prompt":"7","description":"6","url":"5","query":"4","pattern":"3","path":"/home/dev/proj"}`), "[tool] LS ."},
		{"other tool, pattern", tool("Glob", `{"prompt":"7","description":"6","url":"5","query":"4","pattern":"/home/dev/proj/**/*.go"}`), "[tool] Glob **/*.go"},
		{"other tool, query", tool("WebSearch", `{"prompt":"7","description":"6","url":"5","query":"4"}`), "[tool] WebSearch 4"},
		{"other tool, url", tool("WebFetch", `{"prompt":"7","description":"6","url":"5"}`), "[tool] WebFetch 5"},
		{"other tool, description", tool("Task", `{"prompt":"7","description":"six\nmore"}`), "[tool] Task six"},
		{"other tool, prompt", tool("Task", `{"prompt":"7"}`), "[tool] Task 7"},
		{"other tool, its input as it came", tool("TodoWrite", `{ "todos": [ {"z":1.0, "a":"<é>"} ], "b":null }`), `[tool] TodoWrite {"todos":[{"z":1.0,"a":"<é>"}],"b":null}`},
		{"other tool, long input", tool("X", `{"a":"`+long+`"}`), `[tool] X {"a":"` + strings.Repeat("x", 493) + "…"},
		{"other tool, no input", says(`{"type":"tool_use","name":"X"}`), "[tool] X"},
		{"result", user(`{"type":"tool_result","content":"a\nb\n"}`), "[out] a|[out] b|[tool] ok"},
		{"result of blocks", user(`{"type":"tool_result","content":[{"type":"text","text":"a\nb"},{"type":"image"},{"type":"text","text":"c"}]}`), "[out] a|[out] b|[out] (image)|[out] c|[tool] ok"},
		{"result that is an error", user(`{"type":"tool_result","is_error":true,"content":"no"}`), "[out] no|[tool] error"},
		{"result without content", user(`{"type":"tool_result"}`), "[tool] ok"},
		{"other block", says(`{"type":"server_tool_use","name":"x"}`), "[note] server_tool_use"},
		{"sub-agent", sub(`{"type":"text","text":"a\nb"},{"type":"thinking","thinking":"c"},{"type":"tool_use","name":"Bash","input":{"command":"d\ne"}},{"type":"tool_use","name":"Edit","input":{"file_path":"f"}}`), "[agent] > a|[agent] > b|[think] > c|[tool] > $ d|[tool] >   e|[edit] > edit f"},
		{"sub-agent's tool", `{"type":"user","parent_tool_use_id":"toolu_1","message":{"content":[{"type":"tool_result","is_error":true,"content":"a"}]}}`, "[out] > a|[tool] > error"},
		{"sub-agent without text", sub(`{"type":"text","text":""}`), ""},
		{"good end", `{"type":"result","is_error":false,"num_turns":2,"result":"done","usage":{"input_tokens":24,"output_tokens":8}}`, "[result] ok, 2 turns, tokens in 24 out 8"},
		{"good end, nothing else told", `{"type":"result"}`, "[result] ok, 0 turns, tokens in 0 out 0"},
		{"bad end", `{"type":"result","is_error":true,"result":"a\nb","terminal_reason":"r","subtype":"s"}`, "[error] a|[error] b|[result] failed"},
		{"bad end, reason", `{"type":"result","is_error":true,"terminal_reason":"aborted_tools","subtype":"s"}`, "[error] aborted_tools|[result] failed"},
		{"bad end, subtype", `{"type":"result","is_error":true,"result":"","subtype":"error_during_execution"}`, "[error] error_during_execution|[result] failed"},
		{"end with denials", `{"type":"result","is_error":false,"num_turns":1,"permission_denials":[{"tool_name":"Bash"},{"tool_name":"Bash"}]}`, "[note] permission denied: 2 tool calls|[result] ok, 1 turns, tokens in 0 out 0"},
		{"other event", `{"type":"stream_event"}`, "[note] stream_event"},
		{"content of a wrong type", `{"type":"assistant","message":{"content":[7,"x",{"type":"text","text":"a"}]}}`, "[agent] a"},
		{"message of a wrong type", `{"type":"assistant","message":"x"}`, ""},
	})
}

func TestRun_ShowsPathsFromTheRoot(t *testing.T) {
	tests := []struct{ root, path, want string }{
		{"/home/dev/proj", "/home/dev/proj/a", "a"},
		{"/home/dev/proj/", "/home/dev/proj/a", "a"},
		{"/home/dev/proj", "/home/dev/proj", "."},
		{"/home/dev/proj", "/home/dev/proj/", "/home/dev/proj/"},
		{"/home/dev/proj", "/home/dev/project/a", "/home/dev/project/a"},
		{"/home/dev/proj", "a/b", "a/b"},
		{"/", "/a", "a"},
		{"", "/a", "/a"},
	}
	for _, tt := range tests {
		is := is.New(t)
		f := follow(agent.CodexJSON, func(s *agent.Setup) { s.Root = tt.root })
		event := `{"type":"item.completed","item":{"type":"file_change","changes":[{"path":"` + tt.path + `","kind":"add"}],"status":"completed"}}`
		f.write(agent.Stdout, []byte(event), len(event))
		f.run.Close()
		is.Equal(f.log.String(), "[edit] add "+tt.want+"\n")
	}
}

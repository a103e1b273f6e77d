package agent_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/agent"
)

// shown is what a person sees of an event. Lines are joined by a bar.
func shown(p agent.Protocol, event string) string {
	f := follow(p)
	f.write(agent.Stdout, []byte(event+"\n"), 1<<16)
	f.run.Close()
	return strings.ReplaceAll(strings.TrimSuffix(f.screen.String(), "\n"), "\n", "|")
}

func command(output string, code int) string {
	return `{"type":"item.completed","item":{"type":"command_execution","aggregated_output":"` + output + `","exit_code":` + strconv.Itoa(code) + `}}`
}

func TestRun_ShowsOnScreen(t *testing.T) {
	const codex, claude = agent.CodexJSON, agent.ClaudeJSON
	result := func(content string) string {
		return `{"type":"user","message":{"content":[{"type":"tool_result","content":"` + content + `"}]}}`
	}
	tests := []struct {
		name     string
		protocol agent.Protocol
		event    string
		want     string
	}{
		{"agent", codex, `{"type":"item.completed","item":{"type":"agent_message","text":"a\nb"}}`, "a|b"},
		{"tool", codex, `{"type":"item.started","item":{"type":"command_execution","command":"a\nb"}}`, "$ a|  b"},
		{"exit 0", codex, command("", 0), ""},
		{"exit 1", codex, command("", 1), "  exit 1"},
		{"status", codex, `{"type":"item.completed","item":{"type":"command_execution","status":"declined"}}`, "  declined"},
		{"ok", claude, result(""), ""},
		{"error", claude, `{"type":"user","message":{"content":[{"type":"tool_result","is_error":true}]}}`, "  error"},
		{"a tool that is called ok", claude, `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"ok"}]}}`, "ok"},
		{"five lines of output", codex, command(`1\n2\n3\n4\n5`, 0), "  1|  2|  3|  4|  5"},
		{"six lines of output", codex, command(`1\n2\n3\n4\n5\n6\n`, 2), "  … 1 more lines|  2|  3|  4|  5|  6|  exit 2"},
		{"empty lines of output", codex, command(`\n\n\n`, 0), "  |  |  "},
		{"of each result", claude, `{"type":"user","message":{"content":[{"type":"tool_result","content":"1\n2\n3\n4\n5\n6\n7"},{"type":"tool_result","content":"a"}]}}`, "  … 2 more lines|  3|  4|  5|  6|  7|  a"},
		{"a result of blocks is one", claude, `{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"1\n2\n3\n4"},{"type":"image"},{"type":"text","text":"6"}]}]}}`, "  … 1 more lines|  2|  3|  4|  (image)|  6"},
		{"edit", claude, `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Edit","input":{"file_path":"a"}}]}}`, "edit: edit a"},
		{"retry", codex, `{"type":"error","message":"Reconnecting... 1/5"}`, "retry: 1/5"},
		{"note", codex, `{"type":"x"}`, "note: x"},
		{"error and result", codex, `{"type":"turn.failed","error":{"message":"a\nb"}}`, "error: a|error: b|-- failed"},
		{"good result", codex, `{"type":"turn.completed"}`, "-- ok, tokens in 0 out 0"},
		{"stdout", codex, `oops`, "oops"},
		{"session", codex, `{"type":"thread.started","thread_id":"t"}`, ""},
		{"think", codex, `{"type":"item.completed","item":{"type":"reasoning","text":"hm"}}`, ""},
		{"api", codex, `{"type":"error","message":"x"}`, ""},
		{"sub-agent", claude, `{"type":"assistant","parent_tool_use_id":"t","message":{"content":[{"type":"text","text":"a"}]}}`, "> a"},
		{"colour", codex, `{"type":"item.completed","item":{"type":"agent_message","text":"a\u001b[31mb\u001b[0m\u0007\tc\u009b1md"}}`, "ab\tcd"},
		{"text turned around", codex, `{"type":"item.completed","item":{"type":"agent_message","text":"a\u202eb\u2066c\u2028d"}}`, "abcd"},
		{"joined characters stay", codex, `{"type":"item.completed","item":{"type":"agent_message","text":"` + family + `"}}`, family},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(shown(tt.protocol, tt.event), tt.want)
		})
	}
}

func TestRun_CutsWhatIsShown(t *testing.T) {
	message := func(text string) string {
		return `{"type":"item.completed","item":{"type":"agent_message","text":"` + text + `"}}`
	}
	tests := []struct{ name, event, want string }{
		{"just fits", message(strings.Repeat("é", 500)), strings.Repeat("é", 500)},
		{"one more", message(strings.Repeat("é", 501)), strings.Repeat("é", 499) + "…"},
		{"with what stands before it", `{"type":"` + strings.Repeat("x", 500) + `"}`, "note: " + strings.Repeat("x", 493) + "…"},
		{"a family at the cut", message(strings.Repeat("x", 498) + family), strings.Repeat("x", 498) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(shown(agent.CodexJSON, tt.event), tt.want)
		})
	}
}

func TestRun_LogIsNotCut(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("x", 5000)
	is.Equal(logged(agent.CodexJSON, command(long, 0), 1<<16), []string{"[out] " + long, "[tool] exit 0"})
}

func TestRun_ShowsTheErrorStreamOfAJSONClient(t *testing.T) {
	is := is.New(t)
	f := follow(agent.CodexJSON)
	const said = "Reading additional input from stdin...\n\x1b[31mwarning\x1b[0m: x\n"
	f.write(agent.Stderr, []byte(said), 5)
	f.run.Close()
	is.Equal(f.errors.String(), "warning: x\n")
	is.Equal(f.screen.String(), "")
	is.Equal(f.log.String(), "[stderr] Reading additional input from stdin...\n[stderr] \x1b[31mwarning\x1b[0m: x\n")
}

func TestRun_ShowsNothingThatATerminalObeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := follow(rapid.SampledFrom([]agent.Protocol{agent.CodexJSON, agent.ClaudeJSON}).Draw(t, "protocol"))
		f.write(agent.Stdout, chunks().Draw(t, "stdout"), 7)
		f.run.Close()
		for line := range strings.SplitSeq(f.screen.String(), "\n") {
			if utf8.RuneCountInString(line) > 500 || strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && unicode.IsControl(r) }) {
				t.Fatalf("%q", line)
			}
		}
	})
}

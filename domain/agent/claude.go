package agent

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// claude runs with every hook off: those of this project's plugin would take
// the run for a session of a person.
func claude() Client {
	return Client{
		name: "claude",
		argv: func(t Turn) []string {
			mode := "default"
			if t.Writes {
				mode = "acceptEdits"
			}
			argv := []string{
				"--permission-mode", mode, "--output-format", "stream-json", "--verbose",
				"--settings", `{"disableAllHooks":true}`,
			}
			if t.Conversation != "" {
				argv = append(argv, "--resume", t.Conversation)
			}
			return append(argv, "-p")
		},
		prompt: func(prompt string) string {
			// The client runs a prompt with a slash first as a command of its own.
			if strings.HasPrefix(prompt, "/") {
				return " " + prompt
			}
			return prompt
		},
		stop: port.Terminate,
		read: readClaude,
	}
}

func readClaude(r *Report, e map[string]any) {
	switch jsondoc.Text(e, "type") {
	case "system":
		readClaudeSystem(r, e)
	case "assistant":
		readClaudeMessage(r, e)
	case "user":
		for _, b := range objects(child(e, "message"), "content") {
			if failed, _ := b["is_error"].(bool); failed && jsondoc.Text(b, "type") == "tool_result" {
				r.say("  ", "error", "")
			}
		}
	case "result":
		readClaudeResult(r, e)
	}
}

func readClaudeSystem(r *Report, e map[string]any) {
	switch jsondoc.Text(e, "subtype") {
	case "init":
		r.Conversation, r.Began = jsondoc.Text(e, "session_id"), true
	case "compact_boundary":
		r.Compacted = true
		r.say("", "the conversation was compacted", "note: ")
	case "api_retry":
		r.say("", fmt.Sprintf("%s/%s %s", number(e, "attempt"), number(e, "max_retries"), jsondoc.Text(e, "error")), "retry: ")
	case "permission_denied":
		r.say("", fmt.Sprintf("permission denied: %s: %s", jsondoc.Text(e, "tool_name"), text.FirstLine(jsondoc.Text(e, "message"))), "note: ")
	}
}

func readClaudeMessage(r *Report, e map[string]any) {
	if failed, _ := e["is_api_error_message"].(bool); failed {
		return // the result tells it
	}
	indent := ""
	if jsondoc.Text(e, "parent_tool_use_id") != "" {
		indent = "> "
	}
	for _, b := range objects(child(e, "message"), "content") {
		switch jsondoc.Text(b, "type") {
		case "text":
			r.say(indent, jsondoc.Text(b, "text"), "")
		case "tool_use":
			readClaudeTool(r, indent, jsondoc.Text(b, "name"), child(b, "input"))
		}
	}
}

func readClaudeTool(r *Report, indent, name string, input map[string]any) {
	switch name {
	case "Bash":
		r.say(indent, jsondoc.Text(input, "command"), "$ ")
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		r.say(indent, strings.ToLower(name)+" "+cmp.Or(jsondoc.Text(input, "file_path"), jsondoc.Text(input, "notebook_path")), "edit: ")
	default:
		about := ""
		for _, key := range []string{"file_path", "path", "pattern", "query", "url", "description", "prompt"} {
			about = cmp.Or(about, jsondoc.Text(input, key))
		}
		r.say(indent, strings.TrimSpace(name+" "+text.FirstLine(about)), "")
	}
}

// readClaudeResult reads the terminal event: is_error alone tells success from
// failure.
func readClaudeResult(r *Report, e map[string]any) {
	if denied := objects(e, "permission_denials"); len(denied) > 0 {
		r.say("", fmt.Sprintf("permission denied: %d tool calls", len(denied)), "note: ")
	}
	failed, told := e["is_error"].(bool)
	// What a hook blocked ends well too, without a turn.
	asked := number(e, "num_turns") != "0"
	if told && !failed && !asked {
		*r.verdict = Verdict{Failure: "the prompt was kept from the model"}
		r.say("", r.verdict.Failure, "error: ")
		return
	}
	if told && !failed {
		*r.verdict = Verdict{Answered: true, Message: jsondoc.Text(e, "result")}
		r.say("", fmt.Sprintf("ok, %s turns", number(e, "num_turns")), "-- ")
		return
	}
	*r.verdict = Verdict{Failure: cmp.Or(jsondoc.Text(e, "result"), jsondoc.Text(e, "terminal_reason"), jsondoc.Text(e, "subtype"), "no reason given")}
	r.say("", r.verdict.Failure, "error: ")
}

package agent

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"

	"github.com/changeover/changeover/domain/port"
)

func codex() Client {
	return Client{
		name: "codex",
		argv: func(t Turn) []string {
			sandbox := "read-only"
			if t.Writes {
				sandbox = "workspace-write"
			}
			argv := []string{"exec", "--sandbox", sandbox, "--json"}
			if t.Conversation != "" {
				argv = append(argv, "resume", t.Conversation)
			}
			return append(argv, "-")
		},
		prompt: func(prompt string) string { return prompt },
		stop:   port.Interrupt,
		read:   readCodex,
	}
}

func readCodex(r *Report, e map[string]any) {
	switch jsondoc.Text(e, "type") {
	case "thread.started":
		r.Conversation = jsondoc.Text(e, "thread_id")
	case "turn.started":
		r.Began = true
		*r.verdict = Verdict{}
	case "item.started":
		if item := child(e, "item"); jsondoc.Text(item, "type") == "command_execution" {
			r.say("", jsondoc.Text(item, "command"), "$ ")
		}
	case "item.completed":
		readCodexItem(r, child(e, "item"))
	case "error":
		if retry, ok := strings.CutPrefix(jsondoc.Text(e, "message"), "Reconnecting... "); ok {
			r.say("", retry, "retry: ")
		}
	case "turn.completed":
		r.verdict.Answered = true
		usage := child(e, "usage")
		r.say("", fmt.Sprintf("ok, tokens in %s out %s", number(usage, "input_tokens"), number(usage, "output_tokens")), "-- ")
	case "turn.failed":
		*r.verdict = Verdict{Failure: cmp.Or(jsondoc.Text(child(e, "error"), "message"), "no reason given")}
		r.say("", r.verdict.Failure, "error: ")
	}
}

func readCodexItem(r *Report, item map[string]any) {
	switch jsondoc.Text(item, "type") {
	case "agent_message":
		r.verdict.Message = jsondoc.Text(item, "text")
		r.say("", jsondoc.Text(item, "text"), "")
	case "command_execution":
		if code := number(item, "exit_code"); code != "0" {
			r.say("  ", "exit "+code, "")
		}
	case "file_change":
		for _, change := range objects(item, "changes") {
			r.say("", jsondoc.Text(change, "kind")+" "+jsondoc.Text(change, "path"), "edit: ")
		}
	case "error":
		r.say("", jsondoc.Text(item, "message"), "note: ")
	case "reasoning":
	default:
		r.say("", jsondoc.Text(item, "type"), "note: ")
	}
}

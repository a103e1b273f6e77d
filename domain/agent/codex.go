package agent

import (
	"cmp"
	"fmt"
	"strings"

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
	switch str(e, "type") {
	case "thread.started":
		r.Conversation = str(e, "thread_id")
	case "turn.started":
		r.Began = true
		*r.verdict = Verdict{}
	case "item.started":
		if item := child(e, "item"); str(item, "type") == "command_execution" {
			r.say("", str(item, "command"), "$ ")
		}
	case "item.completed":
		readCodexItem(r, child(e, "item"))
	case "error":
		if retry, ok := strings.CutPrefix(str(e, "message"), "Reconnecting... "); ok {
			r.say("", retry, "retry: ")
		}
	case "turn.completed":
		r.verdict.Answered = true
		usage := child(e, "usage")
		r.say("", fmt.Sprintf("ok, tokens in %s out %s", number(usage, "input_tokens"), number(usage, "output_tokens")), "-- ")
	case "turn.failed":
		*r.verdict = Verdict{Failure: cmp.Or(str(child(e, "error"), "message"), "no reason given")}
		r.say("", r.verdict.Failure, "error: ")
	}
}

func readCodexItem(r *Report, item map[string]any) {
	switch str(item, "type") {
	case "agent_message":
		r.verdict.Message = str(item, "text")
		r.say("", str(item, "text"), "")
	case "command_execution":
		if code := number(item, "exit_code"); code != "0" {
			r.say("  ", "exit "+code, "")
		}
	case "file_change":
		for _, change := range objects(item, "changes") {
			r.say("", str(change, "kind")+" "+str(change, "path"), "edit: ")
		}
	case "error":
		r.say("", str(item, "message"), "note: ")
	case "reasoning":
	default:
		r.say("", str(item, "type"), "note: ")
	}
}

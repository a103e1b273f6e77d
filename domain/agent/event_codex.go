package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
)

// reconnecting is how codex begins a retry notice.
const reconnecting = "Reconnecting..."

// readCodex reads an event of codex exec --json.
func readCodex(d dialect, e *Event, o jsondoc.Object) {
	switch kind := textOf(o, "type"); kind {
	case "thread.started":
		e.conversation = textOf(o, "thread_id")
		e.say(TagSession, e.conversation)
	case "turn.started":
		e.began = true
	case "item.started":
		d.readCodexStart(e, child(o, "item"))
	case "item.completed":
		d.readCodexItem(e, child(o, "item"))
	case "error":
		readCodexError(e, textOf(o, "message"))
	case "turn.completed":
		e.end = &terminal{good: true, told: true}
		usage := child(o, "usage")
		e.say(TagResult, fmt.Sprintf("ok, tokens in %s out %s", number(usage, "input_tokens"), number(usage, "output_tokens")))
	case "turn.failed":
		e.end = &terminal{told: true, text: textOf(child(o, "error"), "message")}
		e.say(TagError, e.end.text)
		e.say(TagResult, "failed")
	default:
		if !strings.HasPrefix(kind, "item.") {
			e.say(TagNote, cmp.Or(kind, "event without a type"))
		}
	}
}

func readCodexError(e *Event, message string) {
	rest, retries := strings.CutPrefix(message, reconnecting)
	if !retries {
		e.say(TagAPI, message)
		return
	}
	rest = strings.TrimPrefix(rest, " ")
	e.retry = &retry{cause: rest}
	e.say(TagRetry, rest)
}

func (d dialect) readCodexStart(e *Event, item jsondoc.Object) {
	kind := textOf(item, "type")
	if !slices.Contains(codexProse(), kind) {
		e.opened = append(e.opened, call{id: textOf(item, "id")})
	}
	if kind == "command_execution" {
		e.command(textOf(item, "command"), "")
	}
}

// codexProse are the items that are no tool calls: some of them stay open until
// the turn ends.
func codexProse() []string {
	return []string{"agent_message", "reasoning", "error", "todo_list", "plan"}
}

func (d dialect) readCodexItem(e *Event, item jsondoc.Object) {
	e.closed = append(e.closed, call{id: textOf(item, "id")})
	switch kind := textOf(item, "type"); kind {
	case "command_execution":
		e.say(TagOut, textOf(item, "aggregated_output"))
		status := textOf(item, "status")
		if code, _ := item.Find("exit_code"); isNumber(code) {
			status = "exit " + number(item, "exit_code")
		}
		e.ended(status, status == "exit 0", "")
	case "file_change":
		for _, change := range objects(item, "changes") {
			edit := textOf(change, "kind") + " " + d.relative(textOf(change, "path"))
			if status := textOf(item, "status"); status != "completed" && status != "" {
				edit += " (" + status + ")"
			}
			e.say(TagEdit, edit)
		}
	case "agent_message":
		e.message = textOf(item, "text")
		e.say(TagAgent, e.message)
	case "reasoning":
		e.say(TagThink, textOf(item, "text"))
	case "error":
		e.say(TagNote, textOf(item, "message"))
	default:
		kind = cmp.Or(kind, "item without a type")
		if _, about := firstText(item, "text", "message", "query", "command", "title"); about != "" {
			kind += ": " + about
		}
		e.say(TagNote, kind)
	}
}

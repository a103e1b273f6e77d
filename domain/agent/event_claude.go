package agent

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/text"
)

// readClaude reads an event of claude --output-format stream-json, or the single
// object of json.
func readClaude(d dialect, e *Event, o jsondoc.Object) {
	switch kind := textOf(o, "type"); kind {
	case "system":
		readClaudeSystem(e, o)
	case "rate_limit_event":
		e.limit = readLimit(child(o, "rate_limit_info"))
		e.say(TagNote, e.limit.text)
	case "assistant", "user":
		d.readClaudeMessage(e, o, kind == "user")
	case "result":
		readClaudeResult(e, o)
	default:
		e.say(TagNote, cmp.Or(kind, "event without a type"))
	}
}

func readClaudeSystem(e *Event, o jsondoc.Object) {
	switch kind := textOf(o, "subtype"); kind {
	case "init":
		e.conversation, e.began = textOf(o, "session_id"), true
		e.say(TagSession, strings.TrimSpace(e.conversation+" "+textOf(o, "model")))
	case "api_retry":
		e.retry = &retry{status: int(float(o, "error_status")), err: textOf(o, "error")}
		cause := e.retry.err
		if e.retry.status != 0 {
			cause = number(o, "error_status") + " " + cause
		}
		wait := strconv.FormatFloat(float(o, "retry_delay_ms")/1000, 'f', 1, 64)
		e.say(TagRetry, fmt.Sprintf("%s/%s in %s s: %s", number(o, "attempt"), number(o, "max_retries"), wait, cause))
	case "permission_denied":
		e.denied = textOf(o, "tool_name")
		e.say(TagNote, fmt.Sprintf("permission denied: %s: %s", e.denied, text.FirstLine(textOf(o, "message"))))
	default:
		e.compacted = kind == "compact_boundary"
		_, about := firstText(o, "content", "message", "description", "summary", "status")
		switch {
		case about != "":
			e.say(TagNote, kind+": "+about)
		case kind != "status":
			e.say(TagNote, "system/"+kind)
		}
	}
}

func readLimit(info jsondoc.Object) *limitNotice {
	l := &limitNotice{status: textOf(info, "status"), kind: textOf(info, "rateLimitType"), resets: instant(info, "resetsAt")}
	l.text = fmt.Sprintf("limit %s: %s", cmp.Or(l.kind, "unknown"), l.status)
	if !l.resets.IsZero() {
		l.text += ", resets " + l.resets.Format(time.RFC3339)
	}
	return l
}

func (d dialect) readClaudeMessage(e *Event, o jsondoc.Object, user bool) {
	m := message{d: d, e: e, user: user, parent: textOf(o, "parent_tool_use_id"), failed: truth(o, "is_api_error_message")}
	if m.parent != "" {
		m.from = "> "
	}
	content := child(o, "message")
	m.turn = textOf(content, "id")
	main := m.parent == "" && !user
	if m.failed && main {
		params := child(o, "api_error_params")
		e.fault = &fault{err: textOf(o, "error"), cut: textOf(params, "cut"), apiErrorType: textOf(o, "api_error_type")}
		if info := child(params, "rate_limit_info"); info != nil {
			e.fault.limit = readLimit(info)
		}
	}
	e.proceeds = main && !m.failed
	e.turn = m.turn
	if said := textOf(content, "content"); said != "" {
		m.say(m.tag(), said)
	}
	for _, block := range objects(content, "content") {
		m.block(block)
	}
}

// readClaudeResult reads the terminal event: is_error alone tells success from
// failure.
func readClaudeResult(e *Event, o jsondoc.Object) {
	value, _ := o.Find("is_error")
	failed, told := value.(bool)
	usage := child(o, "usage")
	_, why := firstText(o, "result", "terminal_reason", "subtype")
	e.end = &terminal{
		good: !failed, told: told, text: why,
		reason: textOf(o, "terminal_reason"), apiError: textOf(o, "api_error"), apiErrorType: textOf(o, "api_error_type"),
		status: int(float(o, "api_error_status")), outputTokens: float(usage, "output_tokens"), turns: number(o, "num_turns"),
	}
	e.conversation = textOf(o, "session_id")
	for _, denial := range objects(o, "permission_denials") {
		e.end.denied = append(e.end.denied, textOf(denial, "tool_name"))
	}
	if n := len(e.end.denied); n > 0 {
		e.say(TagNote, fmt.Sprintf("permission denied: %d tool calls", n))
	}
	if failed {
		e.say(TagError, why)
		e.say(TagResult, "failed")
		return
	}
	e.end.text = textOf(o, "result")
	e.say(TagResult, fmt.Sprintf("ok, %s turns, tokens in %s out %s",
		e.end.turns, number(usage, "input_tokens"), number(usage, "output_tokens")))
}

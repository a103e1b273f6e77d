package scripted

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// claude speaks as `claude -p --output-format stream-json --verbose`.
type claude struct {
	*agent
	calls, turns int
	denials      []object
}

func (c *claude) session() string { return fmt.Sprintf("00000000-0000-4000-9000-%012d", c.n) }

func (c *claude) message(event object) {
	event["session_id"] = c.session()
	c.print(event)
}

func (c *claude) assistant(block object) {
	c.message(object{"type": "assistant", "parent_tool_use_id": nil, "message": object{
		"type": "message", "role": "assistant", "model": "claude-scripted", "content": []object{block},
	}})
}

func (c *claude) begin() {
	cwd, _ := os.Getwd()
	c.message(object{
		"type": "system", "subtype": "init", "cwd": cwd, "model": "claude-scripted", "permissionMode": "acceptEdits",
	})
}

func (c *claude) say(text string) {
	c.turns++
	c.assistant(object{"type": "text", "text": text})
}

func (c *claude) think(text string) { c.assistant(object{"type": "thinking", "thinking": text}) }

func (c *claude) use(name string, input object) (id string) {
	c.calls++
	c.turns++
	id = fmt.Sprintf("toolu_%d", c.calls)
	c.assistant(object{"type": "tool_use", "id": id, "name": name, "input": input})
	return id
}

func (c *claude) result(id, content string, failed bool) {
	c.message(object{"type": "user", "parent_tool_use_id": nil, "message": object{"role": "user", "content": []object{{
		"type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed,
	}}}})
}

func (c *claude) open(command string) { c.use("Bash", object{"command": command}) }

func (c *claude) tool(command, output string, code int) {
	c.result(c.use("Bash", object{"command": command}), output, code != 0)
}

func (c *claude) edit(path string) {
	c.result(c.use("Write", object{"file_path": path}), "The file "+filepath.Base(path)+" has been updated.", false)
}

func (c *claude) retry(text string) {
	c.message(object{
		"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 5, "retry_delay_ms": 500,
		"error_status": 529, "error": text,
	})
}

// own does the steps that this client alone knows.
func (c *claude) own(step, argument string) bool {
	switch step {
	case "warn":
		c.limit("allowed_warning", argument, time.Time{})
	case "rejected":
		kind, text, _ := strings.Cut(argument, " ")
		reset, err := instant(text)
		if err != nil {
			return false
		}
		c.limit("rejected", kind, reset)
	case "denied":
		c.message(object{"type": "system", "subtype": "permission_denied", "tool_name": argument, "message": "not allowed in this mode"})
		c.denials = append(c.denials, object{"tool_name": argument})
	default:
		return false
	}
	return true
}

func (c *claude) limit(status, kind string, reset time.Time) {
	info := object{"status": status, "rateLimitType": kind}
	if !reset.IsZero() {
		info["resetsAt"] = reset.Unix()
	}
	c.message(object{"type": "rate_limit_event", "rate_limit_info": info})
}

func (c *claude) verdict(more object) {
	event := object{
		"type": "result", "subtype": "success", "is_error": false, "num_turns": c.turns, "result": "", "permission_denials": c.denials,
		"usage": object{"input_tokens": 2400, "output_tokens": 80}, "api_error_status": nil,
	}
	for key, value := range more {
		event[key] = value
	}
	c.message(event)
}

func (c *claude) end() { c.verdict(object{"result": "done"}) }

// apiError says a text as the client words an error of the service.
func (c *claude) apiError(text, kind string, more, verdict object) int {
	event := object{
		"type": "assistant", "parent_tool_use_id": nil, "is_api_error_message": true, "error": kind,
		"message": object{"role": "assistant", "model": "<synthetic>", "content": []object{{"type": "text", "text": text}}},
	}
	for key, value := range more {
		event[key] = value
	}
	c.message(event)
	verdict["is_error"], verdict["result"] = true, text
	verdict["usage"] = object{"input_tokens": 2400, "output_tokens": 0}
	c.verdict(verdict)
	return 1
}

func (c *claude) fail(text string) int {
	return c.apiError("API Error: "+text, "invalid_request", nil, object{"api_error_status": 400})
}

func (c *claude) wall(kind string, reset time.Time) int {
	switch kind {
	case "usage", "weekly":
		window, name := "five_hour", "5-hour"
		if kind == "weekly" {
			window, name = "seven_day", "weekly"
		}
		text := "You've hit your " + name + " limit"
		info := object{"status": "rejected", "rateLimitType": window}
		if !reset.IsZero() {
			text += " · resets " + reset.UTC().Format("3:04pm") + " (UTC)"
			info["resetsAt"] = reset.Unix()
		}
		c.limit("rejected", window, reset)
		return c.apiError(text, "rate_limit", object{"api_error_params": object{"rate_limit_info": info}},
			object{"api_error_status": 429, "api_error": "usage_limit_reached"})
	case "credits":
		return c.apiError("Credit balance is too low", "billing_error", nil, object{"api_error_status": 400})
	case "rate":
		return c.apiError("API Error: Request rejected (429) · slow down", "rate_limit", nil, object{"api_error_status": 429})
	case "context":
		return c.apiError("Prompt is too long", "invalid_request", nil,
			object{"api_error_status": 400, "terminal_reason": "prompt_too_long"})
	case "overloaded":
		return c.apiError("API Error: Repeated 529 Overloaded errors.", "server_error", nil, object{"api_error_status": 529})
	case "network":
		return c.apiError("API Error: Connection refused (ECONNREFUSED)", "server_error", nil, object{"api_error": "connection_failed"})
	case "auth":
		return c.apiError("Invalid API key · Please run /login", "authentication_failed", nil, object{"api_error_status": 401})
	}
	return 64
}

// interrupted is what the client says before it ends well.
func (c *claude) interrupted() int {
	c.verdict(object{"subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming"})
	_ = c.out.Flush()
	return 0
}

package scripted

import (
	"encoding/json"
	"fmt"
	"time"
)

// object is one JSON object.
type object = map[string]any

// print writes an event.
func (a *agent) print(event object) {
	line, err := json.Marshal(event)
	if err != nil {
		panic(err) // a bug: events are made of plain values
	}
	_, _ = a.out.Write(append(line, '\n')) // a reader that is gone shows at the flush
}

// codex speaks as `codex exec --json`.
type codex struct {
	*agent
	items int
}

func (c *codex) item(kind string, more object) object {
	item := object{"id": fmt.Sprintf("item_%d", c.items), "type": kind}
	for key, value := range more {
		item[key] = value
	}
	return item
}

func (c *codex) completed(kind string, more object) {
	c.print(object{"type": "item.completed", "item": c.item(kind, more)})
	c.items++
}

func (c *codex) begin() {
	c.print(object{"type": "thread.started", "thread_id": fmt.Sprintf("00000000-0000-4000-8000-%012d", c.n)})
	c.print(object{"type": "turn.started"})
}

func (c *codex) say(text string)   { c.completed("agent_message", object{"text": text}) }
func (c *codex) think(text string) { c.completed("reasoning", object{"text": text}) }

func (c *codex) open(command string) {
	c.print(object{"type": "item.started", "item": c.item("command_execution", object{
		"command": command, "aggregated_output": "", "exit_code": nil, "status": "in_progress",
	})})
}

func (c *codex) tool(command, output string, code int) {
	c.open(command)
	status := "completed"
	if code != 0 {
		status = "failed"
	}
	c.completed("command_execution", object{
		"command": command, "aggregated_output": output, "exit_code": code, "status": status,
	})
}

func (c *codex) edit(path string) {
	changes := []object{{"path": path, "kind": "update"}}
	c.print(object{"type": "item.started", "item": c.item("file_change", object{"changes": changes, "status": "in_progress"})})
	c.completed("file_change", object{"changes": changes, "status": "completed"})
}

func (c *codex) retry(text string) {
	c.print(object{"type": "error", "message": "Reconnecting... " + text})
}

func (c *codex) end() {
	c.print(object{"type": "turn.completed", "usage": object{
		"input_tokens": 1200, "cached_input_tokens": 0, "output_tokens": 80, "reasoning_output_tokens": 0,
	}})
}

func (c *codex) fail(text string) int {
	c.print(object{"type": "error", "message": text})
	c.print(object{"type": "turn.failed", "error": object{"message": text}})
	return 1
}

func (c *codex) wall(kind string, reset time.Time) int {
	at := "Try again later."
	if !reset.IsZero() {
		at = "or try again at " + reset.Local().Format("3:04 PM") + "."
	}
	return c.fail(map[string]string{
		"usage":      "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), " + at,
		"credits":    "Your workspace is out of credits. Ask your workspace owner to add credits.",
		"rate":       "exceeded retry limit, last status: 429 Too Many Requests",
		"context":    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
		"overloaded": "Selected model is at capacity. Please try a different model.",
		"network":    "stream disconnected before completion: stream closed before response.completed",
		"auth":       "unexpected status 401 Unauthorized: Incorrect API key provided",
	}[kind])
}

func (c *codex) interrupted() int { return 1 }

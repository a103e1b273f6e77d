package modelserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// responsesPath is where the responses dialect is spoken.
const responsesPath = "/v1/responses"

// response answers one request of the responses dialect, always as a stream.
func (s *Server) response(w http.ResponseWriter, r *http.Request, request Request) {
	answer := s.respond(request)
	if !s.wait(r, answer.Hold) || answer.refused(w) {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Connection", "close")
	for _, e := range responseEvents(fmt.Sprintf("resp_%06d", s.nextAnswer()), answer) {
		if err := writeEvent(w, e); err != nil {
			return
		}
	}
	s.ended(w, answer)
}

func responseEvents(id string, answer Answer) []event {
	response := func(status string) object {
		return object{"id": id, "object": "response", "status": status}
	}
	events := []event{{"response.created", object{"response": response("in_progress")}}}
	for i, b := range answer.Blocks {
		item := outputItem(fmt.Sprintf("%s_%d", id, i), b)
		events = append(events, event{"response.output_item.added", object{"output_index": i, "item": item}})
		if b.tool == "" {
			events = append(events, event{
				"response.output_text.delta",
				object{"item_id": item["id"], "output_index": i, "content_index": 0, "delta": b.text},
			})
		}
		events = append(events, event{"response.output_item.done", object{"output_index": i, "item": item}})
	}
	done := response("completed")
	done["output"] = []object{}
	done["usage"] = object{
		"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
		"input_tokens_details":  object{"cached_tokens": 0},
		"output_tokens_details": object{"reasoning_tokens": 0},
	}
	events = append(events, event{"response.completed", object{"response": done}})
	for _, e := range events {
		e.data["type"] = e.name
	}
	return events
}

func outputItem(id string, b AnswerBlock) object {
	if b.patch != "" {
		return object{
			"type": "custom_tool_call", "id": id, "call_id": b.id, "status": "completed", "name": b.tool, "input": b.patch,
		}
	}
	if b.tool != "" {
		return object{
			"type": "function_call", "id": id, "call_id": b.id, "status": "completed",
			"name": b.tool, "arguments": string(b.input),
		}
	}
	return object{
		"type": "message", "id": id, "role": "assistant", "status": "completed",
		"content": []object{{"type": "output_text", "text": b.text, "annotations": []object{}}},
	}
}

type wireResponses struct {
	Model        string          `json:"model"`
	Stream       bool            `json:"stream"`
	Instructions string          `json:"instructions"`
	Tools        []wireTool      `json:"tools"`
	Input        json.RawMessage `json:"input"`
}

type wireItem struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	CallID  string          `json:"call_id"`
	Content json.RawMessage `json:"content"`
	Output  json.RawMessage `json:"output"`
	Tools   []wireTool      `json:"tools"`
}

// parseResponses reads a request of the responses dialect.
func parseResponses(path string, raw []byte, at time.Time) (Request, error) {
	var wire wireResponses
	if err := json.Unmarshal(raw, &wire); err != nil {
		return Request{}, fmt.Errorf("parse the request's body: %w", err)
	}
	var items []wireItem
	if err := json.Unmarshal(wire.Input, &items); err != nil {
		return Request{}, fmt.Errorf("parse the input: %w", err)
	}
	request := Request{At: at, Path: path, Body: raw, fields: fields{
		model: wire.Model, stream: wire.Stream, system: wire.Instructions,
	}}
	tools := wire.Tools
	for i, item := range items {
		tools = append(tools, item.Tools...)
		message, err := parseItem(item)
		if err != nil {
			return Request{}, fmt.Errorf("parse item %d: %w", i, err)
		}
		request.fields.messages = append(request.fields.messages, message)
	}
	for _, tool := range tools {
		request.fields.tools = append(request.fields.tools, tool.Name)
	}
	return request, nil
}

func parseItem(item wireItem) (Message, error) {
	switch item.Type {
	case "function_call_output", "custom_tool_call_output":
		blocks, err := parseBlocks(item.Output)
		return Message{Role: "user", Blocks: []Block{{
			Kind: "tool_result", Text: Message{Blocks: blocks}.Text(), ToolUseID: item.CallID,
		}}}, err
	case "message":
		blocks, err := parseBlocks(item.Content)
		return Message{Role: item.Role, Blocks: blocks}, err
	case "additional_tools":
		return Message{Role: "system"}, nil
	}
	return Message{Role: "assistant"}, nil // a call, or its reasoning
}

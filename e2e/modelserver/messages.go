package modelserver

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// message answers one request of the messages dialect, streamed if asked.
func (s *Server) message(w http.ResponseWriter, r *http.Request, request Request) {
	answer := Say(Text("Untitled"))
	if !request.Own() {
		answer = s.respond(request)
	}
	if !s.wait(r, answer.Hold) || answer.refused(w) {
		return
	}
	id := fmt.Sprintf("msg_%06d", s.nextAnswer())
	if !request.fields.stream {
		writeJSON(w, wholeMessage(id, request, answer))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range streamEvents(id, request, answer) {
		if e.name == "message_delta" && answer.HoldEnd != nil {
			_ = http.NewResponseController(w).Flush() // a client that went away is the client's business
			if !s.wait(r, answer.HoldEnd) {
				return
			}
		}
		if err := writeEvent(w, e); err != nil {
			return
		}
	}
	s.ended(w, answer)
}

// ended sends what is left of an answer and tells when that was done.
func (s *Server) ended(w http.ResponseWriter, answer Answer) {
	if answer.Ended == nil {
		return
	}
	_ = http.NewResponseController(w).Flush() // a client that went away is the client's business
	answer.Ended(s.now())
}

func writeEvent(w http.ResponseWriter, e event) error {
	data, err := json.Marshal(e.data)
	if err != nil {
		panic(err) // only a scripted input that is no JSON gets here
	}
	_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.name, data)
	return err
}

// wait returns when the channel is closed, if there is one, or false when
// nobody waits for the answer any more.
func (s *Server) wait(r *http.Request, hold <-chan struct{}) bool {
	if hold == nil {
		return true
	}
	select {
	case <-hold:
		return true
	case <-r.Context().Done():
	case <-s.done:
	}
	return false
}

type object = map[string]any

type event struct {
	name string
	data object
}

func streamEvents(id string, request Request, answer Answer) []event {
	start := wholeMessage(id, request, Answer{})
	start["stop_reason"] = nil
	events := []event{{"message_start", object{"type": "message_start", "message": start}}}
	for i, b := range answer.Blocks {
		first, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": b.text}
		if b.tool != "" {
			first = object{"type": "tool_use", "id": b.id, "name": b.tool, "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(b.input)}
		}
		events = append(events,
			event{"content_block_start", object{"type": "content_block_start", "index": i, "content_block": first}},
			event{"content_block_delta", object{"type": "content_block_delta", "index": i, "delta": delta}},
			event{"content_block_stop", object{"type": "content_block_stop", "index": i}},
		)
	}
	return append(events,
		event{"message_delta", object{
			"type":  "message_delta",
			"delta": object{"stop_reason": answer.stopReason(), "stop_sequence": nil},
			"usage": object{"output_tokens": 1},
		}},
		event{"message_stop", object{"type": "message_stop"}},
	)
}

func wholeMessage(id string, request Request, answer Answer) object {
	content := []object{}
	for _, b := range answer.Blocks {
		block := object{"type": "text", "text": b.text}
		if b.tool != "" {
			block = object{"type": "tool_use", "id": b.id, "name": b.tool, "input": b.input}
		}
		content = append(content, block)
	}
	return object{
		"id":            id,
		"type":          "message",
		"role":          "assistant",
		"model":         request.Model(),
		"content":       content,
		"stop_reason":   answer.stopReason(),
		"stop_sequence": nil,
		"usage":         object{"input_tokens": 1, "output_tokens": 1},
	}
}

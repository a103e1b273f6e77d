package modelserver

import (
	"encoding/json"
	"net/http"
	"time"
)

// Answer is what the model says to one request. The zero Answer says nothing.
type Answer struct {
	// Blocks are said in this order.
	Blocks []AnswerBlock
	// Hold, if set, keeps the answer back until the channel is closed.
	Hold <-chan struct{}
	// HoldEnd, if set, keeps the end of a streamed answer back until the channel
	// is closed: all blocks have been said by then.
	HoldEnd <-chan struct{}
	// Ended, if set, is called with the time at which the last byte of a streamed
	// answer was handed to the system.
	Ended func(at time.Time)
	// Refusal, if set, is what the service answers in place of the model.
	Refusal *Refusal
}

// Refusal is an answer of the service that is no answer of the model's.
type Refusal struct {
	Status int
	Header map[string]string
	// Body becomes JSON.
	Body any
}

// Refuse answers with a status and a body.
func Refuse(status int, body any, header map[string]string) Answer {
	return Answer{Refusal: &Refusal{Status: status, Header: header, Body: body}}
}

// refused sends the service's own answer, where there is one.
func (a Answer) refused(w http.ResponseWriter) bool {
	if a.Refusal == nil {
		return false
	}
	for name, value := range a.Refusal.Header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.Refusal.Status)
	_ = json.NewEncoder(w).Encode(a.Refusal.Body) // a client that went away is the client's business
	return true
}

// AnswerBlock is a piece of an answer: prose or the call of a tool.
type AnswerBlock struct {
	text  string
	id    string
	tool  string
	input json.RawMessage
	// patch is the input of a tool that takes a text and no object.
	patch string
}

// Say answers with blocks.
func Say(blocks ...AnswerBlock) Answer { return Answer{Blocks: blocks} }

// Text is a block of prose.
func Text(text string) AnswerBlock { return AnswerBlock{text: text} }

// ToolUse is a block that calls a tool; the client sends the result back under
// id. Input is one JSON object.
func ToolUse(id, tool string, input json.RawMessage) AnswerBlock {
	return AnswerBlock{id: id, tool: tool, input: input}
}

// PatchUse is a block that calls a tool with a text, as the responses dialect has
// for patches.
func PatchUse(id, tool, input string) AnswerBlock {
	return AnswerBlock{id: id, tool: tool, patch: input}
}

func (a Answer) stopReason() string {
	for _, b := range a.Blocks {
		if b.tool != "" {
			return "tool_use"
		}
	}
	return "end_turn"
}

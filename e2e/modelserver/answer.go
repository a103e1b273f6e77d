package modelserver

import "encoding/json"

// Answer is what the model says to one request. The zero Answer says nothing.
type Answer struct {
	// Blocks are said in this order.
	Blocks []AnswerBlock
	// Hold, if set, keeps the answer back until the channel is closed.
	Hold <-chan struct{}
	// HoldEnd, if set, keeps the end of a streamed answer back until the channel
	// is closed: all blocks have been said by then.
	HoldEnd <-chan struct{}
}

// AnswerBlock is a piece of an answer: prose or the call of a tool.
type AnswerBlock struct {
	text  string
	id    string
	tool  string
	input json.RawMessage
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

func (a Answer) stopReason() string {
	for _, b := range a.Blocks {
		if b.tool != "" {
			return "tool_use"
		}
	}
	return "end_turn"
}

package modelserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Request is one request of a client as it came in.
type Request struct {
	// At is the time at which the whole body had been read.
	At time.Time
	// Path is the path of the request's URL.
	Path string
	// Body is the body as it was sent.
	Body json.RawMessage

	fields fields
}

// Message is one entry of a conversation.
type Message struct {
	Role   string
	Blocks []Block
}

// Block is one piece of a message. Text holds what the model reads of it, be
// it prose or the result of a tool; ToolUseID is set on a tool's result.
type Block struct {
	Kind      string
	Text      string
	ToolUseID string
}

type fields struct {
	model    string
	system   string
	stream   bool
	tools    []string
	messages []Message
}

// Model names the model that was asked.
func (r Request) Model() string { return r.fields.model }

// Tools names the tools on offer.
func (r Request) Tools() []string { return append([]string(nil), r.fields.tools...) }

// System is the text of the system prompt.
func (r Request) System() string { return r.fields.system }

// Messages is the conversation, oldest first.
func (r Request) Messages() []Message { return append([]Message(nil), r.fields.messages...) }

// Own reports whether the client asked for a purpose of its own, such as a
// title or a count of tokens: such a request offers no tools.
func (r Request) Own() bool {
	return len(r.fields.tools) == 0 || strings.HasSuffix(r.Path, "/count_tokens")
}

// Text is everything that the model reads: system prompt, then messages.
func (r Request) Text() string {
	parts := []string{r.fields.system}
	for _, m := range r.fields.messages {
		parts = append(parts, m.Text())
	}
	return strings.Join(parts, "\n")
}

// LastTurn is what was said since the assistant's last message.
func (r Request) LastTurn() []Message {
	from := 0
	for i, m := range r.fields.messages {
		if m.Role == "assistant" {
			from = i + 1
		}
	}
	return append([]Message(nil), r.fields.messages[from:]...)
}

// LastText is the text of LastTurn.
func (r Request) LastText() string {
	var parts []string
	for _, m := range r.LastTurn() {
		parts = append(parts, m.Text())
	}
	return strings.Join(parts, "\n")
}

// ToolResult returns the text that the tool call of that id gave, and whether
// the request holds it.
func (r Request) ToolResult(id string) (string, bool) {
	for _, m := range r.fields.messages {
		for _, b := range m.Blocks {
			if b.Kind == "tool_result" && b.ToolUseID == id {
				return b.Text, true
			}
		}
	}
	return "", false
}

// Text is the text of all blocks of the message.
func (m Message) Text() string {
	parts := make([]string, 0, len(m.Blocks))
	for _, b := range m.Blocks {
		parts = append(parts, b.Text)
	}
	return strings.Join(parts, "\n")
}

type wireRequest struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	System   json.RawMessage `json:"system"`
	Tools    []wireTool      `json:"tools"`
	Messages []wireMessage   `json:"messages"`
}

type wireTool struct {
	Name string `json:"name"`
}

type wireMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type wireBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
}

func parseRequest(path string, raw []byte, at time.Time) (Request, error) {
	var wire wireRequest
	if err := json.Unmarshal(raw, &wire); err != nil {
		return Request{}, fmt.Errorf("parse the request's body: %w", err)
	}
	system, err := parseBlocks(wire.System)
	if err != nil {
		return Request{}, fmt.Errorf("parse the system prompt: %w", err)
	}
	request := Request{At: at, Path: path, Body: raw, fields: fields{
		model:  wire.Model,
		stream: wire.Stream,
		system: Message{Blocks: system}.Text(),
	}}
	for _, tool := range wire.Tools {
		request.fields.tools = append(request.fields.tools, tool.Name)
	}
	for i, m := range wire.Messages {
		blocks, err := parseBlocks(m.Content)
		if err != nil {
			return Request{}, fmt.Errorf("parse message %d: %w", i, err)
		}
		request.fields.messages = append(request.fields.messages, Message{Role: m.Role, Blocks: blocks})
	}
	return request, nil
}

// parseBlocks reads content in either of its forms, a string or a list.
func parseBlocks(raw json.RawMessage) ([]Block, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []Block{{Kind: "text", Text: text}}, nil
	}
	var list []wireBlock
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	blocks := make([]Block, 0, len(list))
	for _, b := range list {
		block := Block{Kind: b.Type, Text: b.Text, ToolUseID: b.ToolUseID}
		if b.Type == "tool_result" {
			inner, err := parseBlocks(b.Content)
			if err != nil {
				return nil, fmt.Errorf("parse the result of %s: %w", b.ToolUseID, err)
			}
			block.Text = Message{Blocks: inner}.Text()
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

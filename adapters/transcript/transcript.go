// Package transcript reads what Claude Code writes down of a conversation. The
// file lags behind the conversation: whoever reads it looks more than once.
package transcript

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/changeover/changeover/domain/jsondoc"
)

// tailLimit bounds how much of the end of a file is read, in bytes.
const tailLimit = 4 << 20

// Answer returns the final message of the turn that a prompt began, the last one of
// the conversation. ok is false as long as the file does not hold it whole: never
// another turn's.
func Answer(path, prompt string) (message string, ok bool, err error) {
	tail, err := from(path, prompt)
	if err != nil {
		return "", false, err
	}
	var a answer
	for line := range bytes.SplitSeq(tail, []byte("\n")) {
		a.read(rowOf(line), prompt)
	}
	return a.message(), a.ended, nil
}

// Ending is what a turn ended with.
type Ending struct{ Prompt, Message string }

// Endings returns what the turns ended with, from the one on that a prompt began, as
// far as the file holds them whole.
func Endings(path, prompt string) ([]Ending, error) {
	tail, err := from(path, prompt)
	if err != nil {
		return nil, err
	}
	var all []Ending
	var a answer
	turn := ""
	end := func() {
		if a.ended {
			all = append(all, Ending{turn, a.message()})
		}
	}
	for line := range bytes.SplitSeq(tail, []byte("\n")) {
		if turn == "" && !mayPrompt(line) {
			continue // of a turn before
		}
		row := rowOf(line)
		if next := prompted(row); next != "" && next != turn {
			end()
			turn, a = next, answer{}
		}
		if turn != "" {
			a.read(row, turn)
		}
	}
	end()
	return all, nil
}

// from returns the end of a file from the row on that first names a prompt: what
// comes before it need not be taken apart. It is empty where none does.
func from(path, prompt string) ([]byte, error) {
	if prompt == "" || !filepath.IsAbs(path) {
		return nil, nil
	}
	tail, err := readTail(path)
	if err != nil {
		return nil, err
	}
	at := bytes.Index(tail, []byte(prompt))
	if at < 0 {
		return nil, nil
	}
	return tail[bytes.LastIndexByte(tail[:at], '\n')+1:], nil
}

// rowOf reads a row of the conversation; nil where a line is no whole row, or a
// subagent's.
func rowOf(line []byte) map[string]any {
	value, err := jsondoc.Decode(line)
	row, _ := value.(map[string]any)
	if err != nil || row["isSidechain"] == true {
		return nil
	}
	return row
}

// prompted returns the id of the prompt that a row belongs to; empty where it tells
// none.
func prompted(row map[string]any) string {
	if row["type"] != "user" {
		return ""
	}
	return jsondoc.Text(row, "promptId")
}

// Turn returns the id of the last prompt that a program put into the conversation,
// by waking it or through a mod, and that a func takes for its own.
func Turn(path string, isOwn func(id, prompt string) bool) (id string, ok bool, err error) {
	if !filepath.IsAbs(path) {
		return "", false, nil
	}
	tail, err := readTail(path)
	if err != nil {
		return "", false, err
	}
	for line := range bytes.SplitSeq(tail, []byte("\n")) {
		if !mayPrompt(line) {
			continue
		}
		if prompt, by := program(rowOf(line)); by != "" && isOwn(by, prompt) {
			id, ok = by, true
		}
	}
	return id, ok, nil
}

// mayPrompt reports a line that is worth taking apart for the id of its prompt,
// whose key JSON lets anybody write with escapes.
func mayPrompt(line []byte) bool {
	return bytes.Contains(line, []byte(`"promptId"`)) || bytes.Contains(line, []byte(`\u`))
}

// program reads a row that holds a prompt of a program's, and returns it with its
// id; none for every other row.
func program(row map[string]any) (prompt, id string) {
	origin, _ := row["origin"].(map[string]any)
	if kind := jsondoc.Text(origin, "kind"); kind != "task-notification" && kind != "plugin" {
		return "", ""
	}
	message, _ := row["message"].(map[string]any)
	return jsondoc.Text(message, "content"), prompted(row)
}

func readTail(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New(path + " is no regular file")
	}
	return io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-tailLimit), tailLimit))
}

// answer is the final message of a turn as far as it has been read.
type answer struct {
	inTurn bool
	id     string
	texts  []string
	ended  bool
}

func (a answer) message() string { return strings.Join(a.texts, "\n\n") }

// read takes in one row.
func (a *answer) read(row map[string]any, prompt string) {
	message, _ := row["message"].(map[string]any)
	switch row["type"] {
	case "user":
		id, _ := row["promptId"].(string)
		*a = answer{inTurn: id == prompt || id == "" && a.inTurn}
	case "assistant":
		if a.inTurn {
			a.add(message)
		}
	}
}

// add takes in one row of a message, which has a row for each of its blocks.
func (a *answer) add(message map[string]any) {
	if id, _ := message["id"].(string); id != a.id {
		*a = answer{inTurn: true, id: id}
	}
	blocks, _ := message["content"].([]any)
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		if text, ok := block["text"].(string); ok && block["type"] == "text" {
			a.texts = append(a.texts, text)
		}
	}
	reason, _ := message["stop_reason"].(string)
	// The client makes up a message for an error, and for a turn that died; after a
	// refusal a turn has no end either.
	a.ended = reason != "" && reason != "tool_use" && reason != "refusal" && message["model"] != "<synthetic>"
}

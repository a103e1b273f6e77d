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

// Answer returns the final message of the turn that a prompt began. ok is false
// as long as the file does not hold it whole: never another turn's.
func Answer(path, prompt string) (message string, ok bool, err error) {
	if prompt == "" || !filepath.IsAbs(path) {
		return "", false, nil
	}
	tail, err := readTail(path)
	if err != nil {
		return "", false, err
	}
	var a answer
	for line := range bytes.SplitSeq(tail, []byte("\n")) {
		a.read(line, prompt)
	}
	return strings.Join(a.texts, "\n\n"), a.ended, nil
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

// read takes in one row. What is no whole row is passed over.
func (a *answer) read(line []byte, prompt string) {
	value, err := jsondoc.Decode(line)
	row, ok := value.(map[string]any)
	if err != nil || !ok || row["isSidechain"] == true {
		return
	}
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
	a.ended = reason != "" && reason != "tool_use"
}

package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/changeover/changeover/e2e/modelserver"
)

// save keeps what a client that has the label saw, if the test has failed.
func (h Home) save(t testing.TB, label string, files map[string][]byte) {
	if !t.Failed() {
		return
	}
	if err := h.Keep(label, files); err != nil {
		t.Error(err)
		return
	}
	t.Logf("%s: what it saw is in %s", label, h.artifacts)
}

// Keep writes what a client that has the label saw to the artifacts.
func (h Home) Keep(label string, files map[string][]byte) error {
	if err := os.MkdirAll(h.artifacts, 0o755); err != nil {
		return fmt.Errorf("save artifacts: %w", err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(h.artifacts, label+"-"+name), content, 0o600); err != nil {
			return fmt.Errorf("save artifacts: %w", err)
		}
	}
	return nil
}

// RequestLines is one line of JSON a request.
func RequestLines(requests []modelserver.Request) []byte {
	var lines bytes.Buffer
	for _, r := range requests {
		line, err := json.Marshal(struct {
			At   string          `json:"at"`
			Path string          `json:"path"`
			Body json.RawMessage `json:"body"`
		}{r.At.Format("15:04:05.000"), r.Path, r.Body})
		if err != nil {
			line = []byte(err.Error())
		}
		lines.Write(append(line, '\n'))
	}
	return lines.Bytes()
}

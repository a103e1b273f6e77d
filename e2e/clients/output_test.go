//go:build clients

package clients_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/changeover/changeover/e2e/modelserver"
)

// output collects what programs print that run at the same time.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// keep saves what a failed test saw, and returns the directory that it is in.
func keep(t *testing.T, checkout string, server *modelserver.Server, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(checkout, "e2e", "artifacts", t.Name())
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		t.Error(err)
		return dir
	}
	var requests bytes.Buffer
	for _, r := range server.Requests() {
		fmt.Fprintf(&requests, "%s %s\n", r.Path, r.Body)
	}
	files["requests.txt"] = requests.String()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Error(err)
		}
	}
	t.Logf("what it saw is in %s", dir)
	return dir
}

// Package fresh keeps go test from answering with an earlier result where the programs
// under test come from other modules, which it cannot know.
package fresh

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Stamp names the file that a package writes for this: go test keeps no result of a
// test that has read a file written in the last two seconds of the run.
type Stamp string

// Run runs the tests, and writes the stamp before and, since they take longer than
// that, after them. It returns the exit code.
func (s Stamp) Run(m interface{ Run() int }) int {
	if err := s.write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := s.write(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// Read is what a test calls that runs such programs.
func (s Stamp) Read(t *testing.T) {
	t.Helper()
	if _, err := os.ReadFile(string(s)); err != nil {
		t.Fatal(err)
	}
}

func (s Stamp) write() error {
	if err := os.MkdirAll(filepath.Dir(string(s)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(string(s), []byte(time.Now().Format(time.RFC3339Nano)+"\n"), 0o600)
}

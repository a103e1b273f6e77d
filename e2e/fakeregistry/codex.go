package fakeregistry

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// ThreadLock is the lock file of a thread in a home of Codex.
func ThreadLock(home, thread string) string {
	return filepath.Join(home, "thread-writer-locks", thread+".lock")
}

// HoldLock locks a file as Codex locks that of a live thread: until this process
// ends.
func HoldLock(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the directory of locks: %w", err)
	}
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	return syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
}

// WriteRollout begins the rollout of a thread, as Codex does at its first prompt, and
// returns where.
func WriteRollout(home, thread, cwd string, at time.Time) (string, error) {
	line, err := json.Marshal(map[string]any{
		"timestamp": at.UTC().Format(time.RFC3339Nano), "ordinal": 0, "type": "session_meta",
		"payload": map[string]any{
			"session_id": thread, "id": thread, "cwd": cwd, "originator": "codex_exec", "cli_version": "0.171.0",
			"source": "exec", "thread_source": "user", "base_instructions": map[string]any{"text": "You are careful."},
		},
	})
	if err != nil {
		return "", err
	}
	at = at.Local()
	path := filepath.Join(home, "sessions", at.Format("2006"), at.Format("01"), at.Format("02"),
		fmt.Sprintf("rollout-%s-%s.jsonl", at.Format("2006-01-02T15-04-05"), thread))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("make the directory of rollouts: %w", err)
	}
	return path, os.WriteFile(path, append(line, '\n'), 0o644)
}

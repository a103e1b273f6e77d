package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// midsession returns the prompt of a session that has been shown everything, in a
// root that holds many handoffs for others.
func (w *world) midsession() (hookCase, error) {
	r, err := w.root("root-midsession")
	if err != nil {
		return hookCase{}, err
	}
	payload, err := json.Marshal(map[string]string{
		"session_id": "the-session", "cwd": filepath.Join(r.path, "site"), "hook_event_name": "UserPromptSubmit",
		"prompt": "please look at the tests again", "prompt_id": "p-1",
	})
	if err != nil {
		return hookCase{}, err
	}
	prompt := hookCase{"user-prompt-submit", filepath.Join(w.dir, "midsession.json")}
	if err := os.WriteFile(prompt.input, payload, 0o644); err != nil {
		return hookCase{}, fmt.Errorf("write an input: %w", err)
	}
	for range 500 {
		if err := r.postTo("crane", w.now, false); err != nil {
			return hookCase{}, err
		}
	}
	if err := r.closed(500, w.now); err != nil {
		return hookCase{}, err
	}
	_, err = timed(w.hookd, []string{"session-start"}, w.env, r.input)
	// Nothing has changed for a while when the measured prompts come.
	longAgo := time.Now().Add(-time.Hour)
	for _, dir := range []string{"handoffs", "sessions"} {
		err = errors.Join(err, os.Chtimes(filepath.Join(r.path, ".claude", "exchange", dir), longAgo, longAgo))
	}
	if err != nil {
		return hookCase{}, fmt.Errorf("prepare a session in %s: %w", r.path, err)
	}
	_, err = timed(w.hookd, []string{prompt.event}, w.env, prompt.input)
	return prompt, err
}

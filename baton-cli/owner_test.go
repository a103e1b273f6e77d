package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// The session directory and what lies in it are the person's own.
func TestSession_IsTheOwnersAlone(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("quota")
	is.Equal(s.call("run", "t").code, 4)
	s.must("handoff", "--to", "claude", "--no-run")
	s.must("plan", "t", "--no-run")
	s.write("plan.md", goodPlan)
	s.call("execute", "--from", "plan.md")
	s.must("receipt", "done", "1")
	is.NoErr(os.WriteFile(s.at(".ai-session/commands.log"), []byte(strings.Repeat("[stdout] a line of the log\n", 4000)), 0o600))
	s.must("compress-context")
	var kinds []string
	is.NoErr(filepath.WalkDir(s.at(".ai-session"), func(path string, d os.DirEntry, err error) error {
		is.NoErr(err)
		info, err := d.Info()
		is.NoErr(err)
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		kinds = append(kinds, d.Name())
		return nil
	}))
	all := strings.Join(kinds, " ")
	for _, made := range []string{".lock", ".receipts.lock", "runs.jsonl", "handoff.2", "plan.2", "commands.log.full.2", "loss.2"} {
		is.True(strings.Contains(all, made)) // was looked at
	}
}

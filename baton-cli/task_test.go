package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// A session without a task has none: task.md says how to give one.
func TestTask_NobodyHasGiven(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	is.Equal(s.session()["task"], "")
	is.Equal(s.must("status").lines()["task"], "(none)")
	var doc map[string]any
	s.document(&doc, "status", "--json")
	is.Equal(doc["task"], nil)
	heading, rest, _ := strings.Cut(s.read(".ai-session/task.md"), "\n")
	is.True(strings.HasPrefix(heading, "# "))                 // a heading
	is.Equal(strings.Count(strings.TrimSpace(rest), "\n"), 0) // and a line for what is to come

	s.must("handoff", "--to", "claude", "--no-run")
	is.True(strings.Contains(s.read(".ai-session/handoff.md"), "\n## Goal\n\n(no goal recorded)\n"))
	s.write(".ai-session/task.md", strings.ReplaceAll(s.read(".ai-session/task.md"), "\n", "\r\n"))
	s.must("handoff", "--to", "claude", "--no-run")
	is.True(strings.Contains(s.read(".ai-session/handoff.md"), "\n## Goal\n\n(no goal recorded)\n"))
	s.write(".ai-session/task.md", "# Task\n\n(map the coast)\n")
	s.must("handoff", "--to", "claude", "--no-run")
	is.True(strings.Contains(s.read(".ai-session/handoff.md"), "\n## Goal\n\n(map the coast)\n"))
}

// The task is kept as it was given, but for a line end behind it.
func TestTask_IsKept(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("ok")
	s.must("run", "two\nlines \x1b[1m")
	is.Equal(s.read(".ai-session/task.md"), "two\nlines \x1b[1m\n")
	is.Equal(s.session()["task"], "two\nlines \x1b[1m")
	s.must("run", "another\n")
	is.Equal(s.read(".ai-session/task.md"), "another\n")
	s.must("plan", "a third", "--no-run")
	is.Equal(s.read(".ai-session/task.md"), "a third\n")
	is.Equal(s.session()["task"], "a third")
}

func TestInit_NeedsNoHintWhereGitTracksTheSession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	git(t, s.dir, "add", "-f", ".ai-session")
	git(t, s.dir, "commit", "-q", "-m", "kept")
	is.Equal(s.must("init").notice, "")
	is.Equal(s.must("init", "--gitignore").out, "The session already exists; nothing was created.\n")
	is.True(!s.has(".gitignore"))
}

// A session that git tracks is no change of the repository all the same.
func TestSession_IsNoChangeThoughGitTracksIt(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	s.write("a.txt", "a\n")
	s.write(".ai-session/plan.md", goodPlan)
	git(t, s.dir, "add", "-f", ".")
	git(t, s.dir, "commit", "-q", "-m", "kept")
	s.fakeAgent("ok")
	git(t, s.dir, "add", "relay-baton.config.json")
	git(t, s.dir, "commit", "-q", "-m", "more")
	s.must("execute")
	s.must("handoff", "--to", "codex", "--no-run")
	is.Equal(s.read(".ai-session/changed-files.md"), "# Changed Files\n\n(none)\n")
	is.Equal(s.read(".ai-session/full-diff.patch"), "")
	is.True(!strings.Contains(s.read(".ai-session/repo-map.md"), "ai-session"))
	handoff := s.read(".ai-session/handoff.md")
	is.True(strings.Contains(handoff, "\n## Changed Files\n\n(none)\n"))
	is.True(strings.Contains(handoff, "\n## Important Diff\n\nFull diff: .ai-session/full-diff.patch\n\n(no diff)\n"))
	is.Equal(s.must("status").lines()["git"], "main, 0 changed")
	var review struct{ Files []any }
	s.document(&review, "review", "--json")
	is.Equal(len(review.Files), 0)
	s.write("b.txt", "b\n")
	s.must("compact")
	is.Equal(s.read(".ai-session/changed-files.md"), "# Changed Files\n\n- b.txt\n")
}

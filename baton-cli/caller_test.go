package main

import (
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Paths of the command line are those of the caller's directory, those that are
// printed and kept are those of the repository.
func TestCaller_PathsOfTheCommandLine(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("touch")
	s.write("docs/sub/mine.md", goodPlan)
	s.write("docs/sub/long.md", "a\na\n")
	t.Chdir(s.at("docs/sub"))
	is.True(strings.HasPrefix(s.must("plan", "--check", "--from", "mine.md").out, "the plan passes: "))
	is.Equal(s.call("plan", "--check", "--from", "docs/sub/mine.md").code, 3)
	s.must("execute", "--from", "mine.md")
	is.Equal(s.read(".ai-session/plan.md"), goodPlan)
	s.must("execute", "--from", "../../.ai-session/plan.md") // the session's own by another spelling
	is.Equal(len(s.backups()), 0)
	is.Equal(s.must("compress", "long.md").out, "a\n")
	s.must("compress", "long.md", "--out", "short.md")
	is.Equal(s.read("docs/sub/short.md"), "a\n")
	s.must("project", "add", "..")
	is.True(strings.HasPrefix(s.must("status", "--path", "..").out, "task: "))
	is.Equal(s.call("status", "--path", "docs").code, 2)
	for name, content := range s.files() {
		if strings.HasPrefix(name, ".ai-session/") && name != ".ai-session/session.json" && name != ".ai-session/commands.log" &&
			name != ".ai-session/runs.jsonl" { // which name the repository, and how the agent was called
			is.True(!strings.Contains(content, s.dir)) // a path of this machine
		}
	}
	is.Equal(s.read(".ai-session/changed-files.md"),
		"# Changed Files\n\n- docs/sub/long.md\n- docs/sub/mine.md\n- relay-baton.config.json\n- touched.txt\n")
}

// A session in a directory above is not that of the repository in which the
// caller stands.
func TestCaller_TheInnermostRepositoryCounts(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	inner := s.at("inner")
	is.NoErr(os.Mkdir(inner, 0o755))
	git(t, inner, "init", "-q")
	t.Chdir(inner)
	is.True(strings.Contains(s.must("status").out, "There is no session here"))
	s.must("init")
	is.True(s.has("inner/.ai-session/session.json"))
}

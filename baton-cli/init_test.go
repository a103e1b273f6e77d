package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// Row 1.
func TestInit_MakesEveryArtifact(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	got := s.must("init")
	names := []string{
		"task.md", "state.md", "compact-state.md", "decisions.md", "errors.md", "changed-files.md", "repo-map.md", "commands.log",
		"test-results.md", "full-diff.patch", "context-budget.json", "git-baseline.json", "session.json",
	}
	var said []string
	for _, name := range names {
		said = append(said, "created .ai-session/"+name)
		is.True(s.has(".ai-session/" + name))
		info, err := os.Stat(s.at(".ai-session/" + name))
		is.NoErr(err)
		is.Equal(info.Mode().Perm(), os.FileMode(0o600)) // of each file
	}
	is.Equal(got.out, strings.Join(said, "\n")+"\n")
	info, err := os.Stat(s.at(".ai-session"))
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o700)) // of the directory
	for _, empty := range []string{"commands.log", "full-diff.patch"} {
		is.Equal(s.read(".ai-session/"+empty), "")
	}
	is.Equal(s.read(".ai-session/context-budget.json"), "{}\n")

	meta := s.session()
	is.Equal(meta["status"], "initialized")
	is.Equal(meta["primaryAgent"], "codex")
	is.Equal(meta["fallbackAgent"], "claude")
	for _, timing := range []string{"startedAt", "endedAt", "durationMs", "handoffCount", "workflowMode"} {
		_, there := meta[timing]
		is.True(!there) // timing fields
	}
}

// Row 2.
func TestInit_AgainChangesNothing(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	s.write(".ai-session/state.md", "mine\n")
	before := s.files()
	got := s.must("init")
	is.Equal(got.out, "The session already exists; nothing was created.\n")
	is.Equal(cmp.Diff(before, s.files()), "")
}

func TestInit_MakesWhatIsMissing(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	is.NoErr(os.Remove(s.at(".ai-session/errors.md")))
	is.Equal(s.must("init").out, "created .ai-session/errors.md\n")
}

func TestInit_SaysHowGitIgnoresTheSession(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	is.True(strings.Contains(s.must("init").notice, `add the line ".ai-session/" to .gitignore`))
	s.write(".gitignore", "bin/")
	got := s.must("init", "--gitignore")
	is.Equal(s.read(".gitignore"), "bin/\n.ai-session/\n")
	is.True(strings.Contains(got.out, "added to .gitignore: .ai-session/"))
	got = s.must("init", "--gitignore")
	is.Equal(s.read(".gitignore"), "bin/\n.ai-session/\n") // once
	is.Equal(got.notice, "")
}

func TestInit_GoesOnWithADamagedConfiguration(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("relay-baton.config.json", "{")
	got := s.must("init")
	is.True(strings.Contains(got.notice, "the defaults are used"))
	is.True(s.has(".ai-session/session.json"))
}

func TestInit_WorksAtTheTopOfTheRepository(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.write("src/deep/a.go", "package deep\n")
	t.Chdir(s.at("src/deep"))
	s.must("init")
	is.True(s.has(".ai-session/session.json"))
	is.True(!s.has("src/deep/.ai-session"))
	is.True(strings.HasPrefix(s.must("status").out, "task: "))
}

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton"
)

// noting makes a client that notes how it was started.
func (s *scene) noting(name, more string) {
	s.t.Helper()
	s.client(name, `echo "`+name+`:$*" >> "$HOME/log"; env | grep -E '^(OPENAI_API_KEY|CLAUDECODE|KEPT)=' >> "$HOME/log"; true`+"\n"+more+"\n")
}

func (s *scene) noted() string {
	data, _ := os.ReadFile(filepath.Join(s.home, "log"))
	return string(data)
}

func TestLogin_RunsTheVendorsLogin(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"login", "codex"}, "codex:login\nKEPT=1\n"},
		{[]string{"login", "claude"}, "claude:\nKEPT=1\n"},
		{[]string{"login", "all"}, "codex:login\nKEPT=1\nclaude:\nKEPT=1\n"},
		{[]string{"login"}, "codex:login\nKEPT=1\nclaude:\nKEPT=1\n"},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.noting("codex", "")
			s.noting("claude", "")
			t.Setenv("OPENAI_API_KEY", "secret")
			t.Setenv("CLAUDECODE", "1")
			t.Setenv("KEPT", "1")
			got := s.must(tt.args...)
			is.Equal(s.noted(), tt.want)
			is.Equal(strings.Contains(got.notice, "log in there"), strings.Contains(tt.want, "claude"))
			is.True(!s.has(".ai-session"))
		})
	}
}

func TestLogin_WorksOutsideOfARepository(t *testing.T) {
	is := is.New(t)
	s := newGround(t)
	s.noting("codex", "")
	s.must("login", "codex")
	is.Equal(s.noted(), "codex:login\n")
}

func TestLogin_AnUnknownAgent(t *testing.T) {
	is := is.New(t)
	got := newScene(t).call("login", "gemini")
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.notice, `"gemini"`))
}

func TestLogin_AMissingProgram(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.noting("claude", "")
	t.Setenv("PATH", filepath.Join(s.home, "bin")+":/bin:/usr/bin")
	got := s.call("login", "all")
	is.Equal(got.code, 1)
	is.True(strings.Contains(got.notice, `codex: the command "codex" was not found; install it and put it on PATH`))
	is.Equal(s.noted(), "claude:\n") // the other is logged in to all the same
}

func TestLogin_ALoginThatFails(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.noting("codex", "exit 7")
	got := s.call("login", "codex")
	is.Equal(got.code, 1)
	is.True(strings.Contains(got.notice, "exit code 7"))
}

func TestLogin_OfTheProgramThatIsConfigured(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.noting("my-codex", "")
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "my-codex"}}})
	s.must("login", "codex")
	is.Equal(s.noted(), "my-codex:login\n")
}

func TestLogin_ASignalEndsIt(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	begins := filepath.Join(s.home, "begins")
	is.NoErr(syscall.Mkfifo(begins, 0o600))
	s.noting("codex", "echo > "+begins+"; exec sleep 60")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		_, _ = os.ReadFile(begins) // until somebody writes there
		cancel(baton.SignalError{Number: int(syscall.SIGTERM)})
	}()
	begun := time.Now()
	code := run(baton.Signals{Stop: ctx, Hurry: ctx}, []string{"login", "codex"}, strings.NewReader(""), os.Stderr, os.Stderr)
	is.Equal(code, 143)
	is.True(time.Since(begun) < 20*time.Second)
}

package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

func TestTUI_PrintsOneFrameWhereNobodyLooks(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init", "--gitignore")
	s.write(".ai-session/commands.log", strings.Repeat("[out] many\n", 500)+"[agent] \x1b[31mlast\n")
	before := s.files()
	for _, args := range [][]string{{"tui", "--once"}, {"tui"}, {"tui", "--interval", "10s"}} {
		got := s.must(args...)
		is.Equal(got.notice, "")
		is.True(strings.Contains(got.out, "status  initialized"))
		is.True(strings.Contains(got.out, "[agent] last\n"))
		is.True(strings.Contains(got.out, "claude  ")) // it waited for the agents
		is.True(!strings.Contains(got.out, "\x1b"))
		is.True(strings.Count(got.out, "[out] many") < 10)
	}
	is.Equal(cmp.Diff(before, s.files()), "")
}

func TestTUI_WithoutGit(t *testing.T) {
	is := is.New(t)
	s := newGround(t)
	got := s.must("tui", "--once")
	is.True(strings.Contains(got.out, "not a git repository"))
	is.True(strings.Contains(got.out, "There is no session here"))
}

func TestTUI_UsageErrors(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for _, args := range [][]string{
		{"tui", "--interval", "soon"},
		{"tui", "--interval", "0"},
		{"tui", "--interval", "-2s"},
		{"tui", "--path", "nowhere"},
		{"tui", "--project", "unknown"},
		{"tui", "argument"},
		{"tui", "--twice"},
	} {
		got := s.call(args...)
		is.Equal(got.code, 2)
		is.Equal(got.out, "")
		is.True(got.notice != "")
	}
	is.True(!s.has(".ai-session"))
}

package agentproc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/agentproc"
	"github.com/changeover/changeover/domain/port"
)

// onTerminal puts files in the place of this process's own streams.
func onTerminal(t *testing.T, input string) (output func() string) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	is.New(t).NoErr(os.WriteFile(in, []byte(input), 0o600))
	stdin, err := os.Open(in)
	is.New(t).NoErr(err)
	stdout, err := os.Create(filepath.Join(dir, "out"))
	is.New(t).NoErr(err)
	ownIn, ownOut := os.Stdin, os.Stdout
	os.Stdin, os.Stdout = stdin, stdout
	t.Cleanup(func() {
		os.Stdin, os.Stdout = ownIn, ownOut
		_ = stdin.Close()
		_ = stdout.Close()
	})
	return func() string {
		data, err := os.ReadFile(stdout.Name())
		is.New(t).NoErr(err)
		return string(data)
	}
}

func TestForeground_HasTheStreamsOfThisProcess(t *testing.T) {
	is := is.New(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	bin := t.TempDir()
	script(t, filepath.Join(bin, "tool"), "#!/bin/sh\nread line\necho \"$1 $line $KEPT $(pwd)\"\nexit 7\n", 0o755)
	output := onTerminal(t, "typed\n")
	t.Setenv("OTHER", "not for it")
	code, err := agentproc.NewForeground()(t.Context(), []string{"tool", "arg"}, dir, []string{"PATH=" + bin + ":/bin:/usr/bin", "KEPT=1"})
	is.NoErr(err)
	is.Equal(code, 7)
	is.Equal(output(), "arg typed 1 "+dir+"\n")
}

func TestForeground_StaysInTheGroupOfThisProcess(t *testing.T) {
	is := is.New(t)
	output := onTerminal(t, "")
	_, err := agentproc.NewForeground()(t.Context(), []string{"sh", "-c", "ps -o pgid= -p $$ | tr -d ' '; ps -o pgid= -p $PPID | tr -d ' '"},
		t.TempDir(), []string{"PATH=" + os.Getenv("PATH")})
	is.NoErr(err)
	lines := output()
	is.True(len(lines) > 2)
	is.Equal(lines[:len(lines)/2], lines[len(lines)/2:])
}

func TestForeground_WhatDoesNotRun(t *testing.T) {
	is := is.New(t)
	run := agentproc.NewForeground()
	_, err := run(t.Context(), []string{"no-such-tool"}, t.TempDir(), []string{"PATH=/bin"})
	is.True(errors.Is(err, port.ErrNoExecutable))
	_, err = run(t.Context(), []string{"sh"}, filepath.Join(t.TempDir(), "missing"), []string{"PATH=/bin"})
	is.True(err != nil && !errors.Is(err, port.ErrNoExecutable))
	_, err = run(t.Context(), nil, t.TempDir(), nil)
	is.True(err != nil)
}

func TestForeground_IsAskedToEndWithTheContext(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	is.NoErr(syscall.Mkfifo(filepath.Join(dir, "there"), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(filepath.Join(dir, "there")) // until somebody writes there
		cancel()
	}()
	code, err := agentproc.NewForeground()(ctx, []string{"sh", "-c", "trap 'echo > asked; exit 3' TERM; echo > there; while :; do sleep 0.01; done"},
		dir, []string{"PATH=" + os.Getenv("PATH")})
	is.NoErr(err)
	is.Equal(code, 3)
	_, err = os.Stat(filepath.Join(dir, "asked"))
	is.NoErr(err)
}

func TestForeground_ADeathBySignal(t *testing.T) {
	is := is.New(t)
	code, err := agentproc.NewForeground()(t.Context(), []string{"sh", "-c", "kill -KILL $$"}, t.TempDir(), []string{"PATH=/bin:/usr/bin"})
	is.NoErr(err)
	is.Equal(code, 137)
}

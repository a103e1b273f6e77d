package terminal_test

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/e2e/clients/terminal"
)

func TestTerminal_ShowsWhatStandsOnTheScreen(t *testing.T) {
	is := is.New(t)
	ctx := deadline(t)
	shell := start(t, `printf 'first\033[2J\033[Hsecond – 世'; read line; printf 'got <%s>' "$line"; sleep 100`)
	is.NoErr(shell.WaitScreen(ctx, func(s string) bool { return strings.Contains(s, "second – 世") }))
	is.True(!strings.Contains(shell.Screen(), "first")) // cleared
	is.True(strings.Contains(string(shell.Raw()), "first"))
	is.NoErr(shell.Send("typed\r"))
	is.NoErr(shell.WaitScreen(ctx, func(s string) bool { return strings.Contains(s, "got <typed>") }))
}

func TestTerminal_TellsTheEnd(t *testing.T) {
	is := is.New(t)
	ctx := deadline(t)
	shell := start(t, `printf done`)
	is.NoErr(shell.WaitExit(ctx))
	is.True(shell.Exited())
	is.True(strings.Contains(shell.Screen(), "done"))
	err := shell.WaitScreen(ctx, func(string) bool { return false })
	is.True(errors.Is(err, terminal.ErrExited))
	is.NoErr(shell.Kill()) // of what has ended
}

func TestTerminal_KillEndsAProgramWhoseChildHoldsTheTerminal(t *testing.T) {
	is := is.New(t)
	shell := start(t, `trap '' HUP; sleep 100 & printf 'child %s.' $!; read line`)
	child := regexp.MustCompile(`child (\d+)\.`)
	is.NoErr(shell.WaitScreen(deadline(t), child.MatchString))
	pid, err := strconv.Atoi(child.FindStringSubmatch(shell.Screen())[1])
	is.NoErr(err)
	is.True(!shell.Exited())
	is.NoErr(shell.Kill())
	is.True(shell.Exited())
	is.NoErr(syscall.Kill(pid, syscall.SIGKILL)) // the child has outlived it
}

func TestTerminal_DrawsOutputHoweverItIsCut(t *testing.T) {
	is := is.New(t)
	ctx := deadline(t)
	shell := start(t, `stty -echo; printf 'go\r'; while read -r piece; do printf "$piece"; done`)
	is.NoErr(shell.WaitScreen(ctx, func(s string) bool { return strings.Contains(s, "go") }))
	// A question about the keyboard and a dash, each in pieces.
	for _, piece := range []string{`one \0337two`, `\033`, `[?`, `u three \342`, `\200`, `\223 four`} {
		before := len(shell.Raw())
		is.NoErr(shell.Send(piece + "\n"))
		is.NoErr(shell.WaitScreen(ctx, func(string) bool { return len(shell.Raw()) > before }))
	}
	is.NoErr(shell.WaitScreen(ctx, func(s string) bool { return strings.Contains(s, "one two three – four") }))
}

func start(t *testing.T, script string) *terminal.Terminal {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "TERM=xterm-256color"}
	shell, err := terminal.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shell.Kill(); err != nil {
			t.Error(err)
		}
	})
	return shell
}

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

package e2e_test

import (
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/matryer/is"
)

// onTerminal runs baton with a terminal for everything, and returns what that
// showed.
func (p batonPlace) onTerminal(env []string, args ...string) string {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(binDir(), "baton"), args...)
	cmd.Dir, cmd.Env = p.path("r"), p.env(env...)
	terminal, err := pty.Start(cmd)
	if err != nil {
		p.t.Fatal(err)
	}
	defer terminal.Close()
	shown, _ := io.ReadAll(terminal) // the end of a terminal is an error
	if err := cmd.Wait(); err != nil {
		p.t.Errorf("%v\n%s", err, shown)
	}
	return string(shown)
}

func TestBatonTerminal_Colour(t *testing.T) {
	p := newBatonPlace(t)
	p.write("agents/codex", "say I begin.\ntool ls => greet.py\nraw \x1b[31mred\nedit tide.txt half\n")
	t.Run("on a terminal", func(t *testing.T) {
		is := is.New(t)
		shown := p.onTerminal(nil, "run", "draw the table")
		is.True(strings.Contains(shown, "I begin.\r\n")) // prose is not coloured
		is.True(strings.Contains(shown, "\x1b[36m$ ls\x1b[0m\r\n"))
		is.True(strings.Contains(shown, "\x1b[32medit: update tide.txt\x1b[0m\r\n"))
		is.True(!strings.Contains(shown, "\x1b[31m")) // what the agent wanted
	})
	t.Run("with NO_COLOR", func(t *testing.T) {
		is := is.New(t)
		shown := p.onTerminal([]string{"NO_COLOR=1"}, "run", "draw the table")
		is.True(strings.Contains(shown, "$ ls\r\n"))
		is.True(!strings.Contains(shown, "\x1b"))
	})
}

func TestBatonTerminal_WaitIsOneLine(t *testing.T) {
	is := is.New(t)
	p := newBatonPlace(t)
	p.write("agents/claude.1", "wall usage +1\n")
	p.write("agents/claude", "say Done.\n")
	shown := p.onTerminal(nil, "run", "draw the table", "--primary", "claude", "--wait")
	_, waited, _ := strings.Cut(shown, "waiting for claude until ")
	is.True(strings.Count(shown, "\r\x1b[K[relay-baton] waiting for claude until ") >= 3)
	line, rest, _ := strings.Cut(waited, "\r\n")
	is.True(strings.Count(line, "waiting for claude until ") >= 2) // all in one line
	is.True(strings.Contains(line, " left)"))
	is.True(!strings.Contains(rest, "waiting for claude"))
	is.True(strings.Contains(rest, "claude goes on"))
}

func TestBatonTerminal_ShowsNoControlCharacters(t *testing.T) {
	is := is.New(t)
	p := newBatonPlace(t)
	p.write("r/.ai-session/handoff.md", "# Relay Baton Handoff\n\x1b]0;title\x07\x1b[31mred\r\n")
	shown := p.onTerminal(nil, "handoff", "show")
	is.True(!strings.ContainsAny(shown, "\x1b\x07"))
	is.True(strings.Contains(shown, "red\r\n"))
}

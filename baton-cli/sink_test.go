package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton"
)

// terminal is one end of a terminal that nobody looks at.
func terminal(t *testing.T) *os.File {
	t.Helper()
	file, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	t.Cleanup(func() { is.New(t).NoErr(file.Close()) })
	if !isTerminal(file) {
		t.Skip("this system does not take the near end of a terminal for one")
	}
	return file
}

func TestSink_ColoursOnlyOnATerminalWithoutNoColor(t *testing.T) {
	tty := terminal(t)
	var piped bytes.Buffer
	tests := []struct {
		name    string
		out     cobracli.Streams
		noColor string
		want    bool
	}{
		{"terminal", cobracli.Streams{Out: tty, Err: tty}, "", true},
		{"terminal behind the stream of the program", cobracli.Streams{Out: &quiet{w: tty}, Err: &quiet{w: tty}}, "", true},
		{"NO_COLOR", cobracli.Streams{Out: tty, Err: tty}, "1", false},
		{"piped", cobracli.Streams{Out: &piped, Err: tty}, "", false},
		{"piped behind the stream of the program", cobracli.Streams{Out: &quiet{w: &piped}, Err: &quiet{w: tty}}, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			t.Setenv("NO_COLOR", tt.noColor)
			is.Equal(newSink(tt.out).colour, tt.want)
			is.Equal(newSink(tt.out).Terminal(), true) // its errors go to one
		})
	}
}

func TestSink_PaintsLinesOfTheStreamAlone(t *testing.T) {
	is := is.New(t)
	var out, errs bytes.Buffer
	s := &sink{out: &out, err: &errs, colour: true}
	s.Show(agent.Stdout, agent.Line{Tag: agent.TagError, Text: "error: no"})
	s.Show(agent.Stdout, agent.Line{Tag: agent.TagAgent, Text: "plain"})
	s.Show(agent.Stderr, agent.Line{Tag: agent.TagError, Text: "on stderr"})
	s.Pass(agent.Stdout, []byte("as it \x1b[1mis\n"))
	s.Notice("told")
	is.Equal(out.String(), "\x1b[31merror: no\x1b[0m\nplain\nas it \x1b[1mis\n")
	is.Equal(errs.String(), "on stderr\n[relay-baton] told\n")

	out.Reset()
	errs.Reset()
	s.aside() // the document is to stand alone
	s.Show(agent.Stdout, agent.Line{Tag: agent.TagError, Text: "error: no"})
	s.Pass(agent.Stdout, []byte("as it is\n"))
	is.Equal(out.String(), "")
	is.Equal(errs.String(), "error: no\nas it is\n")
}

func TestSink_RewritesItsProgressOnATerminal(t *testing.T) {
	is := is.New(t)
	var out, errs bytes.Buffer
	s := &sink{out: &out, err: &errs, terminal: true}
	s.Progress("waiting 2")
	s.Progress("waiting 1")
	s.Notice("goes on")
	s.Notice("done")
	is.Equal(errs.String(), "\r\x1b[K[relay-baton] waiting 2\r\x1b[K[relay-baton] waiting 1\n[relay-baton] goes on\n[relay-baton] done\n")
	errs.Reset()
	s.terminal = false
	s.Progress("waiting")
	is.Equal(errs.String(), "[relay-baton] waiting\n")
}

func TestHandoffShow_IsCleanedOnATerminalAlone(t *testing.T) {
	is := is.New(t)
	raw := "# Relay Baton Handoff\r\n\n## Goal\n\x1b[31mred\x1b[0m\ttab\u0085end \u202egnp\n"
	clean := printableLines(raw)
	is.Equal(obeyed(clean), rune(0))
	is.True(strings.HasPrefix(clean, "# Relay Baton Handoff\n\n## Goal\n"))
	is.True(strings.HasSuffix(clean, "\n"))
	s := newScene(t)
	s.write(".ai-session/handoff.md", raw)
	is.Equal(s.must("handoff", "show").out, raw) // piped: byte for byte
}

// stuck is a stream that takes nothing.
type stuck struct{ err error }

func (s stuck) Write([]byte) (int, error) { return 0, s.err }

// A result that found no room is told of; one that nobody reads any more is not, and
// neither is what an agent prints, for that is in the log.
func TestRun_TellsOfAResultThatIsLost(t *testing.T) {
	full, unread := stuck{syscall.ENOSPC}, stuck{syscall.EPIPE}
	for _, tt := range []struct {
		name string
		out  stuck
		args []string
		want int
	}{
		{"no room", full, []string{"status"}, 1},
		{"no room for a document", full, []string{"run", "t", "--json"}, 1},
		{"no room for the help", full, []string{"--help"}, 1},
		{"no reader", unread, []string{"status"}, 0},
		{"no room for what an agent prints", full, []string{"run", "t"}, 0},
		{"no room and wrong usage", full, []string{"explain"}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.fakeAgent("ok")
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			var errs bytes.Buffer
			code := run(baton.Signals{Stop: ctx, Hurry: ctx}, tt.args, strings.NewReader(""), tt.out, &errs)
			is.Equal(code, tt.want)
			is.Equal(strings.Contains(errs.String(), "[relay-baton] the result could not be written: no space left on device\n"), tt.want == 1)
		})
	}
}

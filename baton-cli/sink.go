package main

import (
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/changeover/changeover/adapters/cobracli"
	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/text"
)

// prefix stands before what baton itself says.
const prefix = "[relay-baton] "

// sink shows a person what goes on. Its zero value is not ready: use newSink.
type sink struct {
	mu       sync.Mutex
	out, err io.Writer
	colour   bool
	terminal bool
	// open: a progress line stands on the terminal without its end.
	open bool
}

func newSink(s cobracli.Streams) *sink {
	terminal := isTerminal(s.Err)
	return &sink{out: beside(s.Out), err: s.Err, terminal: terminal, colour: isTerminal(s.Out) && os.Getenv("NO_COLOR") == ""}
}

// beside is a stream for what an agent prints: that it cannot be written is no fault
// of the results, for the log has it.
func beside(w io.Writer) io.Writer {
	if q, ok := w.(*quiet); ok {
		return &quiet{w: q.w}
	}
	return w
}

// isTerminal says whether a stream ends at a terminal.
func isTerminal(w io.Writer) bool {
	if q, ok := w.(*quiet); ok {
		w = q.w
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// aside sends the agent's stream to the error stream, so that the other holds one
// document alone.
func (s *sink) aside() { s.out, s.colour = s.err, false }

func (s *sink) stream(stream agent.Stream) io.Writer {
	if stream == agent.Stderr {
		return s.err
	}
	return s.out
}

// write writes to a stream, which never fails.
func (s *sink) write(w io.Writer, p string) {
	if s.open {
		s.open = false
		_, _ = io.WriteString(s.err, "\n")
	}
	_, _ = io.WriteString(w, p)
}

// Pass implements baton.Sink.
func (s *sink) Pass(stream agent.Stream, p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(s.stream(stream), string(p))
}

// Show implements baton.Sink.
func (s *sink) Show(stream agent.Stream, line agent.Line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := line.Text
	if s.colour && stream == agent.Stdout {
		shown = paint(line.Tag, shown)
	}
	s.write(s.stream(stream), shown+"\n")
}

// Notice implements baton.Sink.
func (s *sink) Notice(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(s.err, prefix+text.Printable(line)+"\n")
}

// Progress implements baton.Sink.
func (s *sink) Progress(line string) {
	if !s.terminal {
		s.Notice(line)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = true
	_, _ = io.WriteString(s.err, "\r\x1b[K"+prefix+text.Printable(line))
}

// Terminal implements baton.Sink.
func (s *sink) Terminal() bool { return s.terminal }

// paint colours a line by what it tells.
func paint(tag agent.Tag, line string) string {
	code := map[agent.Tag]string{
		agent.TagTool: "36", agent.TagOut: "2", agent.TagEdit: "32", agent.TagRetry: "33", agent.TagNote: "2",
		agent.TagError: "31", agent.TagResult: "1",
	}[tag]
	if code == "" {
		return line
	}
	return "\x1b[" + code + "m" + strings.TrimRight(line, " ") + "\x1b[0m"
}

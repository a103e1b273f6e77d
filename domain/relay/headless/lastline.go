package headless

import (
	"strings"
	"sync"

	"github.com/changeover/changeover/domain/text"
)

// waitsForInput is what codex says at each start without a terminal.
const waitsForInput = "Reading additional input from stdin..."

// lastLine shows the lines of an error stream, and keeps the last one.
type lastLine struct {
	show func(string)
	last string

	mu      sync.Mutex
	pending []byte
}

// errorLimit bounds a line of an error stream, in bytes.
const errorLimit = 64 << 10

// Write implements io.Writer.
func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range p {
		if b == '\n' || len(l.pending) == errorLimit {
			l.line()
		}
		if b != '\n' {
			l.pending = append(l.pending, b)
		}
	}
	return len(p), nil
}

func (l *lastLine) line() {
	line := text.Printable(strings.TrimSpace(strings.ToValidUTF8(string(l.pending), "\uFFFD")))
	l.pending = l.pending[:0]
	if line == "" || line == waitsForInput {
		return
	}
	l.last = line
	l.show(line)
}

// end takes what is left without a line end.
func (l *lastLine) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line()
}

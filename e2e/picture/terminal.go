package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

const (
	columns     = 100
	sessionRows = 26
	shellRows   = 60

	farewell = 10 * time.Second
)

// terminal is a program in a pseudo-terminal, and what it shows, with colours.
type terminal struct {
	cmd    *exec.Cmd
	master *os.File
	exited chan struct{}
	rows   int

	mu       sync.Mutex
	emulator vt10x.Terminal
	rest     []byte
}

// What a program writes that the emulator would take for something else: a
// question about the keyboard for the order to restore the cursor. And what it
// does not know: faint, for which blinking stands in.
var (
	keyboard   = regexp.MustCompile(`\x1b\[[?<=>][0-9;]*u`)
	faint      = regexp.MustCompile(`\x1b\[2m`)
	notFaint   = regexp.MustCompile(`\x1b\[22m`)
	unfinished = regexp.MustCompile(`\x1b(\[[?<=>0-9;]*)?$`)
)

func startTerminal(cmd *exec.Cmd, rows int) (*terminal, error) {
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: columns})
	if err != nil {
		return nil, fmt.Errorf("start %s in a terminal: %w", cmd.Path, err)
	}
	t := &terminal{
		cmd: cmd, master: master, exited: make(chan struct{}), rows: rows,
		emulator: vt10x.New(vt10x.WithSize(columns, rows), vt10x.WithWriter(master)),
	}
	go t.follow()
	return t, nil
}

// follow draws what the program writes until its terminal is closed.
func (t *terminal) follow() {
	defer close(t.exited)
	buffer := make([]byte, 32<<10)
	for {
		n, err := t.master.Read(buffer)
		t.draw(buffer[:n])
		if err != nil {
			break // a terminal whose last user has gone reads as an I/O error
		}
	}
	_ = t.cmd.Wait() // how it ended is for its screen to say
}

// draw gives the emulator whole characters and whole sequences.
func (t *terminal) draw(output []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	pending := slices.Concat(t.rest, output)
	whole := len(pending)
	for back := 1; back < utf8.UTFMax && back <= len(pending); back++ {
		if tail := pending[len(pending)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				whole -= back
			}
			break
		}
	}
	if at := unfinished.FindIndex(pending[:whole]); at != nil {
		whole = at[0]
	}
	drawn := keyboard.ReplaceAll(pending[:whole], nil)
	drawn = faint.ReplaceAll(drawn, []byte("\x1b[5m"))
	drawn = notFaint.ReplaceAll(drawn, []byte("\x1b[22;25m"))
	_, _ = t.emulator.Write(drawn) // it takes everything
	t.rest = append([]byte(nil), pending[whole:]...)
}

func (t *terminal) send(keys string) error {
	if _, err := io.WriteString(t.master, keys); err != nil {
		return fmt.Errorf("send keys: %w", err)
	}
	return nil
}

// text is the screen without its colours.
func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emulator.String()
}

// cells is the screen, a list per row.
func (t *terminal) cells() [][]cell {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.emulator.Lock()
	defer t.emulator.Unlock()
	screen := make([][]cell, t.rows)
	for y := range screen {
		for x := range columns {
			screen[y] = append(screen[y], cellOf(t.emulator.Cell(x, y)))
		}
	}
	return screen
}

// end asks the program to go, and makes it where it does not.
func (t *terminal) end() {
	_ = t.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	late := time.NewTimer(farewell)
	defer late.Stop()
	select {
	case <-t.exited:
	case <-late.C:
		_ = t.cmd.Process.Kill() // as above
	}
	_ = t.master.Close() // nobody reads or writes it any more
}

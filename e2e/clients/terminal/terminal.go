// Package terminal runs one program in a pseudo-terminal and keeps the screen
// that a person would see.
package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
)

const (
	columns = 150
	rows    = 45

	poll  = 50 * time.Millisecond
	drain = 2 * time.Second
)

// ErrExited is the answer to waiting for a screen of a program that has ended.
var ErrExited = errors.New("the program has exited")

// Terminal is a program and its screen.
type Terminal struct {
	cmd    *exec.Cmd
	master *os.File
	exited chan struct{}

	screen *screen

	mu  sync.Mutex
	raw []byte
}

// Start runs cmd in a new pseudo-terminal, as the leader of a session of its
// own. The caller must see to it that the program ends, with Kill at the last.
func Start(cmd *exec.Cmd) (*Terminal, error) {
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		return nil, fmt.Errorf("start %s in a terminal: %w", cmd.Path, err)
	}
	master, err = interruptible(master)
	if err != nil {
		return nil, errors.Join(err, cmd.Process.Kill(), cmd.Wait())
	}
	t := &Terminal{
		cmd:    cmd,
		master: master,
		exited: make(chan struct{}),
		screen: newScreen(master),
	}
	go t.follow()
	return t, nil
}

// PID is the program's process id.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Send writes keys as they come from a keyboard.
func (t *Terminal) Send(keys string) error {
	if _, err := io.WriteString(t.master, keys); err != nil {
		return fmt.Errorf("send keys: %w", err)
	}
	return nil
}

// Screen is the text on the screen.
func (t *Terminal) Screen() string { return t.screen.String() }

// Raw is everything that the program has written.
func (t *Terminal) Raw() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.raw...)
}

// WaitScreen returns as soon as cond accepts the screen. It returns ErrExited
// when the program ends before that, or the error of ctx.
func (t *Terminal) WaitScreen(ctx context.Context, cond func(screen string) bool) error {
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		if cond(t.Screen()) {
			return nil
		}
		select {
		case <-ticker.C:
		case <-t.exited:
			if cond(t.Screen()) {
				return nil
			}
			return ErrExited
		case <-ctx.Done():
			return fmt.Errorf("wait for the screen: %w", ctx.Err())
		}
	}
}

// WaitExit returns when the program has ended, whatever its status, or with
// the error of ctx.
func (t *Terminal) WaitExit(ctx context.Context) error {
	select {
	case <-t.exited:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for the end of process %d: %w", t.PID(), ctx.Err())
	}
}

// Exited reports whether the program has ended.
func (t *Terminal) Exited() bool {
	select {
	case <-t.exited:
		return true
	default:
		return false
	}
}

// Kill ends the program at once, as `kill -9` does, and waits for its end. To
// kill a program that has ended is no error.
func (t *Terminal) Kill() error {
	if err := t.cmd.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill process %d: %w", t.PID(), err)
	}
	<-t.exited
	return nil
}

// follow draws what the program writes until it has ended.
func (t *Terminal) follow() {
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		buffer := make([]byte, 32<<10)
		for {
			n, err := t.master.Read(buffer)
			t.draw(buffer[:n])
			if err != nil {
				return // a terminal whose last user has gone reads as an I/O error
			}
		}
	}()
	// How the program ended is for its screen and its traces to say.
	_ = t.cmd.Wait()
	// A child that outlives the program may hold the terminal open: what it
	// writes from then on is not the program's.
	late := time.NewTimer(drain)
	defer late.Stop()
	select {
	case <-drawn:
	case <-late.C:
	}
	_ = t.master.Close() // nobody reads or writes it any more
	<-drawn
	close(t.exited)
}

// interruptible gives the file anew, so that closing it ends a read in
// progress: to set the terminal's size has made it a blocking one.
func interruptible(master *os.File) (*os.File, error) {
	fd, err := syscall.Dup(int(master.Fd()))
	if err != nil {
		return nil, fmt.Errorf("duplicate the terminal: %w", err)
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(fmt.Errorf("unblock the terminal: %w", err), syscall.Close(fd))
	}
	if err := master.Close(); err != nil {
		return nil, errors.Join(fmt.Errorf("close the blocking terminal: %w", err), syscall.Close(fd))
	}
	return os.NewFile(uintptr(fd), "terminal"), nil
}

func (t *Terminal) draw(output []byte) {
	t.mu.Lock()
	t.raw = append(t.raw, output...)
	t.mu.Unlock()
	_, _ = t.screen.Write(output) // a screen takes everything
}

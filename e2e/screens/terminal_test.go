package screens_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	// patience is how long a screen may take to show what is waited for.
	patience = 30 * time.Second
	poll     = 25 * time.Millisecond
)

// terminal is a program in a terminal of tmux's own, on a server of the test's own.
// It is meant for every dashboard:
//
//	s := open(t, size{80, 24}, dir, env, "baton", "tui")
//	s.shows("Session")            // waits for it
//	s.types("p", "Enter")         // keys as tmux send-keys names them
//	s.resize(size{160, 48})
//	s.types("q")
//	s.ends(0)
//
// When the test fails, every screen that was waited for lies under
// e2e/artifacts/NAME.
type terminal struct {
	t      *testing.T
	socket string
	size   size
	seen   []string
}

// size is that of a terminal, in cells.
type size struct{ width, height int }

// open runs one of the built programs in a new terminal. env is its whole environment
// but for what a terminal brings.
func open(t *testing.T, at size, dir string, env []string, program string, args ...string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Fatal("tmux is missing, without which no dashboard can be driven: install tmux")
	}
	stamp.Read(t)
	// A socket's path is short: the directory of a test may not be.
	sockets, err := os.MkdirTemp("", "tmux")
	if err != nil {
		t.Fatal(err)
	}
	s := &terminal{t: t, socket: filepath.Join(sockets, "s"), size: at}
	conf := filepath.Join(sockets, "conf")
	settings := "set -g status off\nset -g remain-on-exit on\nset -g default-terminal screen-256color\nset -s escape-time 0\n"
	if err := os.WriteFile(conf, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.keep()
		_, _ = s.tmux("kill-server") // it may have ended
		_ = os.RemoveAll(sockets)    // a socket only
	})
	command := append([]string{
		"sh", "-c", keeping, "sh", s.exitFile(), "sh", "-c", telling, "sh", s.pidFile(),
		"env", "-i", "TERM=screen-256color", "LANG=C.UTF-8",
	}, env...)
	command = append(command, filepath.Join(bin, program))
	command = append(command, args...)
	start := append([]string{
		"-f", conf, "new-session", "-d", "-x", strconv.Itoa(at.width), "-y", strconv.Itoa(at.height), "-c", dir,
	}, command...)
	if out, err := s.tmux(start...); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	return s
}

// keeping runs a program and writes its exit code to a file, telling the number of its
// process. tmux sees that a terminal is left before it has noticed how its program ended, and
// now and then never does.
const (
	keeping = `trap : INT; out=$1; shift; "$@"; echo $? >"$out"`
	telling = `echo $$ >"$1"; shift; exec "$@"`
)

func (s *terminal) exitFile() string { return s.socket + ".exit" }
func (s *terminal) pidFile() string  { return s.socket + ".pid" }

// tmux asks the server of this terminal.
func (s *terminal) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-u", "-S", s.socket}, args...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "TMUX") })
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (s *terminal) must(args ...string) string {
	s.t.Helper()
	out, err := s.tmux(args...)
	if err != nil {
		s.t.Fatalf("tmux %s: %v: %s", args[0], err, out)
	}
	return out
}

// types sends keys, named as tmux names them. What follows Escape is waited for
// before another key is sent: the two would be taken for one.
func (s *terminal) types(keys ...string) {
	s.t.Helper()
	s.must(append([]string{"send-keys"}, keys...)...)
}

// resize changes the size of the terminal.
func (s *terminal) resize(to size) {
	s.t.Helper()
	s.size = to
	s.must("resize-window", "-x", strconv.Itoa(to.width), "-y", strconv.Itoa(to.height))
}

// screen is what the terminal shows; with escape sequences where coloured.
func (s *terminal) screen(coloured bool) string {
	s.t.Helper()
	args := []string{"capture-pane", "-p"}
	if coloured {
		args = append(args, "-e")
	}
	return s.must(args...)
}

// waits returns the first screen that is as wanted.
func (s *terminal) waits(what string, as func(screen string) bool) string {
	s.t.Helper()
	var screen string
	if !becomes(func() bool {
		screen = s.screen(false)
		return as(screen)
	}) {
		s.seen = append(s.seen, "never: "+what+"\n"+screen)
		s.t.Fatalf("the screen never showed %s:\n%s", what, screen)
	}
	s.seen = append(s.seen, what+"\n"+screen)
	return screen
}

// until waits for something that is not on the screen.
func (s *terminal) until(what string, holds func() bool) {
	s.t.Helper()
	if !becomes(holds) {
		s.t.Fatalf("never: %s", what)
	}
}

// becomes looks until something holds, for as long as patience lasts.
func becomes(holds func() bool) bool {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline.C:
			return false
		}
	}
	return true
}

// pid is the number of the program's process.
func (s *terminal) pid() int {
	s.t.Helper()
	told, err := os.ReadFile(s.pidFile())
	if err != nil {
		s.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(told)))
	if err != nil {
		s.t.Fatal(err)
	}
	return pid
}

// shows waits until all pieces are on the screen.
func (s *terminal) shows(pieces ...string) string {
	s.t.Helper()
	return s.waits(fmt.Sprintf("%q", pieces), func(screen string) bool {
		return !slices.ContainsFunc(pieces, func(piece string) bool { return !strings.Contains(screen, piece) })
	})
}

// hides waits until none of the pieces is on the screen.
func (s *terminal) hides(pieces ...string) string {
	s.t.Helper()
	return s.waits(fmt.Sprintf("none of %q", pieces), func(screen string) bool {
		return !slices.ContainsFunc(pieces, func(piece string) bool { return strings.Contains(screen, piece) })
	})
}

// foot waits until the last line of the terminal, at its present size, holds a text.
func (s *terminal) foot(text string) string {
	s.t.Helper()
	return s.waits(fmt.Sprintf("%q in line %d", text, s.size.height), func(screen string) bool {
		lines := strings.Split(screen, "\n")
		return len(lines) >= s.size.height && strings.Contains(lines[s.size.height-1], text)
	})
}

// ends waits for the program to end, with that exit code, and to give the screen back.
func (s *terminal) ends(code int) {
	s.t.Helper()
	s.waits(fmt.Sprintf("the end with exit code %d", code), func(string) bool {
		ended, err := os.ReadFile(s.exitFile())
		return err == nil && string(ended) == strconv.Itoa(code)+"\n" && s.must("display-message", "-p", "#{alternate_on}") == "0\n"
	})
}

// keep saves the screens of a test that failed.
func (s *terminal) keep() {
	if !s.t.Failed() {
		return
	}
	dir := filepath.Join("..", "artifacts", filepath.FromSlash(s.t.Name()))
	err := os.MkdirAll(dir, 0o755)
	for i, screen := range s.seen {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, fmt.Sprintf("screen-%02d.txt", i+1)), []byte(screen), 0o600))
	}
	if err != nil {
		s.t.Logf("save screens: %v", err)
	}
}

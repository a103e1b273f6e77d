//go:build clients

package clients_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/pinned"
	"github.com/changeover/changeover/e2e/clients/terminal"
	"github.com/changeover/changeover/e2e/modelserver"
)

// codexWorld is a world with a home of Codex and a service that answers it.
type codexWorld struct {
	*world
	program string
	codex   string
	script  *modelserver.Script
	server  *modelserver.Server
	env     []string
}

func newCodexWorld(t *testing.T) *codexWorld {
	t.Helper()
	w := &codexWorld{world: newWorld(t, "harbour"), script: new(modelserver.Script)}
	var err error
	if w.program, err = pinned.In(w.checkout).Codex(); err != nil {
		t.Fatal(err)
	}
	if w.server, err = modelserver.Start(t.Context(), w.script.Respond, time.Now); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.server.Close() })
	w.codex = filepath.Join(filepath.Dir(w.root), "codex")
	if err := os.MkdirAll(w.codex, 0o700); err != nil {
		t.Fatal(err)
	}
	// That it trusts the directories keeps the terminal from asking. A server of
	// Codex's own would outlive the test.
	config := codexConfig(w.server.URL(), time.Minute) + fmt.Sprintf(`[features]
daemon_auto_start = false
[tui]
screen_reader_detection_done = true
[projects."%s"]
trust_level = "trusted"
[projects."%s"]
trust_level = "trusted"
`, w.root, w.repo("a"))
	w.write("config.toml", config)
	w.env = append(w.home.Env(), "CODEX_HOME="+w.codex, "MOCK_KEY=dummy", "TERM=xterm-256color")
	t.Cleanup(func() {
		if t.Failed() {
			w.save()
		}
	})
	return w
}

func (w *codexWorld) write(name, content string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.codex, name), []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *codexWorld) save() {
	keep(w.t, w.checkout, w.server, map[string]string{})
}

// wire puts the printed hooks into Codex's home, as a person would.
func (w *codexWorld) wire() {
	w.t.Helper()
	w.write("hooks.json", w.ours("codex-hooks"))
}

// ours runs the exchange of the plugin under the root, and returns what it printed.
func (w *codexWorld) ours(args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), filepath.Join(w.checkout, "hookd", "plugin", "bin", "exchange"), args...)
	cmd.Dir, cmd.Env = w.root, w.env
	out, err := cmd.CombinedOutput()
	w.t.Logf("$ exchange %s\n%s", strings.Join(args, " "), out)
	if err != nil {
		w.t.Fatalf("exchange %v: %v", args, err)
	}
	return string(out)
}

func (w *codexWorld) command(cwd string, args ...string) *exec.Cmd {
	cmd := exec.Command(w.program, args...)
	cmd.Dir, cmd.Env = cwd, append(slices.Clone(w.env), "PWD="+cwd)
	return cmd
}

// run is a codex that runs.
type codexRun struct {
	w    *codexWorld
	cmd  *exec.Cmd
	mu   sync.Mutex
	out  bytes.Buffer
	done chan struct{}
}

func (r *codexRun) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(p)
}

func (r *codexRun) output() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String()
}

// exec starts codex without a terminal, in a group of its own.
func (w *codexWorld) exec(cwd string, args ...string) *codexRun {
	w.t.Helper()
	r := &codexRun{w: w, done: make(chan struct{})}
	r.cmd = w.command(cwd, append([]string{"exec"}, args...)...)
	r.cmd.Stdout, r.cmd.Stderr = r, r
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := r.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() {
		_ = r.cmd.Wait() // how it ended shows in what it printed
		close(r.done)
	}()
	w.t.Cleanup(r.kill)
	return r
}

// kill ends codex and its wrapper at once.
func (r *codexRun) kill() {
	_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL) // it may have ended
	<-r.done
}

// finish waits for the end.
func (r *codexRun) finish() string {
	r.w.t.Helper()
	select {
	case <-r.done:
	case <-time.After(patience):
		r.w.t.Fatalf("codex did not end:\n%s", r.output())
	}
	r.w.t.Logf("codex printed:\n%s", r.output())
	return r.output()
}

// thread is the id that codex gave its session.
func (r *codexRun) thread() string {
	r.w.t.Helper()
	var id string
	r.w.until("the session's id", func() bool {
		match := regexp.MustCompile(`(?m)^session id: (\S+)$`).FindStringSubmatch(r.output())
		if match != nil {
			id = match[1]
		}
		return match != nil
	})
	return id
}

// first returns the first request with a text, as soon as it is there.
func (w *codexWorld) first(text string) modelserver.Request {
	w.t.Helper()
	holds := func(r modelserver.Request) bool { return strings.Contains(r.Text(), text) }
	return waitRequest(w.t, w.server, text, holds, func() string { return "" })
}

func (w *codexWorld) until(what string, cond func() bool) {
	w.t.Helper()
	waitFor(w.t, what, cond, func() string { return "" })
}

// locked reports that a thread's lock file is there.
func (w *codexWorld) locked(thread string) bool {
	w.t.Helper()
	_, err := os.Stat(filepath.Join(w.codex, "thread-writer-locks", thread+".lock"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return err == nil
}

// terminal starts codex in a terminal.
func (w *codexWorld) terminal(cwd string, args ...string) *terminal.Terminal {
	w.t.Helper()
	term, err := terminal.Start(w.command(cwd, args...))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if w.t.Failed() {
			w.t.Logf("the screen:\n%s", term.Screen())
		}
		w.kill(term)
	})
	return term
}

// kill kills codex and its wrapper, which lead a group of their own.
func (w *codexWorld) kill(term *terminal.Terminal) {
	w.t.Helper()
	if term.Exited() {
		return
	}
	_ = syscall.Kill(-term.PID(), syscall.SIGKILL) // it may have ended
	if err := term.Kill(); err != nil {
		w.t.Fatal(err)
	}
}

// screen waits for a text on the screen.
func (w *codexWorld) screen(term *terminal.Terminal, text string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	if err := term.WaitScreen(ctx, func(screen string) bool { return strings.Contains(screen, text) }); err != nil {
		w.t.Fatalf("%q: %v\n%s", text, err, term.Screen())
	}
}

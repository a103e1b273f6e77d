//go:build clients

package clients_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/clients/pinned"
	"github.com/changeover/changeover/e2e/clients/terminal"
	"github.com/changeover/changeover/e2e/modelserver"
)

const keystroke = 300 * time.Millisecond

// modSession is a session with the mod in it whose keyboard and model a test
// has wholly in its hands.
type modSession struct {
	t      *testing.T
	home   claude.Home
	term   *terminal.Terminal
	script *modelserver.Script
	server *modelserver.Server
	failed *atomic.Bool // the model answers with an error
}

// startMod starts a session in the repo a with these plugins for it alone.
func (w *world) startMod(plugins ...string) *modSession {
	w.t.Helper()
	s := &modSession{t: w.t, home: w.home, script: new(modelserver.Script), failed: new(atomic.Bool)}
	server, err := modelserver.Start(w.t.Context(), s.script.Respond, time.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	s.server = server
	w.t.Cleanup(func() { _ = server.Close() })
	args := []string{"--permission-mode", "default"}
	for _, p := range plugins {
		args = append(args, "--plugin-dir", p)
	}
	term, err := terminal.Start(w.modCommand(s.front(), args...))
	if err != nil {
		w.t.Fatal(err)
	}
	s.term = term
	w.t.Cleanup(s.end)
	s.waitScreen("the prompt", "❯")
	s.waitRow("idle after the start", func(r claude.Row) bool { return r.Status == "idle" })
	return s
}

// modCommand is the client in the repo a with the model at that address.
func (w *world) modCommand(model string, args ...string) *exec.Cmd {
	w.t.Helper()
	client, err := pinned.In(w.checkout).Claude()
	if err != nil {
		w.t.Fatal(err)
	}
	cmd := exec.CommandContext(w.t.Context(), client, args...)
	cmd.Dir = w.repo("a")
	cmd.Env = append(
		w.home.Env(),
		"PWD="+cmd.Dir,
		"ANTHROPIC_BASE_URL="+model,
		"ANTHROPIC_API_KEY=sk-ant-dummy-0000000000000000000000000000",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_MAX_RETRIES=0",
		"DISABLE_AUTOUPDATER=1",
		"DISABLE_TELEMETRY=1",
	)
	return cmd
}

// front is the address of a server that passes all to the model unless it is
// to fail.
func (s *modSession) front() string {
	target, err := url.Parse(s.server.URL())
	if err != nil {
		s.t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.FlushInterval = -1
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !s.failed.Load() {
			proxy.ServeHTTP(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(http.StatusBadRequest)
		_, _ = rw.Write([]byte(`{"type":"error","error":{"type":"invalid_request_error","message":"no such tide"}}`))
	}))
	s.t.Cleanup(front.CloseClientConnections)
	return front.URL
}

// keys sends keys one by one, as fingers do: all at once would be a paste.
func (s *modSession) keys(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		if err := s.term.Send(k); err != nil {
			s.t.Fatal(err)
		}
		<-time.After(keystroke)
	}
}

// enter types a line and presses Enter.
func (s *modSession) enter(line string) {
	s.t.Helper()
	s.keys(line)
	s.waitScreen("the typed line", line)
	s.keys("\r")
}

func (s *modSession) waitScreen(what string, texts ...string) {
	s.t.Helper()
	s.waitScreenWhere(what, func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

func (s *modSession) waitScreenWhere(what string, cond func(screen string) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	if err := s.term.WaitScreen(ctx, cond); err != nil {
		s.t.Fatalf("%s did not appear: %v\n%s", what, err, s.term.Screen())
	}
}

func (s *modSession) waitRow(what string, cond func(claude.Row) bool) claude.Row {
	s.t.Helper()
	var row claude.Row
	waitFor(s.t, what, func() bool {
		got, err := s.home.Row(s.term.PID())
		row = got
		return err == nil && cond(got)
	}, s.term.Screen)
	return row
}

// waitTurn returns the first request whose last text holds text.
func (s *modSession) waitTurn(text string) modelserver.Request {
	s.t.Helper()
	return waitRequest(s.t, s.server, text, lastHolds(text), s.term.Screen)
}

func (s *modSession) end() {
	if !s.term.Exited() {
		_ = syscall.Kill(s.term.PID(), syscall.SIGTERM) // it may have ended in between
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = s.term.WaitExit(ctx)
	}
	if err := s.term.Kill(); err != nil {
		s.t.Error(err)
	}
	if s.t.Failed() {
		s.t.Logf("the last screen:\n%s", s.term.Screen())
	}
}

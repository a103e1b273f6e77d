package claude

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/terminal"
	"github.com/changeover/changeover/e2e/modelserver"
)

const (
	patience = 120 * time.Second
	farewell = 10 * time.Second
	glance   = 2 * time.Second
	poll     = 100 * time.Millisecond
)

// Session is an interactive session of the client in a terminal, with a model
// server of its own, so that each request tells whose it is. Its methods fail
// the test when what they wait for does not come.
type Session struct {
	t      testing.TB
	label  string
	home   Home
	term   *terminal.Terminal
	server *modelserver.Server
	script *modelserver.Script
	asked  int
	row    Row
}

// Start starts a session in cwd and waits until it takes a prompt. The label
// names it in the test's log and among the artifacts.
func (h Home) Start(t testing.TB, label, cwd string, args ...string) *Session {
	t.Helper()
	script := new(modelserver.Script)
	server := startServer(t, script.Respond)
	args = append([]string{"--permission-mode", "default"}, args...)
	cmd := h.command(t, cwd, server.URL(), args...)
	t.Logf("%s: in %s $ claude %s", label, cwd, strings.Join(args, " "))
	term, err := terminal.Start(cmd)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	s := &Session{t: t, label: label, home: h, term: term, server: server, script: script}
	t.Cleanup(s.end)
	t.Cleanup(func() {
		h.save(t, label, map[string][]byte{
			"screen.txt":     []byte(term.Screen()),
			"output.bin":     term.Raw(),
			"requests.jsonl": RequestLines(server.Requests()),
		})
	})
	s.row = s.WaitRegistry("idle after the start", func(r Row) bool { return r.Status == "idle" })
	s.WaitScreen("the prompt", hasPrompt)
	t.Logf("%s: session %s, named %s, process %d", label, s.ID(), s.Name(), s.row.PID)
	return s
}

// ID is the session id that the registry showed last.
func (s *Session) ID() string { return s.row.SessionID }

// Name is the session's name in the registry.
func (s *Session) Name() string { return s.row.Name }

// Server is the session's model server.
func (s *Session) Server() *modelserver.Server { return s.server }

// Type types text into the prompt and waits until it stands there: text and
// Enter that arrive together would be taken for a paste.
func (s *Session) Type(text string) {
	s.t.Helper()
	s.send(text)
	s.WaitScreen("the typed text "+text, func(screen string) bool { return strings.Contains(screen, text) })
}

// Enter presses Enter.
func (s *Session) Enter() {
	s.t.Helper()
	s.send("\r")
}

// Ask sends one prompt and returns the request that carries it to the model,
// after the turn has ended.
func (s *Session) Ask(prompt string) modelserver.Request {
	s.t.Helper()
	cue := s.cue()
	s.Type(cue + " " + prompt)
	s.Enter()
	request := s.WaitRequest("the prompt "+cue, func(r modelserver.Request) bool {
		return strings.Contains(r.LastText(), cue)
	})
	s.t.Logf("%s: asked %q", s.label, prompt)
	s.waitTurnEnd(request)
	return request
}

// Bash has the model call the Bash tool with command and returns what the
// tool gave back, after the turn has ended.
func (s *Session) Bash(command string) string {
	s.t.Helper()
	cue := s.cue()
	input, err := json.Marshal(map[string]string{"command": command, "description": "Run " + cue})
	if err != nil {
		s.t.Fatalf("%s: %v", s.label, err)
	}
	toolUse := "toolu_" + cue
	s.script.On(cue, modelserver.Say(modelserver.ToolUse(toolUse, "Bash", input)))
	s.Type(cue + " please run the command")
	s.Enter()
	request := s.WaitRequest("the result of "+command, func(r modelserver.Request) bool {
		_, ok := r.ToolResult(toolUse)
		return ok
	})
	result, _ := request.ToolResult(toolUse)
	s.t.Logf("%s: Bash $ %s\n%s", s.label, command, result)
	s.waitTurnEnd(request)
	return result
}

// Clear types /clear and waits for the new session id, which it returns.
func (s *Session) Clear() string {
	s.t.Helper()
	before := s.ID()
	s.Type("/clear")
	s.Enter()
	s.row = s.WaitRegistry("a new session id, idle", func(r Row) bool {
		return r.SessionID != before && r.Status == "idle"
	})
	s.t.Logf("%s: /clear, session %s is now %s", s.label, before, s.ID())
	return s.ID()
}

// Exit types /exit and waits for the end of the process.
func (s *Session) Exit() {
	s.t.Helper()
	s.Type("/exit")
	s.Enter()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	if err := s.term.WaitExit(ctx); err != nil {
		s.t.Fatalf("%s: after /exit: %v\n%s", s.label, err, s.term.Screen())
	}
	s.t.Logf("%s: /exit", s.label)
}

// Kill9 kills the process, so that nothing of it can clean up.
func (s *Session) Kill9() {
	s.t.Helper()
	if err := s.term.Kill(); err != nil {
		s.t.Fatalf("%s: %v", s.label, err)
	}
	s.t.Logf("%s: kill -9 %d", s.label, s.row.PID)
}

// WaitScreen waits until cond accepts the screen.
func (s *Session) WaitScreen(what string, cond func(screen string) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	if err := s.term.WaitScreen(ctx, cond); err != nil {
		s.t.Fatalf("%s: %s did not appear: %v\n%s", s.label, what, err, s.term.Screen())
	}
}

// WaitRequest returns the first of the session's turns that cond accepts.
func (s *Session) WaitRequest(what string, cond func(modelserver.Request) bool) modelserver.Request {
	s.t.Helper()
	give := time.Now().Add(patience)
	for {
		ctx, cancel := context.WithTimeout(s.t.Context(), glance)
		request, err := s.server.Wait(ctx, cond)
		cancel()
		if err == nil {
			return request
		}
		row, _ := s.home.Row(s.term.PID()) // no row is no reason to wait less
		if s.term.Exited() || row.Status == "waiting" || time.Now().After(give) {
			s.t.Fatalf("%s: %s did not reach the model (%v, status %q)\n%s", s.label, what, err, row.Status, s.term.Screen())
		}
	}
}

// WaitRegistry returns the session's row as soon as cond accepts it.
func (s *Session) WaitRegistry(what string, cond func(Row) bool) Row {
	s.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		row, err := s.home.Row(s.term.PID())
		if err == nil && cond(row) {
			return row
		}
		if err != nil && !errors.Is(err, ErrNoRow) {
			s.t.Fatalf("%s: %v", s.label, err)
		}
		if s.term.Exited() {
			s.t.Fatalf("%s: the client ended before the registry showed %s\n%s", s.label, what, s.term.Screen())
		}
		select {
		case <-ticker.C:
		case <-deadline.C:
			s.t.Fatalf("%s: the registry did not show %s (last row %+v, %v)\n%s", s.label, what, row, err, s.term.Screen())
		}
	}
}

// waitTurnEnd waits for the end of the turn whose last request is given.
func (s *Session) waitTurnEnd(last modelserver.Request) {
	s.t.Helper()
	s.row = s.WaitRegistry("the end of the turn", func(r Row) bool { return r.idleSince(last.At) })
}

func (s *Session) send(keys string) {
	s.t.Helper()
	if err := s.term.Send(keys); err != nil {
		s.t.Fatalf("%s: %v\n%s", s.label, err, s.term.Screen())
	}
}

// cue is a word that no other text holds.
func (s *Session) cue() string {
	s.asked++
	return fmt.Sprintf("cue%03d", s.asked)
}

// end gives the client the chance to end its own children before it is killed.
func (s *Session) end() {
	if s.term.Exited() {
		return
	}
	// It may have ended in between, which Kill takes as well.
	_ = syscall.Kill(s.term.PID(), syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if s.term.WaitExit(ctx) == nil {
		return
	}
	if err := s.term.Kill(); err != nil {
		s.t.Errorf("%s: %v", s.label, err)
	}
}

func hasPrompt(screen string) bool { return strings.Contains(screen, "❯") }

func startServer(t testing.TB, respond modelserver.Responder) *modelserver.Server {
	t.Helper()
	server, err := modelserver.Start(t.Context(), respond, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

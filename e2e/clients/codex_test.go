//go:build clients

package clients_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/terminal"
	"github.com/changeover/changeover/e2e/modelserver"
)

const bypass = "--dangerously-bypass-hook-trust"

func TestCodex_ARunIsListedWhileItLives(t *testing.T) {
	w := newCodexWorld(t)
	hold := make(chan struct{})
	w.script.On("count the boats", modelserver.Answer{Blocks: []modelserver.AnswerBlock{modelserver.Text("Seven.")}, Hold: hold})

	run := w.exec(w.repo("a"), "count the boats")
	w.first("count the boats")
	thread := run.thread()
	wantText(t, "the report", w.ours("show"), "unclaimed 1\n   codex-"+thread[:8]+"\n")
	close(hold)
	wantText(t, "its output", run.finish(), "Seven.")
	wantNoText(t, "the report after the end", w.ours("show"), "codex-")

	never := make(chan struct{})
	defer close(never)
	w.script.On("count the gulls", modelserver.Answer{Hold: never})
	killed := w.exec(w.repo("a"), "count the gulls")
	w.first("count the gulls")
	thread = killed.thread()
	killed.kill()
	if !w.locked(thread) {
		t.Fatal("a killed run has left no lock")
	}
	w.until("the report without it", func() bool { return !strings.Contains(w.ours("show"), "codex-") })
}

func TestCodex_IsToldWhatOthersAreWhereItTrustsTheHook(t *testing.T) {
	w := newCodexWorld(t)
	w.wire()
	id := posted(t, w.ours("handoff", "post", "--repo", "a", "--body", prose), "a")

	untrusted := w.exec(w.repo("a"), "count the boats").finish()
	wantNoText(t, "its output", untrusted, "hook: SessionStart")
	wantSilence(t, "codex without trust", w.server)
	wantText(t, "the doctor", w.ours("doctor"), "SessionStart, UserPromptSubmit, Stop, SessionEnd: not trusted")

	run := w.exec(w.repo("a"), bypass, "count the gulls")
	thread := run.thread()
	output := run.finish()
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "Stop"} {
		wantText(t, "its output", output, "hook: "+event+" Completed")
	}
	request := w.first("count the gulls").Text()
	wantText(t, "its first request", request, mark+" 1 handoff(s) for this session, newest first")
	wantText(t, "its first request", request, "- "+id+" (open)")
	w.waitClaims("the claim of the run", "ended", has(thread))
}

func TestCodex_ItsShellSpeaksForIt(t *testing.T) {
	for _, sandbox := range []string{"workspace-write", "danger-full-access"} {
		t.Run(sandbox, func(t *testing.T) {
			w := newCodexWorld(t)
			command, err := json.Marshal(map[string]string{"cmd": w.exchange() + " claim --focus '" + focus + "' && " + w.exchange() + " show"})
			if err != nil {
				t.Fatal(err)
			}
			w.script.On("say what you do", modelserver.Say(modelserver.ToolUse("call_1", "exec_command", command)))
			// The root's store is where the sandbox lets it write.
			run := w.exec(w.root, "--skip-git-repo-check", "--sandbox", sandbox, "say what you do")
			thread := run.thread()
			output := run.finish()
			wantText(t, "its output", output, "claimed as codex-"+thread[:8])
			wantText(t, "its output", output, "this      codex-"+thread[:8]+"  "+thread)
			if got := w.claims("sessions")[thread].Focus; got != focus {
				t.Errorf("the focus of its claim is %q", got)
			}
		})
	}
}

func TestCodex_ASessionInATerminalIsListedAndTrustsTheHooks(t *testing.T) {
	w := newCodexWorld(t)
	w.wire()
	term := w.terminal(w.repo("a"), "--model", "gpt-6-sol") // for another it asks whether to try a newer one
	w.screen(term, "Trust all and continue")
	w.choose(term, "2. Trust all and continue")
	w.until("the trust", func() bool {
		return strings.Contains(w.ours("doctor"), "SessionStart, UserPromptSubmit, Stop, SessionEnd: trusted\n")
	})

	w.screen(term, "for shortcuts")
	w.keys(term, "count the boats")
	w.screen(term, "count the boats")
	w.keys(term, "\r")
	w.first("count the boats")
	w.waitClaims("the claim of the session", "sessions", func(claims map[string]claim) bool { return len(claims) == 1 })
	wantText(t, "the report", w.ours("show"), "claims    1\n   codex-")

	w.kill(term)
	w.until("the report without it", func() bool { return strings.Contains(w.ours("show"), "\n ! codex-") })
}

// choose moves the mark of a menu down to an option and confirms it. A menu that is
// just drawn may not listen yet: what it has not taken is typed once more.
func (w *codexWorld) choose(term *terminal.Terminal, option string) {
	w.t.Helper()
	marked := func(screen string) bool { return strings.Contains(screen, "› "+option) }
	const tries, each = 12, 5 * time.Second
	for range tries {
		if marked(term.Screen()) {
			break
		}
		key := "\x1b[B"
		if strings.Contains(term.Screen(), "› 3.") {
			key = "\x1b[A"
		}
		w.keys(term, key)
		ctx, cancel := context.WithTimeout(w.t.Context(), each)
		_ = term.WaitScreen(ctx, marked) // the last look below tells
		cancel()
	}
	w.screen(term, "› "+option)
	w.keys(term, "\r")
}

func (w *codexWorld) keys(term *terminal.Terminal, keys string) {
	w.t.Helper()
	if err := term.Send(keys); err != nil {
		w.t.Fatal(err)
	}
}

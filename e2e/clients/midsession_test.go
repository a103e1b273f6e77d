//go:build clients

package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/modelserver"
)

const deliverByWaking = `{"name": "harbour", "deliver": "wake"}` + "\n"

// post leaves a handoff as somebody outside of every session.
func (w *world) post(args ...string) string {
	w.t.Helper()
	out := w.run(w.root, w.exchange(), append([]string{"handoff", "post"}, args...)...)
	scope := args[1]
	if args[0] == "--session" {
		scope = "session " + scope
	}
	return posted(w.t, out, scope)
}

// wantShown wants a handoff in a text so many times.
func wantShown(t *testing.T, whose, text, id string, times int) {
	t.Helper()
	if n := strings.Count(text, "- "+id+" (open)"); n != times {
		t.Fatalf("%s shows %s %d times, want %d:\n%s", whose, id, n, times, text)
	}
}

func TestMidsession_MailIsInTheNextPromptOnce(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	a.Ask("good morning")
	id := w.post("--repo", "a", "--body", prose)
	next := a.Ask("go on").Text()
	wantShown(t, "the next request", next, id, 1)
	wantText(t, "the next request", next, mark+" 1 new handoff(s) for this session, newest first")
	wantShown(t, "the one after", a.Ask("and on").Text(), id, 1) // the conversation keeps it
	shown := w.run(w.root, w.exchange(), "handoff", "show", id)
	wantText(t, "the handoff", shown, "\n  receipts 1\n    shown to "+a.Name()+" at ")
	wantText(t, "the handoff", shown, " (prompt)\n")
}

func TestMidsession_MailForTheOldIdArrivesAfterClear(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	a.Bash(claimCommand)
	first := a.ID()
	a.Clear()
	w.wantCarriedOver(a, []string{first})
	a.Ask("good morning")
	id := w.post("--session", first, "--body", prose)
	wantShown(t, "the next request", a.Ask("go on").Text(), id, 1)
}

func TestMidsession_WakeStartsATurnOnce(t *testing.T) {
	w := newWorldWithPlugin(t)
	if err := os.WriteFile(filepath.Join(w.root, ".claude", "exchange.json"), []byte(deliverByWaking), 0o644); err != nil {
		t.Fatal(err)
	}
	a := w.start("A", w.repo("a"))
	a.Ask("good morning")
	id := w.post("--repo", "a", "--body", prose, "--wake")
	woken := a.WaitRequest("the wake", func(r modelserver.Request) bool { return strings.Contains(r.LastText(), id) })
	wantShown(t, "the wake", woken.Text(), id, 1)
	a.WaitRegistry("an idle session", func(r claude.Row) bool { return r.Status == "idle" })
	wantShown(t, "the next request", a.Ask("go on").Text(), id, 1)
	turns := 0
	for _, r := range a.Server().Turns() {
		if strings.Contains(r.LastText(), id) {
			turns++
		}
	}
	if turns != 1 {
		t.Fatalf("%d turns were started", turns)
	}
	wantText(t, "the handoff", w.run(w.root, w.exchange(), "handoff", "show", id), " (wake)\n")
	if left, _ := filepath.Glob(filepath.Join(w.root, ".claude", "exchange", "wake", "*")); len(left) > 0 {
		t.Fatalf("left: %q", left)
	}
}

func TestMidsession_StopTellsThePerson(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.home.Start(t, "A", w.repo("a"), "--allowedTools", "Bash")
	began, goOn := filepath.Join(w.outside, "began"), filepath.Join(w.outside, "go")
	postedID := make(chan string, 1)
	go func() {
		defer close(postedID)
		for _, err := os.Stat(began); err != nil; _, err = os.Stat(began) {
			select {
			case <-t.Context().Done():
				return
			case <-time.After(poll):
			}
		}
		postedID <- w.post("--repo", "a", "--body", prose)
		if err := os.WriteFile(goOn, nil, 0o644); err != nil {
			t.Error(err)
		}
	}()
	a.Bash("touch '" + began + "'; until [ -e '" + goOn + "' ]; do sleep 0.1; done")
	id := <-postedID
	a.WaitScreen("the line for the person", func(screen string) bool {
		return strings.Contains(strings.Join(strings.Fields(screen), " "), "1 new handoff(s) for this session: the next prompt shows them to it")
	})
	turns := len(a.Server().Turns())
	next := a.Ask("go on")
	wantShown(t, "the next request", next.Text(), id, 1)
	wantNoText(t, "the next request", next.Text(), "the next prompt shows them")
	if now := len(a.Server().Turns()); now != turns+1 {
		t.Fatalf("%d requests were made for one prompt", now-turns)
	}
}

func TestMidsession_TheModShowsWhatCame(t *testing.T) {
	w := newWorldWithPlugin(t)
	a := w.start("A", w.repo("a"))
	a.Ask("good morning")
	w.post("--repo", "a", "--body", prose)
	a.WaitScreen("a toast and the count", func(screen string) bool {
		words := strings.Join(strings.Fields(screen), " ")
		return strings.Contains(words, "new handoff from") && strings.Contains(words, "1 new handoff")
	})
	a.Ask("go on")
	a.WaitScreen("no count", func(screen string) bool { return !strings.Contains(screen, "1 new handoff ") })
}

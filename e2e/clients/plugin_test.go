//go:build clients

package clients_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPlugin_PassesTheClientsValidation(t *testing.T) {
	w := newWorld(t, "harbour")
	w.home.Run(t, w.outside, "plugin", "validate", filepath.Join(w.checkout, "hookd", "plugin"))
	w.home.Run(t, w.outside, "plugin", "validate", w.checkout)
}

func TestPlugin_IsInstalledOffline(t *testing.T) {
	w := newWorld(t, "harbour")
	w.install(w.checkout)
	wantText(t, "the list of plugins", w.home.Run(t, w.outside, "plugin", "list"), "changeover@changeover")
}

func TestPlugin_RunsFromPathsWithSpaces(t *testing.T) {
	w := newWorld(t, "the harbour")
	w.install(w.copyCheckout("check out"))
	a := w.start("A", w.repo("a"))
	a.Bash(`exchange claim --focus "` + focus + `"`)
	b := w.start("B", w.repo("b"))
	wantText(t, "B's first request", b.Ask("good morning").Text(), mark+" 1 other session(s) under the harbour:\n- "+a.Name()+": "+focus)
}

func TestPlugin_RunsFromAFolderForOneSession(t *testing.T) {
	w := newWorld(t, "harbour")
	folder := filepath.Join(w.checkout, "hookd", "plugin")
	a := w.start("A", w.repo("a"), "--plugin-dir", folder)
	a.Bash(`exchange claim --focus "` + focus + `"`)
	b := w.start("B", w.repo("b"), "--plugin-dir", folder)
	wantText(t, "B's first request", b.Ask("good morning").Text(), mark+" 1 other session(s) under harbour:\n- "+a.Name()+": "+focus)
}

// copyCheckout copies what an installation needs into a directory of that
// name and returns it.
func (w *world) copyCheckout(name string) string {
	w.t.Helper()
	to := filepath.Join(filepath.Dir(w.root), name)
	for _, part := range []string{".claude-plugin", filepath.Join("hookd", "plugin")} {
		if err := os.CopyFS(filepath.Join(to, part), os.DirFS(filepath.Join(w.checkout, part))); err != nil {
			w.t.Fatalf("copy the checkout: %v", err)
		}
	}
	return to
}

//go:build clients

package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/changeover/changeover/e2e/clients/pinned"
)

// What make install does with the client, and make uninstall.
func TestInstallation_IsRegisteredOnceAndUndone(t *testing.T) {
	w := newWorld(t, "harbour")
	prefix := filepath.Join(filepath.Dir(w.root), "a prefix")
	install := w.installer(prefix)
	install()
	install()
	plugins := w.home.Run(t, w.outside, "plugin", "list", "--json")
	wantText(t, "the list of plugins", plugins, `"readFromFolder": "`+filepath.Join(prefix, "share", "changeover", "plugin")+`"`)
	if n := strings.Count(plugins, `"changeover@changeover"`); n != 1 {
		t.Fatalf("the plugin is listed %d times:\n%s", n, plugins)
	}
	id := posted(t, w.run(w.repo("a"), filepath.Join(prefix, "bin", "exchange"), "handoff", "post", "--repo", "b", "--body", prose), "b")
	b := w.start("B", w.repo("b"))
	wantLine(t, "B's first request", b.Ask("good morning").Text(), "- "+id+" (open) from "+w.repo("a")+", to b: "+prose)
	b.Exit()

	install("-remove")
	if plugins := w.home.Run(t, w.outside, "plugin", "list", "--json"); strings.Contains(plugins, "changeover@") {
		t.Fatalf("the plugin is still listed:\n%s", plugins)
	}
	if left, err := os.ReadDir(prefix); err != nil || len(left) > 0 {
		t.Fatalf("%v is left (%v)", left, err)
	}
	c := w.start("C", w.repo("b"))
	c.Ask("good morning")
	wantSilence(t, "a session after the removal", c.Server())
}

// installer builds what make install runs, and returns a func that runs it where the
// client is on PATH.
func (w *world) installer(prefix string) func(args ...string) {
	w.t.Helper()
	dir := w.t.TempDir()
	program := filepath.Join(dir, "install")
	if built, err := exec.CommandContext(w.t.Context(), "go", "build", "-o", program, "../install").CombinedOutput(); err != nil {
		w.t.Fatalf("build the installer: %v\n%s", err, built)
	}
	client, err := pinned.In(w.checkout).Claude()
	if err == nil {
		err = os.Symlink(client, filepath.Join(dir, "claude"))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return func(args ...string) {
		w.t.Helper()
		cmd := exec.CommandContext(w.t.Context(), program, append([]string{"-from", w.checkout, "-prefix", prefix}, args...)...)
		cmd.Dir = w.outside
		cmd.Env = append(w.home.Env(), "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1")
		for i, setting := range cmd.Env {
			if path, ok := strings.CutPrefix(setting, "PATH="); ok {
				cmd.Env[i] = "PATH=" + dir + string(filepath.ListSeparator) + path
			}
		}
		said, err := cmd.CombinedOutput()
		w.t.Logf("install %v\n%s", args, said)
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

//go:build clients

package clients_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/clients/pinned"
)

const (
	patience = 120 * time.Second
	poll     = 50 * time.Millisecond

	focus = "redraw the tide table"
	prose = "the pier height moved to metres"
	mark  = "[session-exchange]"
)

// world is a temporary tree of one test: a marked root with the repos a and b,
// a directory outside of the root, and a home of the client.
type world struct {
	t        *testing.T
	checkout string
	root     string
	outside  string
	home     claude.Home
}

// newWorld makes a world whose root has that name. The plugin is not in it.
func newWorld(t *testing.T, rootName string) *world {
	t.Helper()
	checkout, err := pinned.Checkout()
	if err != nil {
		t.Fatal(err)
	}
	client, err := pinned.In(checkout).Claude()
	if err != nil {
		t.Fatal(err)
	}
	for _, built := range []string{"bin/exchange", "hookd/plugin/bin/hookd", "hookd/plugin/bin/exchange"} {
		if _, err := os.Stat(filepath.Join(checkout, filepath.FromSlash(built))); err != nil {
			t.Fatalf("%v: run make test-clients, which builds it", err)
		}
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t:        t,
		checkout: checkout,
		root:     filepath.Join(dir, rootName),
		outside:  filepath.Join(dir, "outside"),
	}
	for _, d := range []string{w.repo("a"), w.repo("b"), w.outside} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.home = claude.NewHome(t, claude.Setup{
		Dir:       filepath.Join(dir, "home"),
		Client:    client,
		Trusted:   []string{w.repo("a"), w.repo("b"), w.outside},
		Artifacts: filepath.Join(checkout, "e2e", "artifacts", t.Name()),
	})
	w.run(w.repo("a"), "git", "init", "--quiet")
	w.run(w.repo("b"), "git", "init", "--quiet")
	w.run(dir, w.exchange(), "init", w.root)
	return w
}

// newWorldWithPlugin makes a world in which the plugin of this checkout is
// installed.
func newWorldWithPlugin(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, "harbour")
	w.install(w.checkout)
	return w
}

// install installs the plugin from a checkout as a person would.
func (w *world) install(checkout string) {
	w.t.Helper()
	w.home.Run(w.t, w.outside, "plugin", "marketplace", "add", checkout)
	w.home.Run(w.t, w.outside, "plugin", "install", "changeover@changeover")
}

// start starts a session that may run exchange without being asked.
func (w *world) start(label, cwd string, args ...string) *claude.Session {
	w.t.Helper()
	args = append(args, "--allowedTools", "Bash(exchange *)")
	return w.home.Start(w.t, label, cwd, args...)
}

func (w *world) repo(name string) string { return filepath.Join(w.root, name) }

func (w *world) exchange() string { return filepath.Join(w.checkout, "bin", "exchange") }

// run runs a program in the client's home and returns its output; a status
// other than 0 fails the test.
func (w *world) run(cwd, program string, args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), program, args...)
	cmd.Dir = cwd
	cmd.Env = w.home.Env()
	output, err := cmd.CombinedOutput()
	w.t.Logf("in %s $ %s %s\n%s", cwd, filepath.Base(program), strings.Join(args, " "), output)
	if err != nil {
		w.t.Fatalf("%s %s: %v", program, strings.Join(args, " "), err)
	}
	return string(output)
}

// claim is what the tests look at in a claim's file.
type claim struct {
	SessionID string   `json:"session_id"`
	Focus     string   `json:"focus"`
	Paths     []string `json:"paths"`
	Was       []string `json:"was"`
}

// claims reads the claims in sessions or ended by the id in their names.
func (w *world) claims(directory string) map[string]claim {
	w.t.Helper()
	found := map[string]claim{}
	dir := filepath.Join(w.root, ".claude", "exchange", directory)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		id, isClaim := strings.CutSuffix(e.Name(), ".json")
		if !isClaim || strings.HasPrefix(id, ".tmp-") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // renamed since the listing
		}
		if err != nil {
			w.t.Fatal(err)
		}
		var c claim
		if err := json.Unmarshal(raw, &c); err != nil {
			w.t.Fatalf("claim %s: %v", id, err)
		}
		found[id] = c
	}
	return found
}

// waitClaims returns the claims as soon as cond accepts them: a session shows
// its prompt while its hooks still run.
func (w *world) waitClaims(what, directory string, cond func(map[string]claim) bool) map[string]claim {
	w.t.Helper()
	var found map[string]claim
	waitFor(w.t, what, func() bool {
		found = w.claims(directory)
		return cond(found)
	}, func() string { return fmt.Sprintf("%s holds %+v", directory, found) })
	return found
}

func has(id string) func(map[string]claim) bool {
	return func(claims map[string]claim) bool {
		_, ok := claims[id]
		return ok
	}
}

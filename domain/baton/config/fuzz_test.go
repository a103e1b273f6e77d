package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/changeover/changeover/domain/baton/config"
)

// What is read keeps to the rules, whatever stands in the file, and what is wrong with
// it can be shown.
func FuzzParse(f *testing.F) {
	names, err := filepath.Glob("testdata/*.json")
	if err != nil || len(names) == 0 {
		f.Fatalf("no fixtures: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, seed := range []string{
		`{"agents":{"codex":{"command":"codex","args":["exec","--full-auto"],"env":{"A":"1"},"silence":"15m","protocol":"generic"}}}`,
		`{"fallbackPatterns":["x",""],"fallbackOn":["usage-limit"],"fallbackOnSuccess":"strong"}`, "\ufeff{}", `{"tokenDiet":{"profile":"ultra"}}`,
		`{"agents":{"claude":{"args":["--permission-mode=bypassPermissions"]}},"primaryAgent":"claude","fallbackAgent":"codex"}`,
	} {
		f.Add([]byte(seed))
	}
	known := []string{"claude", "codex"}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Parse(data, config.File)
		if err != nil {
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
				t.Fatalf("%q", err)
			}
			return
		}
		if !slices.Contains(known, c.PrimaryAgent) || !slices.Contains(known, c.FallbackAgent) {
			t.Fatalf("%s gives the agents %q and %q", data, c.PrimaryAgent, c.FallbackAgent)
		}
		for id, a := range c.Agents {
			if word, found := config.Forbidden(a.Args); found || strings.TrimSpace(a.Program) == "" || a.Silence < 0 {
				t.Fatalf("%s gives %s the launch %+v with %q", data, id, a, word)
			}
			for name := range a.Env {
				if name == "" || strings.Contains(name, "=") || slices.Contains(c.Auth.Blocked, name) {
					t.Fatalf("%s gives %s the variable %q", data, id, name)
				}
			}
		}
		if _, ok := c.Diet.Profiles[c.Diet.Profile]; !ok {
			t.Fatalf("%s gives the profile %q, of %v", data, c.Diet.Profile, c.Diet.Profiles)
		}
	})
}

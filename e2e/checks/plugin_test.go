package checks_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/matryer/is"
)

// pluginDir is where the plugin lies in the repository.
const pluginDir = "hookd/plugin"

// readJSON reads a JSON file of the repository.
func readJSON[T any](t *testing.T, name string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(repository(t), name))), &value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

func TestPlugin_MarketplaceOffersIt(t *testing.T) {
	is := is.New(t)
	manifest := readJSON[struct{ Name, Version, Description, License string }](t, pluginDir+"/.claude-plugin/plugin.json")
	is.Equal(manifest.Name, "changeover")
	is.Equal(manifest.License, "MIT")
	is.True(manifest.Version != "")

	marketplace := readJSON[struct {
		Name    string
		Plugins []struct{ Name, Source, Description string }
	}](t, ".claude-plugin/marketplace.json")
	is.Equal(marketplace.Name, "changeover")
	is.Equal(len(marketplace.Plugins), 1)
	offer := marketplace.Plugins[0]
	is.Equal(offer.Name, manifest.Name)
	is.Equal(offer.Source, "./"+pluginDir)
	is.Equal(offer.Description, manifest.Description)
}

func TestPlugin_HooksStartHookdWithoutAShell(t *testing.T) {
	hooks := readJSON[struct {
		Hooks map[string][]struct {
			Matcher *string
			Hooks   []struct {
				Type, Command string
				Args          []string
			}
		}
	}](t, pluginDir+"/hooks/hooks.json").Hooks

	for _, event := range []string{"SessionStart", "SessionEnd"} {
		if len(hooks[event]) == 0 {
			t.Errorf("nothing is wired for %s", event)
		}
	}
	for event, groups := range hooks {
		for _, group := range groups {
			is := is.New(t)
			is.Equal(group.Matcher, nil) // no matcher
			for _, hook := range group.Hooks {
				is.Equal(hook.Type, "command")
				is.Equal(hook.Command, "${CLAUDE_PLUGIN_ROOT}/bin/hookd")
				is.Equal(hook.Args, []string{kebab(event)}) // the event alone
			}
		}
	}
}

// kebab turns SessionStart into session-start.
func kebab(event string) string {
	var b strings.Builder
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func TestPlugin_HasNoFileNamedLikeALegacyScript(t *testing.T) {
	legacy := []string{"session_exchange_*.py", "session-exchange-*.sh", "*-handoff-check.sh", "*-session-lane.sh"}
	err := filepath.WalkDir(filepath.Join(repository(t), pluginDir), func(path string, _ fs.DirEntry, err error) error {
		for _, pattern := range legacy {
			if match, bad := filepath.Match(pattern, filepath.Base(path)); bad != nil || match {
				t.Errorf("%s is named like %s (%v)", path, pattern, bad)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPlugin_CommandRunsTheExchangeProgram(t *testing.T) {
	is := is.New(t)
	lines := strings.Split(readFile(t, filepath.Join(repository(t), pluginDir, "commands", "exchange.md")), "\n")
	is.Equal(lines[0], "---")
	end := slices.Index(lines[1:], "---") + 1
	is.True(end > 0) // front matter is closed
	keys := map[string]string{}
	for _, line := range lines[1:end] {
		key, value, _ := strings.Cut(line, ": ")
		keys[key] = value
	}
	is.True(keys["description"] != "")
	is.True(keys["argument-hint"] != "")
	is.Equal(keys["allowed-tools"], "Bash(exchange:*)")
	is.True(strings.Contains(strings.Join(lines[end:], "\n"), "$ARGUMENTS"))
}

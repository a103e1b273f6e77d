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

	"github.com/changeover/changeover/domain/relay"
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

// wired is one group of hooks as hooks.json has it.
type wired struct {
	Matcher *string
	Hooks   []struct {
		Type, Command string
		Args          []string
		AsyncRewake   bool
		RewakeMessage string
		RewakeSummary string
	}
}

// pendingEntry is the second entry of a session's start, which may wake it.
const pendingEntry = "session-pending"

func TestPlugin_HooksStartHookdWithoutAShell(t *testing.T) {
	hooks := readJSON[struct{ Hooks map[string][]wired }](t, pluginDir+"/hooks/hooks.json").Hooks
	handled := []string{
		"SessionStart", "SessionEnd", "UserPromptSubmit", "UserPromptExpansion", "Stop", "StopFailure", "FileChanged",
	}
	for _, event := range handled {
		if len(hooks[event]) != 1 {
			t.Errorf("%d groups are wired for %s", len(hooks[event]), event)
		}
	}
	for event, groups := range hooks {
		for _, group := range groups {
			is := is.New(t)
			is.True(slices.Contains(handled, event)) // something handles it
			if event == "UserPromptExpansion" {
				is.Equal(*group.Matcher, "changeover:relay") // no other command
			} else {
				is.Equal(group.Matcher, nil) // no matcher
			}
			for i, hook := range group.Hooks {
				want := kebab(event)
				if i > 0 {
					is.Equal(event, "SessionStart") // the one event with two entries
					want = pendingEntry
				}
				is.Equal(hook.Type, "command")
				is.Equal(hook.Command, "${CLAUDE_PLUGIN_ROOT}/bin/hookd")
				is.Equal(hook.Args, []string{want}) // the event alone
				is.Equal(hook.AsyncRewake, event == "FileChanged" || want == pendingEntry)
				if hook.AsyncRewake {
					is.Equal(hook.RewakeMessage, relay.WakePrefix) // what the gate takes off again
					is.True(hook.RewakeSummary != "")
				}
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

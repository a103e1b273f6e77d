package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// SettingsReader reads the client's settings files.
type SettingsReader interface {
	// Settings reads one file; comments and trailing commas are accepted. A
	// missing file is fs.ErrNotExist.
	Settings(path string) (Settings, error)
}

// Settings is what of a settings file matters here.
type Settings struct {
	// Texts are all strings anywhere in it.
	Texts []string
	// Plugins are the plugins it enables, as name@marketplace, PluginsOff those that
	// it switches off.
	Plugins, PluginsOff []string
	// NoHooks: it switches every hook off. ManagedOnly: it leaves managed ones alone.
	NoHooks, ManagedOnly bool
}

// legacyPatterns are the names of the scripts that did this job before.
var legacyPatterns = []string{
	"session_exchange_*.py", "session-exchange-*.sh", "*-handoff-check.sh", "*-session-lane.sh",
}

// IsLegacyName reports the base name of a legacy script.
func IsLegacyName(name string) bool {
	return slices.ContainsFunc(legacyPatterns, func(pattern string) bool {
		matched, err := path.Match(pattern, name)
		return err == nil && matched
	})
}

// hookExecutable is the base name of the program that hooks run.
const hookExecutable = "hookd"

// pluginName is the plugin that ships it.
const pluginName = "changeover"

// wiring is a settings file that names a script.
type wiring struct {
	settings string
	script   string
	// wide: the file applies to every root of this user.
	wide bool
}

// wirings is what the settings files around a root say.
type wirings struct {
	// onDisk are the legacy scripts that lie in the client's hooks directory.
	onDisk []string
	// legacy are the wirings of legacy scripts, in the order searched.
	legacy []wiring
	// hookd are the settings files that wire our own hook by hand.
	hookd []string
	// enabled is the settings file that enables the plugin; empty if none.
	enabled  string
	problems []string
}

// scan searches the settings files of a root and the client's hooks directory.
func (w World) scan(root string) wirings {
	var found wirings
	if dir := w.Env.ClientDir(); dir != "" {
		w.scanClient(&found, dir)
	} else {
		found.problems = append(found.problems, fmt.Sprintf("the user's settings and hooks could not be looked for: %s", port.ErrNoHome))
	}
	local := path.Join(".claude", "settings.local.json")
	w.scanFile(&found, path.Join(root, local), false)
	below, err := w.Files.ReadDir(root)
	if err != nil {
		found.problems = append(found.problems, fmt.Sprintf("%s could not be listed: %s", root, reason(err)))
	}
	for _, e := range below {
		if e.Mode.IsDir() || e.Mode&fs.ModeSymlink != 0 {
			w.scanFile(&found, path.Join(root, e.Name, local), false)
		}
	}
	return found
}

// scanClient searches what applies to every root of the user.
func (w World) scanClient(found *wirings, dir string) {
	hooks := path.Join(dir, "hooks")
	entries, err := w.Files.ReadDir(hooks)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		found.problems = append(found.problems, fmt.Sprintf("%s could not be listed: %s", hooks, reason(err)))
	}
	for _, e := range entries {
		if e.Mode.IsRegular() && IsLegacyName(e.Name) {
			found.onDisk = append(found.onDisk, e.Name)
		}
	}
	w.scanFile(found, path.Join(dir, "settings.json"), true)
}

func (w World) scanFile(found *wirings, file string, wide bool) {
	settings, err := w.Settings.Settings(file)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		found.problems = append(found.problems, fmt.Sprintf("%s could not be read: %s", file, reason(err)))
		return
	}
	names := scriptNames(settings.Texts)
	for _, name := range names {
		if IsLegacyName(name) {
			found.legacy = append(found.legacy, wiring{settings: file, script: name, wide: wide})
		}
	}
	if slices.Contains(names, hookExecutable) {
		found.hookd = append(found.hookd, file)
	}
	for _, plugin := range settings.Plugins {
		if name, _, _ := strings.Cut(plugin, "@"); wide && name == pluginName {
			found.enabled = file
		}
	}
}

// scriptNames returns the last path components of all tokens of the texts,
// each once, sorted.
func scriptNames(texts []string) []string {
	var names []string
	for _, t := range texts {
		for _, token := range strings.FieldsFunc(t, splitsTokens) {
			if name := path.Base(token); name == hookExecutable || IsLegacyName(name) {
				names = append(names, name)
			}
		}
	}
	sort.Strings(names)
	return slices.Compact(names)
}

func splitsTokens(r rune) bool {
	return strings.ContainsRune("\"';&|()<>`=", r) || r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\v' || r == '\f'
}

// scoped returns the wirings under the root, wide those of the user.
func (w wirings) scoped() []wiring {
	return slices.DeleteFunc(slices.Clone(w.legacy), func(x wiring) bool { return x.wide })
}

func (w wirings) wide() []wiring {
	return slices.DeleteFunc(slices.Clone(w.legacy), func(x wiring) bool { return !x.wide })
}

// distinctScripts returns the script names of wirings, sorted, each once.
func distinctScripts(list []wiring) []string {
	var names []string
	for _, x := range list {
		names = append(names, text.Printable(x.script))
	}
	sort.Strings(names)
	return slices.Compact(names)
}

// hookWiring is one place that makes the client run our hook.
type hookWiring struct {
	file string
	// command is how the plugin runs it; empty for a settings file, whose
	// commands are never shown.
	command string
}

// hookWirings returns every place that wires our hook: the plugin, then the
// settings files.
func (w World) hookWirings(found wirings) []hookWiring {
	var list []hookWiring
	if dir := w.Env.Lookup("CLAUDE_PLUGIN_ROOT"); dir != "" {
		list = append(list, hookWiring{file: path.Join(dir, "hooks", "hooks.json"), command: pluginCommand(dir)})
	} else if found.enabled != "" {
		wired := hookWiring{file: found.enabled}
		if dir := w.pluginDir(); w.isPlugin(dir) {
			wired.command = pluginCommand(dir)
		}
		list = append(list, wired)
	}
	for _, file := range found.hookd {
		list = append(list, hookWiring{file: file})
	}
	return list
}

// isPlugin reports a directory with a plugin's manifest: a program that runs
// from elsewhere cannot tell where the installed plugin lies.
func (w World) isPlugin(dir string) bool {
	found, err := isRegular(w.Files, path.Join(dir, ".claude-plugin", "plugin.json"))
	return err == nil && found
}

func pluginCommand(dir string) string { return path.Join(dir, "bin", hookExecutable) }

// pluginDir is the directory of the plugin that this program belongs to.
func (w World) pluginDir() string {
	if dir := w.Env.Lookup("CLAUDE_PLUGIN_ROOT"); dir != "" {
		return dir
	}
	return path.Dir(path.Dir(w.Env.Executable()))
}

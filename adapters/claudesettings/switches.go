package claudesettings

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

// modSwitch is the client's own switch for mods, as it caches it.
const modSwitch = "tengu_plugin_hooks_modules"

// Switches reads what a person's settings and the client itself have switched
// off. A file that does not exist switches nothing.
func (r Reader) Switches(env port.Environment, cwd string) (relay.Switches, error) {
	var s relay.Switches
	var faults error
	for _, name := range []string{
		path.Join(env.ClientDir(), "settings.json"),
		path.Join(cwd, ".claude", "settings.json"),
		path.Join(cwd, ".claude", "settings.local.json"),
	} {
		object, err := r.object(name)
		faults = errors.Join(faults, err)
		if off, _ := object["disableAllHooks"].(bool); off {
			s.NoHooks = name
		}
	}
	dir := env.Home
	if env.Lookup("CLAUDE_CONFIG_DIR") != "" {
		dir = env.ClientDir()
	}
	object, err := r.object(path.Join(dir, ".claude.json"))
	faults = errors.Join(faults, err)
	cached, _ := object["cachedGrowthBookFeatures"].(map[string]any)
	on, told := cached[modSwitch].(bool)
	s.NoMods = told && !on && readsCache(env)
	return s, faults
}

// readsCache reports that the client looks at the switches that it keeps: not
// without telemetry, unless it is told to.
func readsCache(env port.Environment) bool {
	quiet := env.Lookup("DISABLE_TELEMETRY") != "" || env.Lookup("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC") != ""
	return !quiet || env.Lookup("CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF") != ""
}

// object reads a file that holds one object; empty where there is no file.
func (r Reader) object(name string) (map[string]any, error) {
	data, err := r.fs.ReadLinked(name, fileLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s could not be read: %w", name, err)
	}
	value, err := jsondoc.DecodeRelaxed(data)
	if err != nil {
		return nil, fmt.Errorf("%s could not be read: %w", name, err)
	}
	object, _ := value.(map[string]any)
	return object, nil
}

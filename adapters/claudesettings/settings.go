// Package claudesettings reads the settings files of Claude Code.
package claudesettings

import (
	"sort"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
)

// fileLimit bounds the reading of one settings file, in bytes.
const fileLimit = 4 << 20

// Reader implements exchange.SettingsReader.
type Reader struct {
	fs port.FileReader
}

var _ exchange.SettingsReader = Reader{}

// New reads through the given file system.
func New(files port.FileReader) Reader { return Reader{fs: files} }

// Open is New for assembly.
func Open(files port.FS) Reader { return New(files) }

// Set provides the reader.
var Set = wire.NewSet(Open, wire.Bind(new(exchange.SettingsReader), new(Reader)))

// Settings implements exchange.SettingsReader.
func (r Reader) Settings(path string) (exchange.Settings, error) {
	data, err := r.fs.ReadLinked(path, fileLimit)
	if err != nil {
		return exchange.Settings{}, err
	}
	value, err := jsondoc.DecodeRelaxed(data)
	if err != nil {
		return exchange.Settings{}, err
	}
	object, _ := value.(map[string]any)
	noHooks, _ := object["disableAllHooks"].(bool)
	managedOnly, _ := object["allowManagedHooksOnly"].(bool)
	return exchange.Settings{
		Texts: jsondoc.Texts(value), Plugins: plugins(object, true), PluginsOff: plugins(object, false),
		NoHooks: noHooks, ManagedOnly: managedOnly,
	}, nil
}

// plugins lists what enabledPlugins switches on or off.
func plugins(object map[string]any, wanted bool) []string {
	enabled, _ := object["enabledPlugins"].(map[string]any)
	var names []string
	for name, on := range enabled {
		if on, ok := on.(bool); ok && on == wanted {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// Package relayconfig reads what a person has set for every link of relay: the
// environment, else the configuration file.
package relayconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/relay"
)

// fileLimit bounds the reading of the file, in bytes.
const fileLimit = 64 << 10

// Reader implements relay.Defaults.
type Reader struct {
	fs  port.FileReader
	env port.Environment
}

var _ relay.Defaults = Reader{}

// New reads through the given file system.
func New(files port.FileReader, env port.Environment) Reader { return Reader{fs: files, env: env} }

// Open is New for assembly.
func Open(files port.FS, env port.Environment) Reader { return New(files, env) }

// Set provides the reader.
var Set = wire.NewSet(Open, wire.Bind(new(relay.Defaults), new(Reader)))

// Path returns where the configuration file lies: relay/config.json below
// XDG_CONFIG_HOME, else below ~/.config; empty where nobody knows.
func (r Reader) Path() string {
	dir := strings.TrimSpace(r.env.Lookup("XDG_CONFIG_HOME"))
	if path.IsAbs(dir) {
		return path.Join(dir, "relay", "config.json")
	}
	if r.env.Home == "" {
		return ""
	}
	return path.Join(r.env.Home, ".config", "relay", "config.json")
}

// Terms implements relay.Defaults: RELAY_MAX_ROUNDS and RELAY_LANG, else
// max_rounds and lang of the file, else what relay has of itself.
func (r Reader) Terms() (relay.Terms, error) {
	t, err := r.file()
	if err != nil {
		return t, err
	}
	for _, v := range []struct{ variable, flag string }{{"RELAY_MAX_ROUNDS", "--max-rounds"}, {"RELAY_LANG", "--lang"}} {
		value := strings.TrimSpace(r.env.Lookup(v.variable))
		if value == "" {
			continue
		}
		with, err := t.With(v.flag, value)
		if err != nil {
			return t, fmt.Errorf("%s: %w", v.variable, err)
		}
		t = with
	}
	return t, nil
}

func (r Reader) file() (relay.Terms, error) {
	t := relay.Terms{MaxRounds: relay.DefaultMaxRounds, Lang: "en"}
	if r.Path() == "" {
		return t, fmt.Errorf("find relay's configuration: %w: set HOME or XDG_CONFIG_HOME", port.ErrNoHome)
	}
	data, err := r.fs.ReadLinked(r.Path(), fileLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return t, fmt.Errorf("%s could not be read: %w", r.Path(), err)
	}
	value, err := jsondoc.DecodeRelaxed(data)
	if err != nil {
		return t, fmt.Errorf("%s could not be read: %w", r.Path(), err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return t, fmt.Errorf("%s is no object: write {\"max_rounds\": 10, \"lang\": \"en\"}", r.Path())
	}
	return r.apply(t, object)
}

func (r Reader) apply(t relay.Terms, object map[string]any) (relay.Terms, error) {
	for key, value := range object {
		var typed string
		switch v := value.(type) {
		case jsondoc.Number:
			typed = string(v)
		case string:
			typed = v
		}
		flag := map[string]string{"max_rounds": "--max-rounds", "lang": "--lang"}[key]
		if flag == "" {
			return t, fmt.Errorf("%s: there is no key %q: max_rounds and lang are the ones", r.Path(), key)
		}
		with, err := t.With(flag, typed)
		if err != nil {
			return t, fmt.Errorf("%s: %s: %w", r.Path(), key, err)
		}
		t = with
	}
	return t, nil
}

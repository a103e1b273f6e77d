package config

import (
	"maps"
	"slices"
)

// Key is one key of the configuration.
type Key struct {
	// Path is the key with those above it, with points; * stands for a name that
	// people choose.
	Path string
	// Default is its value in the configuration that a file is laid over: a string,
	// a bool, a jsondoc.Number, a []any or a map[string]any; nil where there is none.
	Default any
}

// Keys are the keys that a file may hold, those of one object beside each other.
func Keys() []Key { return keysOf(known(), defaults(), "") }

func keysOf(s shape, values map[string]any, above string) []Key {
	var keys []Key
	for _, name := range slices.Sorted(maps.Keys(s)) {
		path := join(above, name)
		if s[name] == nil {
			keys = append(keys, Key{Path: path, Default: values[name]})
			continue
		}
		inner, _ := values[name].(map[string]any)
		keys = append(keys, keysOf(s[name], inner, path)...)
	}
	return keys
}

package exchange

import (
	"fmt"
	"strings"
)

// MarkerKey is one key of the marker.
type MarkerKey struct {
	// Path is the key with those above it, with points; ‹label› stands for a name
	// that people choose.
	Path     string
	Type     string
	Required bool
	// Default is what holds without the key; nil for nothing.
	Default any
	// Limits is what a value must keep to; empty for nothing beyond its type.
	Limits string
}

// MarkerKeys are the keys of the marker, in the order of its schema.
func MarkerKeys() []MarkerKey { return keysOf(markerSchema(), "") }

func keysOf(s schema, above string) []MarkerKey {
	var keys []MarkerKey
	for _, f := range s.fields {
		path := strings.TrimPrefix(above+"."+f.key, ".")
		keys = append(keys, MarkerKey{
			Path: path, Type: f.schema.word(), Required: f.required, Default: f.schema.standard, Limits: f.schema.limits(),
		})
		inner := f.schema
		if inner.form == mapForm && inner.item.form == objectForm {
			path, inner = path+".‹label›", *inner.item
		}
		keys = append(keys, keysOf(inner, path)...)
	}
	return keys
}

// word names the type to people.
func (s schema) word() string {
	switch s.form {
	case integerForm:
		return "integer"
	case booleanForm:
		return "true or false"
	case listForm:
		return "list of " + s.item.word() + "s"
	case mapForm:
		return "object of " + s.item.word() + "s"
	case objectForm:
		return "object"
	case textForm:
	}
	return "text"
}

func (s schema) limits() string {
	switch {
	case len(s.oneOf) > 0:
		return "one of " + strings.Join(s.oneOf, ", ")
	case s.form == integerForm:
		return fmt.Sprintf("from %d to %d", s.min, maxInteger)
	case s.form == textForm && s.min > 0:
		return "not empty"
	case s.form == listForm && s.item.limits() != "":
		return "each " + s.item.limits()
	}
	return ""
}

package jsondoc

import (
	"maps"
	"slices"
)

// Texts returns every string anywhere in a decoded value; keys are none. What
// stands in objects comes in byte order of its keys.
func Texts(value any) []string { return texts(value, nil) }

func texts(value any, found []string) []string {
	switch v := value.(type) {
	case string:
		return append(found, v)
	case []any:
		for _, item := range v {
			found = texts(item, found)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			found = texts(v[key], found)
		}
	}
	return found
}

// Equal reports whether two decoded values are the same, numbers as they were
// spelt.
func Equal(a, b any) bool {
	switch v := a.(type) {
	case []any:
		w, ok := b.([]any)
		return ok && slices.EqualFunc(v, w, Equal)
	case map[string]any:
		w, ok := b.(map[string]any)
		return ok && maps.EqualFunc(v, w, Equal)
	}
	switch b.(type) {
	case []any, map[string]any:
		return false
	}
	return a == b
}

package reference

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
)

// anyLabel stands for a name that people choose, in the marker.
const anyLabel = "‹label›"

// marker is the part about exchange's marker.
func (p *page) marker() {
	const root = "/root"
	p.text("## exchange: `" + strings.TrimPrefix(exchange.MarkerPath(root), root+"/") + "`, the marker of a root\n")
	p.text("`exchange init` writes it. A marker with any fault counts as one without keys: every default holds, all of its other keys are\n" +
		"passed over, and `exchange doctor`, `exchange show` and the hook name the fault. A key that nobody knows is a fault too.\n")
	var rows [][]string
	for _, key := range exchange.MarkerKeys() {
		held := key.Limits
		if key.Required {
			held = strings.TrimSuffix("required; "+held, "; ")
		}
		rows = append(rows, []string{code(key.Path), key.Type, shown(key.Default), held, markerFault(root, key)})
	}
	p.table([]string{"key", "type", "default", "what it may be", "what is said of a wrong one"}, rows)
}

// markerFault is what the reader says of a wrong value.
func markerFault(root string, key exchange.MarkerKey) string {
	const example = "a"
	value := nested(strings.Split(strings.ReplaceAll(key.Path, anyLabel, example), "."), jsondoc.Number("-1"))
	_, err := exchange.ParseMarker(root, jsondoc.Stored(value))
	if err == nil {
		panic("the marker takes anything as " + key.Path)
	}
	spelt := strings.ReplaceAll(key.Path, "."+anyLabel, `["`+example+`"]`)
	_, says, found := strings.Cut(err.Error(), spelt+": ")
	if !found {
		panic(err.Error() + " is not about " + key.Path)
	}
	says, _, _ = strings.Cut(says, "; ")
	return spelt + ": " + says
}

// nested is a document with one value below the keys.
func nested(keys []string, value any) jsondoc.Object {
	if len(keys) == 1 {
		return jsondoc.Object{{Key: keys[0], Value: value}}
	}
	return jsondoc.Object{{Key: keys[0], Value: nested(keys[1:], value)}}
}

// shown is a value as JSON has it; empty for none.
func shown(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case int:
		return code(fmt.Sprint(v))
	case bool:
		return code(fmt.Sprint(v))
	}
	return code(string(jsondoc.Line(value)))
}

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// A marker with any fault is reported once and none of its values are used.
func TestMarker_FaultGivesDefaults(t *testing.T) {
	tests := []struct {
		name   string
		marker string
		says   string // in the problem line, beside the file name
	}{
		{"empty", "", ""},
		{"not JSON", "{", ""},
		{"two values", `{"name": "x"} {}`, ""},
		{"text after the value", `{"name": "x"} x`, ""},
		{"byte order mark", "\uFEFF" + `{"name": "x"}`, ""},
		{"not UTF-8", "{\"name\": \"x\xff\"}", ""},
		{"list", `["name"]`, ""},
		{"null", `null`, ""},
		{"no name", `{"stale_days": 3}`, "name"},
		{"empty name", `{"name": ""}`, "name"},
		{"name of another type", `{"name": 7}`, "name"},
		{"name null", `{"name": null}`, "name"},
		{"key in other case", `{"Name": "x"}`, "unexpected key 'Name'"},
		{"key in other case beside the right one", `{"name": "x", "Stale_days": 3}`, "unexpected key 'Stale_days'"},
		{"stale_days of 0", `{"name": "x", "stale_days": 0}`, "stale_days"},
		{"stale_days negative", `{"name": "x", "stale_days": -1}`, "stale_days"},
		{"integer with a fraction", `{"name": "x", "stale_days": 7.0}`, "stale_days"},
		{"integer as text", `{"name": "x", "stale_days": "7"}`, "stale_days"},
		{"integer as boolean", `{"name": "x", "stale_days": true}`, "stale_days"},
		{"max_focus_chars of 0", `{"name": "x", "max_focus_chars": 0}`, "max_focus_chars"},
		{"max_hot_paths negative", `{"name": "x", "max_hot_paths": -1}`, "max_hot_paths"},
		{"max_handoffs_listed of 0", `{"name": "x", "max_handoffs_listed": 0}`, "max_handoffs_listed"},
		{"labels a list", `{"name": "x", "labels": ["a"]}`, "labels"},
		{"label no text", `{"name": "x", "labels": {"a": 1}}`, "labels"},
		{"deliver with another value", `{"name": "x", "deliver": "mail"}`, "deliver"},
		{"deliver in other case", `{"name": "x", "deliver": "Start"}`, "deliver"},
		{"scripted as text", `{"name": "x", "scripted": "true"}`, "scripted"},
		{"ledger as text", `{"name": "x", "legacy_ledger": "a.md"}`, "legacy_ledger"},
		{"ledger without path", `{"name": "x", "legacy_ledger": {}}`, "legacy_ledger"},
		{"ledger with an empty path", `{"name": "x", "legacy_ledger": {"path": ""}}`, "legacy_ledger"},
		{"ledger with another key", `{"name": "x", "legacy_ledger": {"path": "a", "route": {}}}`, "unexpected key 'route'"},
		{"route without repo", `{"name": "x", "legacy_ledger": {"path": "a", "routes": {"l": {"paths": ["p"]}}}}`, "repo"},
		{"route with an empty path", `{"name": "x", "legacy_ledger": {"path": "a", "routes": {"l": {"repo": "r", "paths": [""]}}}}`, "paths"},
		{"the last of a key given twice counts", `{"name": "x", "stale_days": 3, "stale_days": 0}`, "stale_days"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.write("quay/.claude/exchange.json", tt.marker)
			got := p.exchange("quay", "show")
			is.Equal(got.Code, 1)                                               // exit code
			is.True(strings.Contains(string(got.Stdout), "\nname      quay\n")) // the directory's name
			problems := lines(got.Stdout, "problem ")
			is.Equal(len(problems), 1)                              // problem lines
			is.True(strings.Contains(problems[0], "exchange.json")) // names the file
			is.True(strings.Contains(problems[0], tt.says))         // names the fault
			after, err := os.ReadFile(p.path("quay/.claude/exchange.json"))
			is.NoErr(err)
			is.Equal(string(after), tt.marker) // the marker is left alone
		})
	}
}

// A marker that looks odd and has no fault gives its values.
func TestMarker_OddButValid(t *testing.T) {
	tests := []struct {
		name, marker, want string
	}{
		{"the last of a key given twice counts", `{"name": "first", "name": "last"}`, "last"},
		{"a fault that a later one repairs", `{"name": 7, "name": "last"}`, "last"},
		{"a lone surrogate", `{"name": "a\ud83db"}`, "a\uFFFDb"},
		{"CRLF", "{\r\n\"name\": \"crlf\"\r\n}\r\n", "crlf"},
		{"no hot paths at all", `{"name": "x", "max_hot_paths": 0}`, "x"},
		{"no labels", `{"name": "x", "labels": {}}`, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.write("quay/.claude/exchange.json", tt.marker)
			got := p.exchange("quay", "show")
			is.Equal(got.Code, 0) // exit code
			is.True(strings.Contains(string(got.Stdout), "\nname      "+tt.want+"\n"))
		})
	}
}

// A marker that is no plain readable file is reported, not waited for.
func TestMarker_TooLarge(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write("quay/.claude/exchange.json", `{"name": "`+strings.Repeat("x", 1<<20)+`"}`)
	got := p.exchange("quay", "show")
	is.Equal(got.Code, 1) // exit code
	is.Equal(len(lines(got.Stdout, "problem ")), 1)
	is.True(strings.Contains(string(got.Stdout), "\nname      "+filepath.Base(p.path("quay"))+"\n"))
}

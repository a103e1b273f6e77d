package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// A stored document with any fault is one problem that names the file, is not
// used, and hides no other.
func TestStored_Faults(t *testing.T) {
	const (
		claim  = ".claude/exchange/sessions/x.json"
		record = ".claude/exchange/handoffs/x.json"
		move   = ".claude/exchange/handoffs/good.d/0000-x.json"
	)
	claimWith := func(rest string) string {
		return `{"session_id": "x", "cwd": "/x", "updated_at": "2098-03-01T10:00:00Z"` + rest + `}`
	}
	recordWith := func(rest string) string {
		return `{"id": "x", "from": {"cwd": "/x"}, "to": {"repo": "dock"}, "created": "2098-03-01T10:00:00Z", "body": "b"` + rest + `}`
	}
	moveWith := func(rest string) string {
		return `{"at": "2098-03-01T10:00:00Z", "status": "closed", "after": 0` + rest + `}`
	}
	type fault struct{ name, file, text, says string }
	tests := []fault{
		{"claim without id", claim, `{"cwd": "/x", "updated_at": "2098-03-01T10:00:00Z"}`, "session_id"},
		{"claim without cwd", claim, `{"session_id": "x", "updated_at": "2098-03-01T10:00:00Z"}`, "cwd"},
		{"claim without time", claim, `{"session_id": "x", "cwd": "/x"}`, "updated_at"},
		{"claim with an empty cwd", claim, claimWith(`, "cwd": ""`), "cwd"},
		{"claim with an odd id", claim, claimWith(`, "session_id": "a/b"`), "session_id"},
		{"claim with a newline in the id", claim, claimWith(`, "session_id": "x\n"`), "session_id"},
		{"claim with an id of another type", claim, claimWith(`, "session_id": 7`), "session_id"},
		{"claim with an unknown key", claim, claimWith(`, "foo": 1`), "unexpected key 'foo'"},
		{"claim with a key in other case", claim, claimWith(`, "Focus": "x"`), "unexpected key 'Focus'"},
		{"claim with an empty path", claim, claimWith(`, "paths": ["a", ""]`), "paths[1]"},
		{"claim with a path no text", claim, claimWith(`, "paths": [1]`), "paths[0]"},
		{"claim with repos as text", claim, claimWith(`, "repos": "dock"`), "repos"},
		{"claim with null tickets", claim, claimWith(`, "tickets": null`), "tickets"},
		{"claim with an odd id of before", claim, claimWith(`, "was": ["a b"]`), "was[0]"},
		{"claim with process of pid 0", claim, claimWith(`, "process": {"pid": 0, "start": "1"}`), "process"},
		{"claim with process without start", claim, claimWith(`, "process": {"pid": 1}`), "process"},
		{"claim with process with an empty start", claim, claimWith(`, "process": {"pid": 1, "start": ""}`), "process"},
		{"claim with process with a fraction", claim, claimWith(`, "process": {"pid": 1.0, "start": "1"}`), "process"},
		{"claim with process and more", claim, claimWith(`, "process": {"pid": 1, "start": "1", "x": 1}`), "unexpected key 'x'"},
		{"record without id", record, `{"from": {"cwd": "/x"}, "to": {"repo": "dock"}, "created": "2098-03-01T10:00:00Z", "body": "b"}`, "id"},
		{"record without sender", record, `{"id": "x", "to": {"repo": "dock"}, "created": "2098-03-01T10:00:00Z", "body": "b"}`, "from"},
		{"record without recipient", record, `{"id": "x", "from": {"cwd": "/x"}, "created": "2098-03-01T10:00:00Z", "body": "b"}`, "to"},
		{"record without body", record, `{"id": "x", "from": {"cwd": "/x"}, "to": {"repo": "dock"}, "created": "2098-03-01T10:00:00Z"}`, "body"},
		{"record with an empty body", record, recordWith(`, "body": ""`), "body"},
		{"record with a sender without cwd", record, recordWith(`, "from": {"name": "ann"}`), "cwd"},
		{"record with a sender of an odd id", record, recordWith(`, "from": {"cwd": "/x", "session_id": "a b"}`), "session_id"},
		{"record to nobody", record, recordWith(`, "to": {}`), "to"},
		{"record to paths alone", record, recordWith(`, "to": {"paths": ["a"]}`), "to"},
		{"record to both", record, recordWith(`, "to": {"repo": "dock", "session_id": "s"}`), "to"},
		{"record to an empty repo", record, recordWith(`, "to": {"repo": ""}`), "repo"},
		{"record to an empty path", record, recordWith(`, "to": {"repo": "dock", "paths": [""]}`), "paths[0]"},
		{"record to an odd session", record, recordWith(`, "to": {"session_id": "a/b"}`), "session_id"},
		{"record with status", record, recordWith(`, "status": "open"`), "unexpected key 'status'"},
		{"record with history", record, recordWith(`, "history": []`), "unexpected key 'history'"},
		{"record imported without headline", record, recordWith(`, "imported": {"route": "a>b"}`), "headline"},
		{"record imported on an odd date", record, recordWith(`, "imported": {"route": "a>b", "headline": "h", "date": "1.3.2026"}`), "date"},
		{"record imported with more", record, recordWith(`, "imported": {"route": "a>b", "headline": "h", "x": 1}`), "unexpected key 'x'"},
		{"record that is a list", record, `[]`, ""},
		{"record of two values", record, recordWith("") + "{}", ""},
		{"record with a byte order mark", record, "\uFEFF" + recordWith(""), ""},
		{"record that is not UTF-8", record, strings.Replace(recordWith(""), `"b"`, "\"\xff\"", 1), ""},
		{"record that is empty", record, "", ""},
		{"record with a trailing comma", record, strings.Replace(recordWith(""), `"b"}`, `"b",}`, 1), ""},
		{"move without time", move, `{"status": "closed", "after": 0}`, "at"},
		{"move without status", move, `{"at": "2098-03-01T10:00:00Z", "after": 0}`, "status"},
		{"move without position", move, `{"at": "2098-03-01T10:00:00Z", "status": "closed"}`, "after"},
		{"move to an odd status", move, moveWith(`, "status": "done"`), "status"},
		{"move to a status in other case", move, moveWith(`, "status": "Closed"`), "status"},
		{"move before the first", move, moveWith(`, "after": -1`), "after"},
		{"move at a fraction", move, moveWith(`, "after": 0.0`), "after"},
		{"move at an exponent", move, moveWith(`, "after": 1e3`), "after"},
		{"move at a text", move, moveWith(`, "after": "0"`), "after"},
		{"move at a boolean", move, moveWith(`, "after": false`), "after"},
		{"move with its id", move, moveWith(`, "id": "good"`), "unexpected key 'id'"},
		{"move with a note no text", move, moveWith(`, "note": 1`), "note"},
	}
	for _, stamp := range []string{
		"2098-03-01", "2098-03-01T10:00:00", "2098-03-01T10:00:00+00:00", "2098-03-01T10:00:00.5Z", "2098-03-01 10:00:00Z",
		"2098-03-01T10:00:00z", "2098-13-01T10:00:00Z", "2098-03-01T24:00:00Z", "1998-03-01T10:00:00Z",
		"2198-03-01T10:00:00Z", "20980301T100000Z", "", "2098-03-01T10:00:00Z\n",
	} {
		tests = append(tests, fault{fmt.Sprintf("record of %q", stamp), record, recordWith(fmt.Sprintf(`, "created": %q`, stamp)), "created"})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
			p.write("harbour/.claude/exchange/sessions/good.json", `{"session_id": "good", "cwd": "/x", "updated_at": "2098-03-01T10:00:00Z"}`)
			p.write("harbour/.claude/exchange/handoffs/good.json", strings.ReplaceAll(recordWith(""), `"x"`, `"good"`))
			p.write("harbour/"+tt.file, tt.text)
			before := tree(p.path("harbour"))
			got := p.exchange("harbour", "show")
			is.Equal(got.Code, 1) // exit code
			problems := lines(got.Stdout, "problem   ")
			is.Equal(len(problems), 1)
			is.True(strings.Contains(problems[0], tt.file[strings.LastIndex(tt.file, "/")+1:])) // names the file
			is.True(strings.Contains(problems[0], tt.says))                                     // names the fault
			is.True(strings.Contains(string(got.Stdout), "\nclaims    1\n"))
			is.True(strings.Contains(string(got.Stdout), "\nhandoffs  1 stored, 1 not closed\n"))
			is.Equal(tree(p.path("harbour")), before)
		})
	}
}

// The first line of a body ends where any of these stands.
func TestList_PreviewLineEnds(t *testing.T) {
	ends := []string{"\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"}
	is := is.New(t)
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour", "max_handoffs_listed": 50}`)
	p.write("harbour/dock/.git/HEAD", "ref: refs/heads/main\n")
	for i, end := range ends {
		p.writeJSON(fmt.Sprintf("harbour/.claude/exchange/handoffs/h%02d.json", i), map[string]any{
			"id": fmt.Sprintf("h%02d", i), "from": map[string]any{"cwd": "/x"}, "to": map[string]any{"repo": "dock"},
			"created": "2098-03-01T10:00:00Z", "body": fmt.Sprintf("first %02d%ssecond", i, end),
		})
	}
	list := string(p.exchange("harbour", "handoff", "list").Stdout)
	hook := p.hook("session-start", map[string]any{"session_id": "s", "cwd": p.path("harbour/dock"), "source": "startup"}) + "\n"
	for i := range ends {
		is.True(strings.Contains(list, fmt.Sprintf("\n    first %02d\n", i)))
		is.True(strings.Contains(hook, fmt.Sprintf(": first %02d\n", i)))
	}
	is.True(!strings.Contains(list, "second"))
}

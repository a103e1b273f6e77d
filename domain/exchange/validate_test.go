package exchange_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// schemas are the four kinds of file, each with a reader and a document that
// holds every key.
var schemas = map[string]struct {
	read func([]byte) error
	full string
}{
	"marker": {func(data []byte) error {
		_, err := exchange.ParseMarker("/x", data)
		return err
	}, `{"name":"n","stale_days":7,"max_focus_chars":240,"max_hot_paths":6,"max_handoffs_listed":8,"labels":{"a":"A"},"deliver":"start",
		"scripted":false,"legacy_ledger":{"path":"l.md","section":"S","routes":{"a":{"repo":"r","paths":["p"]}}}}`},
	"claim": {func(data []byte) error {
		_, err := exchange.ParseClaim("f.json", data)
		return err
	}, `{"session_id":"s","name":"n","cwd":"/c","git_branch":"b","focus":"f","repos":["r"],"paths":["p"],"tickets":["t"],"was":["w"],
		"process":{"pid":1,"start":"2"},"updated_at":"2026-03-01T10:00:00Z"}`},
	"handoff": {func(data []byte) error {
		_, err := exchange.ParseHandoff("f.json", data)
		return err
	}, `{"id":"i","from":{"session_id":"s","name":"n","cwd":"/c"},"to":{"repo":"r","paths":["p"]},"created":"2026-03-01T10:00:00Z",
		"body":"b","imported":{"route":"r","headline":"h","date":"2026-03-01"}}`},
	"handoff to a session": {func(data []byte) error {
		_, err := exchange.ParseHandoff("f.json", data)
		return err
	}, `{"id":"i","from":{"cwd":"/c"},"to":{"session_id":"s"},"created":"2026-03-01T10:00:00Z","body":"b"}`},
	"move": {func(data []byte) error {
		_, err := exchange.ParseMove("f.json", data)
		return err
	}, `{"at":"2026-03-01T10:00:00Z","status":"open","after":0,"by":"b","note":"n"}`},
}

// key is one key of a schema, with what may and may not stand there. The path
// is that of an object's member; 0 stands for the first element of a list.
type key struct {
	schema, path string
	required     bool
	good, bad    []string
}

var (
	anyString = []string{`""`, `"x"`, `"a\u0000b"`, `"a\ud83d"`}
	someText  = []string{`"x"`, `" "`, `"日本"`}
	noString  = []string{`null`, `7`, `true`, `["x"]`, `{"a":"b"}`}
	noText    = append([]string{`""`}, noString...)
	anID      = []string{`"a"`, `"A.b_c-9.json"`, `".x"`}
	noID      = append([]string{`"a b"`, `"a/b"`, `"a\n"`, `"ä"`, `".tmp-1-x"`}, noText...)
	integers1 = []string{`1`, `2147483648`}
	noInteger = []string{`-1`, `7.0`, `1e2`, `1.5`, `"7"`, `true`, `false`, `null`, `[1]`, `{}`, `99999999999999999999999999`}
	timestamp = []string{`"2000-01-01T00:00:00Z"`, `"2099-12-31T23:59:59Z"`}
	noTime    = append([]string{
		`"2026-03-01T10:00:00"`, `"2026-03-01T10:00:00z"`, `"2026-03-01T10:00:00+00:00"`, `"2026-03-01T10:00:00.5Z"`, `"2026-03-01 10:00:00Z"`,
		`"2026-03-01T10:00Z"`, `"2026-3-1T10:00:00Z"`, `"1999-12-31T23:59:59Z"`, `"2100-01-01T00:00:00Z"`, `"2026-13-01T00:00:00Z"`,
		`"2026-00-01T00:00:00Z"`, `"2026-01-00T00:00:00Z"`, `"2026-01-32T00:00:00Z"`, `"2026-01-01T24:00:00Z"`, `"2026-01-01T00:60:00Z"`,
		`"2026-03-01T10:00:00Z\n"`, `" 2026-03-01T10:00:00Z"`, `"２０26-03-01T10:00:00Z"`, `"2026-03-01T1a:00:00Z"`,
	}, noText...)
	aDate     = []string{`"2026-03-01"`, `"2000-12-31"`}
	noDate    = append([]string{`"2026-03-01T10:00:00Z"`, `"2026-3-1"`, `"1999-03-01"`, `"2026-13-01"`, `"2026-01-32"`, `"x"`}, noText...)
	someTexts = []string{`[]`, `["a"]`, `["a","b","a"]`}
	noList    = []string{`null`, `"a"`, `{}`, `7`, `true`}
	noObject  = []string{`null`, `"a"`, `[]`, `7`, `true`}
)

var keys = []key{
	{"marker", "name", true, someText, noText},
	{"marker", "stale_days", false, integers1, append(noInteger, `0`)},
	{"marker", "max_focus_chars", false, integers1, append(noInteger, `0`)},
	{"marker", "max_hot_paths", false, append(integers1, `0`), noInteger},
	{"marker", "max_handoffs_listed", false, integers1, append(noInteger, `0`)},
	{"marker", "labels", false, []string{`{}`, `{"":""}`, `{"a b":"x"}`}, append(noObject, `{"a":1}`, `{"a":null}`)},
	{"marker", "deliver", false, []string{`"start"`, `"prompt"`, `"wake"`}, append([]string{`"Start"`, `"never"`}, noText...)},
	{"marker", "scripted", false, []string{`true`, `false`}, []string{`null`, `0`, `1`, `"true"`, `[]`}},
	{"marker", "legacy_ledger", false, []string{`{"path":"p"}`}, append(noObject, `{}`)},
	{"marker", "legacy_ledger.path", true, someText, noText},
	{"marker", "legacy_ledger.section", false, anyString, noString},
	{"marker", "legacy_ledger.routes", false, []string{`{}`, `{"x":{"repo":"r"}}`}, append(noObject, `{"x":"r"}`, `{"x":{}}`, `{"x":{"paths":[]}}`)},
	{"marker", "legacy_ledger.routes.a", false, []string{`{"repo":"r"}`}, append(noObject, `{}`)},
	{"marker", "legacy_ledger.routes.a.repo", true, someText, noText},
	{"marker", "legacy_ledger.routes.a.paths", false, someTexts, noList},
	{"marker", "legacy_ledger.routes.a.paths.0", false, someText, noText},

	{"claim", "session_id", true, anID, noID},
	{"claim", "name", false, anyString, noString},
	{"claim", "cwd", true, someText, noText},
	{"claim", "git_branch", false, anyString, noString},
	{"claim", "focus", false, anyString, noString},
	{"claim", "repos", false, someTexts, noList},
	{"claim", "repos.0", false, someText, noText},
	{"claim", "paths", false, someTexts, noList},
	{"claim", "paths.0", false, someText, noText},
	{"claim", "tickets", false, someTexts, noList},
	{"claim", "tickets.0", false, someText, noText},
	{"claim", "was", false, someTexts, noList},
	{"claim", "was.0", false, anID, noID},
	{"claim", "process", false, []string{`{"pid":1,"start":"x"}`}, append(noObject, `{"pid":1}`, `{"start":"x"}`)},
	{"claim", "process.pid", true, integers1, append(noInteger, `0`)},
	{"claim", "process.start", true, someText, noText},
	{"claim", "updated_at", true, timestamp, noTime},

	{"handoff", "id", true, anID, noID},
	{"handoff", "from", true, []string{`{"cwd":"/"}`}, append(noObject, `{}`)},
	{"handoff", "from.session_id", false, anID, noID},
	{"handoff", "from.name", false, anyString, noString},
	{"handoff", "from.cwd", true, someText, noText},
	{
		"handoff", "to", true,
		[]string{`{"repo":"r"}`, `{"repo":"r","paths":[]}`, `{"session_id":"s"}`},
		append(noObject, `{}`, `{"paths":["p"]}`, `{"repo":"r","session_id":"s"}`, `{"session_id":"s","paths":["p"]}`, `{"repo":null,"session_id":"s"}`),
	},
	{"handoff", "to.repo", true, someText, noText},
	{"handoff", "to.paths", false, someTexts, noList},
	{"handoff", "to.paths.0", false, someText, noText},
	{"handoff to a session", "to.session_id", true, anID, noID},
	{"handoff", "created", true, timestamp, noTime},
	{"handoff", "body", true, someText, noText},
	{"handoff", "imported", false, []string{`{"route":"r","headline":"h"}`}, append(noObject, `{"route":"r"}`, `{"headline":"h"}`)},
	{"handoff", "imported.route", true, someText, noText},
	{"handoff", "imported.headline", true, someText, noText},
	{"handoff", "imported.date", false, aDate, noDate},

	{"move", "at", true, timestamp, noTime},
	{"move", "status", true, []string{`"open"`, `"accepted"`, `"closed"`}, append([]string{`"Open"`, `"done"`, `"open "`}, noText...)},
	{"move", "after", true, append(integers1, `0`), noInteger},
	{"move", "by", false, anyString, noString},
	{"move", "note", false, anyString, noString},
}

// with returns the full document of a schema with another value at a path; no
// value takes the key out.
func (k key) with(t *testing.T, value string) []byte {
	t.Helper()
	var doc any
	decoder := json.NewDecoder(strings.NewReader(schemas[k.schema].full))
	decoder.UseNumber()
	if err := decoder.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(replaced(t, doc, strings.Split(k.path, "."), value))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func replaced(t *testing.T, doc any, path []string, value string) any {
	t.Helper()
	if len(path) == 0 {
		return json.RawMessage(value)
	}
	switch v := doc.(type) {
	case []any:
		return append([]any{replaced(t, v[0], path[1:], value)}, v[1:]...)
	case map[string]any:
		copied := maps.Clone(v)
		if len(path) == 1 && value == "" {
			delete(copied, path[0])
		} else {
			copied[path[0]] = replaced(t, v[path[0]], path[1:], value)
		}
		return copied
	}
	t.Fatalf("the document has no %v", path)
	return nil
}

// place is how a problem names the key.
func (k key) place() string {
	file := "f.json"
	if k.schema == "marker" {
		file = "exchange.json"
	}
	place := file + "." + strings.ReplaceAll(k.path, ".0", "[0]")
	return strings.ReplaceAll(place, "routes.a", `routes["a"]`)
}

func TestSchemas_AcceptTheirFullDocument(t *testing.T) {
	for name, s := range schemas {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.NoErr(s.read([]byte(s.full)))
		})
	}
}

func TestSchemas_EachKey(t *testing.T) {
	for _, k := range keys {
		read := schemas[k.schema].read
		for _, value := range k.good {
			t.Run(fmt.Sprintf("%s %s %s", k.schema, k.path, value), func(t *testing.T) {
				is := is.New(t)
				is.NoErr(read(k.with(t, value)))
			})
		}
		for _, value := range k.bad {
			t.Run(fmt.Sprintf("%s %s not %s", k.schema, k.path, value), func(t *testing.T) {
				is := is.New(t)
				err := read(k.with(t, value))
				var fault *exchange.FileError
				is.True(errors.As(err, &fault)) // refused
				is.Equal(len(fault.Faults), 1)  // for this reason alone
				is.True(strings.HasPrefix(fault.Faults[0], k.place()))
			})
		}
		t.Run(fmt.Sprintf("%s %s absent", k.schema, k.path), func(t *testing.T) {
			if strings.HasSuffix(k.path, ".0") {
				return
			}
			is := is.New(t)
			is.Equal(read(k.with(t, "")) == nil, !k.required)
		})
	}
}

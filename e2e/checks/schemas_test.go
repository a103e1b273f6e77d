package checks_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/changeover/changeover/domain/exchange"
)

const publishedSchemas = "hookd/plugin/schemas"

func TestSchemas_ArePublishedAsTheValidatorHasThem(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(repository(t), publishedSchemas)
	for _, file := range exchange.Schemas() {
		data, err := os.ReadFile(filepath.Join(dir, file.Name))
		is.NoErr(err)
		is.True(bytes.Equal(data, file.Data)) // stale: run make generate
	}
	entries, err := os.ReadDir(dir)
	is.NoErr(err)
	is.Equal(len(entries), len(exchange.Schemas())) // no file that nobody makes
}

// sample is one document and the kind of file that it would be.
type sample struct {
	kind string
	name string
	data []byte
}

// validators are the project's own readers, by kind.
var validators = map[string]func(sample) error{
	"exchange": func(s sample) error { _, err := exchange.ParseMarker("/r", s.data); return err },
	"session":  func(s sample) error { _, err := exchange.ParseClaim(s.name, s.data); return err },
	"handoff":  func(s sample) error { _, err := exchange.ParseHandoff(s.name, s.data); return err },
	"status":   func(s sample) error { _, err := exchange.ParseMove(s.name, s.data); return err },
}

func TestSchemas_AgreeWithTheValidator(t *testing.T) {
	schemas := compile(t)
	for _, s := range append(stored(t), written()...) {
		t.Run(s.kind+" "+s.name, func(t *testing.T) {
			is := is.New(t)
			ours := validators[s.kind](s)
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.data))
			if err != nil {
				is.True(ours != nil) // what is no JSON is refused
				return
			}
			theirs := schemas[s.kind].Validate(value)
			is.Equal(ours == nil, theirs == nil) // both agree
		})
	}
}

// compile loads every published schema.
func compile(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	schemas := map[string]*jsonschema.Schema{}
	for kind := range validators {
		name := exchange.SchemaName(kind)
		data, err := os.ReadFile(filepath.Join(repository(t), publishedSchemas, name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(name, doc); err != nil {
			t.Fatal(err)
		}
		if schemas[kind], err = compiler.Compile(name); err != nil {
			t.Fatal(err)
		}
	}
	return schemas
}

// stored are the files that an earlier tool left.
func stored(t *testing.T) []sample {
	t.Helper()
	store := filepath.Join(repository(t), "adapters/fsstore/testdata/store")
	var samples []sample
	for kind, pattern := range map[string]string{"handoff": "handoffs/*.json", "status": "handoffs/*.d/*.json"} {
		files, err := filepath.Glob(filepath.Join(store, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no samples of %s: %v", kind, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			samples = append(samples, sample{kind: kind, name: filepath.Base(file), data: data})
		}
	}
	return samples
}

// written are documents on either side of each rule.
func written() []sample {
	claim := `{"session_id":"s1","cwd":"/w","updated_at":"2026-03-01T10:00:00Z"%s}`
	handoff := `{"id":"h1","from":{"cwd":"/w"},"to":%s,"created":"2026-03-01T10:00:00Z","body":"b"}`
	move := `{"at":%s,"status":"closed","after":%s}`
	var samples []sample
	add := func(kind, format string, parts ...string) {
		text := format
		for _, part := range parts {
			text = strings.Replace(text, "%s", part, 1)
		}
		samples = append(samples, sample{kind: kind, name: text, data: []byte(text)})
	}
	for _, marker := range []string{
		`{"name":"harbour"}`, `{"name":""}`, `{}`, `[]`, `null`, `{"Name":"harbour"}`,
		`{"name":"h","stale_days":0}`, `{"name":"h","stale_days":1}`, `{"name":"h","stale_days":"7"}`, `{"name":"h","stale_days":true}`,
		`{"name":"h","max_hot_paths":0}`, `{"name":"h","max_hot_paths":-1}`, `{"name":"h","max_focus_chars":0}`,
		`{"name":"h","max_focus_char":80}`, `{"name":"h","deliver":"wake"}`, `{"name":"h","deliver":"Wake"}`,
		`{"name":"h","scripted":true}`, `{"name":"h","scripted":1}`, `{"name":"h","labels":{"a":"b"}}`, `{"name":"h","labels":{"a":1}}`,
		`{"name":"h","legacy_ledger":{"path":"x"}}`, `{"name":"h","legacy_ledger":{}}`,
		`{"name":"h","legacy_ledger":{"path":"x","routes":{"D":{"repo":"d","paths":["p"]}}}}`,
		`{"name":"h","legacy_ledger":{"path":"x","routes":{"D":{"paths":["p"]}}}}`,
	} {
		add("exchange", marker)
	}
	for _, more := range []string{
		``, `,"focus":""`, `,"repos":["a"]`, `,"repos":[""]`, `,"paths":"a"`, `,"was":["s0"]`, `,"was":["s 0"]`, `,"was":[".tmp-0"]`,
		`,"process":{"pid":1,"start":"5"}`, `,"process":{"pid":0,"start":"5"}`, `,"process":{"pid":1}`, `,"status":"idle"`,
	} {
		add("session", claim, more)
	}
	for _, to := range []string{
		`{"repo":"a"}`, `{"repo":""}`, `{"repo":"a","paths":[]}`, `{"repo":"a","paths":["p"]}`, `{"session_id":"s1"}`,
		`{"session_id":"a/b"}`, `{"session_id":"s1","repo":"a"}`, `{"session_id":"s1","paths":["p"]}`, `{}`, `"a"`,
	} {
		add("handoff", handoff, to)
	}
	for _, at := range []string{
		`"2026-03-01T10:00:00Z"`, `"2026-03-01T24:00:00Z"`, `"2026-13-01T10:00:00Z"`, `"1999-03-01T10:00:00Z"`,
		`"2026-03-01 10:00:00Z"`, `"2026-03-01T10:00:00+00:00"`, `"2026-03-01T10:00:00Z\n"`, `7`,
	} {
		add("status", move, at, "0")
	}
	for _, after := range []string{`0`, `41`, `-1`, `"0"`, `true`, `0.5`, `null`} {
		add("status", move, `"2026-03-01T10:00:00Z"`, after)
	}
	return samples
}

// An integer written with a fraction is none here, though JSON Schema takes it.
func TestSchemas_TheValidatorIsStricterAboutIntegers(t *testing.T) {
	is := is.New(t)
	_, err := exchange.ParseMarker("/r", []byte(`{"name":"h","stale_days":7.0}`))
	is.True(err != nil)
}

package settingsedit_test

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/changeover/changeover/adapters/settingsedit"
	"github.com/changeover/changeover/domain/exchange"
	"github.com/changeover/changeover/domain/jsondoc"
)

// FuzzEditor takes a value out of any document: it only cuts, what is left reads as
// the document without the value, and without a place nothing changes.
func FuzzEditor(f *testing.F) {
	for _, name := range []string{"testdata/people.jsonc", "testdata/settings-legacy.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "hooks/SessionStart/0")
	}
	f.Add([]byte("\ufeff{\r\n \"a\": [1, /* x */ 2,], // y\r\n \"b\": {}\r\n}"), "a/1")
	f.Add([]byte(`{"a":{"b":[{"c":1},{"c":2}]}}`), "a/b/0/c")
	f.Add([]byte("[1,2//x\n,3]"), "1")
	f.Fuzz(func(t *testing.T, document []byte, steps string) {
		same, err := settingsedit.Editor{}.Without(document, nil)
		if err == nil && !bytes.Equal(same, document) {
			t.Fatalf("%q changes to %q without a place", document, same)
		}
		at := strings.Split(steps, "/")
		got, err := settingsedit.Editor{}.Without(document, []exchange.Place{at})
		if err != nil {
			return
		}
		if !isCut(string(document), string(got)) {
			t.Fatalf("something in %q is new, of %q", got, document)
		}
		before, err := jsondoc.DecodeRelaxed(bytes.TrimPrefix(document, []byte("\ufeff")))
		if err != nil {
			return // the parser takes more than we do
		}
		after, err := jsondoc.DecodeRelaxed(bytes.TrimPrefix(got, []byte("\ufeff")))
		if err != nil || !jsondoc.Equal(after, without(before, at)) {
			t.Fatalf("%q without %q is %q: %v", document, at, got, err)
		}
	})
}

// without returns a value that lacks what stands at a place.
func without(value any, at []string) any {
	step, rest := at[0], at[1:]
	switch v := value.(type) {
	case map[string]any:
		if len(rest) == 0 {
			delete(v, step)
			return v
		}
		v[step] = without(v[step], rest)
	case []any:
		n, err := strconv.Atoi(step)
		if err != nil || n < 0 || n >= len(v) {
			return v
		}
		if len(rest) == 0 {
			return slices.Delete(v, n, n+1)
		}
		v[n] = without(v[n], rest)
	}
	return value
}

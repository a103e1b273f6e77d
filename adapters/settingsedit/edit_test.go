package settingsedit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/settingsedit"
	"github.com/changeover/changeover/domain/exchange"
)

// places reads "a/0 b/1".
func places(text string) []exchange.Place {
	var list []exchange.Place
	for place := range strings.FieldsSeq(text) {
		list = append(list, strings.Split(place, "/"))
	}
	return list
}

func TestEditor_Without(t *testing.T) {
	tests := []struct {
		name   string
		gone   string
		before string
		after  string
	}{
		{"nothing", "", "{ /* x */ \"a\" :1, } // end", "{ /* x */ \"a\" :1, } // end"},
		{"first of lines", "0", "[\n  1,\n  2,\n  3\n]\n", "[\n  2,\n  3\n]\n"},
		{"middle of lines", "1", "[\n  1,\n  2,\n  3\n]\n", "[\n  1,\n  3\n]\n"},
		{"last of lines", "2", "[\n  1,\n  2,\n  3\n]\n", "[\n  1,\n  2\n]\n"},
		{"last two of lines", "1 2", "[\n  1,\n  2,\n  3\n]\n", "[\n  1\n]\n"},
		{"last before a trailing comma", "2", "[\n  1,\n  2,\n  3,\n]\n", "[\n  1,\n  2,\n]\n"},
		{"all", "0 1 2", "[\n  1,\n  2,\n  3\n]\n", "[\n]\n"},
		{"member", "b", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}", "{\n  \"a\": 1\n}"},
		{"nested", "b/c a/1", `{"b": {"c": 2, "d": 3}, "a": [1, 2]}`, `{"b": {"d": 3}, "a": [1]}`},
		{"key with an escape", "a", `{"\u0061": 1, "b": 2}`, `{"b": 2}`},
		{"first in a line", "0", `[1, 2, 3]`, `[2, 3]`},
		{"middle in a line", "1", `[ 1, 2, 3 ]`, `[ 1, 3 ]`},
		{"last in a line", "2", `[ 1, 2, 3 ]`, `[ 1, 2 ]`},
		{"last in a line before a trailing comma", "2", `[ 1, 2, 3, ]`, `[ 1, 2, ]`},
		{"without spaces", "0 2", `[1,2,3]`, `[2]`},
		{"the first two in a line", "0 1", `[ 1, 2, 3 ]`, `[ 3 ]`},
		{"brackets on the lines of values", "0", "[{\n  \"a\": 1\n}, {\n  \"b\": 2\n}]", "[{\n  \"b\": 2\n}]"},
		{"brackets on the lines of values, last", "1", "[{\n  \"a\": 1\n}, {\n  \"b\": 2\n}]", "[{\n  \"a\": 1\n}]"},
		{"begins a line", "1", "[\n  1,\n  2, 3\n]", "[\n  1,\n  3\n]"},
		{"ends a line", "1", "[\n  1, 2,\n  3\n]", "[\n  1,\n  3\n]"},
		{"two of one line", "1 2", "[\n  1,\n  2, 3,\n  4\n]", "[\n  1,\n  4\n]"},
		{"commas that begin lines", "1", "[ 1\n, 2\n, 3\n]", "[ 1\n, 3\n]"},
		{"commas that begin lines, last", "2", "[ 1\n, 2\n, 3\n]", "[ 1\n, 2\n]"},
		{"commas that begin lines, two", "1 2", "[ 1\n, 2\n, 3\n, 4\n]", "[ 1\n, 4\n]"},
		{"commas that begin lines, first", "0", "[ 1\n, 2\n]", "[ 2\n]"},
		{"commas that begin lines, first and next", "0 1", "[ 1\n, 2\n, 3\n]", "[ 3\n]"},
		{"commas that begin lines here and there", "1 2", "[ 1\n, 2, 3, 4\n]", "[ 1\n, 4\n]"},
		{"comma on a line of its own", "1", "[\n  1,\n  2\n  ,\n  3\n]", "[\n  1,\n  3\n]"},
		{"comma on a line of its own, behind a comment", "0", "[\n  1 // one\n  // stays\n  , // stays\n  2\n]", "[\n  // stays\n   // stays\n  2\n]"},
		{"CRLF", "1", "[\r\n  1,\r\n  2,\r\n  3\r\n]\r\n", "[\r\n  1,\r\n  3\r\n]\r\n"},
		{"CRLF and a comment", "1", "[ 1, 2 // two\r\n]\r\n", "[ 1\r\n]\r\n"},
		{"CR alone", "1", "[\r  1,\r  2, // two\r  3\r]\r", "[\r  1,\r  3\r]\r"},
		{"CR behind a comment", "a", "{\"a\": 1, // a\r\"b\": 2\n}", "{\"b\": 2\n}"},
		{"LF behind a comment", "a", "{\"a\": 1, // a\n\"b\": 2\n}", "{\"b\": 2\n}"},
		{"tabs and odd spacing", "1", "[\n\t1 ,\n\n\t\t2 ,\n\n\t3\n]", "[\n\t1 ,\n\n\n\t3\n]"},
		{"byte order mark", "0", "\ufeff[1, 2]", "\ufeff[2]"},
		{"comment at the end of the file", "0", "[1, 2] // end", "[2] // end"},

		{"comment inside", "0", "[\n  { // in\n    \"a\": 1 /* in */\n  },\n  2\n]", "[\n  2\n]"},
		{"comment behind the comma", "0", "[\n  1, // one\n  2 // two\n]", "[\n  2 // two\n]"},
		{"comment behind the last", "1", "[\n  1, // one\n  2 // two\n]", "[\n  1 // one\n]"},
		{"comment before the comma", "0", "[\n  1 /* one */,\n  2\n]", "[\n  2\n]"},
		{"comment before a comma on the next line", "1", "[ 0\n, 1 // one\n, 2\n]", "[ 0\n, 2\n]"},
		{"comment right above", "1", "[\n  1,\n  // of two\n  // too\n  2,\n  // of three\n  3\n]", "[\n  1,\n  // of three\n  3\n]"},
		{"comment above behind an empty line", "1", "[\n  1,\n  // of the rest\n\n  // of two\n  2\n]", "[\n  1\n  // of the rest\n\n]"},
		{"comment above the first", "0", "[\n  // of all\n  1,\n  2\n]", "[\n  // of all\n  2\n]"},
		{"comment above the only one", "hooks", "{\n  // of all\n  \"hooks\": {}\n}\n", "{\n  // of all\n}\n"},
		{"block comment above", "1", "[\n  1,\n  /* of\n\n     two */\n  2\n]", "[\n  1\n]"},
		{"comment before on its line", "1", "[\n  1,\n  /* two */ 2,\n  3\n]", "[\n  1,\n  3\n]"},
		{"comment before, all on one line", "1", "[1, /* two */ 2, /* three */ 3]", "[1, /* three */ 3]"},
		{"comment before the first, all on one line", "0", "[/* all */ 1, 2]", "[/* all */ 2]"},
		{"comment behind the last, all on one line", "1", "[1, 2 /* two */, /* and */ ]", "[1, ]"},
		{"comment of the next one", "0", "[ 1,\n  // two\n  2 ]", "[ \n  // two\n  2 ]"},
		{"comment below the last", "1", "[\n  1,\n  2\n  // below\n]", "[\n  1\n  // below\n]"},
		{"comment of the one before", "1", "[\n  1, // one\n  2,\n  3\n]", "[\n  1, // one\n  3\n]"},
		{"comment that stays between two that go", "1 2", "[\n  1,\n  2,\n  // stays\n\n  3\n]", "[\n  1\n  // stays\n\n]"},
		{"comment signs in a string", "1", "[\"// /*\", \"*/\", 3]", "[\"// /*\", 3]"},
		{"keys twice beside the way", "b/0", `{"a": 1, "a": 2, "b": [1, {"c": 1, "c": 1}]}`, `{"a": 1, "a": 2, "b": [{"c": 1, "c": 1}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			before := []byte(tt.before)
			got, err := settingsedit.Editor{}.Without(before, places(tt.gone))
			is.NoErr(err)
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			is.Equal(string(before), tt.before) // what was given is not written into
		})
	}
}

func TestEditor_Refuses(t *testing.T) {
	const secret = "s3cret"
	tests := []struct{ name, gone, document string }{
		{"no such key", "b", `{"a": "s3cret"}`},
		{"key in another case", "A", `{"a": "s3cret"}`},
		{"no such number", "2", `["s3cret", 1]`},
		{"number that is none", "01", `["s3cret", 1]`},
		{"way into a text", "a/0", `{"a": "s3cret"}`},
		{"key twice", "a", `{"a": 1, "a": "s3cret"}`},
		{"key twice on the way", "a/b", `{"a": {"b": 1}, "a": {"b": "s3cret"}}`},
		{"key twice in two spellings", "a", `{"a": 1, "\u0061": "s3cret"}`},
		{"syntax", "a", `{"a": 1, "b": "s3cret` + "\t" + `"}`},
		{"cut off", "a", `{"a": "s3cret"`},
		{"not JSON", "a", `{a: s3cret}`},
		{"empty", "a", ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := settingsedit.Editor{}.Without([]byte(tt.document), places(tt.gone))
			is.True(err != nil)
			is.Equal(got, nil)
			is.True(!strings.Contains(err.Error(), secret)) // nothing of the content
		})
	}
	_, err := settingsedit.Editor{}.Without([]byte(`{}`), []exchange.Place{{}})
	if err == nil {
		t.Error("the whole document was taken out")
	}
}

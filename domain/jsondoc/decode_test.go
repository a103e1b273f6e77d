package jsondoc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/jsondoc"
)

func TestDecode_Accepts(t *testing.T) {
	object := func(kv ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1] //nolint:errcheck // a test's own keys are strings
		}
		return m
	}
	tests := []struct {
		name, in string
		want     any
	}{
		{"object", `{"a":"b"}`, object("a", "b")},
		{"space around", " \r\n\t{} \n", object()},
		{"null", "null", nil},
		{"list", `[true,"x",null]`, []any{true, "x", nil}},
		{"number keeps its spelling", "7.0", jsondoc.Number("7.0")},
		{"exponent keeps its spelling", "1e2", jsondoc.Number("1e2")},
		{"huge number", "123456789012345678901234567890", jsondoc.Number("123456789012345678901234567890")},
		{"of a key given twice the last counts", `{"a":1,"a":2}`, object("a", jsondoc.Number("2"))},
		{"of an object given twice the last counts whole", `{"a":{"x":1},"a":{"y":2}}`, object("a", object("y", jsondoc.Number("2")))},
		{"key case is kept", `{"Name":"x","name":"y"}`, object("Name", "x", "name", "y")},
		{"lone high surrogate", `"a\ud83db"`, "a\ufffdb"},
		{"lone low surrogate", `"\udc00"`, "\ufffd"},
		{"surrogates in the wrong order", `"\udc00\ud83d"`, "\ufffd\ufffd"},
		{"surrogate pair", `"\ud83c\udf89"`, "🎉"},
		{"byte order mark inside a string", "\"\ufeffa\"", "\ufeffa"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := jsondoc.Decode([]byte(tt.in))
			is.NoErr(err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecode_Refuses(t *testing.T) {
	neither := errors.New("neither")
	tests := []struct {
		name, in string
		want     error // nil: whichever
	}{
		{"nothing", "", jsondoc.ErrNotOneValue},
		{"blank", " \n\t", jsondoc.ErrNotOneValue},
		{"byte order mark", "\ufeff{}", neither},
		{"invalid UTF-8 in a string", "{\"a\":\"\xff\"}", neither},
		{"invalid UTF-8 after the value", "{}\xff", neither},
		{"encoded surrogate", "\"\xed\xa0\xbd\"", neither},
		{"UTF-16", "\xff\xfe{\x00}\x00", neither},
		{"two values", "{} {}", jsondoc.ErrNotOneValue},
		{"value and word", "{}x", jsondoc.ErrNotOneValue},
		{"value and bracket", "{}]", jsondoc.ErrNotOneValue},
		{"value and comma", "{},", jsondoc.ErrNotOneValue},
		{"cut off", `{"a":`, jsondoc.ErrNotOneValue},
		{"cut off in a string", `"abc`, jsondoc.ErrNotOneValue},
		{"cut off in an escape", `"a\u12`, nil},
		{"cut off in a word", `[tru`, nil},
		{"trailing comma in an object", `{"a":1,}`, jsondoc.ErrSyntax},
		{"trailing comma in a list", `[1,]`, jsondoc.ErrSyntax},
		{"comma alone", `[,]`, jsondoc.ErrSyntax},
		{"no comma", `[1 2]`, jsondoc.ErrSyntax},
		{"no colon", `{"a" 1}`, jsondoc.ErrSyntax},
		{"brackets crossed", `[}`, jsondoc.ErrSyntax},
		{"comment", "[1 /* no */]", jsondoc.ErrSyntax},
		{"single quotes", "{'a':1}", jsondoc.ErrSyntax},
		{"bare key", "{a:1}", jsondoc.ErrSyntax},
		{"newline in a string", "\"a\nb\"", jsondoc.ErrSyntax},
		{"NUL in a string after an escape", "\"\\n\x00\"", jsondoc.ErrSyntax},
		{"unknown escape", `"\x41"`, jsondoc.ErrSyntax},
		{"short escape", `"\u12g4"`, jsondoc.ErrSyntax},
		{"sign in an escape", `"\u+123"`, jsondoc.ErrSyntax},
		{"second surrogate broken", `"\ud83d\uxyzw"`, jsondoc.ErrSyntax},
		{"leading zero", "[01]", jsondoc.ErrSyntax},
		{"plus", "[+1]", jsondoc.ErrSyntax},
		{"no digit before the point", "[.5]", jsondoc.ErrSyntax},
		{"no digit after the point", "[1.]", jsondoc.ErrSyntax},
		{"no digit in the exponent", "[1e]", jsondoc.ErrSyntax},
		{"minus alone", "[-]", jsondoc.ErrSyntax},
		{"hexadecimal", "[0x1]", jsondoc.ErrSyntax},
		{"NaN", "NaN", jsondoc.ErrSyntax},
		{"word in capitals", "True", jsondoc.ErrSyntax},
		{"NUL", "\x00", jsondoc.ErrSyntax},
		{"no-break space", "\u00a0{}", jsondoc.ErrSyntax},
		{"too deep", strings.Repeat("[", 1_000_000), nil},
		{"too deep in objects", strings.Repeat(`{"a":`, 1_000_000), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := jsondoc.Decode([]byte(tt.in))
			is.True(err != nil) // refused
			is.True(got == nil) // and nothing returned
			if tt.want != nil { // the reason
				is.Equal(errors.Is(err, jsondoc.ErrNotOneValue), errors.Is(tt.want, jsondoc.ErrNotOneValue))
				is.Equal(errors.Is(err, jsondoc.ErrSyntax), errors.Is(tt.want, jsondoc.ErrSyntax))
			}
		})
	}
}

func TestDecode_ReadsDeepNesting(t *testing.T) {
	is := is.New(t)
	const depth = 5000
	value, err := jsondoc.Decode([]byte(strings.Repeat("[", depth) + strings.Repeat("]", depth)))
	is.NoErr(err)
	n := 0
	for {
		list, ok := value.([]any)
		is.True(ok) // a list at every depth
		n++
		if len(list) == 0 {
			break
		}
		value = list[0]
	}
	is.Equal(n, depth)
}

func TestDecode_SaysWhere(t *testing.T) {
	is := is.New(t)
	_, err := jsondoc.Decode([]byte("{\"a\":\"\xff\"}"))
	is.True(strings.Contains(err.Error(), "UTF-8 at byte 6"))
	_, err = jsondoc.Decode([]byte("\ufeff{}"))
	is.True(strings.Contains(err.Error(), "byte order mark"))
}

// What Go's own decoder makes of a text is what ours makes of it, but for its
// byte order mark, its encoding and its depth.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", "{}", `{"a":[1,7.0,1e2,true,null,"\ud83d"],"a":{}}`, "\ufeff{}", "{}{}", "[,]", "\"\xff\"", `{"a":1,}`, "-0", "1e999",
		`"\ud83d\ud83c\udf89\u0000\/\b"`, " [ ] ", "1.", "-", "0e+1", `{"a" : "b" , "c":{}}`, "[1]//", "nul",
		"/", "//", "/*", "/*/", "\ufeff", "[1,]", "{\"a\":1,/**/}", "{}//\n//",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRelaxed(t, data)
		value, err := jsondoc.Decode(data)
		want, wantErr := reference(data)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, but by the reference %v", data, err, wantErr)
		}
		if diff := cmp.Diff(want, value); diff != "" {
			t.Fatalf("%q: %s", data, diff)
		}
		if err != nil {
			return
		}
		stored := jsondoc.Stored(ordered(value))
		again, err := jsondoc.Decode(stored)
		if err != nil {
			t.Fatalf("%q is not read back: %v", stored, err)
		}
		if diff := cmp.Diff(value, again); diff != "" {
			t.Fatalf("what is stored differs: %s", diff)
		}
	})
}

// reference decodes with Go's own decoder.
func reference(data []byte) (any, error) {
	if !utf8.Valid(data) || bytes.HasPrefix(data, []byte("\ufeff")) {
		return nil, errors.New("not plain UTF-8")
	}
	if !json.Valid(data) {
		return nil, errors.New("not valid")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return spelt(value), err
}

// spelt turns the reference's numbers into ours.
func spelt(value any) any {
	switch v := value.(type) {
	case json.Number:
		return jsondoc.Number(v)
	case []any:
		for i := range v {
			v[i] = spelt(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = spelt(v[key])
		}
	}
	return value
}

func TestDecodeRelaxed_PassesOverWhatPeopleWrite(t *testing.T) {
	const plain = `{"a":["b//c",1],"d":"/*"}`
	want, err := jsondoc.Decode([]byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, in string }{
		{"plain", plain},
		{"byte order mark", "\ufeff" + plain},
		{"trailing commas", `{"a":["b//c",1 , ],"d":"/*",}`},
		{"line comments", "// first\n{\"a\":[\"b//c\",1], // x\r\n\"d\":\"/*\"} // last"},
		{"line comments that a CR alone ends", "// first\r{\"a\":[\"b//c\",1], // x\r\"d\":\"/*\"}"},
		{"block comments", `/**/{/* {"x": */"a"/*:*/:/**/["b//c",1/*,2*/],"d":"/*"/***/}/* end */`},
		{"comment before a closing bracket", "{\"a\":[\"b//c\",1,\n// 2\n],\"d\":\"/*\"}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, err := jsondoc.DecodeRelaxed([]byte(tt.in))
			is.NoErr(err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeRelaxed_RefusesTheRest(t *testing.T) {
	for _, in := range []string{
		"", "// only", "/* open", "{/}", "{} {}", "[,]", "[1,,]", "{,}", "\"\xff\"", `{"a":1,"b"}`, "[1 2]", "{} /", "# no\n{}",
	} {
		t.Run(in, func(t *testing.T) {
			is := is.New(t)
			_, err := jsondoc.DecodeRelaxed([]byte(in))
			is.True(err != nil)
		})
	}
}

// checkRelaxed reads a text as people edit such files: what is good JSON means the
// same.
func checkRelaxed(t *testing.T, data []byte) {
	t.Helper()
	value, err := jsondoc.DecodeRelaxed(data)
	strict, strictErr := jsondoc.Decode(data)
	if strictErr != nil {
		return // anything goes, without a panic
	}
	if err != nil {
		t.Fatalf("%q is good JSON, and refused: %v", data, err)
	}
	if diff := cmp.Diff(strict, value); diff != "" {
		t.Fatalf("%q: %s", data, diff)
	}
}

// A value may lie within 10,000 others, and no deeper, whatever they are.
func TestDecode_DepthIsCountedToTheLast(t *testing.T) {
	const limit = 10_000
	for open, end := range map[string]string{"[": "]", `{"a":`: "}"} {
		is := is.New(t)
		_, err := jsondoc.Decode([]byte(strings.Repeat(open, limit) + "0" + strings.Repeat(end, limit)))
		is.NoErr(err)
		_, err = jsondoc.Decode([]byte(strings.Repeat(open, limit+1) + "0" + strings.Repeat(end, limit+1)))
		is.True(err != nil)
	}
}

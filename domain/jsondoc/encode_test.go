package jsondoc_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/jsondoc"
)

// document holds one of everything that a document may hold.
var document = jsondoc.Object{
	{Key: "z", Value: "first"},
	{Key: "a", Value: jsondoc.Object{{Key: "n", Value: 7}, {Key: "big", Value: int64(1) << 40}, {Key: "none", Value: nil}}},
	{Key: "list", Value: []string{"x", "ü"}},
	{Key: "empty", Value: []string{}},
	{Key: "hollow", Value: jsondoc.Object{}},
	{Key: "objects", Value: []jsondoc.Object{{{Key: "k", Value: true}}}},
	{Key: "mixed", Value: []any{false, jsondoc.Number("7.0"), "s"}},
}

func TestStored_WritesSection21(t *testing.T) {
	is := is.New(t)
	want := `{
  "z": "first",
  "a": {
    "n": 7,
    "big": 1099511627776,
    "none": null
  },
  "list": [
    "x",
    "ü"
  ],
  "empty": [],
  "hollow": {},
  "objects": [
    {
      "k": true
    }
  ],
  "mixed": [
    false,
    7.0,
    "s"
  ]
}
`
	is.Equal(string(jsondoc.Stored(document)), want)
}

func TestLine_WritesOneLine(t *testing.T) {
	is := is.New(t)
	want := `{"z":"first","a":{"n":7,"big":1099511627776,"none":null},"list":["x","ü"],"empty":[],"hollow":{},` +
		`"objects":[{"k":true}],"mixed":[false,7.0,"s"]}`
	is.Equal(string(jsondoc.Line(document)), want)
}

func TestStored_EscapesOnlyWhatItMust(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"HTML", "<a&b>", `"<a&b>"`},
		{"slash", "a/b", `"a/b"`},
		{"quotation mark and backslash", `a"b\c`, `"a\"b\\c"`},
		{"short escapes", "\n\r\t\b\f", `"\n\r\t\b\f"`},
		{"control characters", "\x00\x1b\x1f", `"\u0000\u001b\u001f"`},
		{"everything else literal", "é\u0301 日本 🎉 \u200b\u202e\u2028\u00a0\x7f\ue000", "\"é\u0301 日本 🎉 \u200b\u202e\u2028\u00a0\x7f\ue000\""},
		{"replacement character", "\ufffd", "\"\ufffd\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(string(jsondoc.Stored(tt.in)), tt.want+"\n")
			is.Equal(string(jsondoc.Line(tt.in)), tt.want)
		})
	}
}

// A broken byte must not be mended in silence: the check before a write has to
// see it.
func TestStored_DoesNotMendInvalidText(t *testing.T) {
	is := is.New(t)
	_, err := jsondoc.Decode(jsondoc.Stored(jsondoc.Object{{Key: "k", Value: "a\xffb"}}))
	is.True(err != nil)
}

func TestShown_EscapesWhatATerminalDoesNotShow(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"visible text stays", "<é 日本 🎉 ☃>", `"<é 日本 🎉 ☃>"`},
		{"quotation mark and backslash", `a"b\c`, `"a\"b\\c"`},
		{"control characters", "\n\t\x1b\x7f\u0085", `"\u000a\u0009\u001b\u007f\u0085"`},
		{"format characters", "\u200b\u202e\ufeff\u00ad", `"\u200b\u202e\ufeff\u00ad"`},
		{"spaces", " \u00a0\u3000\u2028", `" \u00a0\u3000\u2028"`},
		{"private use", "\ue000", `"\ue000"`},
		{"astral: a surrogate pair", "\U000e0041\U000f0000", `"\udb40\udc41\udb80\udc00"`},
		{"a broken byte", "a\xffb", "\"a\ufffdb\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(string(jsondoc.Shown(tt.in)), tt.want+"\n")
		})
	}
}

func TestShown_EscapesKeysToo(t *testing.T) {
	is := is.New(t)
	is.Equal(string(jsondoc.Shown(jsondoc.Object{{Key: "a\x1b", Value: 1}})), "{\n  \"a\\u001b\": 1\n}\n")
}

func TestObject_LeavesEmptyMembersOut(t *testing.T) {
	is := is.New(t)
	var o jsondoc.Object
	o.Add("always", "")
	o.AddText("text", "")
	o.AddTexts("texts", nil)
	o.AddTexts("none", []string{})
	o.AddText("name", "x")
	o.AddTexts("names", []string{"y"})
	is.Equal(string(jsondoc.Line(o)), `{"always":"","name":"x","names":["y"]}`)
}

func TestStored_ReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyValue(3).Draw(t, "value")
		for _, write := range []func(any) []byte{jsondoc.Stored, jsondoc.Line, jsondoc.Shown} {
			data := write(ordered(want))
			got, err := jsondoc.Decode(data)
			if err != nil {
				t.Fatalf("%q: %v", data, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q: %s", data, diff)
			}
			if again := write(ordered(got)); !bytes.Equal(again, data) {
				t.Fatalf("a second pass makes %q of %q", again, data)
			}
		}
	})
}

func TestShown_HoldsOnlyWhatATerminalShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := jsondoc.Shown(rapid.String().Draw(t, "text"))
		line := strings.TrimSuffix(string(data), "\n")
		if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q", data)
		}
	})
}

// anyValue draws what Decode may return.
func anyValue(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.String().AsAny(),
		rapid.Map(rapid.SampledFrom([]string{"0", "-1", "7.0", "1e2", "9007199254740993"}), func(s string) any { return jsondoc.Number(s) }),
	}
	if depth > 0 {
		inner := rapid.Deferred(func() *rapid.Generator[any] { return anyValue(depth - 1) })
		leaf = append(leaf,
			rapid.SliceOfN(inner, 0, 4).AsAny(),
			rapid.MapOfN(rapid.String(), inner, 0, 4).AsAny())
	}
	return rapid.OneOf(leaf...)
}

// ordered turns decoded objects into objects of sorted keys, which can be
// written.
func ordered(value any) any {
	switch v := value.(type) {
	case map[string]any:
		object := jsondoc.Object{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			object.Add(key, ordered(v[key]))
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = ordered(item)
		}
		return list
	}
	return value
}

func TestStored_IndentsListsInLists(t *testing.T) {
	is := is.New(t)
	doc := jsondoc.Object{{Key: "a", Value: []any{[]any{"b"}, []jsondoc.Object{{{Key: "c", Value: 1}}}}}}
	want := "{\n  \"a\": [\n    [\n      \"b\"\n    ],\n    [\n      {\n        \"c\": 1\n      }\n    ]\n  ]\n}\n"
	is.Equal(string(jsondoc.Stored(doc)), want)
}

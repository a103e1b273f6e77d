package text_test

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/text"
)

func TestList_CountsTheRest(t *testing.T) {
	tests := []struct {
		name  string
		items []string
		n     int
		want  string
	}{
		{"none", nil, 3, ""},
		{"all fit", []string{"a", "b"}, 2, "a, b"},
		{"one too many", []string{"a", "b", "c"}, 2, "a, b, +1 more"},
		{"only the count", []string{"a", "b"}, 0, "+2 more"},
		{"none and no room", nil, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.List(tt.items, tt.n), tt.want)
		})
	}
}

func TestList_LeavesItsItemsAlone(t *testing.T) {
	is := is.New(t)
	items := []string{"a", "b", "c"}
	text.List(items[:2:3], 1)
	is.Equal(items, []string{"a", "b", "c"})
}

func TestUTF16_CountsUnits(t *testing.T) {
	is := is.New(t)
	is.Equal(text.UTF16(""), 0)
	is.Equal(text.UTF16("aß€"), 3)
	is.Equal(text.UTF16("\uffff"), 1)
	is.Equal(text.UTF16("\U00010000"), 2)
	is.Equal(text.UTF16(strings.Repeat("🎉", 8000)), 16000)
}

func TestUTF16_AgreesWithTheEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		if want := len(utf16.Encode([]rune(in))); text.UTF16(in) != want {
			t.Fatalf("%q takes %d units, not %d", in, want, text.UTF16(in))
		}
	})
}

func TestFirstLine_KnowsEveryLineEnd(t *testing.T) {
	for name, end := range map[string]string{
		"LF": "\n", "CR": "\r", "CRLF": "\r\n", "VT": "\v", "FF": "\f", "FS": "\x1c", "GS": "\x1d", "RS": "\x1e",
		"NEL": "\u0085", "LS": "\u2028", "PS": "\u2029",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.FirstLine("first"+end+"second"), "first")
			is.Equal(text.FirstLine(end+"second"), "")
			is.Equal(text.FirstLine("only"+end), "only")
		})
	}
}

func TestFirstLine_TakesNothingElseForALineEnd(t *testing.T) {
	is := is.New(t)
	is.Equal(text.FirstLine(""), "")
	is.Equal(text.FirstLine("no end"), "no end")
	is.Equal(text.FirstLine("tab\tunit\x1fbell\asoft\u00ad"), "tab\tunit\x1fbell\asoft\u00ad")
}

func TestFirstLine_IsAPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		first := text.FirstLine(in)
		if !strings.HasPrefix(in, first) || !utf8.ValidString(first) || text.FirstLine(first) != first {
			t.Fatalf("the first line of %q is %q", in, first)
		}
	})
}

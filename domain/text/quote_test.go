package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/text"
)

func TestQuote_EscapesAndCounts(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", `""`},
		{"plain", "lib", `"lib"`},
		{"letters of any script stay", "Straße 日本", `"Straße 日本"`},
		{"quotation mark and backslash", `a"b\c`, `"a\"b\\c"`},
		{"escape sequence", "r\x1b[2Kp", `"r\x1b[2Kp"`},
		{"line ends", "a\nb\rc\u2028d", `"a\nb\rc\u2028d"`},
		{"bidi and zero width", "x\u202ey\u200bz", `"x\u202ey\u200bz"`},
		{"80 code points", strings.Repeat("ü", 80), `"` + strings.Repeat("ü", 80) + `"`},
		{"81 code points", strings.Repeat("ü", 81), `"` + strings.Repeat("ü", 80) + `" +1 more chars`},
		{"counted before escaping", strings.Repeat("\x01", 200), `"` + strings.Repeat(`\x01`, 80) + `" +120 more chars`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Quote(tt.in), tt.want)
		})
	}
}

func TestSingle_EscapesAndCounts(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "status", "'status'"},
		{"quotation mark stays", `a"b`, `'a"b'`},
		{"backslash before a quotation mark", `a\"b`, `'a\\"b'`},
		{"control", "a\nb", `'a\nb'`},
		{"long", strings.Repeat("k", 85), "'" + strings.Repeat("k", 80) + "' +5 more chars"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Single(tt.in), tt.want)
		})
	}
}

func TestQuote_LetsNoControlCharacterThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyBytes().Draw(t, "in")
		for _, out := range []string{text.Quote(in), text.Single(in)} {
			if !utf8.ValidString(out) {
				t.Fatalf("%q is not valid UTF-8", out)
			}
			if at := strings.IndexFunc(out, func(r rune) bool { return !unicode.IsPrint(r) }); at >= 0 {
				t.Fatalf("%q shows what a terminal would obey", out)
			}
		}
	})
}

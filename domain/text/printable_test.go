package text_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/text"
)

func TestPrintable_Fixture(t *testing.T) {
	data, err := os.ReadFile("testdata/printable.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ In, Out string }
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 13 {
		t.Fatalf("the fixture holds %d cases", len(cases))
	}
	for _, tt := range cases {
		t.Run(tt.Out, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Printable(tt.In), tt.Out)
		})
	}
}

func TestPrintable_DropsByCategory(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"control C0 and DEL", "a\x00b\x1fc\x7fd", "abcd"},
		{"control C1", "a\u0080b\u009fc", "abc"},
		{"soft hyphen and BOM", "a\u00adb\ufeffc", "abc"},
		{"joiners", "a\u200cb\u200dc", "abc"},
		{"bidi marks and isolates", "a\u200eb\u2066c\u2069d", "abcd"},
		{"tag characters", "a\U000e0041b", "ab"},
		{"private use planes", "a\uf8ffb\U000f0000c\U0010fffdd", "abcd"},
		{"unassigned", "a\u0378b", "ab"},
		{"line and paragraph separators", "a\u2028b\u2029c", "abc"},
		{"spaces other than U+0020", "a\u1680b\u2009c\u202fd\u205fe\u3000f", "abcdef"},
		{"space stays", "  a  b  ", "  a  b  "},
		{"letters, marks, numbers, punctuation and symbols stay", "Ωé\u0301३½—«€☃", "Ωé\u0301३½—«€☃"},
		{"a variation selector is a mark", "☃\ufe0f", "☃\ufe0f"},
		{"replacement character stays", "a\ufffdb", "a\ufffdb"},
		{"invalid bytes read as U+FFFD", "a\xffb\xed\xa0\xbd", "a\ufffdb\ufffd\ufffd\ufffd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Printable(tt.in), tt.want)
		})
	}
}

func TestPrintable_IsValidAndFinal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyBytes().Draw(t, "in")
		out := text.Printable(in)
		if !utf8.ValidString(out) {
			t.Fatalf("%q is not valid UTF-8", out)
		}
		if again := text.Printable(out); again != out {
			t.Fatalf("a second pass makes %q of %q", again, out)
		}
		for _, r := range out {
			if r != ' ' && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) {
				t.Fatalf("U+%04X is shown", r)
			}
		}
	})
}

func TestPrintable_KeepsWhatItShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		var want strings.Builder
		for _, r := range in {
			if r == ' ' || unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) {
				want.WriteRune(r)
			}
		}
		if got := text.Printable(in); got != want.String() {
			t.Fatalf("%q reads %q, not %q", in, got, want.String())
		}
	})
}

func TestHidden_NamesEachOnceInOrder(t *testing.T) {
	tests := []struct {
		name, in string
		want     []rune
	}{
		{"nothing hidden", "plain – 日本 ☃", nil},
		{"empty", "", nil},
		{"in order of first appearance", "x\u202ey\u200bz\u202e", []rune{0x202e, 0x200b}},
		{"tab and newline", "\ta\n\t", []rune{'\t', '\n'}},
		{"no-break space", "a\u00a0b", []rune{0xa0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Hidden(tt.in), tt.want)
		})
	}
}

func TestHidden_IsWhatPrintableDrops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		hidden := text.Hidden(in)
		rest := strings.Map(func(r rune) rune {
			if slices.Contains(hidden, r) {
				return -1
			}
			return r
		}, in)
		if rest != text.Printable(in) {
			t.Fatalf("%q without %q reads %q", in, hidden, rest)
		}
	})
}

// anyBytes draws text from anywhere: valid or not.
func anyBytes() *rapid.Generator[string] {
	raw := rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })
	return rapid.OneOf(rapid.String(), raw)
}

func TestReadable_DropsWhatATerminalObeys(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a b", "a b"},
		{"controls", "a\x1b[2J\x00\t\r\n\x7f\u0085\u009bb", "a[2Jb"},
		{"line ends", "a\u2028\u2029b", "ab"},
		{"order", "a\u202e\u2066\u2069\u200f\u061cb", "ab"},
		{"joiners", "👨\u200d👩\u200d👧 می\u200cخواهم", "👨\u200d👩\u200d👧 می\u200cخواهم"},
		{"spaces that are part of names", "10:00\u202fAM\u00a0x", "10:00\u202fAM\u00a0x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(text.Readable(tt.in), tt.want)
		})
	}
}

package graphemes_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/graphemes"
)

func TestFirst(t *testing.T) {
	tests := []struct {
		name  string
		first string
		rest  string
	}{
		{"letter", "a", "b"},
		{"last letter", "a", ""},
		{"umlaut in one", "\u00e4", "x"},
		{"combining mark", "a\u0308", "x"},
		{"many combining marks", "z\u0351\u036b\u0343\u036a", "x"},
		{"family joined by ZWJ", "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466", "x"},
		{"skin tone", "\U0001F44D\U0001F3FD", "\U0001F44D"},
		{"variation selector", "\u2764\ufe0f", "x"},
		{"keycap", "1\ufe0f\u20e3", "2"},
		{"flag", "\U0001F1E8\U0001F1ED", "\U0001F1E9\U0001F1EA"},
		{"half a flag", "\U0001F1E8", "x"},
		{"flag of a region", "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", "x"},
		{"Hangul syllable", "\ud55c", "\uae00"},
		{"Hangul of parts", "\u1112\u1161\u11ab", "\u1100\u1173\u11af"},
		{"Devanagari with vowel sign", "\u0928\u093f", "\u092e"},
		{"Thai with vowel sign", "\u0e33", "x"},
		{"CRLF", "\r\n", "x"},
		{"line feed", "\n", "\n"},
		{"leading mark", "\u0308", "x"},
		{"ZWJ between letters", "a\u200d", "b"},
		{"invalid byte", "\xff", "x"},
		{"cut off rune", "\xe2", "xyz"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(tt.first, (tt.first + tt.rest)[:graphemes.First(tt.first+tt.rest)])
		})
	}
}

func TestNewCutter_KeepsClustersWhole(t *testing.T) {
	family := "\U0001F468\u200D\U0001F469\u200D\U0001F467" // five code points
	tests := []struct {
		name string
		in   string
		n    int
		want string
	}{
		{"fits", family, 5, family},
		{"one point short", family + "x", 5, family + " +1 more chars"},
		{"inside", "ab" + family + "cd", 4, "ab +7 more chars"},
		{"flags", strings.Repeat("\U0001F1E8\U0001F1ED", 3), 3, "\U0001F1E8\U0001F1ED +4 more chars"},
		{"marks", "ne\u0301e\u0301", 4, "ne\u0301 +2 more chars"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(graphemes.NewCutter().Cap(tt.in, tt.n), tt.want)
		})
	}
}

func FuzzFirst(f *testing.F) {
	for _, seed := range []string{"a", "a\u0308b", "\U0001F468\u200D\U0001F469", "\U0001F1E8\U0001F1ED\U0001F1E9", "\r\n", "\xff\xfe", "\u1112\u1161"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return // the contract is about text that is not empty
		}
		total := 0
		for rest := s; rest != ""; {
			n := graphemes.First(rest)
			if n < 1 || n > len(rest) {
				t.Fatalf("%d bytes of %q", n, rest)
			}
			if utf8.ValidString(rest) && !utf8.ValidString(rest[:n]) {
				t.Fatalf("%q is cut inside a code point of %q", rest[:n], rest)
			}
			if graphemes.First(rest[:n]) != n {
				t.Fatalf("%q is not one cluster", rest[:n])
			}
			total += n
			rest = rest[n:]
		}
		if total != len(s) {
			t.Fatalf("%d of %d bytes", total, len(s))
		}
	})
}

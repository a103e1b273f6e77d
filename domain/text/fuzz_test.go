package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/text"
)

// FuzzPrintable shows a text in each of the ways there are.
func FuzzPrintable(f *testing.F) {
	for _, seed := range []string{
		"", "a\x1b[31mred\x1b[0m", "\x1b]8;;http://x\x1b\\t\x1b]8;;\a", "\u009b31m", "a\r\nb\u2028c", "\u202eevil\u202c", "👨\u200d👩\u200d👧", "\xff\xfe", "'\"", "\x1bP1$r0m\x1b", strings.Repeat("x", 120),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for what, show := range map[string]func(string) string{"printable": text.Printable, "readable": text.Readable, "without sequences": text.WithoutSequences} {
			once := show(s)
			if again := show(once); what != "without sequences" && again != once {
				t.Fatalf("%s: %q becomes %q, then %q", what, s, once, again)
			}
			if utf8.RuneCountInString(once) > utf8.RuneCountInString(s) {
				t.Fatalf("%s: %q becomes the longer %q", what, s, once)
			}
		}
		if strings.ContainsFunc(text.Printable(s), func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("%q is printed as %q", s, text.Printable(s))
		}
		if strings.ContainsRune(text.WithoutSequences(s), '\x1b') {
			t.Fatalf("%q keeps an escape: %q", s, text.WithoutSequences(s))
		}
		for what, quoted := range map[string]string{"quoted": text.Quote(s), "single": text.Single(s)} {
			if strings.ContainsFunc(quoted, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("%s: %q becomes %q", what, s, quoted)
			}
		}
		if text.FirstLine(s) != text.Lines(s)[0] && !strings.HasPrefix(text.Lines(s)[0], text.FirstLine(s)) {
			t.Fatalf("%q begins with %q", s, text.FirstLine(s))
		}
		for _, line := range text.Lines(s) {
			if text.FirstLine(line) != line {
				t.Fatalf("%q is no line, of %q", line, s)
			}
		}
	})
}

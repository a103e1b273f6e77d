package markdown_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// FuzzRead reads a document, and writes it as it may stand inside another one.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "\ufeff# T\r\n\r\n## A ##\r\n- x\r\n", "a\rb\r", "```go\n## no\n", "~~~~\n```\n~~~~\n", "   ````\nx", "- [ ] a\n  1. b\n", "####### no\n###### yes",
		"a\x1b[31mb\x00\xff", "\n\n \n# T\n\n\n\nend\n\n", "> ```\n> x\n", "\ufeff\ufeffx", "```a`b\n",
	} {
		f.Add(seed, uint8(2))
	}
	f.Fuzz(func(t *testing.T, raw string, levels uint8) {
		body, form := markdown.Read(raw)
		if strings.Contains(body, "\r") {
			t.Fatalf("%q keeps a line end of %q", body, raw)
		}
		if again, _ := markdown.Read(form.Write(body)); again != body {
			t.Fatalf("%q is written, and read as %q", body, again)
		}
		var texts []string
		for _, line := range markdown.Lines(body) {
			texts = append(texts, line.Text)
		}
		if joined := strings.Join(texts, "\n"); joined != strings.TrimSuffix(body, "\n") {
			t.Fatalf("the lines of %q are %q", body, texts)
		}
		clean := markdown.Clean(raw)
		if !utf8.ValidString(clean) || markdown.Clean(clean) != clean {
			t.Fatalf("%q is not clean, of %q", clean, raw)
		}
		if strings.ContainsFunc(clean, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			t.Fatalf("%q holds a control character", clean)
		}
		checkEmbedded(t, raw, int(levels%6))
		checkFenced(t, clean)
	})
}

// checkEmbedded looks at a text that stands below a heading of a level.
func checkEmbedded(t *testing.T, raw string, levels int) {
	t.Helper()
	in := markdown.Embed(raw, levels)
	var fences markdown.Fences
	for line := range strings.SplitSeq(in, "\n") {
		if fences.Next(line) {
			continue
		}
		if level, _ := markdown.Heading(line); level > 0 && level <= levels {
			t.Fatalf("%q stands on level %d, of %q", line, level, raw)
		}
	}
	if fences.Open() {
		t.Fatalf("a block of %q is open, of %q", in, raw)
	}
	if again := markdown.Embed(in, 0); again != in {
		t.Fatalf("%q is embedded again as %q", in, again)
	}
}

// checkFenced looks at a text inside a block of its own: nothing in it ends that.
func checkFenced(t *testing.T, body string) {
	t.Helper()
	lines := markdown.Lines(markdown.Fence("text", body) + "\nbehind")
	for i, line := range lines {
		if line.Fenced != (i < len(lines)-1) {
			t.Fatalf("%q is fenced: %v, in the block of %q", line.Text, line.Fenced, body)
		}
	}
}

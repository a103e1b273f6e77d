package markdown_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/markdown"
)

func TestEmbed(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"headings", "# A\n  ## B ##\n###### f\n##### e\n#no", "### A\n#### B ##\n###### f\n###### e\n#no"},
		{"fenced heading", "```\n## a\n```", "```\n## a\n```"},
		{"open fence", "~~~~x\n## a", "~~~~x\n## a\n~~~~"},
		{"blank runs", "\n\na\n\n \n\nb\n```\n\n\nc\n```\n\n", "a\n\nb\n```\n\n\nc\n```"},
		{"line ends and mark", "\uFEFFa\r\nb\rc", "a\nb\nc"},
		{"control characters", "a\x1b[31m\tb\x00", "a[31m\tb"},
		{"invalid bytes", "a\xffb", "a\uFFFDb"},
		{"nothing", " \r\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(markdown.Embed(tt.raw, 2), tt.want)
		})
	}
}

// Whatever is embedded, the next heading is a heading and none of its own is of
// the upper two levels.
func TestEmbed_StaysInsideItsSection(t *testing.T) {
	piece := rapid.SampledFrom([]string{"# a", "## b", "   ## c", "```", "~~~~", "  ```go", "text", "", "- x", "\t## d", "    ```"})
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOf(piece).Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end"))
		got := markdown.Embed(raw, 2)
		outline := markdown.ReadOutline(markdown.Lines("## before\n" + got + "\n## after\n"))
		if len(outline.Sections) != 2 || outline.HasTitle || outline.Sections[1].Heading != "after" {
			t.Fatalf("%q becomes %q", raw, got)
		}
		if again := markdown.Embed(got, 0); again != got {
			t.Fatalf("%q becomes %q", got, again)
		}
	})
}

package compact_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/markdown"
)

// Row 30.
func TestFile_CollapsesOutsideFences(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"white space at line ends", "a \t\nb\u00a0\n", "a\nb\n"},
		{"blank lines", "a\n\n \n\t\n\nb\n", "a\n\nb\n"},
		{"repeated lines", "a\na\na \nb\na\n", "a\nb\na\n"},
		{"not across a blank line", "a\n\na\n", "a\n\na\n"},
		{"fenced code", "```\nx \n\n\nx \nx \n```\n", "```\nx \n\n\nx \nx \n```\n"},
		{"indented fence of tildes", "   ~~~~ go\n\n\n~~~\n```\n\n\n   ~~~~~\n\n\na", "   ~~~~ go\n\n\n~~~\n```\n\n\n   ~~~~~\n\na\n"},
		{"no fence", "    ```\n\n\na\n", "    ```\n\na\n"},
		{"around a fence", "a\n\n\n```\n```\n\n\na\n", "a\n\n```\n```\n\na\n"},
		{"fences on end", "```\n```\n```\n```\n", "```\n```\n```\n```\n"},
		{"blank lines at the beginning", "\n \na\n", "\na\n"},
		{"blank lines at the end", "a\n\n\n", "a\n"},
		{"no line end", "a", "a\n"},
		{"open fence", "```\nx\n\n\n", "```\nx\n"},
		{"blank", " \n\n", "\n"},
		{"empty", "", ""},
		{"CRLF", "a \r\n\r\n\r\na\r\na\r\n\r\n", "a\r\n\r\na\r\n"},
		{"no line end, but CRLF before", "a\r\n\r\n\r\nb", "a\r\n\r\nb\r\n"},
		{"mark", "\uFEFF```\n\n\n```\n\n\n", "\uFEFF```\n\n\n```\n"},
		{"mix", "a\r\na\n\n\r\n```\r\nx\n```\n", "a\r\n\n```\r\nx\n```\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(compact.File(tt.in), tt.want)
			is.Equal(compact.File(tt.want), tt.want)
		})
	}
}

func TestFile_Properties(t *testing.T) {
	piece := rapid.OneOf(rapid.SampledFrom([]string{"a", "a ", "```", "~~~", "  ```", "", " ", "``` a`b"}), anyText())
	end := rapid.SampledFrom([]string{"\n", "\r\n", "\r", "\n\n"})
	rapid.Check(t, func(t *rapid.T) {
		var in strings.Builder
		for range rapid.IntRange(0, 20).Draw(t, "lines") {
			in.WriteString(piece.Draw(t, "line") + end.Draw(t, "end"))
		}
		got := compact.File(in.String())
		if again := compact.File(got); again != got {
			t.Fatalf("%q, then %q, then %q", in.String(), got, again)
		}
		if want := fenced(in.String()); fenced(got) != want {
			t.Fatalf("fenced code %q became %q", want, fenced(got))
		}
	})
}

// fenced returns the fenced lines of a text, as far as they are not blank lines
// at its end.
func fenced(raw string) string {
	body, _ := markdown.Read(raw)
	var out strings.Builder
	for _, line := range markdown.Lines(body) {
		if line.Fenced {
			out.WriteString(line.Text + "\n")
		}
	}
	return strings.TrimRight(out.String(), "\n")
}

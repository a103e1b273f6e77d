package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/e2e/document"
)

const text = "# Title\n\nSee [this](a.md#b) and ![that](c.svg), `make it\nso`.\n\n## A tour, of `two`\n\n" +
	"```sh\ncd here  # a comment\n# another\ngo on\n```\n\n1. In it:\n\n   ```plan\n   /relay\n   ```\n\n```\nsaid [no](link)\n```\n"

func TestParse_FindsWhatIsTypedAndLinked(t *testing.T) {
	is := is.New(t)
	d := document.Parse(text)
	want := document.Document{
		Headings: []document.Heading{{Level: 1, Text: "Title"}, {Level: 2, Text: "A tour, of `two`"}},
		Blocks: []document.Block{
			{Section: "A tour, of `two`", Language: "sh", Lines: []string{"cd here  # a comment", "# another", "go on"}},
			{Section: "A tour, of `two`", Language: "plan", Lines: []string{"/relay"}},
			{Section: "A tour, of `two`", Lines: []string{"said [no](link)"}},
		},
		Links: []string{"a.md#b", "c.svg"},
		Spans: []string{"make it so"},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("the document:\n%s", diff)
	}
	is.Equal(d.Typed("A tour, of `two`", "sh"), []string{"cd here", "go on"})
	is.Equal(d.Headings[1].Anchor(), "a-tour-of-two")
}

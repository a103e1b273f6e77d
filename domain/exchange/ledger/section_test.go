package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange/ledger"
)

// headlines parses and returns what the entries are called.
func headlines(t testing.TB, document, name string) []string {
	t.Helper()
	entries, err := ledger.Parse(document, name, fold)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Headline)
	}
	return found
}

func TestParse_ChoosesTheSection(t *testing.T) {
	const entry = "**[a → b]** 2026-01-01 — **one**\n\n"
	tests := []struct {
		name, document string
		want           []string
	}{
		{"the name itself", "# Handoffs\n" + entry, []string{"one"}},
		{"in another spelling", "###   hANDOFFS \n" + entry, []string{"one"}},
		{"more behind the name", "# Handoffs of the week\n" + entry, []string{"one"}},
		{"after a byte order mark", "\ufeff# Handoffs\n" + entry, []string{"one"}},
		{"with the line ends of elsewhere", "# Handoffs\r\n\r\n**[a → b]** **one**\r\n\r\n**[a → b]** **two**\r\n", []string{"one", "two"}},
		{"with line ends that were made twice", "# Handoffs\r\r\n\r\r\n**[a → b]** **one**\r\r\n\r\r\n**[a → b]** **two**\r\r", []string{"one", "two"}},
		{"to the next heading of the same rank", "## Handoffs\n" + entry + "## Others\n**[a → b]** **two**\n", []string{"one"}},
		{"to a heading of a higher rank", "## Handoffs\n" + entry + "# Others\n**[a → b]** **two**\n", []string{"one"}},
		{"on through lower ranks", "## Handoffs\n" + entry + "### Older\n**[a → b]** **two**\n", []string{"one", "two"}},
		{"entries go on after a second rank inside a first", "# Handoffs\n" + entry + "## Older\ntext\n**[a → b]** **two**\n", []string{"one", "two"}},
		{"the first that has an entry", "## Handoffs (style)\nprose\n## Handoffs\n" + entry + "## Handoffs too\n**[a → b]** **two**\n", []string{"one"}},
		{"inside one that has none of its own", "# Handoffs\n### Handoffs, really\n" + entry, []string{"one"}},
		{"seven signs are no heading", "## Handoffs\n" + entry + "####### Handoffs\n**[a → b]** **two**\n", []string{"one", "two"}},
		{"signs without a blank are no heading", "## Handoffs\n" + entry + "##Others\n**[a → b]** **two**\n", []string{"one", "two"}},
		{"fences are not tracked", "## Handoffs\n```\n" + entry + "```\n", []string{"one"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(headlines(t, tt.document, "Handoffs"), tt.want)
		})
	}
}

func TestParse_TheNameIsNormalised(t *testing.T) {
	is := is.New(t)
	is.Equal(headlines(t, "# open questions/handoffs\n**[a]** **one**", "Open  questions / handoffs"), []string{"one"})
}

func TestParse_Refusals(t *testing.T) {
	tests := []struct {
		name, document string
		want           error
	}{
		{"no heading", "**[a → b]** **one**\n", ledger.ErrNoSection},
		{"an empty file", "", ledger.ErrNoSection},
		{"the name inside a title", "# On Handoffs\n**[a → b]** **one**\n", ledger.ErrNoSection},
		{"text without an entry", "# Handoffs\ntext\n", ledger.ErrNoEntry},
		{"a blank section and one with text", "# Handoffs\n\n# Handoffs 2\ntext\n", ledger.ErrNoEntry},
		{"an indented entry alone", "# Handoffs\n  **[a → b]** **one**\n", ledger.ErrNoEntry},
		{"a tail marker alone", "# Handoffs\n**↓ more**\n", ledger.ErrNoEntry},
		{"bytes that are no text", "# Handoffs\n**[a → b]** **\xff**\n", ledger.ErrNotUTF8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := ledger.Parse(tt.document, "Handoffs", fold)
			is.True(errors.Is(err, tt.want))
		})
	}
}

func TestParse_BlankSectionsAreEmpty(t *testing.T) {
	for _, document := range []string{"# Handoffs", "# Handoffs\n \n\t\n", "# Handoffs\n\n# Handoffs 2\n\n"} {
		is := is.New(t)
		is.Equal(headlines(t, document, "Handoffs"), nil)
	}
}

func TestParse_BlocksAreWhole(t *testing.T) {
	is := is.New(t)
	entries, err := ledger.Parse("## Handoffs\nlost\n\n**[a]** **one**\n\nmore\n- of it\n\n\n** ← b, from c. two**\n### deeper\n", "Handoffs", fold)
	is.NoErr(err)
	is.Equal(len(entries), 2)
	is.Equal(entries[0].Block, "**[a]** **one**\n\nmore\n- of it")
	is.Equal(entries[1].Block, "** ← b, from c. two**\n### deeper")
	is.Equal(entries[1].Recipients, []string{"b"})
}

// A long ledger takes as long as a copy of it read once more, not the square.
func TestParse_IsLinear(t *testing.T) {
	documents := map[string]string{
		"entries":   "**[Crane → Dock + Ferry]** 2026-03-02 — **Winch limits moved.** **Status:** OPEN\n\nA body paragraph with some words.\n\n",
		"headings":  "# Handoffs\n## Handoffs\n### Handoffs\n#### Handoffs\n##### Handoffs\n###### Handoffs\ntext\n",
		"labels":    "Status: Status : Was: ",
		"commas":    "**→ a,, ,from,from, from b. Status\n",
		"dates":     "2020-2026-13-2020-12-01-",
		"blanks":    "Status          \t     \n Was   ",
		"one entry": "no line end and no blank line but many words ",
	}
	for name, piece := range documents {
		t.Run(name, func(t *testing.T) {
			document := "## Handoffs\n**[a]** " + strings.Repeat(piece, 2<<20/len(piece))
			if _, err := ledger.Parse(document, "Handoffs", fold); err != nil && !errors.Is(err, ledger.ErrNoEntry) {
				t.Fatal(err)
			}
		})
	}
}

// Package document reads the project's documents as their tests and pictures need
// them: the headings, the fenced blocks with what they are to be typed into, the
// links, and what stands in backquotes.
package document

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Document is one file of markdown.
type Document struct {
	Headings []Heading
	Blocks   []Block
	// Links are the targets of links and pictures, in their order.
	Links []string
	// Spans are the texts in single backquotes, in their order.
	Spans []string
}

// Heading is the title of a section.
type Heading struct {
	Level int
	Text  string
}

// Block is a fenced block.
type Block struct {
	// Section is the heading above it.
	Section string
	// Language is what stands behind its fence: "sh" is for a shell.
	Language string
	Lines    []string
}

var (
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	span = regexp.MustCompile("`([^`]+)`")
)

// Read reads a file.
func Read(path string) (Document, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return Document{}, err
	}
	return Parse(string(content)), nil
}

// Parse reads a text.
func Parse(text string) Document {
	var d Document
	var prose strings.Builder
	var open *Block
	section, indent := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimLeft(line, " ")
		fence, isFence := strings.CutPrefix(bare, "```")
		switch {
		case open != nil && isFence:
			d.Blocks = append(d.Blocks, *open)
			open = nil
		case open != nil:
			open.Lines = append(open.Lines, strings.TrimPrefix(line, indent))
		case isFence:
			open = &Block{Section: section, Language: strings.TrimSpace(fence)}
			indent = line[:len(line)-len(bare)]
		case strings.HasPrefix(line, "#"):
			title := strings.TrimLeft(line, "#")
			section = strings.TrimSpace(title)
			d.Headings = append(d.Headings, Heading{Level: len(line) - len(title), Text: section})
		default:
			prose.WriteString(line + "\n")
		}
	}
	for _, found := range link.FindAllStringSubmatch(prose.String(), -1) {
		d.Links = append(d.Links, found[1])
	}
	for _, paragraph := range strings.Split(prose.String(), "\n\n") {
		for _, found := range span.FindAllStringSubmatch(paragraph, -1) {
			d.Spans = append(d.Spans, strings.Join(strings.Fields(found[1]), " "))
		}
	}
	return d
}

// Typed are the lines of the blocks of a section that are typed into something:
// a shell, or the session of that name. What a shell takes as a comment is left
// out.
func (d Document) Typed(section, into string) []string {
	var lines []string
	for _, b := range d.Blocks {
		if b.Section != section || b.Language != into {
			continue
		}
		for _, line := range b.Lines {
			if line = strings.TrimSpace(uncommented(line)); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// uncommented is a line without the comment at its end.
func uncommented(line string) string {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return ""
	}
	if before, _, found := strings.Cut(line, "  # "); found {
		return before
	}
	return line
}

// Anchor is the name by which a heading is linked to.
func (h Heading) Anchor() string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r > 0x7f && r != '–' && r != '’' && r != '¿' && r != '¡':
			return r
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, strings.ToLower(h.Text))
}

// Tour is a section of what a newcomer types.
type Tour struct {
	document Document
	section  string
}

// Tour returns the section whose heading begins with a text.
func (d Document) Tour(begins string) (Tour, error) {
	for _, h := range d.Headings {
		if strings.HasPrefix(h.Text, begins) {
			return Tour{document: d, section: h.Text}, nil
		}
	}
	return Tour{}, fmt.Errorf("no heading begins with %q", begins)
}

// Into are the lines that are typed into a shell, "sh", or the session of that
// name.
func (t Tour) Into(name string) []string { return t.document.Typed(t.section, name) }

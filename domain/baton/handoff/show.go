package handoff

import (
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

// Shown is a handoff that somebody wants to see.
type Shown struct {
	// Name is handoff.md or that of a backup.
	Name       string
	ModifiedAt time.Time
	// Limit is the handoff budget in characters; 0 where it is not known.
	Limit int
	// Body is the whole file.
	Body string
}

// Part is one section of it.
type Part struct {
	Title string
	Chars int
	// Cut: the section says that something of it is missing.
	Cut bool
}

// Parts returns the sections in their order.
func (s Shown) Parts() []Part {
	body, _ := markdown.Read(s.Body)
	var parts []Part
	for _, section := range markdown.ReadOutline(markdown.Lines(body)).Sections {
		text := section.Text()
		parts = append(parts, Part{Title: section.Heading, Chars: compact.Chars(text), Cut: strings.Contains(text, compact.Marker)})
	}
	return parts
}

// Document renders the handoff for a script.
func (s Shown) Document() jsondoc.Object {
	sections := []jsondoc.Object{}
	for _, p := range s.Parts() {
		sections = append(sections, jsondoc.Object{
			{Key: "title", Value: p.Title}, {Key: "chars", Value: p.Chars}, {Key: "cut", Value: p.Cut},
		})
	}
	var limit any
	if s.Limit > 0 {
		limit = s.Limit
	}
	return jsondoc.Object{
		{Key: "file", Value: s.Name},
		{Key: "current", Value: s.Name == File},
		{Key: "modifiedAt", Value: stamp.Text(s.ModifiedAt)},
		{Key: "chars", Value: compact.Chars(s.Body)},
		{Key: "limit", Value: limit},
		{Key: "sections", Value: sections},
		{Key: "body", Value: strings.ToValidUTF8(s.Body, "\uFFFD")},
	}
}

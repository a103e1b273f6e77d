package markdown

import "strings"

// Heading reads an ATX heading. level is 0 where the line is none; text is what
// stands between the marks.
func Heading(line string) (level int, text string) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return 0, ""
	}
	rest := strings.TrimLeft(trimmed, "#")
	level = len(trimmed) - len(rest)
	if level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	text = strings.TrimSpace(rest)
	bare := strings.TrimRight(text, "#")
	if bare == "" || bare != text && strings.TrimRight(bare, " \t") != bare {
		text = strings.TrimSpace(bare)
	}
	return level, text
}

// Name returns what two headings are compared by: without surrounding space,
// closing marks and colon, in lower case.
func Name(heading string) string {
	name := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(heading), "#"))
	return strings.ToLower(strings.TrimSpace(strings.TrimSuffix(name, ":")))
}

// Section is a level-2 heading with what stands below it.
type Section struct {
	// Heading is the text of the heading as it was written.
	Heading string
	// At is the index of the heading's line.
	At   int
	Body []Line
}

// Is reports that the heading means this name.
func (s Section) Is(name string) bool { return Name(s.Heading) == Name(name) }

// Text returns the body without blank lines around it.
func (s Section) Text() string { return Join(s.Body) }

// Join returns lines as one text, without blank lines around it.
func Join(lines []Line) string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
	}
	return strings.Trim(strings.Join(texts, "\n"), "\n \t")
}

// Outline is a text by its level-2 headings.
type Outline struct {
	// Title is the text of the first level-1 heading; HasTitle tells that there
	// is one.
	Title    string
	HasTitle bool
	// Before are the lines that stand below no level-2 heading, headings of
	// level 1 left out.
	Before   []Line
	Sections []Section
}

// ReadOutline splits lines at their level-1 and level-2 headings outside fences. Both
// end a section; deeper headings belong to its body.
func ReadOutline(lines []Line) Outline {
	var o Outline
	inside := false
	for i, line := range lines {
		level, heading := 0, ""
		if !line.Fenced {
			level, heading = Heading(line.Text)
		}
		switch {
		case level == 2:
			o.Sections = append(o.Sections, Section{Heading: heading, At: i})
			inside = true
		case level == 1:
			if !o.HasTitle {
				o.Title, o.HasTitle = heading, true
			}
			inside = false
		case inside:
			last := &o.Sections[len(o.Sections)-1]
			last.Body = append(last.Body, line)
		default:
			o.Before = append(o.Before, line)
		}
	}
	return o
}

// Find returns the bodies of all sections of that name, joined, and how many
// there are.
func (o Outline) Find(name string) (body []Line, count int) {
	for _, s := range o.Sections {
		if s.Is(name) {
			body = append(body, s.Body...)
			count++
		}
	}
	return body, count
}

package plan

import (
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/jsondoc"
)

// State is how a section of a plan compares with that of an older one.
type State string

// The states of a section.
const (
	Added     State = "added"
	Removed   State = "removed"
	Changed   State = "changed"
	Unchanged State = "unchanged"
)

// Differ returns the unified diff of two texts with three lines of context,
// from its first hunk header on.
type Differ func(from, to string) string

// Diff is how a plan compares with an older one.
type Diff struct {
	// From is the name of the older plan; empty where there is none.
	From, To string
	Sections []SectionDiff
	Steps    StepDiff
}

// SectionDiff is how one section compares.
type SectionDiff struct {
	Name  string
	State State
	// Added and Removed count lines.
	Added, Removed int
	// Diff is empty unless the section is changed.
	Diff string
}

// StepDiff is how the steps compare. Added holds numbers in the new plan,
// Removed those in the old one.
type StepDiff struct {
	Added, Removed []int
	Moved          []StepMove
}

// StepMove is a step that stands at another place among those which stayed.
type StepMove struct{ From, To int }

// Compare returns what changed from an older plan to a newer one. Without an
// older one, from is empty and everything is added.
func Compare(from string, older Plan, to string, newer Plan, differ Differ) Diff {
	d := Diff{From: from, To: to, Steps: compareSteps(older.steps, newer.steps)}
	for _, name := range newer.names() {
		lines, there := older.outline.Find(name)
		d.Sections = append(d.Sections, compareSection(name, markdown.Join(lines), there > 0, newer.Body(name), differ))
	}
	for _, name := range older.names() {
		if _, there := newer.outline.Find(name); there == 0 {
			d.Sections = append(d.Sections, SectionDiff{Name: name, State: Removed, Removed: countLines(older.Body(name))})
		}
	}
	return d
}

// names returns the names of the sections, each once.
func (p Plan) names() []string {
	var names []string
	seen := map[string]bool{}
	for _, s := range p.outline.Sections {
		if name := markdown.Name(s.Heading); !seen[name] {
			seen[name] = true
			names = append(names, canonical(s.Heading))
		}
	}
	return names
}

func compareSection(name, before string, there bool, after string, differ Differ) SectionDiff {
	s := SectionDiff{Name: name, State: Unchanged}
	switch {
	case !there:
		s.State, s.Added = Added, countLines(after)
	case before != after:
		s.State, s.Diff = Changed, differ(before+"\n", after+"\n")
		s.Added, s.Removed = countChanges(s.Diff)
	}
	return s
}

func countLines(body string) int {
	if body == "" {
		return 0
	}
	return strings.Count(body, "\n") + 1
}

// countChanges counts the added and removed lines of a diff.
func countChanges(diff string) (added, removed int) {
	for line := range strings.SplitSeq(diff, "\n") {
		switch {
		case strings.HasPrefix(line, "+"):
			added++
		case strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return added, removed
}

// Summary says in a few words which sections changed: "Steps +2 -1, Risks".
// It is empty where none did.
func (d Diff) Summary() string {
	var parts []string
	for _, s := range d.Sections {
		switch {
		case s.State == Unchanged:
			continue
		case s.Name == Steps && s.State == Changed:
			parts = append(parts, s.Name+d.Steps.summary())
		case s.State == Changed:
			parts = append(parts, s.Name)
		default:
			parts = append(parts, s.Name+" "+string(s.State))
		}
	}
	return strings.Join(parts, ", ")
}

func (s StepDiff) summary() string {
	out := ""
	if n := len(s.Added); n > 0 {
		out += fmt.Sprintf(" +%d", n)
	}
	if n := len(s.Removed); n > 0 {
		out += fmt.Sprintf(" -%d", n)
	}
	return out
}

// Document renders the comparison for a script.
func (d Diff) Document() jsondoc.Object {
	var from any
	if d.From != "" {
		from = d.From
	}
	sections := []jsondoc.Object{}
	for _, s := range d.Sections {
		var diff any
		if s.State == Changed {
			diff = s.Diff
		}
		sections = append(sections, jsondoc.Object{
			{Key: "name", Value: s.Name},
			{Key: "state", Value: string(s.State)},
			{Key: "added", Value: s.Added},
			{Key: "removed", Value: s.Removed},
			{Key: "diff", Value: diff},
		})
	}
	moved := []jsondoc.Object{}
	for _, m := range d.Steps.Moved {
		moved = append(moved, jsondoc.Object{{Key: "from", Value: m.From}, {Key: "to", Value: m.To}})
	}
	return jsondoc.Object{
		{Key: "from", Value: from},
		{Key: "to", Value: d.To},
		{Key: "sections", Value: sections},
		{Key: "steps", Value: jsondoc.Object{
			{Key: "added", Value: numbers(d.Steps.Added)},
			{Key: "removed", Value: numbers(d.Steps.Removed)},
			{Key: "moved", Value: moved},
		}},
	}
}

// numbers returns a list of numbers as a document holds it.
func numbers(list []int) []any {
	out := []any{}
	for _, n := range list {
		out = append(out, n)
	}
	return out
}

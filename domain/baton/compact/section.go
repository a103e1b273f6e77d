package compact

import (
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
)

// Section is a section of the session's state.
type Section string

// The canonical sections, and Notes, which takes what stands below no heading
// of theirs.
const (
	Goal       Section = "Goal"
	Done       Section = "Done"
	InProgress Section = "In Progress"
	Remaining  Section = "Remaining"
	Decisions  Section = "Decisions"
	Risks      Section = "Risks"
	NextStep   Section = "Next Step"
	Notes      Section = "Notes"
)

// sections are all of them in the order of the document, Notes last.
var sections = [...]Section{Goal, Done, InProgress, Remaining, Decisions, Risks, NextStep, Notes}

// Sections returns the seven canonical sections in the order of the document.
func Sections() []Section { return append([]Section(nil), sections[:len(sections)-1]...) }

// sectionOf returns the section that a level-2 heading begins; Notes for an
// unknown one.
func sectionOf(heading string) Section {
	switch name := strings.Join(strings.Fields(markdown.Name(heading)), " "); name {
	case "goal":
		return Goal
	case "done", "completed":
		return Done
	case "in progress", "in-progress", "wip", "doing":
		return InProgress
	case "remaining", "todo", "to do":
		return Remaining
	case "decisions":
		return Decisions
	case "risks":
		return Risks
	case "next step", "next steps":
		return NextStep
	}
	return Notes
}

// limits is how many items a section may hold, and from which end it loses
// those beyond.
func limits(s Section) (most int, keepFirst bool) {
	switch s {
	case Goal:
		return 3, true
	case Remaining:
		return 20, true
	case NextStep:
		return 5, false
	}
	return 12, false
}

// Package handoff holds the document that one agent leaves to the next: what
// stands in it, how it is cut to its budget, the gates that it passes before an
// agent starts from it, and the list of earlier ones.
package handoff

import (
	"strings"
	"time"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/text"
)

// File is the name of the handoff in the session directory.
const File = "handoff.md"

const title = "Relay Baton Handoff"

// The sections of a handoff.
const (
	Goal         = "Goal"
	Previous     = "Previous Agent"
	Next         = "Next Agent"
	Reason       = "Fallback Reason"
	Diet         = "Token Diet Summary"
	Repository   = "Current Repository State"
	RepoMap      = "Repo Map"
	Relevant     = "Relevant Files"
	Changed      = "Changed Files"
	Progress     = "Progress Summary"
	Diff         = "Important Diff"
	KnownErrors  = "Known Errors"
	TestResults  = "Test Results"
	NextSteps    = "Next Steps"
	Instructions = "Instructions for Next Agent"
)

// Input is what a handoff is made of. Texts come as their files hold them, and
// already fitted to the budgets of the profile.
type Input struct {
	Task           string
	Previous, Next string
	// Reason is why the agent before stopped; empty for a handoff by hand.
	Reason string
	// ResetAt is when the limit in Reason resets, WaitedUntil how long baton
	// waited for it; zero where there is no such instant.
	ResetAt, WaitedUntil time.Time

	// Profile is the name of the token-diet profile, Budgets what it allows.
	Profile string
	Budgets compact.Profile
	// Cut: a text below was cut to fit its budget.
	Cut bool

	// Status is git's short status.
	Status   string
	RepoMap  string
	Relevant compact.Relevant
	// Changed are the files that differ from HEAD.
	Changed []string
	// State is the compact state, Diff the compacted diff.
	State, Diff string
	// KnownErrors come with the oldest first.
	KnownErrors []string
	TestResults string
	// NextStep and Remaining are the items of those sections of state.md.
	NextStep, Remaining []string
	// Planned: there is a plan that the next agent goes on with.
	Planned bool
}

// Handoff is a finished handoff.
type Handoff struct {
	Text string
	// Chars is its length, Before what it was before cutting.
	Chars, Before int
	// Cut: something in it was cut to fit.
	Cut bool
}

// Compose returns the handoff of these texts, within the budget of the profile.
// Only a budget that is less than Least is exceeded.
func Compose(in Input, cutter text.Cutter) Handoff {
	limit := in.Budgets.MaxHandoffChars
	doc := document{cutter: cutter, sections: in.sections(cutter)}
	cut := in.Cut
	for _, s := range doc.sections {
		cut = cut || s.marked
	}
	before := 0
	for {
		// The length stands in the text itself, so it is found step by step.
		doc.find(Diet).set(in.diet(before, cut || before > limit))
		if n := doc.chars(); n > before {
			before = n
			continue
		}
		break
	}
	if before > limit {
		cut = true
		doc.fit(limit)
	}
	out := doc.render()
	return Handoff{Text: out, Chars: compact.Chars(out), Before: before, Cut: cut}
}

// Least is the smallest budget that every handoff fits in: its headings alone.
func Least() int {
	doc := document{sections: Input{}.sections(text.Cutter{})}
	for _, s := range doc.sections {
		s.drop(false)
	}
	return doc.chars()
}

// priority says what is cut first.
type priority int

const (
	low priority = iota
	medium
	high
)

// section is one section of the document.
type section struct {
	title    string
	priority priority
	// newest: its end is worth more than its beginning.
	newest bool
	// fixed: the words are baton's own, and short.
	fixed bool

	text   string
	chars  int
	marked bool
}

// set gives the section its text.
func (s *section) set(text string) { s.text, s.chars = text, compact.Chars(text) }

// drop takes the text away; the marker may stay in its place.
func (s *section) drop(marked bool) {
	s.set("")
	s.marked = marked
}

// body is the text with the marker where something is missing.
func (s *section) body() string {
	switch {
	case !s.marked:
		return s.text
	case s.text == "":
		return compact.Marker
	case s.newest:
		return compact.Marker + gap + s.text
	}
	return s.text + gap + compact.Marker
}

// size is the length of the body.
func (s *section) size() int {
	n := s.chars
	if s.marked {
		n += len(compact.Marker)
		if s.text != "" {
			n += len(gap)
		}
	}
	return n
}

// gap stands between two parts of a body.
const gap = "\n\n"

// document is a handoff by its sections.
type document struct {
	cutter   text.Cutter
	sections []*section
}

func (d document) find(title string) *section {
	for _, s := range d.sections {
		if s.title == title {
			return s
		}
	}
	return &section{}
}

func (d document) render() string {
	var out strings.Builder
	out.WriteString("# " + title + "\n")
	for _, s := range d.sections {
		out.WriteString("\n## " + s.title + "\n")
		if body := s.body(); body != "" {
			out.WriteString("\n" + body + "\n")
		}
	}
	return out.String()
}

// chars is the length of the rendered document.
func (d document) chars() int {
	n := len("# \n") + len(title)
	for _, s := range d.sections {
		n += len("\n## \n") + len(s.title)
		if size := s.size(); size > 0 {
			n += size + len("\n\n")
		}
	}
	return n
}

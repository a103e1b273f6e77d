package phrase

import (
	"fmt"
	"time"

	"github.com/changeover/changeover/domain/baton/wall"
)

// Stream is where a line of an agent came from.
type Stream string

// The streams.
const (
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
)

// Sighting is a hit and where it was seen.
type Sighting struct {
	Hit
	Stream Stream
	// Text is the line as the agent wrote it.
	Text string
	// Line is its number in commands.log.
	Line int
	// At is when it was seen, where that was told.
	At time.Time
}

// String returns the phrase, the stream and the line, as a reason for a fallback
// names them.
func (s Sighting) String() string { return fmt.Sprintf("%q on %s: %s", s.Phrase, s.Stream, s.Text) }

// lately is how many lines count as the end of a run.
const lately = 20

// Run follows the output of one run of a generic agent.
type Run struct {
	list     List
	reported []bool
	scratch  []byte
	now      time.Time

	last, strongest, strong Sighting
	// lines counts those that are not blank; strongAt is the one of the last
	// strong hit.
	lines, strongAt int
}

// Follow returns a run of which nothing was seen yet.
func (l List) Follow() *Run { return &Run{list: l, reported: make([]bool, len(l.texts))} }

// At tells when the lines that follow are seen.
func (r *Run) At(now time.Time) { r.now = now }

// Line takes the next line of a stream, and its number in commands.log. It returns
// what is to be reported: a phrase that this run has not reported yet.
func (r *Run) Line(stream Stream, text string, number int) (Sighting, bool) {
	folded, found, ok := r.list.read([]byte("["+string(stream)+"] "+text), &r.scratch)
	if !blank(text) {
		r.lines++
	}
	if !ok {
		return Sighting{}, false
	}
	seen := Sighting{Hit: r.hit(folded, found), Stream: stream, Text: text, Line: number, At: r.now}
	r.note(seen)
	fresh, ok := r.list.longest(folded, r.reported)
	if !ok {
		return Sighting{}, false
	}
	r.report(folded, fresh)
	seen.Hit = r.hit(folded, fresh)
	return seen, true
}

// note keeps what the end of the run will ask for.
func (r *Run) note(seen Sighting) {
	r.last = seen
	if seen.Strength >= r.strongest.Strength {
		r.strongest = seen
	}
	if seen.Strength == Strong {
		r.strong, r.strongAt = seen, r.lines
	}
}

// report marks a phrase as reported, and with it those that stand in the same words
// of the line: the same line again is no news.
func (r *Run) report(folded []byte, fresh match) {
	skip := make([]bool, len(r.reported))
	for {
		other, ok := r.list.longest(folded, skip)
		if !ok {
			return
		}
		skip[other.phrase] = true
		if other.from < fresh.to && fresh.from < other.to {
			r.reported[other.phrase] = true
		}
	}
}

func (r *Run) hit(folded []byte, found match) Hit {
	return Hit{Phrase: r.list.texts[found.phrase], Strength: strength(folded, found)}
}

func blank(text string) bool {
	folded := appendPlain(nil, []byte(text))
	return len(folded) == 0 || string(folded) == " "
}

// Last returns the last hit, if there was one.
func (r *Run) Last() (Sighting, bool) { return r.last, r.last.Strength > 0 }

// Strongest returns the last hit of the greatest strength, if there was one.
func (r *Run) Strongest() (Sighting, bool) { return r.strongest, r.strongest.Strength > 0 }

// OnSuccess says which hits count though the agent ended with exit code 0.
type OnSuccess string

// The values of OnSuccess. The zero value counts as Never.
const (
	Never        OnSuccess = "never"
	WhenStrong   OnSuccess = "strong"
	AlwaysOnHits OnSuccess = "always"
)

// Valid reports that s is one of the values that a configuration may name.
func (s OnSuccess) Valid() bool { return s == Never || s == WhenStrong || s == AlwaysOnHits }

// Outcome is what the run of a generic agent comes to.
type Outcome struct {
	Class wall.Class
	// Evidence is the hit that gave the class; of class none, the hit that was
	// suspected but did not count, or nothing.
	Evidence Sighting
	// Suspected: the agent ended well, but had said something of a wall.
	Suspected bool
}

// End returns the outcome. signalled: the agent died of a signal.
func (r *Run) End(code int, signalled bool, success OnSuccess) Outcome {
	found, ok := r.Strongest()
	switch {
	case signalled, code == 129, code == 137, code == 143:
		return Outcome{Class: wall.Killed}
	case !ok:
		return Outcome{Class: wall.None}
	case code != 0:
		return Outcome{Class: ClassOf(found.Phrase), Evidence: found}
	case success == AlwaysOnHits:
		return Outcome{Class: ClassOf(found.Phrase), Evidence: found}
	case success == WhenStrong && r.strongAt > 0 && r.lines-r.strongAt < lately:
		return Outcome{Class: ClassOf(r.strong.Phrase), Evidence: r.strong}
	}
	return Outcome{Class: wall.None, Evidence: found, Suspected: true}
}

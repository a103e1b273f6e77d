package compact

import "time"

// listed is how many entries a list of the loss report holds at most. What is
// beyond is counted, so that the report stays small.
const listed = 1000

// LossReport says what one cycle of compression took away, file by file. Files
// that the cycle left alone are nil. Lines are counted from 1 in the file as it
// was before.
type LossReport struct {
	At        time.Time
	Trigger   string
	Profile   string
	Threshold float64
	// Before and After are the total weight, in characters.
	Before, After int

	Log       *LogLoss
	State     *StateLoss
	Decisions *EntriesLoss
	Errors    *EntriesLoss
}

// LogLoss is what went of commands.log. Its lists are added to by its methods,
// which keep them short.
type LogLoss struct {
	// Raw is the name of the copy of the log as it was; empty for none.
	Raw                     string
	LinesBefore, LinesAfter int
	CharsBefore, CharsAfter int
	// ElidedRuns and ElidedLines count all runs and the lines they stand for,
	// listed or not.
	ElidedRuns, ElidedLines int
	Elided                  []Elision
	// More, MoreShortened and MoreNotices count what the lists do not hold.
	More          int
	Shortened     []Shortening
	MoreShortened int
	Notices       []int
	MoreNotices   int
	Kept          Kept
}

// Elision is a run of lines that became one marker. Count is the number in the
// marker: it includes the lines that earlier markers stood for.
type Elision struct{ From, To, Count int }

// Shortening is a kept line that lost that many characters in its middle.
type Shortening struct{ Line, Chars int }

// Kept counts the lines that stayed, by the first reason that kept them.
type Kept struct{ Tail, Hits, Exits, Failures, Starts int }

// AddElision notes an elided run.
func (l *LogLoss) AddElision(run Elision) {
	l.ElidedRuns++
	l.ElidedLines += run.Count
	l.Elided, l.More = add(l.Elided, l.More, run)
}

// AddShortening notes a shortened line.
func (l *LogLoss) AddShortening(line Shortening) {
	l.Shortened, l.MoreShortened = add(l.Shortened, l.MoreShortened, line)
}

// AddNotice notes a removed line that an earlier cycle had left.
func (l *LogLoss) AddNotice(line int) {
	l.Notices, l.MoreNotices = add(l.Notices, l.MoreNotices, line)
}

// add appends to a list that has room, and counts what it has no room for.
func add[T any](list []T, more int, entry T) ([]T, int) {
	if len(list) >= listed {
		return list, more + 1
	}
	return append(list, entry), more
}

// Reason says why an item left the state.
type Reason string

// The reasons, in the order in which a report lists them.
const (
	// Duplicate: a later item of the section says the same.
	Duplicate Reason = "duplicate"
	// Superseded: the item is done, or begun, by another section.
	Superseded Reason = "superseded"
	// Capped: the section held more items than it may.
	Capped Reason = "capped"
	// Cut: the whole was over its budget. Of Goal and Next Step, which never
	// lose an item that way, these are lines that were clipped.
	Cut Reason = "cut"
	// Earlier: removed by an earlier compaction, known from its count alone.
	Earlier Reason = "earlier"
)

// reasons holds them in that order.
var reasons = [...]Reason{Duplicate, Superseded, Capped, Cut, Earlier}

// Span is a range of lines, both ends included.
type Span struct{ From, To int }

// StateLoss is what went of state.md.
type StateLoss struct {
	Raw                     string
	CharsBefore, CharsAfter int
	Sections                []SectionLoss
}

// SectionLoss is what one section lost. ItemsBefore counts the items that were
// read into it, ItemsAfter those that stayed.
type SectionLoss struct {
	Section                 Section
	ItemsBefore, ItemsAfter int
	Lost                    []Loss
}

// Loss is the items that a section lost for one reason. Lines holds the lines
// of each; none for Earlier. More counts the items whose lines are not listed.
type Loss struct {
	Reason Reason
	Count  int
	Lines  []Span
	More   int
}

// EntriesLoss is what went of decisions.md or errors.md. More counts the
// dropped entries that are not listed.
type EntriesLoss struct {
	Raw                     string
	CharsBefore, CharsAfter int
	Dropped                 []Dropped
	More                    int
}

// Dropped is an entry that was older than the last handoff.
type Dropped struct {
	Title string
	Span
	Date time.Time
}

package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/text"
)

// noteLimit is how many characters the note of a receipt has at most.
const noteLimit = 200

// Mark is what became of a step.
type Mark string

// The marks of a receipt, and Open for a step that has none.
const (
	Done    Mark = "done"
	Skipped Mark = "skipped"
	Open    Mark = "open"
)

// Receipt says what became of one step.
type Receipt struct {
	At   time.Time
	Mark Mark
	Step int
	// Note is empty for none.
	Note string
}

// NewReceipt returns a receipt whose note is one line without control
// characters, of at most 200 characters.
func NewReceipt(at time.Time, mark Mark, step int, note string, cutter text.Cutter) Receipt {
	note = strings.Join(strings.Fields(text.WithoutSequences(strings.ToValidUTF8(note, "\uFFFD"))), " ")
	note = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) {
			return -1
		}
		return r
	}, note)
	return Receipt{At: at, Mark: mark, Step: step, Note: strings.TrimSpace(cutter.Clip(note, noteLimit))}
}

const noteLead = " — "

// line is the receipt as it stands in the plan.
func (r Receipt) line() string {
	s := fmt.Sprintf("- %s [%s] %d", stamp.Text(r.At), r.Mark, r.Step)
	if r.Note != "" {
		s += noteLead + r.Note
	}
	return s
}

// same reports that a further receipt would say nothing new.
func (r Receipt) same(other Receipt) bool { return r.Mark == other.Mark && r.Note == other.Note }

// readReceipt reads such a line.
func readReceipt(line string) (Receipt, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
	at, rest, bracket := strings.Cut(rest, " [")
	mark, rest, closed := strings.Cut(rest, "] ")
	number, note, noted := strings.Cut(rest, noteLead)
	if !ok || !bracket || !closed || noted && note == "" {
		return Receipt{}, false
	}
	r := Receipt{Mark: Mark(mark), Note: note}
	if r.Mark != Done && r.Mark != Skipped {
		return Receipt{}, false
	}
	var err error
	if r.At, err = stamp.Parse(at); err != nil {
		return Receipt{}, false
	}
	r.Step, err = strconv.Atoi(number)
	return r, err == nil && strconv.Itoa(r.Step) == number
}

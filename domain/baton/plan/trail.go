package plan

import (
	"errors"
	"fmt"
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

// ErrNone reports that there is no plan whose steps could have a receipt.
var ErrNone = errors.New("there is no plan")

// StepError reports a step that the plan does not have.
type StepError struct {
	Step int
	// Steps is how many it has.
	Steps int
}

func (e *StepError) Error() string {
	switch e.Steps {
	case 0:
		return fmt.Sprintf("there is no step %d: the plan has no steps", e.Step)
	case 1:
		return fmt.Sprintf("there is no step %d: the plan has step 1 alone", e.Step)
	}
	return fmt.Sprintf("there is no step %d: the plan has steps 1 to %d", e.Step, e.Steps)
}

// Add returns a plan.md with one more receipt at its end. The text before it keeps
// its bytes. added is false, and nothing changes, where the step's latest
// receipt says the same.
func Add(raw string, r Receipt) (next string, added bool, err error) {
	p := Read(raw)
	if p.Blank() {
		return raw, false, ErrNone
	}
	if r.Step < 1 || r.Step > len(p.steps) {
		return raw, false, &StepError{Step: r.Step, Steps: len(p.steps)}
	}
	receipts, _ := p.receiptLines()
	for i := len(receipts) - 1; i >= 0; i-- {
		if receipts[i].Step != r.Step {
			continue
		}
		if receipts[i].same(r) {
			return raw, false, nil
		}
		break
	}
	_, form := markdown.Read(raw)
	next, end := raw, form.End
	switch {
	case p.receipts == "":
		if end == "\n" && strings.HasSuffix(next, "\r") {
			end = "\r" // the two would read as one line end
		}
		next += end + "## " + receiptsHeading + form.End
	case !strings.HasSuffix(next, "\n") && !strings.HasSuffix(next, "\r"):
		next += form.End
	}
	return next + r.line() + form.End, true, nil
}

// receiptLines reads what stands below the heading: the receipts in their
// order, and the lines that are none or name a step that there is not.
func (p Plan) receiptLines() (receipts []Receipt, unreadable []string) {
	body, _ := markdown.Read(p.receipts)
	for _, line := range markdown.Lines(body) {
		if strings.TrimSpace(line.Text) == "" || receiptsBegin(line.Text) {
			continue
		}
		r, ok := readReceipt(line.Text)
		if !ok || r.Step < 1 || r.Step > len(p.steps) {
			unreadable = append(unreadable, line.Text)
			continue
		}
		receipts = append(receipts, r)
	}
	return receipts, unreadable
}

// HasReceipts reports that a step of the plan has a receipt.
func (p Plan) HasReceipts() bool {
	receipts, _ := p.receiptLines()
	return len(receipts) > 0
}

// Trail is what became of the steps of a plan.
type Trail struct {
	Steps []StepTrail
	// Unreadable are the lines among the receipts that are none.
	Unreadable []string
}

// StepTrail is what became of one step.
type StepTrail struct {
	Step Step
	// Latest is the last receipt of the step; its mark is Open where there is
	// none.
	Latest Receipt
	// Count is how many receipts the step has.
	Count int
}

// Trail returns what the receipts say of each step.
func (p Plan) Trail() Trail {
	var t Trail
	for _, s := range p.steps {
		t.Steps = append(t.Steps, StepTrail{Step: s, Latest: Receipt{Mark: Open, Step: s.N}})
	}
	var receipts []Receipt
	receipts, t.Unreadable = p.receiptLines()
	for _, r := range receipts {
		s := &t.Steps[r.Step-1]
		s.Latest = r
		s.Count++
	}
	return t
}

// Document renders the trail for a script.
func (t Trail) Document() jsondoc.Object {
	steps := []jsondoc.Object{}
	for _, s := range t.Steps {
		var at, note any
		if s.Count > 0 {
			at = stamp.Text(s.Latest.At)
		}
		if s.Latest.Note != "" {
			note = s.Latest.Note
		}
		steps = append(steps, jsondoc.Object{
			{Key: "n", Value: s.Step.N},
			{Key: "text", Value: s.Step.Text},
			{Key: "state", Value: string(s.Latest.Mark)},
			{Key: "at", Value: at},
			{Key: "note", Value: note},
			{Key: "count", Value: s.Count},
		})
	}
	return jsondoc.Object{{Key: "steps", Value: steps}, {Key: "unreadable", Value: append([]string{}, t.Unreadable...)}}
}

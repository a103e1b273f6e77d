package baton

import (
	"fmt"

	"github.com/changeover/changeover/domain/jsondoc"
)

// Mark says how a check came out.
type Mark string

// The marks of doctor. An info is neither good nor bad.
const (
	MarkOK   Mark = "ok"
	MarkWarn Mark = "warn"
	MarkFail Mark = "fail"
	MarkInfo Mark = "info"
)

// marks are in the order in which they are counted.
func marks() []Mark { return []Mark{MarkOK, MarkWarn, MarkFail, MarkInfo} }

// Check is one thing that doctor looked at.
type Check struct {
	Mark  Mark
	Label string
	Value string
}

// Checkup is everything that doctor looked at, in its order.
type Checkup struct {
	Checks []Check
	// Advice is what to do before anything else; empty for nothing.
	Advice string
}

func (c *Checkup) add(mark Mark, label, format string, args ...any) {
	c.Checks = append(c.Checks, Check{Mark: mark, Label: label, Value: fmt.Sprintf(format, args...)})
}

// Count counts the checks with a mark.
func (c Checkup) Count(mark Mark) int {
	n := 0
	for _, check := range c.Checks {
		if check.Mark == mark {
			n++
		}
	}
	return n
}

// Failed reports that something has to be mended.
func (c Checkup) Failed() bool { return c.Count(MarkFail) > 0 }

// Summary counts the checks in one line.
func (c Checkup) Summary() string {
	return fmt.Sprintf("%d ok, %s, %s, %d for information",
		c.Count(MarkOK), Counted(c.Count(MarkWarn), "warning"), Counted(c.Count(MarkFail), "failure"), c.Count(MarkInfo))
}

// Document is the checkup as JSON.
func (c Checkup) Document() jsondoc.Object {
	doc := jsondoc.Object{{Key: "passed", Value: !c.Failed()}}
	for _, mark := range marks() {
		doc.Add(string(mark), c.Count(mark))
	}
	doc.Add("checks", checkDocuments(c.Checks))
	doc.Add("advice", orNull(c.Advice))
	return doc
}

func checkDocuments(checks []Check) []jsondoc.Object {
	list := []jsondoc.Object{}
	for _, check := range checks {
		list = append(list, jsondoc.Object{
			{Key: "mark", Value: string(check.Mark)}, {Key: "label", Value: check.Label}, {Key: "value", Value: check.Value},
		})
	}
	return list
}

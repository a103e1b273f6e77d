package baton

import "github.com/changeover/changeover/domain/jsondoc"

// Document is what compress-context prints with --json. What there is not is null.
func (c Compressed) Document() jsondoc.Object {
	var after, ratio, gate, report any
	files, rotated := []any{}, []any{}
	if len(c.Files) > 0 { // a cycle was planned at least
		weight := c.After()
		after, ratio = weight.Total, shownRatio(weight.Ratio())
		gate, report = c.Report.document(), c.Loss.Object()
	}
	for _, s := range c.Files {
		files = append(files, jsondoc.Object{
			{Key: "file", Value: s.File},
			{Key: "before", Value: s.Before},
			{Key: "after", Value: s.After},
			{Key: "changed", Value: s.Changed},
			{Key: "kept", Value: orNull(s.Kept)},
		})
	}
	for _, name := range c.Rotated {
		rotated = append(rotated, name)
	}
	return jsondoc.Object{
		{Key: "outcome", Value: c.Outcome},
		{Key: "reason", Value: orNull(c.Reason)},
		{Key: "profile", Value: orNull(c.Profile)},
		{Key: "threshold", Value: shownRatio(c.Threshold)},
		{Key: "total", Value: c.Weight.Total},
		{Key: "budget", Value: c.Weight.Budget},
		{Key: "ratio", Value: shownRatio(c.Weight.Ratio())},
		{Key: "after", Value: after},
		{Key: "ratioAfter", Value: ratio},
		{Key: "files", Value: files},
		{Key: "gate", Value: gate},
		{Key: "cycle", Value: orNull(c.ID)},
		{Key: "rotated", Value: rotated},
		{Key: "report", Value: report},
	}
}

// document is what the gate said, as JSON.
func (g GateReport) document() jsondoc.Object {
	failures := []any{}
	for _, failure := range g.Failures {
		failures = append(failures, failure)
	}
	return jsondoc.Object{{Key: "passed", Value: g.Passed()}, {Key: "failures", Value: failures}}
}

package compact

import (
	"strconv"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

// reportVersion is the version of the loss report's form.
const reportVersion = 1

// The files that a report may speak of, in its order.
const (
	logFile       = "commands.log"
	stateFile     = "state.md"
	decisionsFile = "decisions.md"
	errorsFile    = "errors.md"
)

// Document writes a report as it is stored in loss.<file timestamp>.json.
func (r LossReport) Document() []byte { return jsondoc.Stored(r.Object()) }

// Object returns the report as an object of JSON.
func (r LossReport) Object() jsondoc.Object {
	files := []jsondoc.Object{}
	if r.Log != nil {
		files = append(files, r.Log.object())
	}
	if r.State != nil {
		files = append(files, r.State.object())
	}
	if r.Decisions != nil {
		files = append(files, r.Decisions.object(decisionsFile))
	}
	if r.Errors != nil {
		files = append(files, r.Errors.object(errorsFile))
	}
	return jsondoc.Object{
		{Key: "schemaVersion", Value: reportVersion},
		{Key: "at", Value: stamp.Text(r.At)},
		{Key: "trigger", Value: r.Trigger},
		{Key: "profile", Value: r.Profile},
		{Key: "threshold", Value: jsondoc.Number(strconv.FormatFloat(r.Threshold, 'f', -1, 64))},
		{Key: "before", Value: r.Before},
		{Key: "after", Value: r.After},
		{Key: "files", Value: files},
	}
}

func (l LogLoss) object() jsondoc.Object {
	elided := []jsondoc.Object{}
	for _, run := range l.Elided {
		elided = append(elided, jsondoc.Object{
			{Key: "from", Value: run.From}, {Key: "to", Value: run.To}, {Key: "count", Value: run.Count},
		})
	}
	shortened := []jsondoc.Object{}
	for _, line := range l.Shortened {
		shortened = append(shortened, jsondoc.Object{{Key: "line", Value: line.Line}, {Key: "chars", Value: line.Chars}})
	}
	notices := []any{}
	for _, line := range l.Notices {
		notices = append(notices, line)
	}
	o := fileObject(logFile, l.Raw)
	o.Add("linesBefore", l.LinesBefore)
	o.Add("linesAfter", l.LinesAfter)
	o.Add("charsBefore", l.CharsBefore)
	o.Add("charsAfter", l.CharsAfter)
	o.Add("elidedRuns", l.ElidedRuns)
	o.Add("elidedLines", l.ElidedLines)
	o.Add("elided", elided)
	o.Add("more", l.More)
	o.Add("shortened", shortened)
	addMore(&o, "moreShortened", l.MoreShortened)
	o.Add("notices", notices)
	addMore(&o, "moreNotices", l.MoreNotices)
	o.Add("kept", jsondoc.Object{
		{Key: "tail", Value: l.Kept.Tail},
		{Key: "hits", Value: l.Kept.Hits},
		{Key: "exits", Value: l.Kept.Exits},
		{Key: "failures", Value: l.Kept.Failures},
		{Key: "starts", Value: l.Kept.Starts},
	})
	return o
}

func (l StateLoss) object() jsondoc.Object {
	sections := []jsondoc.Object{}
	for _, s := range l.Sections {
		lost := []jsondoc.Object{}
		for _, loss := range s.Lost {
			lost = append(lost, loss.object())
		}
		sections = append(sections, jsondoc.Object{
			{Key: "section", Value: string(s.Section)},
			{Key: "itemsBefore", Value: s.ItemsBefore},
			{Key: "itemsAfter", Value: s.ItemsAfter},
			{Key: "lost", Value: lost},
		})
	}
	o := fileObject(stateFile, l.Raw)
	o.Add("charsBefore", l.CharsBefore)
	o.Add("charsAfter", l.CharsAfter)
	o.Add("sections", sections)
	return o
}

func (l Loss) object() jsondoc.Object {
	lines := []any{}
	for _, span := range l.Lines {
		lines = append(lines, []any{span.From, span.To})
	}
	o := jsondoc.Object{
		{Key: "reason", Value: string(l.Reason)},
		{Key: "count", Value: l.Count},
		{Key: "lines", Value: lines},
	}
	addMore(&o, "more", l.More)
	return o
}

func (l EntriesLoss) object(file string) jsondoc.Object {
	dropped := []jsondoc.Object{}
	for _, e := range l.Dropped {
		dropped = append(dropped, jsondoc.Object{
			{Key: "title", Value: e.Title},
			{Key: "from", Value: e.From},
			{Key: "to", Value: e.To},
			{Key: "date", Value: stamp.Text(e.Date)},
		})
	}
	o := fileObject(file, l.Raw)
	o.Add("charsBefore", l.CharsBefore)
	o.Add("charsAfter", l.CharsAfter)
	o.Add("dropped", dropped)
	addMore(&o, "more", l.More)
	return o
}

func fileObject(file, raw string) jsondoc.Object {
	o := jsondoc.Object{{Key: "file", Value: file}, {Key: "raw", Value: nil}}
	if raw != "" {
		o[1].Value = raw
	}
	return o
}

// addMore counts what a list does not hold, where it does not hold all.
func addMore(o *jsondoc.Object, key string, n int) {
	if n > 0 {
		o.Add(key, n)
	}
}

package compact

import (
	"fmt"
	"strconv"

	"github.com/changeover/changeover/domain/baton/stamp"
	"github.com/changeover/changeover/domain/jsondoc"
)

// ReadLossReport reads a report as Document writes it. Files and keys that it
// does not know are passed over.
func ReadLossReport(data []byte) (LossReport, error) {
	f, err := jsondoc.DecodeFields(data)
	if err != nil {
		return LossReport{}, fmt.Errorf("read loss report: %w", err)
	}
	if f.Int("schemaVersion") != reportVersion {
		f.Fail("schemaVersion", strconv.Itoa(reportVersion))
	}
	threshold, err := strconv.ParseFloat(string(f.Number("threshold")), 64)
	if err != nil {
		f.Fail("threshold", "a number")
	}
	report := LossReport{
		At:        stamp.Field(f, "at"),
		Trigger:   f.Text("trigger"),
		Profile:   f.Text("profile"),
		Threshold: threshold,
		Before:    f.Int("before"),
		After:     f.Int("after"),
	}
	for _, file := range f.Children("files") {
		switch file.Text("file") {
		case logFile:
			report.Log = readLogLoss(file)
		case stateFile:
			report.State = readStateLoss(file)
		case decisionsFile:
			report.Decisions = readEntriesLoss(file)
		case errorsFile:
			report.Errors = readEntriesLoss(file)
		}
	}
	if err := f.Err(); err != nil {
		return LossReport{}, fmt.Errorf("read loss report: %w", err)
	}
	return report, nil
}

func readLogLoss(f jsondoc.Fields) *LogLoss {
	kept := f.Child("kept")
	l := LogLoss{
		Raw:           f.Text("raw"),
		LinesBefore:   f.Int("linesBefore"),
		LinesAfter:    f.Int("linesAfter"),
		CharsBefore:   f.Int("charsBefore"),
		CharsAfter:    f.Int("charsAfter"),
		ElidedRuns:    f.Int("elidedRuns"),
		ElidedLines:   f.Int("elidedLines"),
		More:          f.Int("more"),
		MoreShortened: f.Int("moreShortened"),
		MoreNotices:   f.Int("moreNotices"),
		Notices:       readInts(f, "notices"),
		Kept: Kept{
			Tail:     kept.Int("tail"),
			Hits:     kept.Int("hits"),
			Exits:    kept.Int("exits"),
			Failures: kept.Int("failures"),
			Starts:   kept.Int("starts"),
		},
	}
	for _, run := range f.Children("elided") {
		l.Elided = append(l.Elided, Elision{From: run.Int("from"), To: run.Int("to"), Count: run.Int("count")})
	}
	for _, line := range f.Children("shortened") {
		l.Shortened = append(l.Shortened, Shortening{Line: line.Int("line"), Chars: line.Int("chars")})
	}
	return &l
}

func readStateLoss(f jsondoc.Fields) *StateLoss {
	l := StateLoss{Raw: f.Text("raw"), CharsBefore: f.Int("charsBefore"), CharsAfter: f.Int("charsAfter")}
	for _, s := range f.Children("sections") {
		section := SectionLoss{
			Section:     Section(s.Text("section")),
			ItemsBefore: s.Int("itemsBefore"),
			ItemsAfter:  s.Int("itemsAfter"),
		}
		for _, lost := range s.Children("lost") {
			section.Lost = append(section.Lost, Loss{
				Reason: Reason(lost.Text("reason")),
				Count:  lost.Int("count"),
				Lines:  readSpans(lost, "lines"),
				More:   lost.Int("more"),
			})
		}
		l.Sections = append(l.Sections, section)
	}
	return &l
}

func readEntriesLoss(f jsondoc.Fields) *EntriesLoss {
	l := EntriesLoss{
		Raw:         f.Text("raw"),
		CharsBefore: f.Int("charsBefore"),
		CharsAfter:  f.Int("charsAfter"),
		More:        f.Int("more"),
	}
	for _, e := range f.Children("dropped") {
		l.Dropped = append(l.Dropped, Dropped{
			Title: e.Text("title"),
			Span:  Span{From: e.Int("from"), To: e.Int("to")},
			Date:  stamp.Field(e, "date"),
		})
	}
	return &l
}

// readInts reads a list of line numbers.
func readInts(f jsondoc.Fields, key string) []int {
	var numbers []int
	for _, value := range f.List(key) {
		number, ok := value.(jsondoc.Number)
		n, err := number.Int64()
		if !ok || err != nil {
			f.Fail(key, "a list of line numbers")
			return nil
		}
		numbers = append(numbers, int(n))
	}
	return numbers
}

// readSpans reads a list of pairs of line numbers.
func readSpans(f jsondoc.Fields, key string) []Span {
	var spans []Span
	for _, value := range f.List(key) {
		pair := readInts(jsondoc.NewFields(map[string]any{key: value}), key)
		if len(pair) != 2 {
			f.Fail(key, "a list of pairs of line numbers")
			return nil
		}
		spans = append(spans, Span{From: pair[0], To: pair[1]})
	}
	return spans
}

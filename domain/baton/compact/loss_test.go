package compact_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
)

// at is the instant of every report here.
var at = time.Date(2026, 5, 28, 9, 0, 0, 123_000_000, time.UTC)

// report is one with everything in it.
func report() compact.LossReport {
	return compact.LossReport{
		At: at, Trigger: "auto", Profile: "balanced", Threshold: 0.8, Before: 30000, After: 9000,
		Log: &compact.LogLoss{
			Raw: "commands.log.full.2026-05-28T09-00-00-123Z", LinesBefore: 700, LinesAfter: 210, CharsBefore: 25000, CharsAfter: 7000,
			ElidedRuns: 1, ElidedLines: 12, Elided: []compact.Elision{{From: 3, To: 4, Count: 12}},
			Shortened: []compact.Shortening{{Line: 600, Chars: 1209}}, Notices: []int{2, 9},
			Kept: compact.Kept{Tail: 200, Hits: 1, Exits: 2, Failures: 3, Starts: 4},
		},
		State: &compact.StateLoss{CharsBefore: 4000, CharsAfter: 1500, Sections: []compact.SectionLoss{
			{Section: compact.InProgress, ItemsBefore: 9, ItemsAfter: 6, Lost: []compact.Loss{
				{Reason: compact.Superseded, Count: 3, Lines: []compact.Span{{From: 8, To: 10}, {From: 12, To: 12}}, More: 1},
				{Reason: compact.Earlier, Count: 4},
			}},
			{Section: compact.Risks},
		}},
		Decisions: &compact.EntriesLoss{CharsBefore: 500, CharsAfter: 200, Dropped: []compact.Dropped{
			{Title: "2026-05-20 one queue", Span: compact.Span{From: 5, To: 8}, Date: time.Date(2026, 5, 20, 0, 0, 0, 0, time.UTC)},
		}},
		Errors: &compact.EntriesLoss{Raw: "errors.md.full.2026-05-28T09-00-00-123Z", CharsBefore: 500, CharsAfter: 500, More: 3},
	}
}

// Row 103: the form of the report.
func TestLossReport_IsWrittenInTheDocumentedForm(t *testing.T) {
	is := is.New(t)
	want := `{
		"schemaVersion": 1, "at": "2026-05-28T09:00:00.123Z", "trigger": "auto", "profile": "balanced", "threshold": 0.8,
		"before": 30000, "after": 9000,
		"files": [
			{"file": "commands.log", "raw": "commands.log.full.2026-05-28T09-00-00-123Z", "linesBefore": 700, "linesAfter": 210,
			 "charsBefore": 25000, "charsAfter": 7000, "elidedRuns": 1, "elidedLines": 12,
			 "elided": [{"from": 3, "to": 4, "count": 12}], "more": 0, "shortened": [{"line": 600, "chars": 1209}], "notices": [2, 9],
			 "kept": {"tail": 200, "hits": 1, "exits": 2, "failures": 3, "starts": 4}},
			{"file": "state.md", "raw": null, "charsBefore": 4000, "charsAfter": 1500, "sections": [
				{"section": "In Progress", "itemsBefore": 9, "itemsAfter": 6, "lost": [
					{"reason": "superseded", "count": 3, "lines": [[8, 10], [12, 12]], "more": 1},
					{"reason": "earlier", "count": 4, "lines": []}]},
				{"section": "Risks", "itemsBefore": 0, "itemsAfter": 0, "lost": []}]},
			{"file": "decisions.md", "raw": null, "charsBefore": 500, "charsAfter": 200, "dropped": [
				{"title": "2026-05-20 one queue", "from": 5, "to": 8, "date": "2026-05-20T00:00:00.000Z"}]},
			{"file": "errors.md", "raw": "errors.md.full.2026-05-28T09-00-00-123Z", "charsBefore": 500, "charsAfter": 500, "dropped": [], "more": 3}
		]}`
	is.Equal(cmp.Diff(decoded(t, want), decoded(t, string(report().Document()))), "")
}

// decoded returns what a JSON text says.
func decoded(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// Row 103: a file that the cycle left alone does not appear.
func TestLossReport_NamesChangedFilesAlone(t *testing.T) {
	is := is.New(t)
	document := string(compact.LossReport{At: at, Threshold: 1}.Document())
	is.True(strings.Contains(document, `"files": []`))
}

// The samples hold the log's part without raw and kept.
func TestLogLoss_HasTheFormOfTheSamples(t *testing.T) {
	for _, name := range []string{"json-run", "long-run"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			sample := fixture(t, "expected/log/"+name+".loss.json")
			whole := `{"schemaVersion":1,"at":"2026-05-28T09:00:00.000Z","threshold":0,"files":[` + sample + `]}`
			r, err := compact.ReadLossReport([]byte(whole))
			is.NoErr(err)
			files, _ := decoded(t, string(r.Document())).(map[string]any)["files"].([]any)
			got, _ := files[0].(map[string]any)
			delete(got, "raw")
			delete(got, "kept")
			is.Equal(cmp.Diff(decoded(t, sample), any(got)), "")
		})
	}
}

// Row 104.
func TestLogLoss_ListsAThousandRunsAndCountsTheRest(t *testing.T) {
	is := is.New(t)
	var l compact.LogLoss
	for n := range 5000 {
		l.AddElision(compact.Elision{From: 3 * n, To: 3*n + 1, Count: 2})
		l.AddShortening(compact.Shortening{Line: n, Chars: 1})
		l.AddNotice(n)
	}
	is.Equal(l.ElidedRuns, 5000)
	is.Equal(l.ElidedLines, 10000)
	is.Equal(len(l.Elided), 1000)
	is.Equal(l.Elided[999], compact.Elision{From: 2997, To: 2998, Count: 2})
	is.Equal(l.More, 4000)
	is.Equal(len(l.Shortened), 1000)
	is.Equal(l.MoreShortened, 4000)
	is.Equal(len(l.Notices), 1000)
	is.Equal(l.MoreNotices, 4000)
}

func TestReadLossReport_ReadsWhatWasWritten(t *testing.T) {
	is := is.New(t)
	got, err := compact.ReadLossReport(report().Document())
	is.NoErr(err)
	is.Equal(cmp.Diff(report(), got), "")
}

func TestReadLossReport_RefusesTheRest(t *testing.T) {
	for name, in := range map[string]string{
		"nothing":          "",
		"a list":           "[]",
		"another version":  `{"schemaVersion":2,"threshold":1}`,
		"no version":       `{"threshold":1}`,
		"no threshold":     `{"schemaVersion":1}`,
		"files no list":    `{"schemaVersion":1,"threshold":1,"files":{}}`,
		"text as a number": `{"schemaVersion":1,"threshold":1,"before":"7"}`,
		"no time":          `{"schemaVersion":1,"threshold":1,"at":"today"}`,
		"a line no number": `{"schemaVersion":1,"threshold":1,"files":[{"file":"commands.log","notices":["x"]}]}`,
		"no pair":          `{"schemaVersion":1,"threshold":1,"files":[{"file":"state.md","sections":[{"lost":[{"lines":[[1]]}]}]}]}`,
		"half a pair":      `{"schemaVersion":1,"threshold":1,"files":[{"file":"state.md","sections":[{"lost":[{"lines":[[1,"x"]]}]}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := compact.ReadLossReport([]byte(in))
			is.True(err != nil)
		})
	}
}

func TestReadLossReport_PassesOverWhatItDoesNotKnow(t *testing.T) {
	is := is.New(t)
	got, err := compact.ReadLossReport([]byte(`{"schemaVersion":1,"threshold":0.5,"more":[],"files":[{"file":"other.md","x":1}]}`))
	is.NoErr(err)
	is.Equal(got, compact.LossReport{Threshold: 0.5})
}

func TestReadLossReport_NeverPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document := string(report().Document())
		from := rapid.IntRange(0, len(document)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(document), from+40)).Draw(t, "to")
		patch := rapid.SampledFrom([]string{"", "null", "[]", "{}", "1", `"x"`, "1e9"}).Draw(t, "patch")
		r, err := compact.ReadLossReport([]byte(document[:from] + patch + document[to:]))
		if err != nil {
			return
		}
		if _, err := compact.ReadLossReport(r.Document()); err != nil {
			t.Fatal(err)
		}
	})
}

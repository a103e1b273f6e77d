package wall_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
)

// fields are the fields of a record, in order.
var fields = []string{
	"n", "agent", "role", "protocol", "argv", "promptChars", "promptVia", "clientSession", "startedAt", "endedAt",
	"exitCode", "signal", "class", "kind", "resetAt", "resetExact", "rule", "evidence", "ignored", "denied",
	"decision", "next", "why", "forced",
}

func full(t *testing.T) wall.RunRecord {
	t.Helper()
	return wall.RunRecord{
		N: 1, Agent: "codex", Role: wall.AsPrimary, Protocol: "codex-json", Argv: []string{"codex", "exec", "--json"},
		PromptChars: 12, PromptVia: wall.ByArgument, ClientSession: "t-1",
		StartedAt: instant(t, "2026-05-28T09:00:00Z"), EndedAt: instant(t, "2026-05-28T09:01:00Z"), ExitCode: 1, Signal: 9,
		Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Weekly, ResetAt: instant(t, "2026-05-28T12:00:00Z"), Exact: true},
		Rule:     "codex-usage-limit",
		Evidence: wall.Evidence{Source: wall.TerminalEvent, Event: `{"type":"turn.failed"}`, Text: "You've hit it", File: "commands.log", Line: 7},
		Ignored:  wall.Ignored{Count: 2, FirstLine: "quota exceeded"},
		Denied:   map[string]int{"Write": 1, "Bash": 3},
		Decision: wall.Fallback, Next: "claude", Why: "It is so.",
		Forced: []wall.Forced{{Gate: "secrets", Detail: "handoff.md:41 github-token"}},
	}
}

func TestRunRecord_Document(t *testing.T) {
	is := is.New(t)
	want := `{"n":1,"agent":"codex","role":"primary","protocol":"codex-json","argv":["codex","exec","--json"],"promptChars":12,` +
		`"promptVia":"argument","clientSession":"t-1","startedAt":"2026-05-28T09:00:00.000Z","endedAt":"2026-05-28T09:01:00.000Z",` +
		`"exitCode":1,"signal":9,"class":"usage_limit","kind":"weekly","resetAt":"2026-05-28T12:00:00.000Z","resetExact":true,` +
		`"rule":"codex-usage-limit","evidence":{"source":"terminal-event","event":"{\"type\":\"turn.failed\"}","text":"You've hit it",` +
		`"file":"commands.log","line":7},"ignored":{"count":2,"firstLine":"quota exceeded"},"denied":{"Bash":3,"Write":1},` +
		`"decision":"fallback","next":"claude","why":"It is so.","forced":[{"gate":"secrets","detail":"handoff.md:41 github-token"}]}`
	is.Equal(cmp.Diff(string(jsondoc.Line(full(t).Document())), want), "")
}

func TestRunRecord_UnknownIsNullAndNeverAbsent(t *testing.T) {
	is := is.New(t)
	document := wall.RunRecord{N: 1, Agent: "codex", Class: wall.None}.Document()
	var names, null []string
	for _, m := range document {
		names = append(names, m.Key)
		if m.Value == nil {
			null = append(null, m.Key)
		}
	}
	is.Equal(names, fields)
	is.Equal(null, []string{
		"role", "protocol", "promptVia", "clientSession", "startedAt", "endedAt", "signal", "kind", "resetAt", "resetExact",
		"rule", "evidence", "decision", "next", "why",
	})
	is.True(json.Valid(jsondoc.Line(document)))
}

func TestRunRecord_RecordTakesRunAndDecision(t *testing.T) {
	is := is.New(t)
	run := wall.Ended{Agent: "codex", Code: 1, Outcome: wall.Outcome{
		Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Weekly}, Rule: "codex-usage-limit",
		Evidence: wall.Evidence{Source: wall.TerminalEvent, Text: "said"},
		Ignored:  wall.Ignored{Count: 1, FirstLine: "\x1b[31mquota\x1b[0m " + strings.Repeat("x", 300)},
		Denied:   map[string]int{"Bash": 1},
	}}
	decision := wall.Decide(run, usual, "claude", cutter)
	got := wall.RunRecord{N: 3, Role: wall.AsPrimary}.Record(run, decision, cutter)
	is.Equal(cmp.Diff(got, wall.RunRecord{
		N: 3, Role: wall.AsPrimary, Agent: "codex", ExitCode: 1, Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Weekly},
		Rule: "codex-usage-limit", Evidence: wall.Evidence{Source: wall.TerminalEvent, Text: "said"},
		Ignored: wall.Ignored{Count: 1, FirstLine: "quota " + strings.Repeat("x", 193) + "…"}, Denied: map[string]int{"Bash": 1},
		Decision: wall.Fallback, Next: "claude", Why: decision.Why,
	}), "")
}

func TestRunRecord_StartFailureIsARecordToo(t *testing.T) {
	is := is.New(t)
	run := wall.Ended{Agent: "codex", Code: 127, NotStarted: "codex is not on PATH: install it"}
	got := wall.RunRecord{}.Record(run, wall.Decide(run, usual, "claude", cutter), cutter)
	is.Equal(got.ExitCode, 127)
	is.Equal(got.Class, wall.None)
	is.Equal(got.Rule, "start-failure")
	is.Equal(got.Decision, wall.Failed)
}

func TestRunRecord_BoundsTheEvent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]string{"x", "ü", "🎉", "👨\u200d👩\u200d👧", "e\u0301"}).Draw(t, "unit")
		event := strings.Repeat(unit, rapid.IntRange(0, 40_000/len(unit)).Draw(t, "times"))
		run := wall.Ended{Outcome: wall.Outcome{Evidence: wall.Evidence{Event: event, Text: event}}}
		got := wall.RunRecord{}.Record(run, wall.Decision{}, cutter).Evidence
		if len(got.Event) > 16<<10 || got.Event != got.Text || len(event) <= 16<<10 && got.Event != event {
			t.Fatalf("%d bytes of %d", len(got.Event), len(event))
		}
		if len(event) > 16<<10 && len(got.Event) < 16<<10-len(unit) || len(got.Event)%len(unit) != 0 {
			t.Fatalf("%d bytes are left of %q", len(got.Event), unit)
		}
	})
}

func TestRuns_ReadBackWhatWasWritten(t *testing.T) {
	is := is.New(t)
	first, line := wall.ReadRuns(nil).Line(full(t))
	file := slices.Clone(line)
	second, line := wall.ReadRuns(file).Line(wall.RunRecord{Agent: "claude", Class: wall.None})
	file = append(file, line...)
	got := wall.ReadRuns(file)
	is.Equal(cmp.Diff(got, wall.Runs{Records: []wall.RunRecord{first, second}}), "")
	is.Equal(second.N, 2)
	last, ok := got.Last()
	is.True(ok)
	is.Equal(last.Agent, "claude")
	found, ok := got.Find(1)
	is.True(ok)
	is.Equal(cmp.Diff(found, full(t)), "")
}

// Row 98: a run that is not there is not found.
func TestRuns_FindsNoRunThatIsNotThere(t *testing.T) {
	is := is.New(t)
	_, ok := wall.ReadRuns(nil).Last()
	is.True(!ok)
	_, line := wall.ReadRuns(nil).Line(full(t))
	_, ok = wall.ReadRuns(line).Find(2)
	is.True(!ok)
}

func TestRuns_UnfinishedLastLineIsIgnoredAndClosed(t *testing.T) {
	is := is.New(t)
	_, line := wall.ReadRuns(nil).Line(full(t))
	file := append(slices.Clone(line), line[:40]...)
	got := wall.ReadRuns(file)
	is.Equal(len(got.Records), 1)
	is.Equal(got.Unread, []int{2})
	is.True(got.Open)
	is.Equal(len(got.Lost()), 0) // it may be written just now
	record, line := got.Line(wall.RunRecord{Agent: "claude", Class: wall.None})
	is.Equal(record.N, 2)
	is.Equal(line[0], byte('\n')) // closes the other one
	after := wall.ReadRuns(append(file, line...))
	is.Equal(len(after.Records), 2)
	is.Equal(after.Unread, []int{2})
	is.Equal(after.Lost(), []int{2})
	is.True(!after.Open)
}

func TestRuns_PassesOverWhatIsNoRecord(t *testing.T) {
	const good = `{"n":4,"agent":"codex","class":"none","someday":[1]}`
	for _, bad := range []string{
		"x", "[]", "{}", `{"n":0,"agent":"codex","class":"none"}`, `{"n":1,"class":"none"}`, `{"n":1,"agent":"codex","class":"tired"}`,
		`{"n":"1","agent":"codex","class":"none"}`, `{"n":1,"agent":"codex","class":"none","argv":"x"}`,
		`{"n":1,"agent":"codex","class":"none","argv":[1]}`, `{"n":1,"agent":"codex","class":"none","endedAt":"soon"}`,
		`{"n":1,"agent":"codex","class":"none","evidence":[]}`, `{"n":1,"agent":"codex","class":"none","evidence":{"line":"x"}}`,
		`{"n":1,"agent":"codex","class":"none","denied":{"Bash":"x"}}`, `{"n":1,"agent":"codex","class":"none","forced":[1]}`,
		`{"n":1,"agent":"codex","class":"none","ignored":{"count":true}}`,
	} {
		t.Run(bad, func(t *testing.T) {
			is := is.New(t)
			got := wall.ReadRuns([]byte(bad + "\r\n\n" + good + "\n"))
			is.Equal(got.Unread, []int{1})
			is.Equal(cmp.Diff(got.Records, []wall.RunRecord{{N: 4, Agent: "codex", Class: wall.None}}), "")
			record, _ := got.Line(wall.RunRecord{})
			is.Equal(record.N, 5)
		})
	}
}

func TestRuns_AnEndOfTheFileHoldsTheLastRun(t *testing.T) {
	is := is.New(t)
	_, line := wall.ReadRuns(nil).Line(full(t))
	got := wall.ReadRuns(append(slices.Clone(line[30:]), line...))
	last, ok := got.Last()
	is.True(ok)
	is.Equal(last.StartedAt, time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC))
}

func TestRuns_AnyBytesAreRead(t *testing.T) {
	_, line := wall.ReadRuns(nil).Line(full(t))
	rapid.Check(t, func(t *rapid.T) {
		file := append(rapid.SliceOf(rapid.Byte()).Draw(t, "before"), line[:rapid.IntRange(0, len(line)).Draw(t, "cut")]...)
		runs := wall.ReadRuns(file)
		record, next := runs.Line(wall.RunRecord{Agent: "codex", Class: wall.None})
		after := wall.ReadRuns(append(file, next...))
		last, _ := after.Last()
		if len(after.Records) != len(runs.Records)+1 || last.N != record.N || after.Open {
			t.Fatalf("%d records, then %d", len(runs.Records), len(after.Records))
		}
	})
}

func TestRuns_StoppedAtWall(t *testing.T) {
	is := is.New(t)
	runs := wall.Runs{Records: []wall.RunRecord{
		{N: 1, Agent: "codex", Class: wall.UsageLimit}, {N: 2, Agent: "claude", Class: wall.None}, {N: 3, Agent: "claude", Class: wall.Killed},
	}}
	is.True(runs.StoppedAtWall("codex"))
	is.True(!runs.StoppedAtWall("claude"))
	is.True(runs.StoppedAtWall("nobody")) // no run says otherwise
	walled, ok := runs.Walled()
	is.True(ok)
	is.Equal(walled.N, 1)
	_, ok = wall.Runs{}.Walled()
	is.True(!ok)
}

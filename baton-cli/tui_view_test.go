package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/board"
	"github.com/changeover/changeover/adapters/board/boardtest"
	"github.com/changeover/changeover/adapters/graphemes"
	"github.com/changeover/changeover/domain/baton"
	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/config"
	"github.com/changeover/changeover/domain/baton/handoff"
	"github.com/changeover/changeover/domain/baton/plan"
	"github.com/changeover/changeover/domain/baton/project"
	"github.com/changeover/changeover/domain/port"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares what a screen shows with testdata/tui/NAME.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(testdata, "tui", name+".golden")
	if *update {
		is.New(t).NoErr(os.WriteFile(path, []byte(got), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	is.New(t).NoErr(err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// seen is a dashboard whose view is given.
type seen struct {
	*sessionBoard
	given baton.View
}

func (s seen) Read(context.Context) (func(), error) {
	return func() { s.view, s.begun = s.given, true }, nil
}

// showing is a dashboard of a view, with agents that were looked for.
func showing(v baton.View) seen {
	s := newSessionBoard(nil, baton.Place{}, time.UTC, graphemes.NewCutter())
	s.agents.checks = []baton.Check{
		{Mark: baton.MarkOK, Label: "codex", Value: "codex-cli 0.171.0"},
		{Mark: baton.MarkWarn, Label: "claude", Value: "claude is missing, or its --version fails: install it and put it on PATH"},
	}
	return seen{s, v}
}

// sessionOf reads a session.
func sessionOf(t *testing.T, members string) baton.Part[baton.Standing] {
	t.Helper()
	m, err := baton.ReadSession([]byte(`{"id":"1",` + members + `}`))
	is.New(t).NoErr(err)
	return baton.Part[baton.Standing]{Value: baton.Standing{There: true, Meta: m}}
}

// excerptOf is an excerpt of these lines.
func excerptOf(lines ...string) baton.Part[baton.Excerpt] {
	return baton.Part[baton.Excerpt]{Value: baton.Excerpt{There: true, Lines: lines}}
}

const whole = `"status":"completed","task":"make the parser stream","workflowMode":"plan-execute","activeAgent":"none","lastAgent":"claude",` +
	`"fallbackReason":"usage_limit: You've hit your usage limit.","startedAt":"2026-05-28T09:00:00.000Z","endedAt":"2026-05-28T09:42:00.000Z",` +
	`"durationMs":2520000,"handoffCount":2,"planAuthor":"claude","executor":"codex","planFinalizedAt":"2026-05-28T08:55:00.000Z",` +
	`"executeStartedAt":"2026-05-28T09:00:00.000Z","lastCompression":{"at":"2026-05-28T09:20:00.000Z","trigger":"auto","before":21840,"after":9120,` +
	`"ratioBefore":0.84,"ratioAfter":0.35},"limits":{"codex":{"class":"usage_limit","kind":"weekly","resetAt":"2026-05-29T00:00:00.000Z",` +
	`"resetExact":true,"text":"x"},"claude":{"class":"rate_limit","kind":null,"resetAt":null,"text":"x"}}`

// wholeView is a view in which everything is there.
func wholeView(t *testing.T, members string) baton.View {
	cut := false
	parser := project.Project{ID: "parser", Name: "parser", Path: "/home/ada/parser"}
	v := baton.View{
		Now: time.Date(2026, 5, 28, 10, 0, 0, 0, time.UTC), Profile: "balanced", Diets: config.Default().DietNames(),
		Session: sessionOf(t, members),
		Repo:    baton.Part[baton.Repo]{Value: baton.Repo{Desk: baton.NewDesk(nil, "/home/ada/parser"), Project: &parser, Config: config.Default()}},
	}
	v.Registry.Value = project.Registry{ActiveID: "parser", Projects: []project.Project{parser, {ID: "site", Name: "site", Path: "/home/ada/site"}}}
	v.Plan.Value = baton.PlanState{Exists: true, Report: plan.Report{Steps: 5, Chars: 2210, Limit: 30000}}
	v.Tree.Value.Changes = []port.Change{
		{Path: "src/parser.go", Staged: '.', Unstaged: 'M'}, {Path: "src/stream.go", Staged: 'A', Unstaged: '.'}, {Path: "notes.txt", Staged: '?', Unstaged: '?'},
	}
	v.Weight.Value, v.Rotated.Value = compact.Weight{Total: 9120, Budget: 26000}, 1
	v.Budget.Value = baton.Spent{Handoff: 6120, HandoffLimit: 40000, Plan: 2210, PlanLimit: 30000, Cut: &cut}
	v.Handoff.Value = baton.LastHandoff{Count: 2, Kept: 2, Newest: handoff.Entry{
		Name: "handoff.md", ModifiedAt: time.Date(2026, 5, 28, 9, 31, 0, 0, time.UTC), Size: 6120, Label: "Handoff: codex to claude",
	}}
	v.Compact = excerptOf("# Compact State", "", "## Goal", "- make the parser stream", "", "## Done", "", "## Next Step", "- run the benchmarks", "")
	v.Log = excerptOf("", "--- 2026-05-28T09:31:00.000Z START claude -p <prompt 812 chars> ---", "[session] 4f0c opus", "[agent] I go on with the benchmarks.",
		"[tool] $ go test ./...", "[out] ok  parser 0.41s", "[edit] update src/stream.go", "[result] ok, 6 turns", "--- exit 0 ---")
	v.Errors = excerptOf("# Errors", "", "## 2026-05-28 the lexer", "It reads past the end of a chunk.")
	return v
}

// views are what the golden files show.
func views(t *testing.T) map[string]baton.View {
	all := map[string]baton.View{"whole": wholeView(t, whole)}

	executing := wholeView(t, strings.NewReplacer(`"status":"completed"`, `"status":"executing"`, `"activeAgent":"none"`, `"activeAgent":"codex"`,
		`"endedAt":"2026-05-28T09:42:00.000Z","durationMs":2520000,`, "").Replace(whole))
	executing.Weight.Value.Total = 23400
	all["executing"] = executing

	compressing := wholeView(t, strings.Replace(whole, `"status":"completed"`, `"status":"compressing","statusBeforeCompress":"running"`, 1))
	compressing.Weight.Value.Total = 40000
	all["compressing"] = compressing

	stale := wholeView(t, strings.Replace(whole, `"status":"completed"`, `"status":"running","lastError":"the disk was full"`, 1))
	stale.Session.Value.Stale = true
	stale.Warnings = []string{"warning: relay-baton.config.json: fallbackPatterns is empty: no phrase of a generic agent counts, and so on, in a line that is long"}
	all["stale"] = stale

	none := wholeView(t, whole)
	none.Session.Value, none.Registry.Value, none.Repo.Value.Project = baton.Standing{}, project.Registry{}, nil
	all["none"] = none

	denied := errors.New("open /home/ada/parser/.ai-session/x: permission denied")
	faults := wholeView(t, whole)
	faults.Session, faults.Plan.Fault, faults.Weight.Fault, faults.Rotated.Fault = baton.Part[baton.Standing]{Fault: denied}, denied, denied, denied
	faults.Budget.Fault, faults.Handoff.Fault, faults.Compact.Fault, faults.Log.Fault = denied, denied, denied, denied
	faults.Errors.Fault, faults.Tree.Fault, faults.Registry.Fault = denied, denied, denied
	all["faults"] = faults

	hostile := wholeView(t, `"status":"failed","task":"\u001b[31mred\u001b[0m \u202egnp.exe\u202c 漢字の仕事 👨\u200d👩\u200d👧 \u0007two\nlines","lastError":"\u001b]0;title\u0007x"`)
	bad := "\x1b[2J\x1b[H[error] \x1b]52;c;AAAA\x07gone \u202e\u2066 back \r\rfront \x9b31m 界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界界 end"
	hostile.Log, hostile.Errors, hostile.Compact = excerptOf("[agent] before", bad, "\ttabbed", strings.Repeat("e\u0301\u0323", 90)), excerptOf(bad), excerptOf("## "+bad, bad)
	hostile.Tree.Value.Changes = []port.Change{{Path: bad, Staged: '.', Unstaged: 'M'}}
	hostile.Handoff.Value.Newest.Label = bad
	hostile.Warnings = []string{bad}
	hostile.Registry.Value.Projects[1].Name = bad
	all["hostile"] = hostile
	return all
}

func TestTUI_Views(t *testing.T) {
	for name, view := range views(t) {
		for _, size := range []board.Size{{Width: 80, Height: 24}, {Width: 160, Height: 48}} {
			for suffix, colour := range map[string]bool{"": false, "_colour": true} {
				t.Run(fmt.Sprintf("%s %dx%d%s", name, size.Width, size.Height, suffix), func(t *testing.T) {
					screen := boardtest.Open(t, showing(view), size.Width, size.Height, colour)
					golden(t, fmt.Sprintf("%s_%dx%d%s", name, size.Width, size.Height, suffix), screen.Text())
				})
			}
		}
	}
}

// Whatever a text holds, every line has as many cells as the screen, and nothing that a
// terminal obeys is left.
func TestTUI_ViewsFitAndAreHarmless(t *testing.T) {
	for name, view := range views(t) {
		for _, size := range []board.Size{{Width: 20, Height: 5}, {Width: 80, Height: 24}, {Width: 111, Height: 30}, {Width: 200, Height: 60}} {
			t.Run(fmt.Sprintf("%s %v", name, size), func(t *testing.T) {
				is := is.New(t)
				raw := boardtest.Open(t, showing(view), size.Width, size.Height, false).Raw()
				lines := strings.Split(raw, "\n")
				is.Equal(len(lines), size.Height)
				for _, line := range lines {
					is.Equal(board.Width(line), size.Width)
					is.True(!strings.ContainsAny(line, "\x1b\a\r\t\u009b\u202e\u2066"))
				}
			})
		}
	}
}

// Every line of what the panels are to show.
func TestTUI_ShowsEverything(t *testing.T) {
	is := is.New(t)
	var out strings.Builder
	is.NoErr(board.Once(t.Context(), &out, showing(wholeView(t, whole)), board.Options{Width: 200}))
	for _, part := range []string{
		"parser", "site", "balanced", "codex  codex-cli 0.171.0", "claude  missing",
		"make the parser stream", "status  completed", "mode  plan-execute", "active  none", "last  claude", "repository  /home/ada/parser",
		"usage_limit: You've hit your usage limit.", "codex: usage_limit (weekly), resets 2026-05-29 00:00 (14 h left)", "claude: rate_limit, no reset time given",
		"started  09:00", "ended  09:42", "took  42 min",
		"state  finalized", "steps  5", "author  claude", "executor  codex", "finalized  08:55", "execution started  09:00",
		"9120/26000", "ratio 0.35", "threshold 0.8", "auto  on", "rotated logs  1", "last cycle  09:20, 21840 → 9120 chars (auto)",
		"Changed files: 3", " M src/parser.go", "A  src/stream.go", "?? notes.txt", "run the benchmarks",
		"handoff  6120/40000", "plan  2210/30000", "cut  no", "written  2", "handoff.md", "Handoff: codex to claude",
		"[result] ok, 6 turns", "It reads past the end of a chunk.",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not shown", part)
		}
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

func TestTUI_WaitsAndPlansInTheMaking(t *testing.T) {
	is := is.New(t)
	waiting := wholeView(t, `"status":"fallback_detected","waitingFor":"codex","waitingUntil":"2026-05-28T11:00:00.000Z"`)
	is.True(strings.Contains(boardtest.Open(t, showing(waiting), 80, 24, false).Text(), "waiting for codex until 11:00 (1 h left)"))

	for state, report := range map[string]baton.PlanState{
		"none":              {},
		"ready":             {Exists: true},
		"draft (1 problem)": {Exists: true, Report: plan.Report{Failures: []plan.Issue{{Code: "empty", Message: "x"}}}},
	} {
		planning := wholeView(t, `"status":"planning","workflowMode":"plan-execute"`)
		planning.Plan.Value = report
		text := boardtest.Open(t, showing(planning), 80, 24, false).Text()
		is.True(strings.Contains(text, "state  "+state+" "))
		is.True(strings.Contains(text, "▶ Plan: planning"))
	}
}

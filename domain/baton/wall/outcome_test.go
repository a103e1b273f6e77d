package wall_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/text"
)

var cutter = text.NewCutter(func(s string) int {
	tokens := graphemes.FromString(s)
	if !tokens.Next() {
		return len(s)
	}
	return len(tokens.Value())
})

func TestClass_Valid(t *testing.T) {
	is := is.New(t)
	is.Equal(len(wall.Classes()), 8)
	for _, c := range wall.Classes() {
		is.True(c.Valid())
	}
	is.True(!wall.Class("").Valid())
	is.True(!wall.Class("usage").Valid())
}

func TestOutcome_Reason(t *testing.T) {
	tests := []struct {
		name string
		in   wall.Outcome
		want string
	}{
		{
			"structured",
			wall.Outcome{
				Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Weekly},
				Evidence: wall.Evidence{Source: wall.TerminalEvent, Event: "{}", Text: "You've hit your weekly limit · resets 3am\nmore"},
			},
			"usage_limit (weekly), terminal event: You've hit your weekly limit · resets 3am",
		},
		{
			"no kind",
			wall.Outcome{Class: wall.Network, Evidence: wall.Evidence{Source: wall.RetryNotice, Text: "waiting for network"}},
			"network, retry notice: waiting for network",
		},
		{
			"generic",
			wall.Outcome{
				Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Unknown}, Phrase: "quota exceeded",
				Evidence: wall.Evidence{Source: wall.Stderr, Text: "Error: quota exceeded; come back"},
			},
			`"quota exceeded" on stderr: Error: quota exceeded; come back`,
		},
		{"nothing known", wall.Outcome{Class: wall.Overloaded}, "overloaded"},
		{
			"cleaned",
			wall.Outcome{Class: wall.Network, Evidence: wall.Evidence{Source: wall.Stdout, Text: "\n\x1b[31mno\tnet\u00a0work\x1b[0m\x07"}},
			"network, stdout: no net work",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(tt.in.Reason(cutter), tt.want)
		})
	}
}

// Row 109.
func TestOutcome_ReasonCutsBetweenClusters(t *testing.T) {
	is := is.New(t)
	o := wall.Outcome{Class: wall.Network, Evidence: wall.Evidence{Source: wall.Stdout, Text: strings.Repeat("x", 198) + "🇩🇪" + "y"}}
	quoted := strings.TrimPrefix(o.Reason(cutter), "network, stdout: ")
	is.Equal(quoted, strings.Repeat("x", 198)+"…")
	o.Evidence.Text = strings.Repeat("ü", 201)
	is.Equal(utf8.RuneCountInString(strings.TrimPrefix(o.Reason(cutter), "network, stdout: ")), 200)
	o.Evidence.Text = strings.Repeat("ü", 200)
	is.Equal(strings.TrimPrefix(o.Reason(cutter), "network, stdout: "), o.Evidence.Text) // whole
}

func TestDeniedNotice(t *testing.T) {
	is := is.New(t)
	is.Equal(wall.DeniedNotice("claude", map[string]int{"Bash": 3}), "claude was refused 3 tool calls: Bash 3")
	is.Equal(wall.DeniedNotice("claude", map[string]int{"Write": 1, "Bash": 2}), "claude was refused 3 tool calls: Bash 2, Write 1")
	is.Equal(wall.DeniedNotice("claude", map[string]int{"Bash": 1}), "claude was refused 1 tool call: Bash 1")
	is.Equal(wall.DeniedNotice("claude", nil), "")
}

// Row 89: what a run leaves among the noted limits. Row 80: a limit that was
// survived is noted.
func TestLimits_After(t *testing.T) {
	now := instant(t, "2026-05-28T09:00:00Z")
	reset := wall.Limit{Kind: wall.Weekly, ResetAt: now.Add(time.Hour), Exact: true}
	old := wall.Limits{
		"codex":  {Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Session}, SeenAt: now.Add(-time.Hour)},
		"claude": {Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Credits}, SeenAt: now.Add(-time.Hour)},
	}
	said := wall.Evidence{Source: wall.TerminalEvent, Text: "You've hit it\nreally"}
	tests := []struct {
		name string
		run  wall.Ended
		want *wall.Noted
	}{
		{"usage limit", wall.Ended{Outcome: wall.Outcome{Class: wall.UsageLimit, Limit: reset, Evidence: said}}, &wall.Noted{Class: wall.UsageLimit, Limit: reset, Text: "You've hit it", SeenAt: now}},
		{"usage limit without a time", wall.Ended{Outcome: wall.Outcome{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Credits}}}, &wall.Noted{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Credits}, SeenAt: now}},
		{"rate limit with a time has no kind", wall.Ended{Outcome: wall.Outcome{Class: wall.RateLimit, Limit: reset}}, &wall.Noted{Class: wall.RateLimit, Limit: wall.Limit{ResetAt: reset.ResetAt, Exact: true}, SeenAt: now}},
		{"rate limit without a time says nothing", wall.Ended{Outcome: wall.Outcome{Class: wall.RateLimit}}, &wall.Noted{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Session}, SeenAt: now.Add(-time.Hour)}},
		{"survived", wall.Ended{Outcome: wall.Outcome{Class: wall.None, Limit: reset}}, &wall.Noted{Class: wall.UsageLimit, Limit: reset, SeenAt: now}},
		{"good run", wall.Ended{Outcome: wall.Outcome{Class: wall.None}}, nil},
		{"failed run of class none", wall.Ended{Code: 1, Outcome: wall.Outcome{Class: wall.None}}, nil},
		{"not started", wall.Ended{NotStarted: "no codex", Outcome: wall.Outcome{Class: wall.None}}, &wall.Noted{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Session}, SeenAt: now.Add(-time.Hour)}},
		{"network", wall.Ended{Outcome: wall.Outcome{Class: wall.Network}}, &wall.Noted{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Session}, SeenAt: now.Add(-time.Hour)}},
		{"killed", wall.Ended{Outcome: wall.Outcome{Class: wall.Killed}}, &wall.Noted{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Session}, SeenAt: now.Add(-time.Hour)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			tt.run.Agent = "codex"
			got := old.After(tt.run, now, cutter)
			want := wall.Limits{"claude": old["claude"]}
			if tt.want != nil {
				want["codex"] = *tt.want
			}
			is.Equal(cmp.Diff(got, want), "")
			is.Equal(len(old), 2) // the old ones stay as they were
		})
	}
	is.New(t).Equal(len(wall.Limits(nil).After(wall.Ended{Agent: "codex", Outcome: wall.Outcome{Class: wall.UsageLimit}}, now, cutter)), 1)
}

func TestNoted_Holds(t *testing.T) {
	now := instant(t, "2026-05-28T09:00:00Z")
	tests := []struct {
		name          string
		in            wall.Noted
		holds, passed bool
	}{
		{"before the reset", wall.Noted{Limit: wall.Limit{ResetAt: now.Add(time.Second)}}, true, false},
		{"at the reset", wall.Noted{Limit: wall.Limit{ResetAt: now}}, false, true},
		{"no time, met by this command", wall.Noted{SeenAt: now.Add(-time.Minute)}, true, false},
		{"no time, met by an earlier one", wall.Noted{SeenAt: now.Add(-2 * time.Hour)}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(tt.in.Holds(now, now.Add(-time.Hour)), tt.holds) // holds
			is.Equal(tt.in.Passed(now), tt.passed)                    // passed
		})
	}
}

// What is kept names the kind, also one that is not known; a person is told what that
// means.
func TestLabel_SaysInWordsWhatIsNotKnown(t *testing.T) {
	is := is.New(t)
	at := time.Date(2026, 5, 28, 9, 0, 0, 0, time.UTC)
	is.Equal(wall.Label(wall.UsageLimit, wall.Limit{Kind: wall.Unknown}), "usage_limit (no reset time known)")
	is.Equal(wall.Label(wall.UsageLimit, wall.Limit{Kind: wall.Unknown, ResetAt: at}), "usage_limit")
	is.Equal(wall.Label(wall.UsageLimit, wall.Limit{Kind: wall.Weekly}), "usage_limit (weekly)")
	is.Equal(wall.Label(wall.None, wall.Limit{Kind: wall.Unknown}), "none")
	o := wall.Outcome{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Unknown}, Evidence: wall.Evidence{Source: wall.TerminalEvent, Text: "No."}}
	is.Equal(o.Reason(cutter), "usage_limit (unknown), terminal event: No.")
	is.Equal(o.Told(cutter), "usage_limit (no reset time known), terminal event: No.")
	is.Equal(wall.Worded(o.Reason(cutter)), "usage_limit, terminal event: No.")
	is.Equal(wall.Worded("usage_limit (weekly), x"), "usage_limit (weekly), x")
}

package wall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/wall"
)

// usual are the classes that hand over by default.
var usual = []wall.Class{wall.UsageLimit, wall.RateLimit, wall.ContextLimit, wall.Overloaded, wall.Network}

// ended is a run of codex.
func ended(code int, class wall.Class) wall.Ended {
	return wall.Ended{Agent: "codex", Code: code, Outcome: wall.Outcome{Class: class}}
}

func TestDecide(t *testing.T) {
	failed := func(lastError string) wall.Decision {
		return wall.Decision{Action: wall.Failed, Exit: 4, Error: lastError}
	}
	with := func(e wall.Ended, change func(*wall.Ended)) wall.Ended {
		change(&e)
		return e
	}
	tests := []struct {
		name string
		in   wall.Ended
		on   []wall.Class
		next string
		want wall.Decision
	}{
		{"good run", ended(0, wall.None), usual, "claude", wall.Decision{Action: wall.Completed}},
		{"failing run", ended(3, wall.None), usual, "claude", failed("codex ended with exit code 3")},
		{
			"failing run whose last words are known",
			with(ended(2, wall.None), func(e *wall.Ended) { e.Fault = "error: unexpected argument" }), usual, "claude",
			failed("codex ended with exit code 2: error: unexpected argument"),
		},
		{
			"Row 82: exit 0 without a terminal event",
			with(ended(0, wall.None), func(e *wall.Ended) { e.Fault = "ended without a result" }), usual, "claude",
			failed("codex ended without a result"),
		},
		{
			"wall with a next agent", ended(1, wall.UsageLimit), usual, "claude",
			wall.Decision{Action: wall.Fallback, Next: "claude", Reason: "usage_limit"},
		},
		{
			"Row 95: wall without a next agent",
			with(ended(1, wall.UsageLimit), func(e *wall.Ended) { e.Limit.Kind = wall.Weekly }), usual, "",
			wall.Decision{
				Action: wall.Failed, Exit: 4, Reason: "usage_limit (weekly)",
				Error: "codex met its weekly limit, and no other agent is there to go on",
			},
		},
		{"Row 83: auth", ended(1, wall.Auth), usual, "claude", failed("codex is not logged in: 'baton login codex' does that")},
		{
			"Row 83: auth that hands over", ended(1, wall.Auth), append(slices.Clone(usual), wall.Auth), "claude",
			wall.Decision{Action: wall.Fallback, Next: "claude", Reason: "auth"},
		},
		{"killed", ended(137, wall.Killed), usual, "claude", failed("codex was killed, exit code 137")},
		{"killed never hands over", ended(137, wall.Killed), []wall.Class{wall.Killed}, "claude", failed("codex was killed, exit code 137")},
		{"none never hands over", ended(1, wall.None), []wall.Class{wall.None}, "claude", failed("codex ended with exit code 1")},
		{
			"a class that does not hand over", ended(1, wall.Network),
			[]wall.Class{wall.UsageLimit},
			"claude",
			failed("codex met a network that does not answer, and fallbackOn does not hold network"),
		},
		{
			"interrupted", with(ended(0, wall.Killed), func(e *wall.Ended) { e.Signal = 2 }), usual, "claude",
			wall.Decision{Action: wall.Failed, Exit: 130, Error: "interrupted"},
		},
		{
			"interrupted at a wall", with(ended(1, wall.UsageLimit), func(e *wall.Ended) { e.Signal = 15 }), usual, "claude",
			wall.Decision{Action: wall.Failed, Exit: 143, Error: "interrupted"},
		},
		{"timed out", with(ended(143, wall.Killed), func(e *wall.Ended) { e.TimedOut = 90 * time.Second }), usual, "claude", failed("timed out after 1m30s")},
		{
			"not started", with(ended(127, wall.None), func(e *wall.Ended) { e.NotStarted = "codex is not on PATH: install it" }), usual, "claude",
			wall.Decision{Action: wall.Failed, Exit: 1, Error: "codex is not on PATH: install it"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := wall.Decide(tt.in, tt.on, tt.next, cutter)
			is.Equal(cmp.Diff(got, tt.want, cmpopts.IgnoreFields(wall.Decision{}, "Why")), "")
			is.True(strings.HasSuffix(got.Why, ".") && !strings.HasSuffix(got.Why, "..")) // one sentence
		})
	}
}

func TestDecide_EachWallIsNamedInTheError(t *testing.T) {
	tests := []struct {
		class wall.Class
		kind  wall.Kind
		want  string
	}{
		{wall.UsageLimit, wall.Session, "codex met its session limit, "},
		{wall.UsageLimit, wall.Credits, "codex met the end of its credits, "},
		{wall.UsageLimit, wall.Unknown, "codex met its usage limit, "},
		{wall.RateLimit, wall.NoKind, "codex met a rate limit, "},
		{wall.ContextLimit, wall.NoKind, "codex met the end of its context window, "},
		{wall.Overloaded, wall.NoKind, "codex met an overloaded service, "},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			is := is.New(t)
			e := ended(1, tt.class)
			e.Limit.Kind = tt.kind
			is.True(strings.HasPrefix(wall.Decide(e, usual, "", cutter).Error, tt.want))
		})
	}
}

func TestDecide_WhySaysWhoGoesOn(t *testing.T) {
	is := is.New(t)
	got := wall.Decide(ended(1, wall.ContextLimit), usual, "claude", cutter)
	is.Equal(got.Why, "codex met the end of its context window, and fallbackOn holds context_limit: claude goes on.")
}

// Row 78: only the proved class decides, whatever was printed.
func TestDecide_HandsOverOnlyForAListedClass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := ended(rapid.IntRange(0, 255).Draw(t, "code"), rapid.SampledFrom(wall.Classes()).Draw(t, "class"))
		e.Evidence.Text = rapid.SampledFrom([]string{"", "usage limit reached", "429"}).Draw(t, "text")
		on := rapid.SliceOf(rapid.SampledFrom(wall.Classes())).Draw(t, "on")
		d := wall.Decide(e, on, "claude", cutter)
		listed := slices.Contains(on, e.Class) && e.Class != wall.None && e.Class != wall.Killed
		if (d.Action == wall.Fallback) != listed {
			t.Fatalf("%s with %v: %s", e.Class, on, d.Action)
		}
		if (d.Exit == 0) != (d.Action != wall.Failed) || (d.Error == "") != (d.Action != wall.Failed) || d.Why == "" {
			t.Fatalf("%+v", d)
		}
	})
}

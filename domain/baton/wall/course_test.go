package wall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/wall"
)

// midday is when the tests of a course decide; its command began an hour before.
func midday(t interface{ Helper() }) time.Time {
	t.Helper()
	return time.Date(2026, 5, 28, 12, 0, 0, 0, time.UTC)
}

// course is a command that was given to codex and may go on with claude.
func course(t *testing.T, change func(*wall.Course)) wall.Course {
	t.Helper()
	c := wall.Course{
		First: "codex", Other: "claude", On: usual, MaxWait: wall.DefaultMaxWait,
		Began: midday(t).Add(-time.Hour), Zone: zone(t, "Europe/Madrid"), Cut: cutter,
	}
	if change != nil {
		change(&c)
	}
	return c
}

// walled is a run that met a usage limit which resets after a while; never where
// that is 0.
func walled(t *testing.T, agent string, after time.Duration) wall.Ended {
	t.Helper()
	e := wall.Ended{Agent: agent, Code: 1, Outcome: wall.Outcome{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Session}}}
	if after != 0 {
		e.Limit.ResetAt, e.Limit.Exact = midday(t).Add(after), true
	}
	return e
}

func noted(t *testing.T, after time.Duration) wall.Noted {
	t.Helper()
	return wall.Noted{Class: wall.UsageLimit, Limit: wall.Limit{Kind: wall.Weekly, ResetAt: midday(t).Add(after)}, SeenAt: midday(t).Add(-48 * time.Hour)}
}

func TestCourse_Next(t *testing.T) {
	tests := []struct {
		name   string
		change func(*wall.Course)
		run    wall.Ended
		action wall.Action
		next   string
		until  time.Duration // after midday
		told   string        // a part of the error or of a notice
	}{
		{"no flags: the other agent", nil, walled(t, "codex", time.Hour), wall.Fallback, "claude", 0, ""},
		{
			"Row 90: --wait and an exact reset: the same agent", func(c *wall.Course) { c.Wait = true },
			walled(t, "codex", 3*time.Second), wall.Wait, "codex", 8 * time.Second, "",
		},
		{
			"--wait at a rate limit with a reset", func(c *wall.Course) { c.Wait = true },
			wall.Ended{Agent: "codex", Outcome: wall.Outcome{Class: wall.RateLimit, Limit: wall.Limit{ResetAt: midday(t).Add(time.Minute)}}},
			wall.Wait, "codex", 2 * time.Minute, "",
		},
		{
			"--wait at the limit of --max-wait", func(c *wall.Course) { c.Wait = true },
			walled(t, "codex", 6*time.Hour), wall.Wait, "codex", 6*time.Hour + 5*time.Second, "",
		},
		{
			"Row 91: --wait and a reset too far", func(c *wall.Course) { c.Wait = true },
			walled(t, "codex", 6*time.Hour+time.Second), wall.Fallback, "claude", 0,
			"codex is not waited for: its reset at 20:00 is further away than --max-wait 6h0m0s",
		},
		{
			"Row 91: --wait and no reset time", func(c *wall.Course) { c.Wait = true },
			walled(t, "codex", 0), wall.Fallback, "claude", 0, "codex is not waited for: no reset time is known",
		},
		{
			"--wait at another wall", func(c *wall.Course) { c.Wait = true },
			wall.Ended{Agent: "codex", Outcome: wall.Outcome{Class: wall.ContextLimit}},
			wall.Fallback, "claude", 0, "",
		},
		{
			"a sixth wait", func(c *wall.Course) { c.Wait, c.Waits = true, 5 },
			walled(t, "codex", time.Minute), wall.Fallback, "claude", 0, "this command has waited 5 times",
		},
		{
			"a sixth handoff", func(c *wall.Course) { c.Handoffs = 5 },
			walled(t, "codex", time.Minute), wall.Failed, "", 0, "codex met its session limit after 5 handoffs",
		},
		{
			"the agents are the same", func(c *wall.Course) { c.Other = "codex" },
			walled(t, "codex", time.Minute), wall.Failed, "", 0, "no other agent is there",
		},
		{
			"the agents are the same, --wait", func(c *wall.Course) { c.Other, c.Wait = "codex", true },
			walled(t, "codex", time.Minute), wall.Wait, "codex", 65 * time.Second, "",
		},
		{
			"the other agent's limit still holds",
			func(c *wall.Course) { c.Limits = wall.Limits{"claude": noted(t, 30*time.Minute)} },
			walled(t, "codex", time.Hour), wall.Failed, "", 0, "no agent is free: the earliest reset is that of claude at 2026-05-28 14:30",
		},
		{
			"the other agent's limit has passed",
			func(c *wall.Course) { c.Limits = wall.Limits{"claude": noted(t, -time.Minute)} },
			walled(t, "codex", time.Hour), wall.Fallback, "claude", 0, "",
		},
		{
			"no reset is known at all",
			func(c *wall.Course) {
				c.Return, c.Limits = true, wall.Limits{"codex": {Class: wall.UsageLimit, SeenAt: midday(t)}}
			},
			walled(t, "claude", 0), wall.Failed, "", 0, "no agent is free: no reset time is known",
		},
		{"Row 95: no --return: the other agent is the last", nil, walled(t, "claude", time.Hour), wall.Failed, "", 0, "claude met its session limit, and no other agent is left"},
		{
			"--wait alone: the other agent waits for itself", func(c *wall.Course) { c.Wait = true },
			walled(t, "claude", time.Hour), wall.Wait, "claude", time.Hour + 5*time.Second, "",
		},
		{
			"Row 94: --return and a limit that has reset",
			func(c *wall.Course) { c.Return, c.Limits = true, wall.Limits{"codex": noted(t, 0)} },
			walled(t, "claude", time.Hour), wall.Return, "codex", 0, "",
		},
		{
			"Row 94: --return and a limit that still holds",
			func(c *wall.Course) { c.Return, c.Limits = true, wall.Limits{"codex": noted(t, time.Minute)} },
			walled(t, "claude", time.Hour), wall.Failed, "", 0, "the earliest reset is that of codex at 2026-05-28 14:01",
		},
		{
			"--return to an agent without a limit", func(c *wall.Course) { c.Return = true },
			walled(t, "claude", time.Hour), wall.Return, "codex", 0, "",
		},
		{
			"--return and --wait: after waiting for the first agent",
			func(c *wall.Course) {
				c.Return, c.Wait, c.Limits = true, true, wall.Limits{"codex": noted(t, time.Hour)}
			},
			walled(t, "claude", time.Minute), wall.Return, "codex", time.Hour + time.Minute, "",
		},
		{
			"--return and --wait: the first agent is too far, so the other one waits for itself",
			func(c *wall.Course) {
				c.Return, c.Wait, c.Limits = true, true, wall.Limits{"codex": noted(t, 9*time.Hour)}
			},
			walled(t, "claude", time.Minute), wall.Wait, "claude", 65 * time.Second, "codex is not waited for: its reset at 23:00",
		},
		{
			"--return and --wait: both too far",
			func(c *wall.Course) {
				c.Return, c.Wait, c.Limits = true, true, wall.Limits{"codex": noted(t, 9*time.Hour)}
			},
			walled(t, "claude", 8*time.Hour), wall.Failed, "", 0, "the earliest reset is that of claude at 2026-05-28 22:00",
		},
		{"a good run", func(c *wall.Course) { c.Wait, c.Return = true, true }, wall.Ended{Agent: "codex", Outcome: wall.Outcome{Class: wall.None}}, wall.Completed, "", 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			d, _ := course(t, tt.change).Next(tt.run, midday(t))
			is.Equal(d.Action, tt.action) // action
			is.Equal(d.Next, tt.next)     // next
			var until time.Time
			if tt.until != 0 {
				until = midday(t).Add(tt.until)
			}
			is.Equal(d.Until, until)                                                                         // until
			is.True(strings.Contains(strings.Join(append(slices.Clone(d.Notices), d.Error), "\n"), tt.told)) // told
			if tt.action == wall.Failed {
				is.Equal(d.Exit, 4) // exit
			}
			if tt.action != wall.Completed {
				is.True(d.Reason != "") // reason
			}
		})
	}
}

func TestCourse_NextCountsAndNotes(t *testing.T) {
	is := is.New(t)
	c := course(t, func(c *wall.Course) { c.Wait, c.Return = true, true })
	_, c = c.Next(walled(t, "codex", time.Minute), midday(t)) // waits
	is.Equal([2]int{c.Waits, c.Handoffs}, [2]int{1, 1})
	_, c = c.Next(wall.Ended{Agent: "codex", Outcome: wall.Outcome{Class: wall.Network}}, midday(t)) // falls back
	is.Equal([2]int{c.Waits, c.Handoffs}, [2]int{1, 2})
	is.Equal(c.Limits["codex"].ResetAt, midday(t).Add(time.Minute)) // still noted
	d, c := c.Next(walled(t, "claude", 3*time.Hour), midday(t))     // waits for codex
	is.Equal(d.Action, wall.Return)
	is.Equal([2]int{c.Waits, c.Handoffs}, [2]int{2, 3})
	_, c = c.Next(wall.Ended{Agent: "codex", Outcome: wall.Outcome{Class: wall.None}}, midday(t))
	is.Equal(len(c.Limits), 1) // the good run took codex's away
}

func TestCourse_Open(t *testing.T) {
	holds := wall.Limits{"codex": noted(t, time.Hour)}
	const met = "codex met its weekly limit; the reset is at 15:00 (1 h left)"
	tests := []struct {
		name   string
		change func(*wall.Course)
		want   wall.Opening
	}{
		{"nothing noted", nil, wall.Opening{Agent: "codex"}},
		{"a limit that has passed", func(c *wall.Course) { c.Limits = wall.Limits{"codex": noted(t, 0)} }, wall.Opening{Agent: "codex"}},
		{
			"a limit without a time", func(c *wall.Course) { c.Limits = wall.Limits{"codex": {Class: wall.UsageLimit, SeenAt: midday(t)}} },
			wall.Opening{Agent: "codex"},
		},
		{
			"Row 96: no flags", func(c *wall.Course) { c.Limits = holds },
			wall.Opening{Agent: "codex", Notices: []string{met + ": it is started all the same"}},
		},
		{
			"Row 96: --return", func(c *wall.Course) { c.Limits, c.Return = holds, true },
			wall.Opening{Agent: "claude", Notices: []string{met + ": claude begins"}},
		},
		{
			"--return and --wait", func(c *wall.Course) { c.Limits, c.Return, c.Wait = holds, true, true },
			wall.Opening{Agent: "claude", Notices: []string{met + ": claude begins"}},
		},
		{
			"--wait alone", func(c *wall.Course) { c.Limits, c.Wait = holds, true },
			wall.Opening{Agent: "codex", Until: midday(t).Add(61 * time.Minute), Notices: []string{met + ": baton waits"}},
		},
		{
			"--wait and too far", func(c *wall.Course) { c.Limits, c.Wait, c.MaxWait = holds, true, time.Minute },
			wall.Opening{Agent: "codex", Notices: []string{met + ", its reset at 15:00 is further away than --max-wait 1m0s: it is started all the same"}},
		},
		{
			"--return and no other agent", func(c *wall.Course) { c.Limits, c.Return, c.Other = holds, true, "" },
			wall.Opening{Agent: "codex", Notices: []string{met + ": it is started all the same"}},
		},
		{
			"--return and the other one's limit holds too",
			func(c *wall.Course) {
				c.Return, c.Limits = true, wall.Limits{"codex": noted(t, time.Hour), "claude": noted(t, 2*time.Hour)}
			},
			wall.Opening{Agent: "codex", Notices: []string{met + ": it is started all the same"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got, after := course(t, tt.change).Open(midday(t))
			is.Equal(cmp.Diff(got, tt.want), "")
			is.Equal(after.Waits == 1, !got.Until.IsZero()) // counted
			is.Equal(after.Handoffs, 0)                     // no handoff
		})
	}
}

// Whatever the agents meet, a command comes to an end, keeps to its counts and
// wakes nobody whose limit is known to hold.
func TestCourse_Ends(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		now := midday(rt)
		c := course(t, func(c *wall.Course) {
			c.Wait, c.Return = rapid.Bool().Draw(rt, "wait"), rapid.Bool().Draw(rt, "return")
			c.Other = rapid.SampledFrom([]string{"claude", "codex", ""}).Draw(rt, "other")
			c.Limits = wall.Limits{"claude": noted(t, time.Duration(rapid.IntRange(-2, 9).Draw(rt, "claude"))*time.Hour)}
		})
		opening, c := c.Open(now)
		agent, runs, waits, handoffs := opening.Agent, 0, 0, 0
		for {
			if runs++; runs > 6 {
				rt.Fatal("more than five handoffs")
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 200).Draw(rt, "worked")) * time.Minute)
			e := wall.Ended{Agent: agent, Code: 1, Outcome: wall.Outcome{Class: rapid.SampledFrom(wall.Classes()[1:]).Draw(rt, "class")}}
			if rapid.Bool().Draw(rt, "timed") {
				e.Limit.ResetAt = now.Add(time.Duration(rapid.IntRange(0, 500).Draw(rt, "reset")) * time.Minute)
			}
			var d wall.Decision
			d, c = c.Next(e, now)
			if d.Next == "" {
				return
			}
			handoffs++
			if !d.Until.IsZero() {
				if waits++; !c.Wait {
					rt.Fatal("waits unasked")
				}
				now = d.Until
			}
			if waits > 5 || c.Handoffs != handoffs {
				rt.Fatalf("%d waits, %d handoffs, counted as %d", waits, handoffs, c.Handoffs)
			}
			if limit, ok := c.Limits[d.Next]; ok && limit.Holds(now, c.Began) && d.Next != agent {
				rt.Fatalf("%s goes on though its limit holds", d.Next)
			}
			if d.Next == agent && d.Action != wall.Wait || d.Action == wall.Return && !c.Return {
				rt.Fatalf("%+v", d)
			}
			agent = d.Next
		}
	})
}

package wall_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/wall"
)

func TestLimit_UntilAddsWhatTheTimeLeavesOut(t *testing.T) {
	is := is.New(t)
	reset := instant(t, "2026-05-28T09:00:00Z")
	is.Equal(wall.Limit{ResetAt: reset, Exact: true}.Until(), reset.Add(5*time.Second))
	is.Equal(wall.Limit{ResetAt: reset}.Until(), reset.Add(60*time.Second))
}

func TestWaiting_Look(t *testing.T) {
	now := instant(t, "2026-05-28T09:00:00Z")
	tests := []struct {
		name     string
		left     time.Duration
		said     time.Time
		terminal bool
		want     wall.Look
	}{
		{"first look", time.Hour, time.Time{}, false, wall.Look{Say: true, Again: 15 * time.Second}},
		{"said just now", time.Hour, now.Add(-time.Minute), false, wall.Look{Again: 15 * time.Second}},
		{"said ten minutes ago", time.Hour, now.Add(-10 * time.Minute), false, wall.Look{Say: true, Again: 15 * time.Second}},
		{"terminal", time.Hour, now.Add(-time.Second), true, wall.Look{Say: true, Again: time.Second}},
		{"near the end", 3 * time.Second, now, false, wall.Look{Again: 3 * time.Second}},
		{"at the end", 0, now, false, wall.Look{Over: true}},
		{"Row 93: the clock jumped past the end", -time.Hour, now.Add(-2 * time.Hour), false, wall.Look{Over: true}},
		{"the clock went back", time.Hour, now.Add(time.Hour), false, wall.Look{Say: true, Again: 15 * time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := wall.Waiting{Agent: "codex", Until: now.Add(tt.left)}
			is.Equal(cmp.Diff(w.Look(now, tt.said, tt.terminal), tt.want), "")
		})
	}
}

func TestWaiting_Line(t *testing.T) {
	is := is.New(t)
	w := wall.Waiting{Agent: "codex", Until: instant(t, "2026-05-28T12:30:05Z")}
	is.Equal(w.Line(instant(t, "2026-05-28T11:17:30Z"), zone(t, "Europe/Madrid")), "waiting for codex until 14:30 (1 h 12 min left)")
	is.Equal(w.Line(instant(t, "2026-05-27T11:17:30Z"), time.UTC), "waiting for codex until 2026-05-28 12:30 (1 d 1 h left)")
}

// Row 92: who is interrupted while waiting is told how to go on.
func TestWaiting_InterruptedNamesTheHandoff(t *testing.T) {
	is := is.New(t)
	is.Equal(wall.Waiting{Agent: "codex"}.Interrupted(), "interrupted while waiting for codex; 'baton handoff --to codex' goes on")
	is.Equal(wall.ExitOfSignal(2), 130)
	is.Equal(wall.ExitOfSignal(15), 143)
	is.Equal(wall.ExitOfSignal(1), 129)
}

func TestLeft(t *testing.T) {
	tests := []struct {
		in   time.Duration
		want string
	}{
		{-time.Hour, "0 s"},
		{time.Millisecond, "1 s"},
		{59 * time.Second, "59 s"},
		{60 * time.Second, "1 min"},
		{59*time.Minute + 59*time.Second, "59 min"},
		{time.Hour, "1 h"},
		{72 * time.Minute, "1 h 12 min"},
		{24 * time.Hour, "1 d"},
		{51*time.Hour + 59*time.Minute, "2 d 3 h"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			is := is.New(t)
			is.Equal(wall.Left(tt.in), tt.want)
		})
	}
}

package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/flock"
)

// held is a session that has everything and that another process works on.
func held(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.fakeAgent("quota")
	is.New(t).Equal(s.call("run", "t").code, 4)
	s.write(".ai-session/plan.md", goodPlan)
	s.write(earlier, goodPlan)
	s.must("receipt", "list")
	lock, err := flock.Locker{}.TryLock(s.at(".ai-session/.lock"), 0o600)
	is.New(t).NoErr(err)
	t.Cleanup(func() { is.New(t).NoErr(lock.Release()) })
	return s
}

// Commands that only read neither wait for whoever works on the session nor write
// anything.
func TestLock_ReadersGoOn(t *testing.T) {
	s := held(t)
	before := s.files()
	for _, args := range [][]string{
		{"status"},
		{"status", "--json"},
		{"budget"},
		{"explain"},
		{"explain", "--all", "--json"},
		{"handoff", "history"},
		{"handoff", "show"},
		{"plan", "--check"},
		{"plan", "--diff"},
		{"review"},
		{"receipt", "list"},
		{"compress-context", "--dry-run", "--force"},
		{"compress-context", "--diff"},
		{"verify"},
		{"doctor"},
		{"project", "list"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			is := is.New(t)
			is.Equal(s.call(args...).code, 0)
			is.Equal(cmp.Diff(before, s.files()), "")
		})
	}
	is.New(t).Equal(s.must("receipt", "done", "1").out, "step 1: done\n") // it has a lock of its own
}

// Commands that change the session do not, and are told who has it.
func TestLock_WritersDoNot(t *testing.T) {
	s := held(t)
	before := s.files()
	for _, args := range [][]string{
		{"init"},
		{"run", "t"},
		{"run", "t", "--json"},
		{"plan", "t"},
		{"plan", "t", "--no-run"},
		{"execute"},
		{"handoff", "--to", "claude"},
		{"handoff", "--to", "claude", "--no-run"},
		{"compact"},
		{"compress-context", "--force"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			is := is.New(t)
			got := s.call(args...)
			is.Equal(got.code, 5)
			is.Equal(got.out, "")
			is.True(strings.Contains(got.notice, "[relay-baton] the session is in use by"))
			is.Equal(cmp.Diff(before, s.files()), "")
		})
	}
}

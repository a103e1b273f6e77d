package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/flock"
)

// A failing check leaves the disk untouched.
func TestMutating_AFailingCheckWritesNothing(t *testing.T) {
	forbidden := `{"agents":{"codex":{"args":["exec","--full-auto"]}}}`
	bare := func(*scene) {}
	config := func(content string) func(*scene) {
		return func(s *scene) { s.write("relay-baton.config.json", content) }
	}
	tests := []struct {
		name  string
		setup func(*scene)
		args  []string
		says  string
	}{
		{"run without a task", bare, []string{"run"}, "the task is missing: say what is to be done, as in 'baton run"},
		{"run with a blank task", bare, []string{"run", " \n"}, "the task is blank"},
		{"run with a NUL", bare, []string{"run", "a\x00b"}, "NUL"},
		{"run with a task that is too long", bare, []string{"run", strings.Repeat("a ", 500_001)}, "name the file"},
		{"run with an unknown agent", bare, []string{"run", "t", "--primary", "gemini"}, `no agent is called "gemini"`},
		{"run with an unknown fallback", bare, []string{"run", "t", "--fallback", "aider"}, `no agent is called "aider"`},
		{"run with an unknown diet", bare, []string{"run", "t", "--diet", "vegan"}, "off, lite, balanced, caveman, ultra"},
		{"run with an unknown project", bare, []string{"run", "t", "--project", "x"}, `no project is called "x"`},
		{"run in no directory", bare, []string{"run", "t", "--path", "gone"}, "no such directory"},
		{"run in a file", func(s *scene) { s.write("file", "") }, []string{"run", "t", "--path", "file"}, "not a directory"},
		{"run with a negative time", bare, []string{"run", "t", "--timeout", "-5s"}, "15m"},
		{"run with a broken configuration", config("{"), []string{"run", "t"}, "relay-baton.config.json"},
		{"run with a forbidden argument", config(forbidden), []string{"run", "t"}, "--full-auto"},

		{"plan with a blank task", bare, []string{"plan", ""}, "the task is blank"},
		{"plan with a prompt that is too long", bare, []string{"plan", strings.Repeat("a ", 499_999)}, "name the file"},
		{"plan with two planners", bare, []string{"plan", "t", "--with", "codex", "--planner", "claude"}, "give one"},
		{"plan with an unknown planner", bare, []string{"plan", "t", "--with", "x"}, `"x"`},
		{"plan with an unknown executor", bare, []string{"plan", "t", "--then-execute", "--executor", "x"}, `"x"`},
		{"plan with an unknown diet", bare, []string{"plan", "t", "--no-run", "--diet", "x"}, `"x"`},
		{"plan without an agent and with an executor", bare, []string{"plan", "t", "--no-run", "--then-execute"}, "--then-execute"},
		{"plan with a task and a check", bare, []string{"plan", "t", "--check"}, "no task"},
		{"plan with a task and a diff", bare, []string{"plan", "t", "--diff"}, "no task"},
		{"plan with a forbidden argument", config(forbidden), []string{"plan", "t"}, "--full-auto"},

		{"execute without a plan", bare, []string{"execute"}, "baton plan"},
		{"execute by force without a plan", bare, []string{"execute", "--force"}, "baton plan"},
		{"execute from a file that is not there", bare, []string{"execute", "--from", "gone.md"}, "gone.md"},
		{"execute with an unknown agent", bare, []string{"execute", "--with", "x"}, `"x"`},
		{"execute with a forbidden argument", config(forbidden), []string{"execute"}, "--full-auto"},

		{"handoff without a target", bare, []string{"handoff"}, "--to"},
		{"handoff to an unknown agent", bare, []string{"handoff", "--to", "x", "--no-run"}, `"x"`},
		{"handoff with an unknown diet", bare, []string{"handoff", "--to", "codex", "--diet", "x"}, `"x"`},
		{"handoff with a forbidden argument", config(forbidden), []string{"handoff", "--to", "codex", "--no-run"}, "--full-auto"},

		{"an agent of the project that nobody knows", func(s *scene) {
			s.must("project", "add", ".")
			registry := s.home + "/.relay-baton/projects.json"
			replace(s.t, registry, `"id"`, `"fallbackAgent":"x","id"`)
		}, []string{"init"}, `"x"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			tt.setup(s)
			before := s.files()
			got := s.call(tt.args...)
			is.Equal(got.code, 2)
			is.True(strings.Contains(got.notice, tt.says)) // the message
			is.True(strings.HasPrefix(got.notice, prefix))
			is.Equal(got.out, "")
			is.Equal(cmp.Diff(before, s.files()), "")
		})
	}
}

func TestMutating_NeedsARepository(t *testing.T) {
	for _, args := range [][]string{
		{"init"},
		{"run", "t"},
		{"plan", "t", "--no-run"},
		{"execute"},
		{"handoff", "--to", "claude"},
		{"project", "add", "."},
	} {
		t.Run(args[0], func(t *testing.T) {
			is := is.New(t)
			s := newGround(t)
			got := s.call(args...)
			is.Equal(got.code, 2)
			is.True(strings.Contains(got.notice, "not a git repository"))
			is.Equal(len(s.files()), 1) // nothing but the directory itself
		})
	}
}

func TestMutating_ADamagedSessionIsLeftAlone(t *testing.T) {
	for _, args := range [][]string{
		{"init"},
		{"run", "t"},
		{"plan", "t"},
		{"execute"},
		{"handoff", "--to", "claude"},
	} {
		t.Run(args[0], func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			s.write(".ai-session/session.json", `{"schemaVersion":1,"id":"a`)
			s.write(".ai-session/plan.md", goodPlan)
			before := s.files()
			got := s.call(args...)
			is.Equal(got.code, 2)
			is.True(strings.Contains(got.notice, "move it away"))
			is.Equal(cmp.Diff(before, s.files()), "")
		})
	}
}

func TestMutating_ASessionInUseIsLeftAlone(t *testing.T) {
	s := newScene(t)
	s.must("plan", "t", "--no-run")
	s.write(".ai-session/plan.md", goodPlan)
	lock, err := flock.Locker{}.TryLock(s.at(".ai-session/.lock"), 0o600)
	is.New(t).NoErr(err)
	is.New(t).NoErr(lock.Note([]byte(`{"pid":1,"processStart":null,"command":"run","startedAt":"2026-05-28T09:00:00.000Z","agent":null}`)))
	before := s.files()
	for _, args := range [][]string{
		{"init"},
		{"run", "t"},
		{"plan", "t", "--no-run"},
		{"execute"},
		{"handoff", "--to", "claude"},
	} {
		t.Run(args[0], func(t *testing.T) {
			is := is.New(t)
			got := s.call(args...)
			is.Equal(got.code, 5)
			is.True(strings.Contains(got.notice, "'baton run', process 1, since 2026-05-28T09:00:00.000Z"))
			is.Equal(cmp.Diff(before, s.files()), "")
		})
	}
	is.New(t).NoErr(lock.Release())
}

func TestRecovery_ADeadProcessIsTold(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.must("init")
	replace(t, s.at(".ai-session/session.json"), `"status": "initialized"`, `"status": "running", "waitingFor": "codex"`)
	got := s.must("init")
	is.True(strings.Contains(got.notice, "interrupted"))
	meta := s.session()
	is.Equal(meta["status"], "failed")
	is.True(strings.Contains(fmt.Sprint(meta["lastError"]), "interrupted"))
	is.True(meta["endedAt"] != nil)
	is.Equal(meta["waitingFor"], nil)
}

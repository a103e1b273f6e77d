package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// forms write a text with LF line ends in the ways that editors do.
func forms() map[string]func(string) string {
	end := func(with string) func(string) string {
		return func(text string) string { return strings.ReplaceAll(text, "\n", with) }
	}
	return map[string]func(string) string{
		"CRLF":          end("\r\n"),
		"lone CR":       end("\r"),
		"mostly LF":     func(text string) string { return strings.Replace(text, "\n", "\r\n", 3) },
		"mostly CRLF":   func(text string) string { return strings.Replace(end("\r\n")(text), "\r\n", "\n", 3) },
		"mark":          func(text string) string { return "\ufeff" + text },
		"mark and CRLF": func(text string) string { return "\ufeff" + end("\r\n")(text) },
	}
}

// written is a repository whose configuration, plan, state and task have a form.
func written(t *testing.T, form func(string) string) *scene {
	t.Helper()
	s := newScene(t)
	s.write("relay-baton.config.json", form("{\n  \"tokenDiet\": {\n    \"profile\": \"lite\"\n  },\n  \"primaryAgent\": \"claude\",\n  \"fallbackAgent\": \"codex\"\n}\n"))
	s.must("init")
	s.write(".ai-session/plan.md", form(goodPlan))
	s.write(".ai-session/state.md", form("# Current State\n\n## Goal\n- a map\n\n## Done\n- the coast\n- Done: the coast\n\n## Next Steps\n- the bay\n- the pier\n"))
	s.write(".ai-session/task.md", form("# The task\n\nMap the coast\nand the bay.\n"))
	s.write(".ai-session/test-results.md", form("3 passed\n1 failed\n"))
	return s
}

// Row 108. Field case F12: whatever line ends a file has, baton reads the same.
func TestLineEnds_GiveTheSameResult(t *testing.T) {
	results := func(t *testing.T, form func(string) string) map[string]string {
		t.Helper()
		s := written(t, form)
		got := map[string]string{}
		for _, args := range [][]string{{"plan", "--check", "--json"}, {"receipt", "list", "--json"}, {"review", "--json"}} {
			got[strings.Join(args, " ")] = s.must(args...).out
		}
		var doc map[string]json.RawMessage
		s.document(&doc, "status", "--json")
		got["plan of the status"] = string(doc["plan"])
		s.must("handoff", "--to", "codex", "--no-run")
		got["compact state"] = s.read(".ai-session/compact-state.md")
		for _, title := range []string{
			"Goal", "Previous Agent", "Next Agent", "Progress Summary", "Next Steps", "Test Results", "Known Errors",
		} {
			got[title] = s.section(title)
		}
		got["profile"] = s.handedWith()
		return got
	}
	want := results(t, func(text string) string { return text })
	is.New(t).Equal(want["profile"], "lite")
	is.New(t).Equal(want["Next Steps"], "- the bay\n- the pier")
	for name, form := range forms() {
		t.Run(name, func(t *testing.T) {
			is.New(t).Equal(cmp.Diff(want, results(t, form)), "")
		})
	}
}

// Row 108. Field case F12: a file that baton rewrites keeps its own form.
func TestLineEnds_StayThoseOfTheFile(t *testing.T) {
	for name, form := range forms() {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			s := written(t, form)
			s.must("receipt", "done", "1")
			added, ok := strings.CutPrefix(s.read(".ai-session/plan.md"), form(goodPlan))
			is.True(ok) // the plan keeps its bytes
			end := map[string]string{"CRLF": "\r\n", "mostly CRLF": "\r\n", "mark and CRLF": "\r\n", "lone CR": "\r"}[name]
			if end == "" {
				end = "\n"
			}
			is.True(strings.HasPrefix(added, end+"## Execution receipts"+end+"- 2"))
			is.True(strings.HasSuffix(added, " [done] 1"+end))
			is.Equal(strings.ReplaceAll(strings.ReplaceAll(added, end, ""), "\r", "\n"), strings.ReplaceAll(added, end, "")) // no other

			s.write(".gitignore", form("*.o\n*.a\n*.so\n*.d\n*.tmp\n*.x\n*.y\n"))
			s.must("init", "--gitignore")
			is.Equal(s.read(".gitignore"), form("*.o\n*.a\n*.so\n*.d\n*.tmp\n*.x\n*.y\n")+".ai-session/"+end)
		})
	}
}

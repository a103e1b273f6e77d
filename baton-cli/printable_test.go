package main

import (
	"strings"
	"testing"
	"unicode"

	"github.com/matryer/is"
)

// hostile is text that a terminal would obey.
const hostile = "a\x1b[2Jb\x1b]0;title\ac\u009bd\x7fe\u202ef"

// obeyed returns the first code point of a text that a terminal does not show but
// obeys; 0 where there is none.
func obeyed(text string) rune {
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control)) {
			return r
		}
	}
	return 0
}

// What an agent or another file says is cleaned wherever baton prints it in a
// line of its own.
func TestPrint_TextOfOthersIsCleaned(t *testing.T) {
	s := newScene(t)
	s.configure(map[string]any{"tokenDiet": map[string]any{
		"profile": hostile, "profiles": map[string]any{hostile: map[string]any{"maxHandoffChars": 30000}},
	}})
	plan := strings.Replace(goodPlan, "1. Add the column", "1. Add "+hostile, 1)
	plan = strings.Replace(plan, "## Risks", "## "+hostile+"\nx\n\n## "+hostile+"\nx\n\n## Risks", 1)
	s.write(".ai-session/plan.md", plan+"\n## Execution receipts\n- "+hostile+"\n")
	s.write(earlier, goodPlan)
	s.write(".ai-session/handoff.md", "# "+hostile+"\n")
	s.write("new "+hostile+".txt", "x")
	s.client("hostile", "printf 'Error: quota exceeded \\033[2J\\033]0;title\\007 try again later\\n' >&2; exit 1\n")
	generic := map[string]any{"command": "hostile", "args": []string{}}
	s.configure(map[string]any{
		"agents":    map[string]any{"codex": generic, "claude": generic},
		"tokenDiet": map[string]any{"profile": hostile, "profiles": map[string]any{hostile: map[string]any{}}},
	})
	notices := s.call("run", "t", "--json").notice
	is.New(t).Equal(strings.Count(notices, "\x1b"), 4) // what the agents themselves wrote
	for line := range strings.Lines(notices) {
		if strings.HasPrefix(line, prefix) {
			is.New(t).Equal(obeyed(line), rune(0)) // a line of baton's own
		}
	}
	for _, args := range [][]string{
		{"status"},
		{"budget"},
		{"explain", "--all"},
		{"handoff", "history"},
		{"plan", "--check"},
		{"plan", "--diff"},
		{"receipt", "list"},
		{"review"},
		{"compact"},
		{"compress-context", "--dry-run"},
		{"doctor", "--deep"},
		{"run", "t", "--diet", "x"},
		{"run", "t", "--diet", hostile + "x"},
		{"run", "t", "--project", hostile},
		{"execute", "--from", hostile},
		{"plan", "--diff", "--from", hostile},
		{"handoff", "show", "--file", hostile},
		{hostile},
		{"status", "--" + hostile},
	} {
		t.Run(strings.Join(args[:1], " "), func(t *testing.T) {
			is := is.New(t)
			got := s.call(args...)
			is.True(got.out+got.notice != "")
			is.Equal(obeyed(got.out), rune(0))
			is.Equal(obeyed(got.notice), rune(0))
		})
	}
}

func TestPrint_AnInvalidConfigurationIsQuotedClean(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"env": map[string]any{hostile: 1}}}})
	for _, args := range [][]string{{"run", "t"}, {"status"}, {"budget"}, {"doctor"}} {
		got := s.call(args...)
		is.True(strings.Contains(got.out+got.notice, "agents.codex.env"))
		is.Equal(obeyed(got.out+got.notice), rune(0))
	}
}

// Every line of baton's own on the error stream begins with its name.
func TestPrint_EveryErrorHasThePrefix(t *testing.T) {
	s := newScene(t)
	for _, args := range [][]string{
		nil,
		{"nonsense"},
		{"status", "--nonsense"},
		{"run"},
		{"run", "t", "--diet", "x"},
		{"execute"},
		{"plan", "t", "--check"},
		{"handoff"},
		{"compress-context"},
		{"explain"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			is := is.New(t)
			got := s.call(args...)
			is.Equal(got.code, 2)
			is.Equal(got.out, "")
			for line := range strings.Lines(got.notice) {
				is.True(strings.HasPrefix(line, prefix))
			}
		})
	}
}

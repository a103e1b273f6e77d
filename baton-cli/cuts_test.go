package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
)

// clusters are what people take for one character, of several code points.
func clusters() map[string]string {
	return map[string]string{
		"emoji": "🎉", "family": "👨\u200d👩\u200d👧", "flag": "🇩🇪", "marks": "e\u0301\u0323", "hangul": "\u1112\u1161\u11ab", "right to left": "שָׁ",
	}
}

// broken returns the first part of a text that is neither one of its clusters nor
// plain ASCII or the marks of a cut.
func broken(text, cluster string) string {
	rest := strings.ReplaceAll(text, cluster, "")
	for _, r := range rest {
		if r >= utf8.RuneSelf && r != '…' && r != '—' {
			return fmt.Sprintf("%q", rest)
		}
	}
	return ""
}

// Row 109. Field case F11: whatever baton cuts, the whole character or none of it
// is left.
func TestCuts_LeaveCharactersWhole(t *testing.T) {
	for name, cluster := range clusters() {
		for lead := range 3 { // so that every place inside a character meets a limit
			t.Run(fmt.Sprintf("%s after %d", name, lead), func(t *testing.T) {
				is := is.New(t)
				s := newScene(t)
				long := strings.Repeat("a", lead) + strings.Repeat(cluster, 9000)
				s.client("wordy", "cat long; exit 1\n")
				s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "wordy", "args": []string{}}}})
				s.write("long", "Error: quota exceeded: "+long+"\n")
				is.Equal(s.call("run", "--no-fallback", "-", "--diet", "ultra").code, 2) // an empty task
				is.Equal(s.call("run", "--no-fallback", "t").code, 4)
				reason := fmt.Sprint(s.session()["fallbackReason"])
				is.Equal(broken(reason, cluster), "")
				is.True(strings.HasSuffix(reason, "…"))

				s.write(".ai-session/task.md", long+"\n")
				s.write(".ai-session/state.md", "# Current State\n\n## Goal\n- "+long+"\n\n## Next Step\n- "+long+"\n")
				s.write(".ai-session/test-results.md", long+"\n")
				s.must("handoff", "--to", "claude", "--no-run", "--diet", "ultra")
				handoff := s.read(".ai-session/handoff.md")
				is.Equal(broken(handoff, cluster), "")
				is.True(strings.Contains(handoff, "[truncated by relay-baton"))
				is.True(utf8.RuneCountInString(handoff) <= 12000)
				is.Equal(broken(s.read(".ai-session/compact-state.md"), cluster), "")

				s.write(".ai-session/handoff.md", "# "+long+"\n")
				s.write(".ai-session/plan.md", strings.Replace(goodPlan, "Add the column", long, 1))
				for _, args := range [][]string{{"handoff", "history"}, {"explain"}, {"status"}, {"receipt", "done", "1", "--note", long}, {"receipt", "list"}} {
					is.Equal(broken(s.must(args...).out, strings.ReplaceAll(cluster, "\u200d", "")), "") // without what joins them
				}
				is.Equal(broken(s.read(".ai-session/plan.md"), cluster), "")
				is.Equal(broken(s.read(".ai-session/runs.jsonl"), cluster), "")
			})
		}
	}
}

// Row 109. Field case F11: a lone surrogate escape is read as U+FFFD, and the file
// still loads; none is ever written.
func TestCuts_LoneSurrogates(t *testing.T) {
	const lone = `\ud83d`
	is := is.New(t)
	s := newScene(t)
	s.client("claude", `cat <<'E'
{"type":"system","subtype":"init","session_id":"c\ud83d","model":"m"}
{"type":"assistant","message":{"id":"1","content":[{"type":"text","text":"half \ud83d of it"}]}}
{"type":"result","subtype":"success","is_error":true,"result":"You've hit your weekly limit \ud83d","api_error":"usage_limit_reached"}
E
exit 1
`)
	s.write("relay-baton.config.json", `{"commands":{"test":"make `+lone+`"},"primaryAgent":"claude"}`)
	s.must("project", "add", ".")
	replace(t, s.home+"/.relay-baton/projects.json", `"name": "repo"`, `"name": "re`+lone+`po"`)
	s.must("init")
	replace(t, s.at(".ai-session/session.json"), `"task": "`, `"later": "`+lone+`", "task": "`+lone)
	is.Equal(s.must("status").lines()["task"], "\ufffd")
	got := s.call("run", "t")
	is.Equal(got.code, 4)
	is.True(strings.Contains(got.out, "half \ufffd of it\n"))
	is.True(strings.Contains(s.read(".ai-session/commands.log"), "[agent] half \ufffd of it\n"))
	replace(t, s.at(".ai-session/runs.jsonl"), `"clientSession":"c`, `"clientSession":"`+lone)
	is.True(strings.Contains(s.must("explain").out, "evidence (terminal-event): You've hit your weekly limit \ufffd\n"))
	s.must("handoff", "--to", "codex", "--no-run")
	replace(t, s.at(".ai-session/context-budget.json"), `"profile": "`, `"profile": "`+lone)
	s.must("budget")
	is.True(strings.Contains(s.must("project", "list").out, "re\ufffdpo"))
	for _, args := range [][]string{{"status", "--json"}, {"explain", "--json"}, {"project", "list", "--json"}} {
		out := s.must(args...).out
		is.True(json.Valid([]byte(out)))
		is.True(utf8.ValidString(out))
		is.True(!strings.Contains(strings.ReplaceAll(strings.ToLower(out), `\\`, ""), lone)) // the text of an event may tell of one
	}
}

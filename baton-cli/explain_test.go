package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Row 98.
func TestExplain_NoRun(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for _, args := range [][]string{{"explain"}, {"explain", "--all"}, {"explain", "--run", "1"}, {"explain", "--json"}} {
		got := s.call(args...)
		is.Equal(got.code, 2)
		is.True(strings.Contains(got.notice, "no agent has run here yet"))
	}
	s.fakeAgent("ok")
	s.must("run", "t")
	for _, n := range []string{"0", "2", "-1"} {
		got := s.call("explain", "--run", n)
		is.Equal(got.code, 2)
		is.True(strings.Contains(got.notice, "1 to 1"))
	}
	is.Equal(s.call("explain", "--run", "x").code, 2)
	is.Equal(s.call("explain", "--run", "1", "--all").code, 2)
	is.True(strings.HasPrefix(s.must("explain", "--run", "1").out, "run 1: codex as primary, exit code 0 after "))
}

func TestExplain_AFallback(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("quota")
	is.Equal(s.call("run", "t").code, 4)
	got := s.must("explain", "--run", "1")
	before, _, _ := strings.Cut(s.read(".ai-session/commands.log"), "quota exceeded") // the two streams come in any order
	at := strings.Count(before, "\n") + 1
	for _, line := range []string{
		"run 1: codex as primary, exit code 1 after ", "\nclass: usage_limit (no reset time known)\n", "\nrule: ",
		"\nevidence (stderr): Error: quota exceeded; please try again later\n", fmt.Sprintf("\n  at .ai-session/commands.log:%d\n", at),
		"\ndecision: fallback, next claude\n", "\nwhy: ",
	} {
		is.True(strings.Contains(got.out, line))
	}
	is.True(strings.HasPrefix(s.must("explain").out, "run 2: claude as fallback, exit code 1 after "))
	all := s.must("explain", "--all").out
	is.True(strings.Index(all, "run 1: ") < strings.Index(all, "\n\nrun 2: "))

	var one struct {
		N        int
		Evidence struct {
			Line int
			Now  struct {
				File string
				Line int
			}
		}
	}
	s.document(&one, "explain", "--run", "1", "--json")
	is.Equal(one.N, 1)
	is.Equal(one.Evidence.Now.File, ".ai-session/commands.log")
	is.Equal(one.Evidence.Now.Line, at)
	var list []json.RawMessage
	s.document(&list, "explain", "--all", "--json")
	is.Equal(len(list), 2)
}

func TestExplain_WhereTheEvidenceIsGone(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("quota")
	s.call("run", "t", "--no-fallback")
	log := s.read(".ai-session/commands.log")
	before, _, _ := strings.Cut(log, "quota exceeded") // the two streams come in any order
	at := strings.Count(before, "\n") + 1
	s.write(".ai-session/commands.log", "one\ntwo\nthree\n"+log)
	is.True(strings.Contains(s.must("explain").out, fmt.Sprintf("  at .ai-session/commands.log:%d\n", at+3)))
	s.write(".ai-session/commands.log", "short\n")
	s.write(".ai-session/commands.log.full.2026-05-28T09-00-00-000Z", log)
	is.True(strings.Contains(s.must("explain").out, fmt.Sprintf("  at .ai-session/commands.log.full.2026-05-28T09-00-00-000Z:%d\n", at)))
	s.write(".ai-session/commands.log.full.2026-05-28T09-00-00-000Z", "gone\n")
	is.True(strings.Contains(s.must("explain").out, fmt.Sprintf("  was at .ai-session/commands.log:%d, no longer in the log\n", at)))
}

// What was decided stands before what it rests on, and a long event is cut; the
// document has it whole.
func TestExplain_TheDecisionFirstAndLongEventsCut(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("claude", `cat <<'END'
{"type":"result","subtype":"success","is_error":false,"result":"`+strings.Repeat("word ", 400)+`","num_turns":1,"session_id":"c"}
END
`)
	s.must("run", "t", "--primary", "claude")
	got := s.must("explain").out
	at := -1
	for _, line := range []string{"run 1: ", "\ndecision: completed\n", "\nwhy: claude ended with exit code 0", "\nclass: none\n", "\nrule: ", "\nevidence (", "\n  event: "} {
		next := strings.Index(got, line)
		is.True(next > at) // in this order
		at = next
	}
	is.True(strings.HasSuffix(got, "… (whole with --json)\n"))
	for line := range strings.Lines(got) {
		is.True(len([]rune(line)) < 360)
	}
	var one struct{ Evidence struct{ Event string } }
	s.document(&one, "explain", "--json")
	is.True(len(one.Evidence.Event) > 2000)
}

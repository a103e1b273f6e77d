package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/jsondoc"
	"github.com/changeover/changeover/domain/port"
)

const (
	codexBegan     = `{"type":"thread.started","thread_id":"t-1"}` + "\n" + `{"type":"turn.started"}` + "\n"
	codexCompleted = `{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}` + "\n"
	claudeBegan    = `{"type":"system","subtype":"init","session_id":"c-1","model":"opus"}` + "\n"
)

func codexFailed(text string) string {
	return fmt.Sprintf(`{"type":"turn.failed","error":{"message":%s}}`+"\n", jsondoc.Line(text))
}

func claudeResult(isError bool, text, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"type":"result","subtype":"success","is_error":%v,"num_turns":1,"result":%s%s}`+"\n", isError, jsondoc.Line(text), more)
}

// claudeFault is the API error before a result.
func claudeFault(fields string) string {
	return `{"type":"assistant","is_api_error_message":true,` + fields + `,"message":{"content":[{"type":"text","text":"x"}]}}` + "\n"
}

// verdict is what a rule gives, in short.
type verdict struct {
	name           string
	protocol       agent.Protocol
	stdout, stderr string
	end            port.Ending
	class          wall.Class
	rule           string
}

func check(t *testing.T, tests []verdict) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, f := judged(tt.protocol, tt.stdout, tt.stderr, tt.end, agent.ByItself)
			if o.Class != tt.class || o.Rule != tt.rule {
				t.Errorf("%s by %s, not %s by %s", o.Class, o.Rule, tt.class, tt.rule)
			}
			if line := o.Evidence.Line; line != 0 && !strings.HasSuffix(f.logLine(line), "] "+o.Evidence.Text) {
				t.Errorf("line %d is %q, not %q", line, f.logLine(line), o.Evidence.Text)
			}
		})
	}
}

func TestOutcome_WhatIsKnownComesFirst(t *testing.T) {
	failed := codexBegan + codexFailed("Quota exceeded. Check your plan")
	check(t, []verdict{
		{"a signal", agent.CodexJSON, failed, "", port.Ending{Signal: 9}, wall.Killed, "signal"},
		{"exit 129", agent.CodexJSON, failed, "", exit(129), wall.Killed, "signal"},
		{"exit 137", agent.ClaudePlain, "Credit balance is too low", "", exit(137), wall.Killed, "signal"},
		{"exit 143", agent.ClaudeJSON, claudeResult(false, "x", ""), "", exit(143), wall.Killed, "signal"},
		{"exit 143, generic", agent.Generic, "Error: quota exceeded", "", exit(143), wall.Killed, "signal"},
		{"exit 130 is none of them", agent.CodexJSON, failed, "", exit(130), wall.UsageLimit, "codex-usage-limit"},
	})
	for _, p := range agent.Protocols() {
		is := is.New(t)
		o, _ := judged(p, failed, "", exit(1), agent.Stopped)
		is.Equal(o.Class, wall.Killed)
		is.Equal(o.Rule, "own-signal")
		is.Equal(o.Evidence.Source, wall.OwnSignal)
	}
}

// Row 81.
func TestOutcome_APhraseGivesTheClassThatTheTableDoesNotKnow(t *testing.T) {
	tests := []struct {
		name           string
		protocol       agent.Protocol
		stdout, stderr string
		code           int
		class          wall.Class
		phrase         string
		source         wall.Source
	}{
		{"codex", agent.CodexJSON, codexBegan + codexFailed("Sorry, the FLUX  capacitor is empty."), "", 1, wall.UsageLimit, "flux capacitor", wall.TerminalEvent},
		{"codex, a wording newer than the table", agent.CodexJSON, codexBegan + codexFailed("Too many requests, sorry"), "", 1, wall.RateLimit, "too many requests", wall.TerminalEvent},
		{"codex, on a later line", agent.CodexJSON, codexBegan + codexFailed("Sorry.\nThe flux capacitor is empty."), "", 1, wall.UsageLimit, "flux capacitor", wall.TerminalEvent},
		{"claude", agent.ClaudeJSON, claudeBegan + claudeResult(true, "the prompt is too long", `"api_error_status":400`), "", 1, wall.ContextLimit, "prompt is too long", wall.TerminalEvent},
		{"before any event", agent.CodexJSON, "", "warning: x\nError: quota exceeded\nbye\n", 1, wall.UsageLimit, "quota exceeded", wall.Stderr},
		{"plain codex", agent.CodexPlain, "", "ERROR: the flux capacitor is empty", 1, wall.UsageLimit, "flux capacitor", wall.Stderr},
		{"plain claude", agent.ClaudePlain, "the flux capacitor is empty", "", 1, wall.UsageLimit, "flux capacitor", wall.Stdout},

		{"the table comes first", agent.CodexJSON, codexBegan + codexFailed("Selected model is at capacity: quota exceeded"), "", 1, wall.Overloaded, "", wall.TerminalEvent},
		{"not after a good end", agent.CodexJSON, codexBegan + codexCompleted, "quota exceeded", 1, wall.None, "", wall.TerminalEvent},
		{"not after events", agent.CodexJSON, `{"type":"thread.started"}` + "\n", "quota exceeded", 1, wall.None, "", wall.ExitCode},
		{"not in an event that is no end", agent.CodexJSON, codexBegan + `{"type":"error","message":"quota exceeded"}` + "\n", "", 3, wall.None, "", wall.ExitCode},
		{"not in plain codex' other lines", agent.CodexPlain, "quota exceeded", "quota exceeded\nERROR: x", 1, wall.None, "", wall.Stderr},
		{"not in plain claude's error stream", agent.ClaudePlain, "x", "quota exceeded", 1, wall.None, "", wall.Stdout},
		{"not in what codex says of its usage", agent.CodexJSON, "", "error: unexpected argument '--quota exceeded'", 2, wall.None, "", wall.Stderr},
		{"not at exit 0", agent.CodexJSON, "", "quota exceeded", 0, wall.None, "", wall.ExitCode},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			o, f := judged(tt.protocol, tt.stdout, tt.stderr, exit(tt.code), agent.ByItself, func(s *agent.Setup) {
				s.Phrases = phrase.Defaults().Overlay([]string{"flux capacitor"})
			})
			is.Equal(o.Class, tt.class)
			is.Equal(o.Phrase, tt.phrase)
			is.Equal(o.Rule == "phrase", tt.phrase != "")
			is.Equal(o.Evidence.Source, tt.source)
			if o.Evidence.Line > 0 {
				is.True(strings.HasSuffix(f.logLine(o.Evidence.Line), o.Evidence.Text))
			}
		})
	}
}

// Row 82.
func TestOutcome_WithoutAnEndItIsNoResult(t *testing.T) {
	for name, stdout := range map[string]string{"nothing": "", "events": codexBegan, "lines": "hello\n"} {
		for _, p := range []agent.Protocol{agent.CodexJSON, agent.ClaudeJSON} {
			is := is.New(t)
			o, _ := judged(p, stdout, "quota exceeded", exit(0), agent.ByItself)
			is.Equal(o.Class, wall.None)
			is.Equal(o.Fault, "ended without a result") // name
			_ = name
		}
	}
}

func TestOutcome_SaysWhatWasWrong(t *testing.T) {
	tests := []struct {
		name           string
		protocol       agent.Protocol
		stdout, stderr string
		code           int
		fault          string
	}{
		{"codex failed", agent.CodexJSON, codexBegan + codexFailed("\x1b[31mbad\x1b[0m\nmore"), "", 1, "bad"},
		{"claude failed", agent.ClaudeJSON, claudeResult(true, "bad", ""), "", 1, "bad"},
		{"claude failed with exit 0", agent.ClaudeJSON, claudeResult(true, "bad", ""), "", 0, "failed: bad"},
		{"only the code tells", agent.CodexJSON, codexBegan + codexCompleted, "x", 7, ""},
		{"the last line of the error stream", agent.CodexJSON, "", "a\nb\n\nReading additional input from stdin...\n", 1, "b"},
		{"wrong usage", agent.CodexJSON, "", "error: no\n\nFor more information, try '--help'.\n", 2, "For more information, try '--help'."},
		{"codex does not know its option", agent.CodexJSON, "", "error: unexpected argument '--json' found\n\nFor more information, try '--help'.\n", 2, "For more information, try '--help'. (this codex does not know --json: update it)"},
		{"claude does not know its option", agent.ClaudeJSON, "", "error: unknown option '--output-format'\n", 1, "error: unknown option '--output-format' (this claude does not know --output-format: update it)"},
		{"plain claude", agent.ClaudePlain, "bad\nmore", "", 1, "bad"},
		{"plain claude on its error stream", agent.ClaudePlain, "", "bad", 1, "bad"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			o, _ := judged(tt.protocol, tt.stdout, tt.stderr, exit(tt.code), agent.ByItself)
			is.Equal(o.Class, wall.None)
			is.Equal(o.Fault, tt.fault)
		})
	}
}

func TestOutcome_CountsRefusedToolCalls(t *testing.T) {
	is := is.New(t)
	denied := `{"type":"system","subtype":"permission_denied","tool_name":"Bash"}` + "\n"
	o, _ := judged(agent.ClaudeJSON, denied+denied+claudeResult(false, "x", `"permission_denials":[{"tool_name":"Bash"},{"tool_name":"Edit"},{"tool_name":"Bash"}]`), "", exit(0), agent.ByItself)
	is.Equal(o.Denied, map[string]int{"Bash": 2, "Edit": 1})
	o, _ = judged(agent.ClaudeJSON, denied+denied, "", exit(1), agent.ByItself) // it never came to its end
	is.Equal(o.Denied, map[string]int{"Bash": 2})
}

func TestOutcome_TellsTheClientsSession(t *testing.T) {
	is := is.New(t)
	for _, tt := range []struct {
		protocol       agent.Protocol
		stdout, stderr string
		want           string
	}{
		{agent.CodexJSON, codexBegan, "", "t-1"},
		{agent.ClaudeJSON, claudeBegan, "", "c-1"},
		{agent.ClaudeJSON, claudeResult(false, "x", `"session_id":"c-2"`), "", "c-2"},
		{agent.CodexPlain, "", "Codex\n--------\nsession id: t-2\n--------\nsession id: t-3\n", "t-2"},
		{agent.ClaudePlain, "x", "", ""},
		{agent.Generic, "x", "", ""},
	} {
		o, _ := judged(tt.protocol, tt.stdout, tt.stderr, exit(1), agent.ByItself)
		is.Equal(o.Session, tt.want)
	}
}

func TestOutcome_KeepsTheEventWithinBounds(t *testing.T) {
	is := is.New(t)
	o, _ := judged(agent.CodexJSON, codexFailed("Quota exceeded. Check your plan "+strings.Repeat("é", 1<<20)), "", exit(1), agent.ByItself)
	is.Equal(o.Class, wall.UsageLimit)
	is.True(len(o.Evidence.Event) <= 16<<10 && len(o.Evidence.Event) > 16<<10-4)
	is.True(strings.HasPrefix(o.Evidence.Event, `{"type":"turn.failed"`))
	is.True(len(o.Evidence.Text) <= 16<<10)
	o, _ = judged(agent.CodexJSON, codexFailed("x"), "", exit(1), agent.ByItself)
	is.Equal(o.Evidence.Event+"\n", codexFailed("x"))
}

func TestOutcome_EvidenceOfALogThatCountsNoLines(t *testing.T) {
	is := is.New(t)
	o, _ := judged(agent.CodexJSON, codexFailed("x"), "", exit(1), agent.ByItself, func(s *agent.Setup) {
		s.Tell = func(*agent.Event) int { return 0 }
	})
	is.Equal(o.Evidence.Line, 0)
}

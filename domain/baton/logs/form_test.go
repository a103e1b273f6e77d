package logs_test

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/baton/logs"
)

func TestStart_Line(t *testing.T) {
	is := is.New(t)
	start := logs.Start{
		At: time.Date(2026, 5, 28, 11, 0, 0, 7_000_000, time.FixedZone("", 7200)), Command: "codex",
		Args: []string{"exec", "--sandbox", "workspace-write", "--json"}, PromptChars: 84,
	}
	is.Equal(start.Line(), "--- 2026-05-28T09:00:00.007Z START codex exec --sandbox workspace-write --json <prompt 84 chars> ---")
	start.Stdin = true
	is.Equal(start.Line(), "--- 2026-05-28T09:00:00.007Z START codex exec --sandbox workspace-write --json <prompt 84 chars on stdin> ---")
	at, ok := logs.IsStart(start.Line())
	is.True(ok)
	is.True(at.Equal(start.At))
	start.Args = []string{"a\nb\x1b[31m"}
	is.Equal(start.Line(), "--- 2026-05-28T09:00:00.007Z START codex ab[31m <prompt 84 chars on stdin> ---") // one line, whatever the arguments
	for _, line := range []string{
		"", "--- START x ---", "--- 2026-05-28T09:00:00.007Z START x", "[out] " + start.Line(), "--- yesterday START x ---",
	} {
		_, ok := logs.IsStart(line)
		is.True(!ok) // line
	}
}

func TestExit_Line(t *testing.T) {
	is := is.New(t)
	is.Equal(logs.Exit(143), "--- exit 143 ---")
	for line, want := range map[string]int{
		"--- exit 0 ---": 0, "--- exit -1 ---": -1, "--- exit 137 (killed) ---": 137, "--- exit 1 after 3 s ---\r": 1,
	} {
		code, ok := logs.IsExit(line)
		is.True(ok) // line
		is.Equal(code, want)
	}
	for _, line := range []string{
		"--- exit null ---", "--- exit ---", "--- exit 1", "--- exit 1---", "[stdout] --- exit 1 ---", " --- exit 1 ---", "--- exit +1 ---", "--- exit 1x ---",
	} {
		_, ok := logs.IsExit(line)
		is.True(!ok) // line
	}
}

func TestElided_Line(t *testing.T) {
	is := is.New(t)
	is.Equal(logs.Elided(193), "[193 lines elided]")
	n, ok := logs.IsElided("[193 lines elided]")
	is.True(ok)
	is.Equal(n, 193)
	for _, line := range []string{
		"[0 lines elided]", "[01 lines elided]", "[ lines elided]", "[1234567890123456 lines elided]", "[-1 lines elided]",
		" [1 lines elided]", "[1 lines elided] ", "[1 lines elided]\r", "[x lines elided]", "(1 lines elided]",
	} {
		_, ok := logs.IsElided(line)
		is.True(!ok) // line
	}
}

func TestTag_Lines(t *testing.T) {
	is := is.New(t)
	is.Equal(logs.OutTag.Line(""), "[out] ")
	tag, text := logs.Cut("[relay-baton] a] b")
	is.Equal(tag, logs.BatonTag)
	is.Equal(text, "a] b")
	for _, line := range []string{"", "[other] x", "[out]x", "stdout] x", "--- exit 0 ---"} {
		tag, text := logs.Cut(line)
		is.Equal(tag, logs.Tag(""))
		is.Equal(text, line)
	}
	is.Equal(logs.Blocked([]string{"OPENAI_API_KEY", "B"}), "[relay-baton] blocked env vars: OPENAI_API_KEY, B")
	is.Equal(logs.Passed([]string{"A"}), "[relay-baton] passed env vars: A")
	is.Equal(logs.Compressed(51234, 9876), "[relay-baton] context compressed: 51234 -> 9876 chars")
}

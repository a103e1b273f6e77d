package agent_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/agent"
)

const mebibyte = 1 << 20

// logged is the log of what an agent writes to its standard output, in pieces of n
// bytes.
func logged(p agent.Protocol, output string, n int) []string {
	f := follow(p)
	f.write(agent.Stdout, []byte(output), n)
	f.run.Close()
	return strings.Split(strings.TrimSuffix(f.log.String(), "\n"), "\n")
}

func TestRun_SplitsPlainLines(t *testing.T) {
	tests := []struct {
		name, output string
		want         []string
	}{
		{"nothing", "", []string{""}},
		{"lines", "a\nb\n", []string{"[stdout] a", "[stdout] b"}},
		{"the last one without an end", "a\nb", []string{"[stdout] a", "[stdout] b"}},
		{"an empty one", "a\n\nb\n", []string{"[stdout] a", "[stdout] ", "[stdout] b"}},
		{"CRLF", "a\r\nb\r\n", []string{"[stdout] a", "[stdout] b"}},
		{"one trailing CR alone goes", "a\r\r\n", []string{"[stdout] a\r"}},
		{"CR at the end of the stream", "a\r", []string{"[stdout] a"}},
		{"CR inside stays", "10%\r20%\n", []string{"[stdout] 10%\r20%"}},
		{"invalid bytes", "a\xffb\n\xe2\x82\n", []string{"[stdout] a\ufffdb", "[stdout] \ufffd"}},
		{"characters of several bytes", "größe 한글 ✓ 🎉\n", []string{"[stdout] größe 한글 ✓ 🎉"}},
		{"what looks like an event", `{"type":"turn.failed"}`, []string{`[stdout] {"type":"turn.failed"}`}},
		{"a tag of its own", "[error] x\n", []string{"[stdout] [error] x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range []agent.Protocol{agent.Generic, agent.CodexPlain, agent.ClaudePlain} {
				for n := 1; n <= 4; n++ {
					is := is.New(t)
					is.Equal(logged(p, tt.output, n), tt.want)
				}
			}
		})
	}
}

func TestRun_TagsTheErrorStream(t *testing.T) {
	is := is.New(t)
	for _, p := range agent.Protocols() {
		f := follow(p)
		f.write(agent.Stderr, []byte("a\r\n{\"type\":\"turn.failed\"}\nlast"), 3)
		f.run.Close()
		is.Equal(f.log.String(), "[stderr] a\n[stderr] {\"type\":\"turn.failed\"}\n[stderr] last\n")
	}
}

func TestRun_HandlesALongLineInPieces(t *testing.T) {
	tests := []struct {
		name  string
		line  string
		sizes []int
	}{
		{"just fits", strings.Repeat("x", mebibyte), []int{mebibyte}},
		{"a byte more", strings.Repeat("x", mebibyte+1), []int{mebibyte, 1}},
		{"two and a half", strings.Repeat("x", 5*mebibyte/2), []int{mebibyte, mebibyte, mebibyte / 2}},
		{"a character across the cut", strings.Repeat("x", mebibyte-1) + "éy", []int{mebibyte - 1, 3}},
		{"an accent across the cut", strings.Repeat("x", mebibyte-1) + "e\u0301y", []int{mebibyte - 1, 4}},
		{"a family across the cut", strings.Repeat("x", mebibyte-20) + family + "y", []int{mebibyte - 20, len(family) + 1}},
		{"flags alone", strings.Repeat("🇩🇪", mebibyte/8+1), []int{mebibyte, 8}},
		{"flags from an odd place", "ab" + strings.Repeat("🇩🇪", mebibyte/8+1), []int{mebibyte - 6, 16}},
		{"a script without spaces", strings.Repeat("漢", mebibyte/3+2), []int{mebibyte - 1, 6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, end := range []string{"", "\n", "\r\n"} {
				for _, n := range []int{64 << 10, 1 << 30} {
					is := is.New(t)
					var sizes []int
					var whole strings.Builder
					for _, line := range logged(agent.Generic, tt.line+end, n) {
						text, ok := strings.CutPrefix(line, "[stdout] ")
						is.True(ok) // each piece has its tag
						sizes = append(sizes, len(text))
						whole.WriteString(text)
					}
					is.Equal(sizes, tt.sizes)
					is.True(whole.String() == tt.line) // nothing is lost
				}
			}
		})
	}
}

const family = "👨\u200d👩\u200d👧\u200d👦"

// What is logged of a long text in an event has bounded lines too: a piece without
// its tag would be taken for another line.
func TestRun_HandlesALongTextOfAnEventInPieces(t *testing.T) {
	is := is.New(t)
	text := strings.Repeat("x", 3*mebibyte/2)
	lines := logged(agent.CodexJSON, `{"type":"item.completed","item":{"type":"agent_message","text":"`+text+`"}}`, 1<<16)
	is.Equal(len(lines), 2)
	is.True(lines[0] == "[agent] "+text[:mebibyte])
	is.True(lines[1] == "[agent] "+text[mebibyte:])
	lines = logged(agent.CodexJSON, text, 1<<16)
	is.True(lines[0] == "[stdout] "+text[:mebibyte] && lines[1] == "[stdout] "+text[mebibyte:])
}

// Row 86.
func TestRun_SkipsAnEventThatIsTooLong(t *testing.T) {
	const head, tail = `{"type":"item.completed","item":{"type":"agent_message","text":"`, `"}}`
	const limit = 64 * mebibyte
	long := head + strings.Repeat("x", limit-len(head)-len(tail)) + tail
	t.Run("just fits", func(t *testing.T) {
		is := is.New(t)
		tags := map[agent.Tag]int{}
		f := follow(agent.CodexJSON, func(s *agent.Setup) {
			s.Tell = func(e *agent.Event) int {
				for line := range e.Log {
					tags[line.Tag] += len(line.Text)
				}
				return 0
			}
		})
		f.write(agent.Stdout, []byte(long+"\r\n"), mebibyte)
		is.Equal(tags, map[agent.Tag]int{agent.TagAgent: limit - len(head) - len(tail)})
	})
	for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n", "no end": ""} {
		t.Run("a byte more, "+name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(logged(agent.CodexJSON, " "+long+end, mebibyte), []string{fmt.Sprintf("[note] event of %d bytes skipped", limit+1)})
		})
	}
}

func TestRun_GoesOnAfterAnEventThatIsTooLong(t *testing.T) {
	is := is.New(t)
	o, f := judged(agent.CodexJSON, strings.Repeat("x", 65*mebibyte)+"\n"+`{"type":"turn.completed"}`, "", exit(0), agent.ByItself)
	is.Equal(o.Rule, "codex-completed")
	is.Equal(f.lines, 2)
}

// chunks draws a stream out of everything that may be in one.
func chunks() *rapid.Generator[[]byte] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\n", "\r\n", "\r", "{", "}", `"`, "\\", "[error] ", "\xff", "\xe2\x82", "é", family, "\x00", "\x1b[31m", "null", "[]",
			`{"type":"thread.started","thread_id":"t"}` + "\n", `{"type":"turn.failed","error":{"message":"Quota exceeded."}}` + "\n",
			`{"type":"error","message":"Reconnecting... 1/5 (x)"}` + "\n", `{"type":"turn.completed","usage":7}` + "\n",
			`{"type":"item.completed","item":{"type":"command_execution","aggregated_output":"a\nb\r\nc\rd","exit_code":"x"}}` + "\n",
			`{"type":"assistant","message":{"content":[{"type":"text","text":"x"},7,{"type":"tool_use","input":[]}]}}` + "\n",
			`{"type":"result","is_error":true,"result":"Prompt is too long","permission_denials":[{},7]}` + "\n",
			`{"type":"system","subtype":"api_retry","error_status":"x"}` + "\n", `{"type":"rate_limit_event"}` + "\n",
		}),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 9), func(b []byte) string { return string(b) }),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 30), func(pieces []string) []byte { return []byte(strings.Join(pieces, "")) })
}

// Row 86.
func TestRun_AnyBytesInAnyPiecesGiveTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(agent.Protocols()).Draw(t, "protocol")
		stdout, stderr := chunks().Draw(t, "stdout"), chunks().Draw(t, "stderr")
		ending := exit(rapid.SampledFrom([]int{0, 1, 2, 3, 101, 129, 143}).Draw(t, "code"))
		why := rapid.SampledFrom([]agent.Force{agent.ByItself, agent.Stopped, agent.Silent}).Draw(t, "why")
		whole, pieces := follow(p), follow(p)
		whole.write(agent.Stdout, stdout, len(stdout)+1)
		whole.write(agent.Stderr, stderr, len(stderr)+1)
		n := rapid.IntRange(1, 9).Draw(t, "n")
		pieces.write(agent.Stdout, stdout, n)
		pieces.write(agent.Stderr, stderr, n)
		want, got := fmt.Sprint(whole.run.Outcome(ending, why)), fmt.Sprint(pieces.run.Outcome(ending, why))
		if want != got || whole.log.String() != pieces.log.String() || whole.screen.String() != pieces.screen.String() {
			t.Fatalf("%q: %q and %q", stdout, whole.log.String(), pieces.log.String())
		}
		if !utf8.ValidString(whole.log.String()) || !utf8.ValidString(want) {
			t.Fatalf("%q is no text", whole.log.String())
		}
	})
}

// Of an event every line has a tag, whatever line ends are in its texts: an
// untagged line might be taken for another's.
func TestRun_NoTextForgesALine(t *testing.T) {
	is := is.New(t)
	for _, p := range []agent.Protocol{agent.CodexJSON, agent.ClaudeJSON} {
		for _, end := range []string{`\n`, `\r\n`, `\r`, `\r\r`} {
			event := `{"type":"item.completed","item":{"type":"command_execution","aggregated_output":"a` + end + `[error] x","exit_code":0}}`
			if p == agent.ClaudeJSON {
				event = `{"type":"user","message":{"content":[{"type":"tool_result","content":"a` + end + `[error] x"}]}}`
			}
			f := follow(p)
			f.write(agent.Stdout, []byte(event), len(event))
			f.run.Close()
			for _, line := range strings.FieldsFunc(f.log.String(), func(r rune) bool { return r == '\n' || r == '\r' }) {
				is.True(strings.HasPrefix(line, "[out] ") || strings.HasPrefix(line, "[tool] "))
			}
		}
	}
}

package logs_test

import (
	"os"
	"strings"
	"testing"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/baton/logs"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/text"
)

// cutter cuts like the programs do.
var cutter = text.NewCutter(func(s string) int {
	tokens := graphemes.FromString(s)
	if !tokens.Next() {
		return len(s)
	}
	return len(tokens.Value())
})

var compressor = logs.Compressor{Phrases: phrase.Defaults(), Cutter: cutter}

// fixture reads a sample.
func fixture(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// fataler is what both kinds of tests fail with.
type fataler interface {
	Helper()
	Fatal(...any)
}

// compress returns the short form of a log with a tail of that many lines.
func compress(t fataler, log string, tail int) (string, logs.Result) {
	t.Helper()
	var out strings.Builder
	result, err := compressor.Compress(&out, strings.NewReader(log), tail)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), result
}

// fit returns the short form of a log where its end may have so many characters.
func fit(t fataler, log string, most int) (string, logs.Result) {
	t.Helper()
	var out strings.Builder
	result, err := compressor.Fit(&out, strings.NewReader(log), compact.Profile{MaxLogTailChars: most})
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), result
}

// lines are what random logs are made of: every kind, plain ones more often.
var lines = rapid.SampledFrom([]string{
	"", "", "[out] a", "[out] bb", "[stdout] a longer line of output", "[agent] quota exceeded, they say", "x",
	"[stdout] one", "[stdout] two", "[stderr] three", "[out] four four four four four four", "[tool] exit 0", "[note] n",
	"[stderr] Error: quota exceeded", "[stdout] we saw rate  limit\texceeded", "[error] the client's verdict",
	"[stdout] \x1b[31mquota\x1b[0m exceeded", "[out] Build Failed here", "[out] \x1b[1mtest\x1b[0m failed",
	"[out] x: command not found", "--- exit 0 ---", "--- exit -1 (killed) ---", "--- exit null ---",
	"--- 2026-05-28T09:00:00.000Z START codex exec <prompt 3 chars> ---", "[1 lines elided]", "[7 lines elided]",
	"[relay-baton] context compressed: 9 -> 8 chars", "[relay-baton] timed out", "[stdout] größe\r", "[stdout] \xff\xfe",
	"[out] " + strings.Repeat("long ", 500), "[stdout] " + strings.Repeat("é", 1700) + " quota exceeded " + strings.Repeat("b", 400),
	"[stdout] " + strings.Repeat("fallback pattern ", 130) + " quota exceeded", "[stdout] " + strings.Repeat("👨\u200d👩\u200d👧", 700),
})

// randomLog draws a log.
func randomLog(t *rapid.T) string {
	log := strings.Join(rapid.SliceOfN(lines, 0, 60).Draw(t, "lines"), "\n")
	if rapid.Bool().Draw(t, "mark") {
		log = "\ufeff" + log
	}
	if rapid.Bool().Draw(t, "ended") {
		log += "\n"
	}
	return log
}

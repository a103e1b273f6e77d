package transcript_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/transcript"
)

func user(prompt, text string) string {
	return `{"type":"user","isSidechain":false,"promptId":"` + prompt + `","message":{"role":"user","content":"` + text + `"}}`
}

func said(id, text, reason string) string {
	return `{"type":"assistant","isSidechain":false,"message":{"id":"` + id + `","content":[{"type":"text","text":"` + text + `"}],"stop_reason":` + reason + `}}`
}

func TestAnswer(t *testing.T) {
	const end = `"end_turn"`
	for _, tt := range []struct {
		name   string
		rows   []string
		prompt string
		want   string
		ok     bool
	}{
		{"the turn's message", []string{user("p1", "a"), said("m1", "old", end), user("p2", "b"), said("m2", "new", end)}, "p2", "new", true},
		{"not written yet", []string{user("p1", "a"), said("m1", "old", end), user("p2", "b")}, "p2", "", false},
		{"its prompt not written yet", []string{user("p1", "a"), said("m1", "old", end)}, "p2", "", false},
		{"half a row", []string{user("p2", "b"), said("m2", "new", end)[:60]}, "p2", "", false},
		{"between two tool calls", []string{user("p2", "b"), said("m2", "look", `"tool_use"`)}, "p2", "look", false},
		{"after a tool call", []string{user("p2", "b"), said("m2", "look", `"tool_use"`), user("p2", "result"), said("m3", "new", end)}, "p2", "new", true},
		{"two blocks", []string{user("p2", "b"), said("m2", "one", "null"), said("m2", "two", end)}, "p2", "one\n\ntwo", true},
		{"a subagent's", []string{user("p2", "b"), strings.Replace(said("m2", "sub", end), "false", "true", 1)}, "p2", "", false},
		{"a later turn", []string{user("p2", "b"), said("m2", "new", end), user("p3", "c"), said("m3", "later", end)}, "p2", "", false},
		{"no prompt", []string{user("", "b"), said("m2", "new", end)}, "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			path := filepath.Join(t.TempDir(), "t.jsonl")
			is.NoErr(os.WriteFile(path, []byte(strings.Join(tt.rows, "\n")+"\n"), 0o600))
			got, ok, err := transcript.Answer(path, tt.prompt)
			is.NoErr(err)
			is.Equal(got, tt.want) // message
			is.Equal(ok, tt.ok)    // whole
		})
	}
}

func TestAnswer_NoFile(t *testing.T) {
	is := is.New(t)
	_, ok, err := transcript.Answer(filepath.Join(t.TempDir(), "none"), "p1")
	is.True(err != nil)
	is.True(!ok)
}

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

// escaped writes the key of a row's prompt as nobody does, but JSON allows.
func escaped(row string) string { return strings.Replace(row, `"promptId"`, `"prompt\u0049d"`, 1) }

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
		{"CRLF", []string{user("p2", "b") + "\r", said("m2", "new", end) + "\r"}, "p2", "new", true},
		{"a key with an escape", []string{escaped(user("p2", "b")), said("m2", "new", end)}, "p2", "new", true},
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

// given is a row of what a program put into the conversation.
func given(kind, prompt, text string) string {
	return `{"type":"user","isSidechain":false,"promptId":"` + prompt + `","origin":{"kind":"` + kind + `"},"message":{"role":"user","content":"` + text + `"}}`
}

func TestTurn(t *testing.T) {
	for _, tt := range []struct {
		name string
		rows []string
		want string
	}{
		{"a wake", []string{user("p1", "a"), given("task-notification", "p2", "step")}, "p2"},
		{"a mod's", []string{given("plugin", "p2", "step"), said("m2", "new", `"end_turn"`)}, "p2"},
		{"the last one", []string{given("plugin", "p1", "step"), given("plugin", "p2", "step"), given("plugin", "p3", "other")}, "p2"},
		{"a person's", []string{given("human", "p1", "step"), user("p2", "step")}, ""},
		{"a peer's", []string{given("peer", "p1", "step")}, ""},
		{"a key with an escape", []string{escaped(given("plugin", "p2", "step"))}, "p2"},
		{"in a queue", []string{`{"type":"queue-operation","operation":"enqueue","content":"step","promptId":"p1"}`}, ""},
		{"half a row", []string{given("plugin", "p1", "step")[:50]}, ""},
		{"a subagent's", []string{strings.Replace(given("plugin", "p1", "step"), "false", "true", 1)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			path := filepath.Join(t.TempDir(), "t.jsonl")
			is.NoErr(os.WriteFile(path, []byte(strings.Join(tt.rows, "\n")+"\n"), 0o600))
			got, ok, err := transcript.Turn(path, func(_, prompt string) bool { return prompt == "step" })
			is.NoErr(err)
			is.Equal(got, tt.want)
			is.Equal(ok, tt.want != "")
		})
	}
	is := is.New(t)
	_, ok, err := transcript.Turn(filepath.Join(t.TempDir(), "none"), nil)
	is.True(err != nil && !ok) // no file
}

func TestAnswer_IsNoneOfTheClientsOwn(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "t.jsonl")
	made := strings.Replace(said("m1", "No response requested.", `"stop_sequence"`), `"content"`, `"model":"<synthetic>","content"`, 1)
	is.NoErr(os.WriteFile(path, []byte(user("p1", "a")+"\n"+made+"\n"), 0o600))
	_, ok, err := transcript.Answer(path, "p1")
	is.NoErr(err)
	is.True(!ok) // that turn died
}

func TestEndings_AreThoseFromAPromptOn(t *testing.T) {
	const end = `"end_turn"`
	one, two := transcript.Ending{Prompt: "p1", Message: "one"}, transcript.Ending{Prompt: "p2", Message: "two"}
	for _, tt := range []struct {
		name string
		rows []string
		want []transcript.Ending
	}{
		{"the last turn", []string{user("p1", "a"), said("m1", "one", end)}, []transcript.Ending{one}},
		{"another followed", []string{user("p1", "a"), said("m1", "one", end), user("p2", "b"), said("m2", "two", end)}, []transcript.Ending{one, two}},
		{"another has begun", []string{user("p1", "a"), said("m1", "one", end), user("p2", "b")}, []transcript.Ending{one}},
		{"what came before is not asked for", []string{user("p0", "a"), said("m0", "zero", end), user("p1", "a"), said("m1", "one", end)}, []transcript.Ending{one}},
		{"another hook refused its first end", []string{
			user("p1", "a"), said("m1", "first", end), user("p1", "no"), said("m2", "one", end), user("p2", "b"),
		}, []transcript.Ending{one}},
		{"a tool call", []string{
			user("p1", "a"), said("m1", "look", `"tool_use"`), user("p1", "result"), said("m2", "one", end), user("p2", "b"),
		}, []transcript.Ending{one}},
		{"cut short", []string{
			user("p1", "a"), said("m1", "half", "null"), user("p1", "[Request interrupted by user]"), user("p2", "b"), said("m2", "two", end),
		}, []transcript.Ending{two}},
		{"keys with escapes", []string{
			escaped(user("p1", "a")), said("m1", "one", end), escaped(user("p2", "b")), said("m2", "two", end),
		}, []transcript.Ending{one, two}},
		{"not written", []string{user("p0", "a"), said("m0", "zero", end)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			path := filepath.Join(t.TempDir(), "t.jsonl")
			is.NoErr(os.WriteFile(path, []byte(strings.Join(tt.rows, "\n")+"\n"), 0o600))
			got, err := transcript.Endings(path, "p1")
			is.NoErr(err)
			is.Equal(got, tt.want)
		})
	}
}

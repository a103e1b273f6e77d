package transcript_test

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/changeover/changeover/adapters/transcript"
)

// FuzzEndings reads a transcript: the answer of a prompt is what its turn, the last
// one, ended with, and never that of a turn which is still being written.
func FuzzEndings(f *testing.F) {
	const prompt = "p-1"
	for _, seed := range []string{
		`{"type":"user","promptId":"p-1","message":{"content":"go"}}` + "\n" +
			`{"type":"assistant","message":{"id":"m","model":"x","stop_reason":"end_turn","content":[{"type":"text","text":"done"}]}}` + "\n",
		`{"type":"user","promptId":"p-1","message":{"content":"go"}}` + "\n" + `{"type":"assistant","message":{"id":"m","stop_reason":"tool_use","content":[]}}` + "\n{",
		`{"type":"user","promptId":"p-0","isSidechain":true}` + "\n" + `{"type":"user","promptId":"p-1","origin":{"kind":"task-notification"},"message":{"content":"wake"}}`,
		`{"type":"user","promptId":"p-1"}` + "\n" + `{"type":"assistant","message":{"model":"<synthetic>","stop_reason":"end_turn","content":[{"type":"text","text":"error"}]}}`,
		"p-1\xff\n\n[]",
	} {
		f.Add([]byte(seed))
	}
	path := filepath.Join(f.TempDir(), "transcript.jsonl")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		message, ok, err := transcript.Answer(path, prompt)
		if err != nil || !utf8.ValidString(message) {
			t.Fatalf("%q: %v", message, err)
		}
		endings, err := transcript.Endings(path, prompt)
		if err != nil {
			t.Fatal(err)
		}
		if ok && (len(endings) == 0 || endings[len(endings)-1].Prompt == prompt && endings[len(endings)-1].Message != message) {
			t.Fatalf("the answer is %q, of %+v", message, endings)
		}
		for _, e := range endings {
			if e.Prompt == "" || !utf8.ValidString(e.Message) {
				t.Fatalf("%+v", e)
			}
		}
		id, own, err := transcript.Turn(path, func(id, _ string) bool { return id == prompt })
		if err != nil || own && id != prompt {
			t.Fatalf("the turn is %q: %v", id, err)
		}
	})
}

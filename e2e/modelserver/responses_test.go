package modelserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/e2e/modelserver"
)

const responses = `{"model":"m","stream":true,"instructions":"rules","tools":[{"type":"function","name":"exec_command"}],"input":[
{"type":"additional_tools","tools":[{"name":"apply_patch"}]},
{"type":"message","role":"user","content":[{"type":"input_text","text":"first prompt"}]},
{"type":"reasoning","summary":[]},
{"type":"function_call","name":"exec_command","call_id":"call_1","arguments":"{}"},
{"type":"function_call_output","call_id":"call_1","output":"a.go"},
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"seen"}]},
{"type":"message","role":"user","content":[{"type":"input_text","text":"second prompt"}]}]}`

func TestServer_SpeaksTheResponsesDialect(t *testing.T) {
	is := is.New(t)
	script := new(modelserver.Script)
	script.On("second prompt", modelserver.Say(
		modelserver.Text("Looking."), modelserver.ToolUse("call_2", "exec_command", json.RawMessage(`{"cmd":"ls"}`)),
	))
	server := start(t, script.Respond)
	got := post(t, server, "/v1/responses", responses)
	var events []string
	for line := range strings.Lines(got) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var e struct{ Type string }
			is.NoErr(json.Unmarshal([]byte(data), &e))
			events = append(events, e.Type)
		}
	}
	is.Equal(events, []string{
		"response.created",
		"response.output_item.added", "response.output_text.delta", "response.output_item.done",
		"response.output_item.added", "response.output_item.done",
		"response.completed",
	})
	is.True(strings.Contains(got, `"arguments":"{\"cmd\":\"ls\"}"`))

	turns := server.Turns()
	is.Equal(len(turns), 1)
	is.Equal(turns[0].System(), "rules")
	is.Equal(turns[0].Tools(), []string{"exec_command", "apply_patch"})
	is.Equal(turns[0].LastText(), "second prompt")
	result, ok := turns[0].ToolResult("call_1")
	is.True(ok)
	is.Equal(result, "a.go")
}

package modelserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/e2e/modelserver"
)

const conversation = `{"model":"m","system":"rules","tools":[{"name":"Bash"},{"name":"Edit"}],"messages":[
{"role":"user","content":"first prompt"},
{"role":"assistant","content":[{"type":"tool_use","id":"tool_1","name":"Bash","input":{"command":"ls"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"tool_1","content":[{"type":"text","text":"a.go"}]}]},
{"role":"system","content":"a reminder"}]}`

func TestRequest_GivesTheTextThatTheModelReads(t *testing.T) {
	is := is.New(t)
	request := recorded(t, conversation)
	is.Equal(request.System(), "rules")
	is.Equal(request.Tools(), []string{"Bash", "Edit"})
	is.Equal(request.Text(), "rules\nfirst prompt\n\na.go\na reminder")
	is.Equal(request.LastText(), "a.go\na reminder")
}

func TestRequest_FindsAToolsResult(t *testing.T) {
	is := is.New(t)
	request := recorded(t, conversation)
	got, ok := request.ToolResult("tool_1")
	is.True(ok)
	is.Equal(got, "a.go")
	_, ok = request.ToolResult("tool_2")
	is.True(!ok)
}

func TestScript_AnswersByWhatWasSaidLast(t *testing.T) {
	is := is.New(t)
	script := new(modelserver.Script)
	script.On("first prompt", modelserver.Say(modelserver.Text("an old cue")))
	script.On("a reminder", modelserver.Say(modelserver.ToolUse("tool_9", "Bash", json.RawMessage(`{}`))))
	server := start(t, script.Respond)
	got := post(t, server, "/v1/messages", conversation)
	is.True(strings.Contains(got, `"id":"tool_9"`))
	is.True(!strings.Contains(got, "an old cue"))
}

func recorded(t *testing.T, body string) modelserver.Request {
	t.Helper()
	server := start(t, new(modelserver.Script).Respond)
	post(t, server, "/v1/messages", body)
	requests := server.Requests()
	if len(requests) != 1 {
		t.Fatalf("%d requests were recorded, want 1", len(requests))
	}
	return requests[0]
}

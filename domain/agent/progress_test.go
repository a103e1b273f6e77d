package agent_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// What only says that the client tries again is told apart: some try without end.
func TestReader_TellsARetryFromWork(t *testing.T) {
	tests := []struct{ client, event, begins string }{
		{"codex", `{"type":"error","message":"Reconnecting... waiting for network (Connection failed: error sending request)"}`, "waiting for network (Connection failed: error sending request)"},
		{"codex", `{"type":"error","message":"Reconnecting... 1/5 (cut\u001b[2J)"}`, "1/5 (cut"},
		{"codex", `{"type":"error","message":"Quota exceeded."}`, ""},
		{"codex", `{"type":"item.completed","item":{"type":"error","message":"Reconnecting... 1/5"}}`, ""},
		{"codex", `{"type":"turn.started"}`, ""},
		{"claude", `{"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"error":"server_error"}`, "2/10"},
		{"claude", `{"type":"system","subtype":"init","session_id":"c-1"}`, ""},
		{"claude", `{"type":"assistant","message":{"content":[{"type":"text","text":"retry: 1/10"}]}}`, ""},
	}
	for _, tt := range tests {
		is := is.New(t)
		reports, _ := read(named(t, tt.client), tt.event+"\n", 1<<20)
		is.Equal(len(reports), 1)
		is.True(strings.HasPrefix(reports[0].Retry, tt.begins)) // what it says while it tries
		is.Equal(reports[0].Retry == "", tt.begins == "")       // only then
		is.True(!strings.Contains(reports[0].Retry, "\x1b"))
	}
}

func TestReader_TellsWhileAToolCallIsUnderWay(t *testing.T) {
	tests := []struct {
		client string
		events []string
		want   []bool
	}{
		{"codex", []string{
			`{"type":"turn.started"}`,
			`{"type":"item.started","item":{"id":"i1","type":"command_execution","command":"make test"}}`,
			`{"type":"error","message":"Reconnecting... 1/5 (cut)"}`,
			`{"type":"item.completed","item":{"id":"i1","type":"command_execution","command":"make test","exit_code":0}}`,
			`{"type":"item.completed","item":{"id":"i2","type":"agent_message","text":"done"}}`,
		}, []bool{false, true, true, false, false}},
		{"claude", []string{
			`{"type":"system","subtype":"init","session_id":"c-1"}`,
			`{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"u1","name":"Bash","input":{"command":"make test"}}]}}`,
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"u1","content":"ok"}]}}`,
		}, []bool{false, true, false}},
	}
	for _, tt := range tests {
		t.Run(tt.client, func(t *testing.T) {
			is := is.New(t)
			reports, _ := read(named(t, tt.client), strings.Join(tt.events, "\n")+"\n", 1<<20)
			var got []bool
			for _, r := range reports {
				got = append(got, r.Busy)
			}
			is.Equal(got, tt.want)
		})
	}
}

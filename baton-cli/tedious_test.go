package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Bare names of hook events, and that a limit is not reached, once more, are in the
// log alone.
func TestRun_ShowsNoNotesThatSayNothing(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	const allowed = `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}` + "\n"
	s.client("claude", `cat <<'END'
{"type":"system","subtype":"hook_started"}
{"type":"system","subtype":"hook_response"}
{"type":"system","subtype":"hook_progress","message":"the guard refused a file"}
{"type":"system","subtype":"model_refusal_no_fallback"}
`+strings.Repeat(allowed, 3)+
		`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","rateLimitType":"five_hour"}}
{"type":"result","subtype":"success","is_error":false,"result":"Done.","num_turns":1}
END
`)
	got := s.must("run", "t", "--primary", "claude")
	is.Equal(got.out, strings.Join([]string{
		"note: hook_progress: the guard refused a file", "note: system/model_refusal_no_fallback", "note: limit unknown: allowed",
		"note: limit five_hour: allowed_warning", "-- ok, 1 turns, tokens in 0 out 0", "",
	}, "\n"))
	log := s.read(".ai-session/commands.log")
	is.True(strings.Contains(log, "[note] system/hook_started\n[note] system/hook_response\n"))
	is.Equal(strings.Count(log, "[note] limit unknown: allowed\n"), 3)
}

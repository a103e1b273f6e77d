package session_test

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/session"
)

func TestParseEvent_Name(t *testing.T) {
	tests := []struct{ name, argument, payload, want string }{
		{"neither", "", `{}`, "SessionStart"},
		{"argument as the client writes it", "SessionEnd", `{}`, "SessionEnd"},
		{"argument in kebab case", "session-end", `{}`, "SessionEnd"},
		{"three words", "user-prompt-submit", `{}`, "UserPromptSubmit"},
		{"one word", "stop", `{}`, "Stop"},
		{"payload wins", "session-end", `{"hook_event_name":"SessionStart"}`, "SessionStart"},
		{"payload is taken as it stands", "stop", `{"hook_event_name":"session-start"}`, "session-start"},
		{"empty name in the payload", "stop", `{"hook_event_name":""}`, "Stop"},
		{"name of the wrong type", "stop", `{"hook_event_name":["SessionStart"]}`, "Stop"},
		{"null name", "stop", `{"hook_event_name":null}`, "Stop"},
		{"key case counts", "stop", `{"Hook_Event_Name":"SessionStart"}`, "Stop"},
		{"not JSON", "stop", `{`, "Stop"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(session.ParseEvent(tt.argument, []byte(tt.payload)).Name, tt.want)
		})
	}
}

func TestParseEvent_Fields(t *testing.T) {
	full := session.Event{Name: "SessionStart", SessionID: "s-1", Cwd: "/tmp/First Last", Source: "clear", Reason: "other"}
	tests := []struct {
		name, payload string
		want          session.Event
	}{
		{
			"everything",
			`{"hook_event_name":"SessionStart","session_id":"s-1","cwd":"/tmp/First Last","source":"clear","reason":"other","x":[1]}`,
			full,
		},
		{
			"wrong types are absent",
			`{"session_id":7,"cwd":{"a":1},"source":true,"reason":null}`,
			session.Event{Name: "SessionStart"},
		},
		{"key case counts", `{"Session_ID":"s","CWD":"/"}`, session.Event{Name: "SessionStart"}},
		{"list", `["session_id"]`, session.Event{Name: "SessionStart"}},
		{"string", `"session_id"`, session.Event{Name: "SessionStart"}},
		{"number", `7`, session.Event{Name: "SessionStart"}},
		{"null", `null`, session.Event{Name: "SessionStart"}},
		{"true", `true`, session.Event{Name: "SessionStart"}},
		{"empty", ``, session.Event{Name: "SessionStart"}},
		{"cut off", `{"session_id":"s-1"`, session.Event{Name: "SessionStart"}},
		{"lone surrogate", `{"session_id":"a\ud83d"}`, session.Event{Name: "SessionStart", SessionID: "a\ufffd"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, session.ParseEvent("", []byte(tt.payload))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEvent_TakesContext(t *testing.T) {
	for name, want := range map[string]bool{
		"SessionStart": true, "UserPromptSubmit": true, "SessionEnd": false, "Stop": false, "FileChanged": false,
		"Notification": false, "sessionstart": false, "": false,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(session.Event{Name: name}.TakesContext(), want)
		})
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add("", []byte(`{"hook_event_name":"Stop","session_id":"s"}`))
	f.Add("user-prompt-submit", []byte(`{"session_id":7}`))
	f.Add("--", []byte("\ufeff{}"))
	f.Add("é-b", []byte{0xff})
	f.Fuzz(func(t *testing.T, argument string, payload []byte) {
		e := session.ParseEvent(argument, payload)
		if utf8.ValidString(argument) && !utf8.ValidString(e.Name) {
			t.Fatalf("%q makes the event %q", argument, e.Name)
		}
		for _, s := range []string{e.SessionID, e.Cwd, e.Source, e.Reason} {
			if !utf8.ValidString(s) {
				t.Fatalf("%q is not valid UTF-8", s)
			}
		}
	})
}

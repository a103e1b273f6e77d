package relay_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestInSession_NamesCommandsAsTheyAreTypedThere(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"a command", "relay: paused: a person said so; relay resume goes on", "relay: paused: a person said so; /relay resume goes on"},
		{"two", "relay planner <session> or relay builder <session>", "/relay planner <session> or /relay builder <session>"},
		{"in another language", "relay: en pausa; relay resume sigue", "relay: en pausa; /relay resume sigue"},
		{"at the end", "nothing: relay sessions", "nothing: /relay sessions"},
		{"one that is typed there already", "accept with /relay builder x, or /changeover:relay decline", "accept with /relay builder x, or /changeover:relay decline"},
		{"one for a terminal", "in a terminal: relay goal --session x <text>, relay log, relay run --continue", "in a terminal: relay goal --session x <text>, relay log, relay run --continue"},
		{"no command", "relay dropped a text; relay goals are none, a-relay status, [relay status", "relay dropped a text; relay goals are none, a-relay status, [relay status"},
		{"none", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := strangers()
			p.builder.attach()
			is.Equal(p.operator(nil).InSession(builderID, []string{tt.line}), []string{tt.want})
		})
	}
}

// What a session does not answer is named for a terminal.
func TestCommand_SaysWhatIsForATerminal(t *testing.T) {
	for _, tt := range []struct{ typed, want string }{
		{"log", "relay log is for a terminal: type it there; here relay takes status, "},
		{"doctor --why", "relay doctor is for a terminal: type it there; "},
		{"help", "here relay takes status, "},
		{"staus", `relay has no "staus": here it takes status, `},
	} {
		t.Run(tt.typed, func(t *testing.T) {
			is := is.New(t)
			p := strangers()
			said := p.operator(nil).Command(p.builder.speaker(), tt.typed)
			is.Equal(len(said), 1)
			is.True(strings.HasPrefix(said[0], tt.want))
		})
	}
}

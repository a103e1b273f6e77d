package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// hookTries is how often a timed run may be slowed down by the machine.
const hookTries = 5

// Whatever becomes of its input or output, the hook exits 0 in time, with an
// empty stderr and one document or nothing.
func TestHook_InputAndOutput(t *testing.T) {
	whole := func(p place) string {
		return fmt.Sprintf(`{"hook_event_name": "SessionStart", "session_id": "s", "cwd": %q, "source": "startup"}`, p.path("harbour"))
	}
	const problem, seeds, silent = "a problem line", "a seeded claim", "nothing"
	tests := []struct {
		name  string
		input func(p place) string
		in    string
		out   string
		want  string
	}{
		{"whole payload, pipe held open", whole, inputHeld, "", seeds},
		{"payload cut off, pipe held open", func(p place) string { return whole(p)[:20] }, inputHeld, "", problem},
		{"only a session id, pipe held open", func(place) string { return `{"session_id":"s"` }, inputHeld, "", problem},
		{"nothing, pipe held open", func(place) string { return "" }, inputHeld, "", problem},
		{"nothing", func(place) string { return "" }, inputEnds, "", problem},
		{"closed", func(place) string { return "" }, inputClosed, "", problem},
		{"a terminal", func(place) string { return "" }, inputTTY, "", problem},
		{"white space", func(place) string { return " \n\t " }, inputEnds, "", problem},
		{"cut off", func(p place) string { return whole(p)[:40] }, inputEnds, "", problem},
		{"null", func(place) string { return "null" }, inputEnds, "", problem},
		{"true", func(place) string { return "true" }, inputEnds, "", problem},
		{"a number", func(place) string { return "12" }, inputEnds, "", problem},
		{"a number, pipe held open", func(place) string { return "12" }, inputHeld, "", problem},
		{"a string", func(place) string { return `"SessionStart"` }, inputEnds, "", problem},
		{"a list", func(p place) string { return "[" + whole(p) + "]" }, inputEnds, "", problem},
		{"an empty object", func(place) string { return "{}" }, inputEnds, "", problem},
		{"no JSON", func(place) string { return "hello" }, inputEnds, "", problem},
		{"no text", func(place) string { return "\xff\xfe\x00" }, inputEnds, "", problem},
		{"deep nesting", func(place) string { return strings.Repeat("[", 100000) }, inputEnds, "", problem},
		{"more than 16 MiB", func(place) string { return `{"prompt": "` + strings.Repeat("x", 17<<20) }, inputEnds, "", problem},
		{"a second value after the first", func(p place) string { return whole(p) + `{"session_id": "t"}` }, inputEnds, "", seeds},
		{"text after the first value", func(p place) string { return whole(p) + "\nrubbish" }, inputEnds, "", seeds},
		{"fields of odd types", func(p place) string {
			return fmt.Sprintf(`{"hook_event_name": 1, "session_id": "s", "cwd": %q, "source": ["x"], "reason": {}, "file_path": 2, "event": null}`, p.path("harbour"))
		}, inputEnds, "", seeds},
		{"output closed", whole, inputEnds, outputClosed, silent},
		{"output without a reader", whole, inputEnds, outputGone, silent},
		{"output full", whole, inputEnds, outputFull, silent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := os.Stat("/dev/full"); tt.out == outputFull && err != nil {
				t.Skip("no full device here")
			}
			is := is.New(t)
			p := newPlace(t)
			p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
			p.write("harbour/.claude/exchange/sessions/broken.json", `{`) // something to say
			o := p.order("harbour", "hookd", "session-start")
			o.Input, o.In, o.Out = []byte(tt.input(p)), tt.in, tt.out
			var out outcome
			for range hookTries {
				out = o.run()
				if out.Err != "" {
					t.Fatal(out.Err)
				}
				if err := checkAnswer(out, ""); err != nil {
					t.Fatalf("%v\nexit code %d\n%s%s", err, out.Code, out.Stdout, out.Stderr)
				}
				if out.Took <= 500*time.Millisecond {
					break
				}
			}
			is.True(out.Took <= 500*time.Millisecond) // in time
			said := strings.Count(string(out.Stdout), "[session-exchange] ")
			seeded := bytes.Contains([]byte(tree(p.path("harbour"))), []byte("sessions/s.json"))
			switch tt.want {
			case problem: // the missing id, and the broken file
				is.Equal(said, 2)
				is.True(!seeded)
			case seeds: // the broken file
				is.Equal(said, 1)
				is.True(seeded)
			}
		})
	}
}

// Input that never ends and never pauses for long is given up after 2 s.
func TestHook_InputThatDrips(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	o := p.order("harbour", "hookd", "session-start")
	o.Input, o.In = []byte(`{"session_id": "s"`), inputDrips
	out := o.run()
	is.Equal(out.Err, "")
	is.NoErr(checkAnswer(out, "SessionStart"))
	is.True(out.Took >= 1900*time.Millisecond) // it waits for more
	is.True(out.Took <= 4*time.Second)         // but not for ever
	is.Equal(strings.Count(string(out.Stdout), "[session-exchange] "), 1)
}

// SessionEnd is done in 100 ms, also beside a store that takes long to read.
func TestHook_SessionEndInTime(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.write("harbour/.claude/exchange.json", `{"name": "harbour"}`)
	p.handoffs("harbour", 2000)
	claim := `{"session_id": "s", "cwd": "/x", "updated_at": "2099-01-01T00:00:00Z"}`
	best := time.Hour
	for range hookTries {
		p.write("harbour/.claude/exchange/sessions/s.json", claim)
		o := p.order("harbour", "hookd", "session-end")
		o.Input = []byte(`{"hook_event_name": "SessionEnd", "session_id": "s", "reason": "other"}`)
		out := o.run()
		is.Equal(out.Err, "")
		is.NoErr(checkAnswer(out, "SessionEnd"))
		is.Equal(len(out.Stdout), 0)
		best = min(best, out.Took)
	}
	is.True(best <= 100*time.Millisecond) // in time
	is.Equal(p.names("harbour/.claude/exchange/ended"), []string{"s.json"})
}

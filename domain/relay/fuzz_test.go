package relay_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/relay"
)

// FuzzCommand carries out whatever a person types after the command's name: the answer
// is short, a terminal can show it, and it never holds the nonce.
func FuzzCommand(f *testing.F) {
	for _, seed := range []string{
		"", "status", "sessions", "planner", "builder " + builderID, "accept --max-rounds 3 --lang=es my builder", "accept --max-rounds", "decline", "goal --restart Build it",
		"goal \x1b[31mx", "resume", "pause", "unlink", "nothing of that\n", "planner --lang=\xff", "  goal \u202ea", "accept --max-rounds=0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		p := linked(t, relay.Terms{}, relay.Terms{})
		nonce := p.planner.state(t).Nonce
		for _, c := range []*client{p.planner, p.builder} {
			lines := p.operator(nil).Command(c.speaker(), typed)
			if len(lines) == 0 || len(lines) > 20 {
				t.Fatalf("%q is answered by %d lines", typed, len(lines))
			}
			for _, line := range lines {
				if !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) {
					t.Fatalf("%q is answered by %q", typed, line)
				}
				if nonce != "" && strings.Contains(line, nonce) && !strings.Contains(typed, nonce) {
					t.Fatalf("%q is answered by %q, which holds the nonce", typed, line)
				}
			}
		}
	})
}

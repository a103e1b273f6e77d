package agent_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/port"
)

// shownMost is what a line for the person has at most, in code points.
const shownMost = 500

// FuzzRun follows what a client writes, whole and in pieces: it comes to the same, and
// a terminal can show all of it.
func FuzzRun(f *testing.F) {
	protocols := agent.Protocols()
	number := map[agent.Protocol]uint8{}
	for i, p := range protocols {
		number[p] = uint8(i)
	}
	for _, c := range captures(f) {
		if len(c.stdout)+len(c.stderr) <= 16<<10 {
			f.Add(number[c.protocol], c.stdout, c.stderr, uint8(7))
		}
	}
	f.Fuzz(func(t *testing.T, protocol uint8, stdout, stderr []byte, piece uint8) {
		p := protocols[int(protocol)%len(protocols)]
		whole, in := judged(p, string(stdout), string(stderr), port.Ending{}, agent.ByItself)
		pieces := follow(p)
		pieces.write(agent.Stderr, stderr, int(piece)+1)
		pieces.write(agent.Stdout, stdout, int(piece)+1)
		if diff := cmp.Diff(whole, pieces.run.Outcome(port.Ending{}, agent.ByItself)); diff != "" && bothEnd(stdout, stderr) {
			t.Fatalf("in pieces of %d: %s", int(piece)+1, diff)
		}
		if in.screen.String() != pieces.screen.String() && bothEnd(stdout, stderr) {
			t.Fatalf("in pieces of %d the screen is\n%q\nnot\n%q", int(piece)+1, pieces.screen.String(), in.screen.String())
		}
		for what, said := range map[string]string{"the screen": in.screen.String(), "the errors": in.errors.String(), "the log": in.log.String()} {
			if !utf8.ValidString(said) {
				t.Fatalf("%s is not valid UTF-8: %q", what, said)
			}
			if what == "the log" {
				continue // it keeps what was said
			}
			for line := range strings.SplitSeq(said, "\n") {
				if agent.Shown(line) != line || utf8.RuneCountInString(line) > shownMost {
					t.Fatalf("%s shows %q", what, line)
				}
			}
		}
	})
}

// bothEnd reports that no line of either stream goes on past its end: such a line is
// taken when both are closed.
func bothEnd(streams ...[]byte) bool {
	for _, s := range streams {
		if len(s) > 0 && !bytes.HasSuffix(s, []byte("\n")) {
			return false
		}
	}
	return true
}

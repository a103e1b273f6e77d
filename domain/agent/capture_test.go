package agent_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/changeover/changeover/domain/agent"
	"github.com/changeover/changeover/domain/baton/phrase"
	"github.com/changeover/changeover/domain/baton/wall"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// root is the repository that the captures were made in.
const root = "/home/dev/proj"

// seenAt is when the tests take everything to be seen.
var seenAt = time.Date(2026, 11, 30, 9, 49, 0, 0, time.UTC)

func cutter() text.Cutter {
	return text.NewCutter(func(s string) int {
		tokens := graphemes.FromString(s)
		if !tokens.Next() {
			return len(s)
		}
		return len(tokens.Value())
	})
}

// capture is what a client wrote in a run of it, and how that ended.
type capture struct {
	name           string
	protocol       agent.Protocol
	stdout, stderr []byte
	code, signal   int
	stopped        bool
	class          wall.Class
}

// file is the content of a file under testdata/captures; empty for none.
func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "captures", name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return data
}

func captureOf(t testing.TB, name string) capture {
	t.Helper()
	var meta struct {
		Argv    []string `json:"argv"`
		Code    int      `json:"exit_code"`
		Signal  string   `json:"signal"`
		Stopped float64  `json:"stopped_by_harness_after_s"`
	}
	if err := json.Unmarshal(file(t, name+".meta.json"), &meta); err != nil {
		t.Fatal(err)
	}
	c := capture{
		name: name, protocol: agent.ProtocolOf(meta.Argv[0], meta.Argv[1:]), class: wall.Class(meta.Signal),
		stdout: file(t, name+".stdout"), stderr: file(t, name+".stderr"), code: meta.Code, stopped: meta.Stopped > 0,
	}
	if c.code < 0 {
		c.code, c.signal = 0, -c.code
	}
	return c
}

func captures(t testing.TB) []capture {
	t.Helper()
	metas, err := filepath.Glob("testdata/captures/*/*.meta.json")
	if err != nil || len(metas) != 198 {
		t.Fatalf("%d captures: %v", len(metas), err)
	}
	var all []capture
	for _, meta := range metas {
		name, _ := filepath.Rel("testdata/captures", meta)
		all = append(all, captureOf(t, strings.TrimSuffix(filepath.ToSlash(name), ".meta.json")))
	}
	return all
}

// followed is a run as a test follows it: its log, its screen, and how many
// lines the log has.
type followed struct {
	run    *agent.Run
	log    strings.Builder
	screen strings.Builder
	errors strings.Builder
	lines  int
	hits   []phrase.Sighting
}

func follow(p agent.Protocol, change ...func(*agent.Setup)) *followed {
	f := &followed{}
	s := agent.Setup{
		Protocol: p, Root: root, Phrases: phrase.Defaults(), Cutter: cutter(), Now: func() time.Time { return seenAt },
		Zones: wall.Zones{Local: time.UTC, Load: time.LoadLocation}, Tell: f.tell,
		Hit: func(s phrase.Sighting) { f.hits = append(f.hits, s) },
	}
	for _, c := range change {
		c(&s)
	}
	f.run = agent.NewRun(s)
	return f
}

func (f *followed) tell(e *agent.Event) int {
	first := f.lines + 1
	for line := range e.Log {
		f.lines++
		f.log.WriteString(line.String() + "\n")
	}
	shown := &f.screen
	if e.Stream() == agent.Stderr {
		shown = &f.errors
	}
	for line := range e.Screen {
		shown.WriteString(line.Text + "\n")
	}
	return first
}

// write gives bytes to a stream in pieces of n.
func (f *followed) write(s agent.Stream, data []byte, n int) {
	w := f.run.Stdout()
	if s == agent.Stderr {
		w = f.run.Stderr()
	}
	for piece := range slices.Chunk(data, n) {
		_, _ = w.Write(piece)
	}
}

// logLine returns a line of the log by its number.
func (f *followed) logLine(n int) string {
	lines := strings.Split(f.log.String(), "\n")
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

// judged follows what a client writes to its end.
func judged(p agent.Protocol, stdout, stderr string, e port.Ending, why agent.Force, change ...func(*agent.Setup)) (agent.Outcome, *followed) {
	f := follow(p, change...)
	if stderr != "" {
		f.write(agent.Stderr, []byte(stderr), len(stderr))
	}
	if stdout != "" {
		f.write(agent.Stdout, []byte(stdout), len(stdout))
	}
	return f.run.Outcome(e, why), f
}

func (c capture) judge() (agent.Outcome, *followed) {
	why := agent.ByItself
	if c.stopped {
		why = agent.Silent
	}
	return judged(c.protocol, string(c.stdout), string(c.stderr), port.Ending{Code: c.code, Signal: c.signal}, why)
}

// Row 75.
func TestOutcome_EveryCaptureGetsItsClass(t *testing.T) {
	for _, c := range captures(t) {
		t.Run(c.name, func(t *testing.T) {
			o, f := c.judge()
			if o.Class != c.class {
				t.Errorf("%s by rule %s, not %s: %q", o.Class, o.Rule, c.class, o.Evidence.Text)
			}
			if line := o.Evidence.Line; line != 0 && !strings.HasSuffix(f.logLine(line), "] "+o.Evidence.Text) {
				t.Errorf("line %d is %q, not %q", line, f.logLine(line), o.Evidence.Text)
			}
		})
	}
}

// exit is the end of a run by its exit code.
func exit(code int) port.Ending { return port.Ending{Code: code} }

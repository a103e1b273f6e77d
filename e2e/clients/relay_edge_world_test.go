//go:build clients

package clients_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/modelserver"
)

// newPair starts a planner and a builder and links them.
func newPair(t *testing.T, planner, builder relayStart) (*relayWorld, *relaySession, *relaySession) {
	t.Helper()
	w := newRelayWorld(t)
	planner.repo, builder.repo = "a", "b"
	p, b := w.startRelay("planner", planner), w.startRelay("builder", builder)
	w.pairUp(p, b, "")
	return w, p, b
}

// kill ends the client as kill -9 does.
func (s *relaySession) kill() {
	s.t.Helper()
	if err := s.term.Kill(); err != nil {
		s.t.Fatal(err)
	}
}

// comeBack starts the client of a session that was killed again, with the
// conversation that it held.
func (s *relaySession) comeBack(start relayStart) {
	s.t.Helper()
	start.args = append([]string{"--resume", s.id()}, start.args...)
	before := s.id()
	s.launch(start)
	if s.id() != before {
		s.t.Fatalf("%s: the session came back as %s", s.label, s.id())
	}
}

// whenToldEndHeld has the model say all of an answer and keep its end back.
func (s *relaySession) whenToldEndHeld(cue, text string) (release func()) {
	hold := make(chan struct{})
	s.script.On(cue, modelserver.Answer{Blocks: []modelserver.AnswerBlock{modelserver.Text(text)}, HoldEnd: hold})
	return func() { close(hold) }
}

// whenToldCall has the model call a tool.
func (s *relaySession) whenToldCall(cue, id, tool string, input fields) {
	s.t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		s.t.Fatal(err)
	}
	s.script.On(cue, modelserver.Say(modelserver.ToolUse(id, tool, raw)))
}

// relayStatus is what the tests look at in `relay status --json`.
type relayStatus struct {
	Phase  string `json:"phase"`
	Round  int    `json:"round"`
	Turn   string `json:"turn"`
	Pauses []struct {
		Reason string `json:"reason"`
		Side   string `json:"side"`
		Held   string `json:"held"`
	} `json:"pauses"`
	Deliveries []struct {
		Round   int    `json:"round"`
		From    string `json:"from"`
		Receipt string `json:"receipt"`
		Text    string `json:"text"`
	} `json:"deliveries"`
}

// status asks relay from a plain terminal where a session stands.
func (s *relaySession) status() relayStatus {
	s.t.Helper()
	var status relayStatus
	cmd := exec.CommandContext(s.t.Context(), filepath.Join(s.w.plugin, "bin", "relay"), "status", "--json", "--session", s.id())
	cmd.Dir, cmd.Env = s.w.outside, s.w.home.Env()
	output, err := cmd.CombinedOutput()
	if err == nil {
		err = json.Unmarshal(output, &status)
	}
	if err != nil {
		s.t.Fatalf("%v: %s", err, output)
	}
	return status
}

// sends is how many deliveries of a side are in the log of the link.
func (st relayStatus) sends(from string) int {
	n := 0
	for _, d := range st.Deliveries {
		if d.From == from {
			n++
		}
	}
	return n
}

// never fails the test when cond holds within a time in which it would have
// come to hold.
func (s *relaySession) never(what string, within time.Duration, cond func() bool) {
	s.t.Helper()
	if comes(within, cond) {
		s.t.Fatalf("%s: %s\n%s", s.label, what, s.seen())
	}
}

// anyTurnHolds reports that some request of the session holds text, the lines of
// commands left out.
func (s *relaySession) anyTurnHolds(text string) bool {
	for _, r := range s.server.Turns() {
		for _, m := range r.Messages() {
			if m.Role != "assistant" && strings.Contains(withoutCommands(m.Text()), text) {
				return true
			}
		}
	}
	return false
}

// ours are the processes of this world's plugin folders that are alive: their
// command lines by pid.
func (w *relayWorld) ours() map[int]string {
	w.t.Helper()
	found := map[int]string{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		raw, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		words := strings.Split(strings.TrimRight(string(raw), "\x00"), "\x00")
		if err == nil && strings.HasPrefix(words[0], filepath.Dir(w.root)+string(filepath.Separator)) {
			found[pid] = strings.Join(words, " ")
		}
	}
	return found
}

// attaches are the live `relay attach` of one session.
func (w *relayWorld) attaches(session string) int {
	n := 0
	for _, line := range w.ours() {
		if strings.Contains(line, " attach --session "+session) {
			n++
		}
	}
	return n
}

// modPlugin makes a plugin with a mod that submits what is written into the file
// that is returned, line by line, as a prompt.
func (w *relayWorld) modPlugin(name string) (dir, orders string) {
	w.t.Helper()
	dir = filepath.Join(filepath.Dir(w.root), name)
	orders = filepath.Join(dir, "orders")
	module := fmt.Sprintf(`import type { Register } from 'claude-code'

async function follow($: any): Promise<void> {
  const child = $.process.spawn({ argv: ['/bin/sh', '-c', 'while kill -0 $PPID; do if mv %[1]s %[1]s.taken; then cat %[1]s.taken; fi; sleep 0.1; done 2>/dev/null'] })
  for await (const piece of child) {
    if (piece.stream !== 'stdout') continue
    const order = JSON.parse(piece.text)
    void $.prompt.submit(order).catch(() => undefined)
  }
}

export const register: Register = on => {
  on('session.start', async ($, e, next) => {
    if (e.isInteractive) $.clock.after(10, () => void follow($).catch(() => undefined))
    return next(e)
  })
}
`, orders)
	for path, content := range map[string]string{
		".claude-plugin/plugin.json": `{"name":"` + name + `","version":"0.1.0","description":"a mod"}`,
		"hooks/hooks.json":           `{"modules":["./register.ts"]}`,
		"hooks/register.ts":          module,
	} {
		w.put(filepath.Join(dir, filepath.FromSlash(path)), content)
	}
	return dir, orders
}

// put writes a file in place at once.
func (w *relayWorld) put(path, content string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", []byte(content), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		w.t.Fatal(err)
	}
}

// waitCleared waits for another session id of the same process after /clear.
func (s *relaySession) clear() {
	s.t.Helper()
	before := s.id()
	s.submit("/clear")
	s.row = s.waitRow("a new session id", func(r claude.Row) bool { return r.SessionID != before && r.Status == "idle" })
}

// hasResult accepts a request that holds the result of a tool call.
func hasResult(id string) func(modelserver.Request) bool {
	return func(r modelserver.Request) bool {
		_, ok := r.ToolResult(id)
		return ok
	}
}

//go:build clients

package clients_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/changeover/changeover/adapters/proc"
	"github.com/changeover/changeover/e2e/clients/pinned"
	"github.com/changeover/changeover/e2e/modelserver"
)

const (
	runGoal   = "Draw the tide table of the west pier"
	firstStep = "Measure the tide at the west pier."
	lastStep  = "Write the tide table down."
)

// headlessWorld is a world in which relay run starts both clients, the plugin
// installed for the person who runs it.
type headlessWorld struct {
	*world
	script *modelserver.Script
	server *modelserver.Server
	env    []string
	mu     sync.Mutex
	// outputs is what all runs print.
	outputs output
	held    string
}

func newHeadlessWorld(t *testing.T) *headlessWorld {
	t.Helper()
	w := &headlessWorld{world: newWorldWithPlugin(t), script: new(modelserver.Script)}
	server, err := modelserver.Start(t.Context(), w.respond, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	w.server = server
	t.Cleanup(func() { _ = server.Close() })
	installed := pinned.In(w.checkout)
	claudeProgram, claudeErr := installed.Claude()
	codexProgram, codexErr := installed.Codex()
	if err := errors.Join(claudeErr, codexErr); err != nil {
		t.Fatal(err)
	}
	codexHome := filepath.Join(filepath.Dir(w.root), "codex")
	if err := os.MkdirAll(codexHome, 0o700); err != nil {
		t.Fatal(err)
	}
	config := codexConfig(server.URL(), 15*time.Second)
	if err := os.WriteFile(filepath.Join(codexHome, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, setting := range w.home.Env() {
		if path, ok := strings.CutPrefix(setting, "PATH="); ok {
			setting = "PATH=" + filepath.Dir(claudeProgram) + ":" + filepath.Dir(codexProgram) + ":" + path
		}
		w.env = append(w.env, setting)
	}
	w.env = append(w.env,
		"ANTHROPIC_BASE_URL="+server.URL(),
		"ANTHROPIC_API_KEY=sk-ant-dummy-0000000000000000000000000000",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_MAX_RETRIES=0",
		"DISABLE_AUTOUPDATER=1",
		"DISABLE_TELEMETRY=1",
		"CODEX_HOME="+codexHome,
		"MOCK_KEY=dummy",
		// What a surrounding session would leave there: it must not reach the agents.
		"CLAUDECODE=1",
		"CLAUDE_CODE_SESSION_ID=11111111-2222-4333-8444-555555555555",
		"CODEX_THREAD_ID=11111111-2222-4333-8444-555555555555",
	)
	t.Cleanup(func() {
		if t.Failed() {
			w.save()
		}
	})
	return w
}

func (w *headlessWorld) save() {
	keep(w.t, w.checkout, w.server, map[string]string{"output.txt": w.outputs.String()})
}

func (w *headlessWorld) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.t.Context(), filepath.Join(w.checkout, "bin", "relay"), args...)
	cmd.Dir = w.repo("a")
	cmd.Env = append(slices.Clone(w.env), "PWD="+cmd.Dir)
	cmd.Stdout, cmd.Stderr = &w.outputs, &w.outputs
	return cmd
}

// relay runs relay to its end and returns its exit code and output.
func (w *headlessWorld) relay(args ...string) (code int, output string) {
	w.t.Helper()
	before := len(w.outputs.String())
	cmd := w.command(args...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	output = w.outputs.String()[before:]
	w.t.Logf("$ relay %s\n%s-- exit %d", strings.Join(args, " "), output, cmd.ProcessState.ExitCode())
	return cmd.ProcessState.ExitCode(), output
}

// twoRounds scripts a planner and a builder that need two rounds.
func (w *headlessWorld) twoRounds() {
	w.script.On(runGoal, modelserver.Say(modelserver.Text("The plan.\n<handoff>"+firstStep+"</handoff>")))
	w.script.On("[relay round 1 · from planner]", modelserver.Say(modelserver.Text("<handoff>Measured: 3.1 m. Tests: ok.</handoff>")))
	w.script.On("[relay round 1 · from builder]", modelserver.Say(modelserver.Text("<handoff>"+lastStep+"</handoff>")))
	w.script.On("[relay round 2 · from planner]", modelserver.Say(modelserver.Text("<handoff>Written. Tests: ok.</handoff>")))
	w.script.On("[relay round 2 · from builder]", modelserver.Say(modelserver.Text("<done>The table stands.</done>")))
}

func TestRelayRun_ClaudeAndCodexReachDoneInTwoRounds(t *testing.T) {
	w := newHeadlessWorld(t)
	w.twoRounds()
	code, output := w.relay("run", runGoal, "--planner", "claude", "--builder", "codex")
	if code != 0 {
		t.Fatalf("exit code %d, want 0", code)
	}
	wantText(t, "the output", output, "planner │ <handoff>"+firstStep+"</handoff>")
	wantText(t, "the output", output, "builder │ <handoff>Written. Tests: ok.</handoff>")
	wantText(t, "the output", output, "2/10")
	wantText(t, "the output", output, "done: The table stands.")
	w.wantDeliveries("/v1/messages", map[string]int{
		"# relay: planner\n": 1, runGoal: 1,
		"[relay round 1 · from builder]\n\nMeasured: 3.1 m. Tests: ok.": 1,
		"[relay round 2 · from builder]\n\nWritten. Tests: ok.":         1,
		"# relay: builder": 0, "from planner]": 0,
	})
	w.wantDeliveries("/v1/responses", map[string]int{
		"# relay: builder\n":                             1,
		"[relay round 1 · from planner]\n\n" + firstStep: 1,
		"[relay round 2 · from planner]\n\n" + lastStep:  1,
		"# relay: planner":                               0, "from builder]\n": 0,
	})
	w.wantNoSecrets()

	code, log := w.relay("log", "--last")
	if code != 0 {
		t.Fatalf("relay log --last: exit code %d", code)
	}
	for _, want := range []string{"# relay: claude ⇄ codex", "## Goal", "## Round 2, from builder", "> Written. Tests: ok.", "## Done", "> The table stands."} {
		wantLine(t, "the log", log, want)
	}
	_, status := w.relay("status", "--last", "--line")
	wantText(t, "the status", status, "planner ⇄ codex")
	wantText(t, "the status", status, "2/10 · done")
	if code, _ = w.relay("run", "--continue"); code != 0 {
		t.Fatalf("relay run --continue after done: exit code %d, want 0", code)
	}
}

func TestRelayRun_CodexPlansAndClaudeBuilds(t *testing.T) {
	w := newHeadlessWorld(t)
	w.twoRounds()
	code, _ := w.relay("run", runGoal, "--planner", "codex", "--builder", "claude", "--max-rounds", "1")
	if code != 3 {
		t.Fatalf("exit code %d at the round limit, want 3", code)
	}
	wantText(t, "the output", w.outputs.String(), "the round limit is reached; relay run --continue goes on")
	if code, _ = w.relay("run", "--continue"); code != 0 {
		t.Fatalf("exit code %d after the grant, want 0", code)
	}
	w.wantDeliveries("/v1/responses", map[string]int{"# relay: planner\n": 1, runGoal: 1, "[relay round 2 · from builder]\n\n": 1})
	w.wantDeliveries("/v1/messages", map[string]int{"# relay: builder\n": 1, "[relay round 2 · from planner]\n\n" + lastStep: 1})
	w.wantNoSecrets()
}

func TestRelayRun_CtrlCLeavesNoProcessAndContinues(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, cue := range []string{runGoal, "[relay round 1 · from planner]"} {
			t.Run(fmt.Sprintf("%s at %s", signal, cue), func(t *testing.T) {
				w := newHeadlessWorld(t)
				w.twoRounds()
				w.hold(cue)
				cmd := w.command("run", runGoal)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				w.wait(cue)
				children := descendants(t, cmd.Process.Pid)
				if len(children) == 0 {
					t.Fatal("no child runs while the agent works")
				}
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				select {
				case err := <-ended:
					t.Logf("relay run: %v", err)
				case <-time.After(patience):
					t.Fatal("relay run did not end")
				}
				if code := cmd.ProcessState.ExitCode(); code != 3 {
					t.Fatalf("exit code %d, want 3:\n%s", code, w.outputs.String())
				}
				wantText(t, "the output", w.outputs.String(), "relay run --continue")
				for _, pid := range children {
					if proc.New().Alive(pid) {
						t.Fatalf("process %d is left", pid)
					}
				}
				w.hold("")
				if code, _ := w.relay("run", "--continue"); code != 0 {
					t.Fatalf("exit code %d after --continue, want 0", code)
				}
				wantText(t, "the output", w.outputs.String(), "done: The table stands.")
				_, log := w.relay("log", "--last", "--json")
				if n := strings.Count(log, firstStep); n != 1 {
					t.Fatalf("the log holds the first step %d times:\n%s", n, log)
				}
			})
		}
	}
}

// A tool of the codex builder runs while Ctrl-C comes.
func TestRelayRun_CtrlCEndsARunningTool(t *testing.T) {
	w := newHeadlessWorld(t)
	const sleep = "sleep 4177"
	w.script.On("[relay round 1 · from planner]",
		modelserver.Say(modelserver.ToolUse("call_1", "exec_command", json.RawMessage(`{"cmd":"`+sleep+`"}`))))
	w.script.On(runGoal, modelserver.Say(modelserver.Text("<handoff>"+firstStep+"</handoff>")))
	cmd := w.command("run", runGoal)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var children []int
	// The client starts the tool before it tells of it.
	w.until("the tool's process, and word of it", func() bool {
		children = descendants(t, cmd.Process.Pid)
		return strings.Contains(w.outputs.String(), "builder │ $ ") && slices.ContainsFunc(children, func(pid int) bool {
			line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			return err == nil && strings.ReplaceAll(strings.TrimRight(string(line), "\x00"), "\x00", " ") == sleep
		})
	})
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		t.Logf("relay run: %v\n%s", err, w.outputs.String())
	case <-time.After(patience):
		t.Fatal("relay run did not end")
	}
	for _, pid := range children {
		if proc.New().Alive(pid) {
			t.Errorf("process %d is left", pid)
		}
	}
}

// Whoever reads the output goes away: the run goes on to its end.
func TestRelayRun_GoesOnWithoutAReader(t *testing.T) {
	w := newHeadlessWorld(t)
	w.twoRounds()
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := w.command("run", runGoal)
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	_ = r.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("relay run: %v\n%s", err, w.outputs.String())
	}
	wantText(t, "the progress", w.outputs.String(), "done: The table stands.")
}

func TestRelayWatch_FollowsARun(t *testing.T) {
	w := newHeadlessWorld(t)
	w.twoRounds()
	w.hold(runGoal)
	cmd := w.command("run", runGoal)
	cmd.Stdout, cmd.Stderr = nil, nil
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.wait(runGoal)
	watch, asJSON := w.command("watch", "--last"), w.command("watch", "--last", "--json")
	var documents bytes.Buffer
	asJSON.Stdout = &documents
	for _, c := range []*exec.Cmd{watch, asJSON} {
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
	}
	w.until("the band", func() bool { return strings.Contains(w.outputs.String(), "planner ⇄ codex") })
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // exit 3, which another test looks at
	w.hold("")
	w.until("the pause", func() bool { return strings.Contains(w.outputs.String(), "  planner  paused: ") })
	if code, _ := w.relay("run", "--continue"); code != 0 {
		t.Fatalf("exit code %d, want 0", code)
	}
	w.until("the end", func() bool { return strings.Contains(w.outputs.String(), "  planner  done: The table stands.") })
	for _, c := range []*exec.Cmd{watch, asJSON} {
		if err := c.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("relay watch at Ctrl-C: %v", err)
		}
	}
	for _, want := range []string{"resumed", "was shown the goal again", "sent round 1: " + firstStep, "was shown the planner's handoff of round 2"} {
		if n := strings.Count(w.outputs.String(), "  "+want+"\n"); n != 1 {
			t.Errorf("%q was printed %d times, want once:\n%s", want, n, w.outputs.String())
		}
	}
	for line := range strings.Lines(documents.String()) {
		var document map[string]any
		if err := json.Unmarshal([]byte(line), &document); err != nil || document["kind"] == "" || document["text"] == "" {
			t.Errorf("%q is no change: %v", line, err)
		}
	}
	wantText(t, "the documents", documents.String(), `"kind":"done"`)
}

func TestRelayDoctor_TellsTheTransportOfEachSession(t *testing.T) {
	w := newRelayWorld(t)
	mods := w.startRelay("mods", relayStart{repo: "a"})
	mods.waitAttached()
	hooks := w.startRelay("hooks", relayStart{repo: "b", modsOff: true})
	plain := w.start("plain", w.repo("b"))
	apart := w.startRelay("apart", relayStart{repo: "b", modsOff: true, env: []string{"RELAY_STATE_DIR=" + filepath.Join(w.outside, "state")}})
	var found struct {
		State struct {
			Mode     string   `json:"mode"`
			Problems []string `json:"problems"`
		} `json:"state"`
		Sessions []struct {
			Session   string   `json:"session"`
			Transport string   `json:"transport"`
			Apart     bool     `json:"state_apart"`
			Dir       string   `json:"state_dir"`
			Obstacles []string `json:"obstacles"`
		} `json:"sessions"`
	}
	if err := json.Unmarshal([]byte(w.relay("doctor", "--json")), &found); err != nil {
		t.Fatal(err)
	}
	if found.State.Mode != "0700" || len(found.State.Problems) != 0 {
		t.Errorf("the state: %+v", found.State)
	}
	want := map[string]string{mods.id(): "mod", hooks.id(): "hooks", plain.ID(): "none", apart.id(): "none"}
	got := map[string]string{}
	for _, s := range found.Sessions {
		got[s.Session] = s.Transport
		if s.Apart != (s.Session == apart.id()) || s.Dir == "" {
			t.Errorf("%s keeps its state in %q, apart %v", s.Session, s.Dir, s.Apart)
		}
		if s.Session == hooks.id() && !strings.Contains(strings.Join(s.Obstacles, "\n"), "mods switched off") {
			t.Errorf("what is in the way of the mod: %q", s.Obstacles)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("the transports are %v, want %v", got, want)
	}
	said := w.relay("doctor")
	for _, part := range []string{"transport  mod (attached", "transport  hooks (hooks only", "transport  none (plugin not seen", "cannot be seen without mods"} {
		wantText(t, "the report", said, part)
	}
}

func TestRelayRun_FailsWithoutTheProgramAndGoesOnWithIt(t *testing.T) {
	w := newHeadlessWorld(t)
	w.twoRounds()
	whole := w.env
	w.env = slices.DeleteFunc(slices.Clone(w.env), func(s string) bool { return strings.HasPrefix(s, "PATH=") })
	w.env = append(w.env, "PATH=/usr/bin:/bin")
	if code, output := w.relay("run", runGoal); code != 1 || !strings.Contains(output, "claude is not on PATH") {
		t.Fatalf("exit code %d without the program, want 1 and its name", code)
	}
	w.env = whole
	if code, _ := w.relay("run", "--continue"); code != 0 {
		t.Fatalf("exit code %d with it, want 0", code)
	}
}

// hold keeps the answer to a cue back for ever; without one, nothing.
func (w *headlessWorld) hold(cue string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = cue
}

func (w *headlessWorld) respond(r modelserver.Request) modelserver.Answer {
	w.mu.Lock()
	held := w.held
	w.mu.Unlock()
	if held != "" && strings.Contains(r.LastText(), held) {
		return modelserver.Answer{Hold: make(chan struct{})}
	}
	return w.script.Respond(r)
}

// until waits for a condition.
func (w *headlessWorld) until(what string, cond func() bool) {
	w.t.Helper()
	waitFor(w.t, what, cond, w.outputs.String)
}

// wait waits until a turn holds the text as what was said last.
func (w *headlessWorld) wait(text string) {
	w.t.Helper()
	waitRequest(w.t, w.server, text, lastHolds(text), w.outputs.String)
}

// wantDeliveries counts texts in the last request of a dialect that is no request
// of the client's own: what the model of that side has been told in all.
func (w *headlessWorld) wantDeliveries(path string, want map[string]int) {
	w.t.Helper()
	var last *modelserver.Request
	for _, r := range w.server.Turns() {
		if r.Path == path {
			last = &r
		}
	}
	if last == nil {
		w.t.Fatalf("no turn of %s", path)
	}
	var told []string
	for _, m := range last.Messages() {
		if m.Role == "user" {
			told = append(told, m.Text())
		}
	}
	text := strings.Join(told, "\n")
	for part, n := range want {
		if got := strings.Count(text, part); got != n {
			w.t.Errorf("the model of %s was told %q %d times, want %d:\n%s", path, part, got, n, text)
		}
	}
}

// wantNoSecrets fails the test when a request holds the nonce or a path of the
// state, or when the plugin was in a run.
func (w *headlessWorld) wantNoSecrets() {
	w.t.Helper()
	state := filepath.Join(w.home.ConfigDir(), "..", ".local", "state", "relay")
	nonces := regexp.MustCompile(`"nonce": ?"([0-9a-f]{32})"`)
	var secrets []string
	err := filepath.WalkDir(state, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, m := range nonces.FindAllSubmatch(raw, -1) {
			secrets = append(secrets, string(m[1]))
		}
		return err
	})
	if err != nil || len(secrets) == 0 {
		w.t.Fatalf("no nonce in %s: %v", state, err)
	}
	for _, r := range w.server.Requests() {
		for _, secret := range append(secrets, ".local/state/relay", mark) {
			wantNoText(w.t, "a request", string(r.Body), secret)
		}
	}
}

// descendants returns the processes below one.
func descendants(t *testing.T, pid int) []int {
	t.Helper()
	table, err := exec.CommandContext(t.Context(), "ps", "-e", "-o", "pid=,ppid=").Output()
	if err != nil {
		t.Fatal(err)
	}
	children := map[int][]int{}
	for line := range strings.Lines(string(table)) {
		var child, parent int
		if _, err := fmt.Sscan(line, &child, &parent); err == nil {
			children[parent] = append(children[parent], child)
		}
	}
	var all []int
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		all = append(all, children[queue[0]]...)
		queue = append(queue, children[queue[0]]...)
	}
	return all
}

//go:build clients

package clients_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/clients/pinned"
	"github.com/changeover/changeover/e2e/modelserver"
)

// The paths by which the two clients are told apart.
const (
	codexPath  = "/v1/responses"
	claudePath = "/v1/messages"
)

// batonTask is what the agents are asked to do.
const batonTask = "Write the tide table of the west pier"

// batonWorld is a repository with baton, both real clients and a service that
// answers the n-th turn of each as the test says.
type batonWorld struct {
	t        *testing.T
	checkout string
	repo     string
	env      []string
	server   *modelserver.Server

	mu      sync.Mutex
	answers map[string][]modelserver.Answer
	turns   map[string]int
	// outputs is what all runs print.
	outputs output
}

func newBatonWorld(t *testing.T) *batonWorld {
	t.Helper()
	checkout, err := pinned.Checkout()
	if err != nil {
		t.Fatal(err)
	}
	claudeProgram, claudeErr := pinned.In(checkout).Claude()
	codexProgram, codexErr := pinned.In(checkout).Codex()
	if err := errors.Join(claudeErr, codexErr); err != nil {
		t.Fatal(err)
	}
	w := &batonWorld{t: t, checkout: checkout, answers: map[string][]modelserver.Answer{}, turns: map[string]int{}}
	if w.server, err = modelserver.Start(t.Context(), w.respond, time.Now); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.server.Close() })
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w.repo = filepath.Join(dir, "pier")
	home, codexHome := filepath.Join(dir, "home"), filepath.Join(dir, "codex")
	for _, made := range []string{w.repo, home, codexHome} {
		if err := os.MkdirAll(made, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write(filepath.Join(codexHome, "config.toml"), codexConfig(w.server.URL(), time.Minute))
	w.env = []string{
		"HOME=" + home, "CODEX_HOME=" + codexHome, "MOCK_KEY=dummy", "TERM=xterm", "LANG=C.UTF-8", "TZ=UTC",
		"PATH=" + strings.Join([]string{filepath.Dir(claudeProgram), filepath.Dir(codexProgram), os.Getenv("PATH")}, ":"),
		"ANTHROPIC_BASE_URL=" + w.server.URL(), "CLAUDE_CODE_OAUTH_TOKEN=dummy-0000",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
		// What a surrounding session would leave there: it must not reach the agents.
		"CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=11111111-2222-4333-8444-555555555555", "CODEX_THREAD_ID=11111111-2222-4333-8444-555555555555",
	}
	w.git("init", "--quiet", "--initial-branch=main")
	w.write(filepath.Join(w.repo, "greet.py"), "def greet(name):\n    return \"hi \" + name\n")
	w.write(filepath.Join(w.repo, ".gitignore"), ".ai-session/\n")
	w.git("add", "-A")
	w.git("-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "--quiet", "-m", "Begin")
	t.Cleanup(func() {
		if t.Failed() {
			w.save()
		}
	})
	return w
}

func (w *batonWorld) write(path, content string) {
	w.t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *batonWorld) git(args ...string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", args...)
	cmd.Dir, cmd.Env = w.repo, w.env
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// save keeps what a failed test saw.
func (w *batonWorld) save() {
	dir := keep(w.t, w.checkout, w.server, map[string]string{"output.txt": w.outputs.String()})
	if err := os.CopyFS(filepath.Join(dir, "session"), os.DirFS(filepath.Join(w.repo, ".ai-session"))); err != nil {
		w.t.Log(err)
	}
}

// respond answers the n-th turn of a client.
func (w *batonWorld) respond(r modelserver.Request) modelserver.Answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	path := r.Path
	n := w.turns[path]
	w.turns[path]++
	if answers := w.answers[path]; n < len(answers) {
		return answers[n]
	}
	return modelserver.Say(modelserver.Text("Understood."))
}

// codex and claude say how the turns of a client are answered, in their order.
func (w *batonWorld) codex(answers ...modelserver.Answer)  { w.answers[codexPath] = answers }
func (w *batonWorld) claude(answers ...modelserver.Answer) { w.answers[claudePath] = answers }

// asked are the turns that a client asked for.
func (w *batonWorld) asked(path string) []modelserver.Request {
	var turns []modelserver.Request
	for _, r := range w.server.Turns() {
		if r.Path == path {
			turns = append(turns, r)
		}
	}
	return turns
}

func (w *batonWorld) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.t.Context(), filepath.Join(w.checkout, "bin", "baton"), args...)
	cmd.Dir = w.repo
	cmd.Env = append(slices.Clone(w.env), "PWD="+cmd.Dir)
	cmd.Stdout, cmd.Stderr = &w.outputs, &w.outputs
	return cmd
}

// baton runs baton to its end and returns its output; another exit code than the
// wanted one fails the test.
func (w *batonWorld) baton(want int, args ...string) string {
	w.t.Helper()
	before := len(w.outputs.String())
	cmd := w.command(args...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	output := w.outputs.String()[before:]
	shown := strings.Join(args, " ")
	if len(shown) > 200 {
		shown = shown[:200] + " and so on"
	}
	w.t.Logf("$ baton %s\n%s-- exit %d", shown, output, cmd.ProcessState.ExitCode())
	if got := cmd.ProcessState.ExitCode(); got != want {
		w.t.Fatalf("exit code %d, want %d", got, want)
	}
	return output
}

// batonStatus is what the tests look at in `baton status --json`.
type batonStatus struct {
	Status         string
	ActiveAgent    string
	FallbackReason string
	LastError      string
	Limits         []struct {
		Agent, Class, Kind string
		ResetAt            time.Time
		ResetExact         bool
	}
	LastRun struct {
		N                  int
		Agent, Class, Rule string
		Ignored            struct{ Count int }
	}
	Timing struct{ HandoffCount int }
}

func (w *batonWorld) status() batonStatus {
	w.t.Helper()
	var s batonStatus
	if err := json.Unmarshal([]byte(w.baton(0, "status", "--json")), &s); err != nil {
		w.t.Fatal(err)
	}
	return s
}

// content reads a file of the repository.
func (w *batonWorld) content(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.repo, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// until waits for a condition.
func (w *batonWorld) until(what string, cond func() bool) {
	w.t.Helper()
	waitFor(w.t, what, cond, w.outputs.String)
}

// wantPrompted fails unless exactly that many turns of a client hold a text.
func (w *batonWorld) wantPrompted(path, text string, want int) {
	w.t.Helper()
	got := 0
	for _, r := range w.asked(path) {
		if strings.Contains(r.Text(), text) {
			got++
		}
	}
	if got != want {
		w.t.Errorf("%d requests to %s hold %q, want %d", got, path, text, want)
	}
}

// A shell command, as the codex client offers it, and the writing of a file, as
// claude does.
func codexShell(id, command string) modelserver.AnswerBlock {
	input, err := json.Marshal(map[string]string{"cmd": command})
	if err != nil {
		panic(err) // a text is always JSON
	}
	return modelserver.ToolUse(id, "exec_command", input)
}

func (w *batonWorld) claudeWrite(id, name, content string) modelserver.AnswerBlock {
	input, err := json.Marshal(map[string]string{"file_path": filepath.Join(w.repo, name), "content": content})
	if err != nil {
		panic(err) // texts are always JSON
	}
	return modelserver.ToolUse(id, "Write", input)
}

// codexLimit is the answer of the service when codex's plan has no more to give.
func codexLimit(reset time.Time) modelserver.Answer {
	return modelserver.Refuse(429, map[string]any{"error": map[string]any{
		"type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus", "resets_at": reset.Unix(),
	}}, nil)
}

// claudeLimit is the same for claude.
func claudeLimit(reset time.Time) modelserver.Answer {
	at := strconv.FormatInt(reset.Unix(), 10)
	header := map[string]string{
		"anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": at,
		"anthropic-ratelimit-unified-representative-claim": "five_hour",
		"anthropic-ratelimit-unified-overage-status":       "rejected", "anthropic-ratelimit-unified-overage-disabled-reason": "org_level_disabled",
	}
	for _, window := range []string{"5h", "7d"} {
		status, used := "rejected", "1.0"
		if window == "7d" {
			status, used = "allowed", "0.5"
		}
		header["anthropic-ratelimit-unified-"+window+"-status"] = status
		header["anthropic-ratelimit-unified-"+window+"-reset"] = at
		header["anthropic-ratelimit-unified-"+window+"-utilization"] = used
	}
	return modelserver.Refuse(429, map[string]any{"type": "error", "error": map[string]any{
		"type": "rate_limit_error", "message": "This request would exceed your account's rate limit. Please try again later.",
	}}, header)
}

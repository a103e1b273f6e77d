package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/changeover/changeover/e2e/fakeregistry"
)

// Where the built plugin and the built programs lie, seen from this module.
const (
	pluginDir  = "../hookd/plugin"
	programDir = "../bin"
)

// stage is the temporary tree that the story plays in.
type stage struct {
	dir    string
	root   string
	home   string
	plugin string
	actors []*actor
}

// actor is one scripted session.
type actor struct {
	id       string
	name     string
	row      string
	dir      string
	cmd      *exec.Cmd
	life     io.WriteCloser
	orders   *json.Encoder
	outcomes *json.Decoder
	// turns counts what its model has answered.
	turns int
}

func newStage() (*stage, error) {
	dir, err := os.MkdirTemp("", "changeover-demo-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary tree: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	plugin, err := filepath.Abs(pluginDir)
	if err != nil {
		return nil, err
	}
	s := &stage{dir: dir, root: filepath.Join(dir, "harbour"), home: filepath.Join(dir, "home"), plugin: plugin}
	for _, d := range []string{"home/.claude/sessions", "harbour/cranes/.git", "harbour/dock/.git"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			return nil, fmt.Errorf("make %s: %w", d, err)
		}
	}
	return s, nil
}

// strike ends every session and takes the tree away.
func (s *stage) strike() error {
	var errs []error
	for _, a := range s.actors {
		if a.life.Close() == nil {
			errs = append(errs, a.cmd.Wait())
		}
	}
	return errors.Join(append(errs, os.RemoveAll(s.dir))...)
}

func (s *stage) say(text string) { fmt.Printf("\n# %s\n", text) }

// begin starts a session in a repository and registers it as the client would.
func (s *stage) begin(name, repo string) (*actor, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	a := &actor{id: name + "-0001", name: name, dir: filepath.Join(s.root, repo), cmd: exec.Command(self, sessionArgument)}
	a.cmd.Stderr = os.Stderr
	if a.life, err = a.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := a.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start session %s: %w", name, err)
	}
	a.orders, a.outcomes = json.NewEncoder(a.life), json.NewDecoder(out)
	s.actors = append(s.actors, a)
	a.row = fmt.Sprintf("%d.json", a.cmd.Process.Pid)
	row := fakeregistry.New(a.cmd.Process.Pid, a.id, a.dir, time.Now().UnixMilli()).With("name", name)
	return a, row.Write(s.registry(), a.row)
}

func (s *stage) registry() string { return filepath.Join(s.home, ".claude", "sessions") }

// state is where relay keeps its links.
func (s *stage) state() string { return filepath.Join(s.dir, "relay-state") }

// environment is all that the programs of the story inherit.
func (s *stage) environment() []string {
	return []string{
		"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "CLAUDE_PLUGIN_ROOT=" + s.plugin, "RELAY_STATE_DIR=" + s.state(),
	}
}

// run shows a command and what it prints. It runs as a child of the session,
// or by itself where there is none.
func (s *stage) run(by *actor, dir string, argv ...string) error {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.root, dir)
	}
	fmt.Printf("$ %s\n", shown(argv))
	result, err := s.outcome(by, order{
		Argv: append([]string{filepath.Join(s.plugin, "bin", argv[0])}, argv[1:]...), Dir: dir, Env: s.environment(),
	})
	if err != nil {
		return err
	}
	s.print(result.Output)
	if result.Code != 0 {
		return fmt.Errorf("%s ended with exit code %d", argv[0], result.Code)
	}
	return nil
}

func (s *stage) outcome(by *actor, o order) (outcome, error) {
	if by == nil {
		return o.carryOut()
	}
	if err := by.orders.Encode(o); err != nil {
		return outcome{}, fmt.Errorf("order to session %s: %w", by.name, err)
	}
	var result outcome
	if err := by.outcomes.Decode(&result); err != nil {
		return outcome{}, fmt.Errorf("outcome from session %s: %w", by.name, err)
	}
	return result, nil
}

// hook runs the hook that the client runs when a session starts, and shows what
// it gives the model to read.
func (s *stage) hook(a *actor, source string) error {
	return s.event(a, "session-start", map[string]string{"hook_event_name": "SessionStart", "source": source})
}

// end runs the last hook of a session and lets it go.
func (s *stage) end(a *actor) error {
	err := s.event(a, "session-end", map[string]string{"hook_event_name": "SessionEnd", "reason": "prompt_input_exit"})
	return errors.Join(err, os.Remove(filepath.Join(s.registry(), a.row)))
}

func (s *stage) event(a *actor, name string, payload map[string]string) error {
	payload["session_id"], payload["cwd"] = a.id, a.dir
	stdin, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	fmt.Printf("$ hookd %s\n", name)
	result, err := s.outcome(a, order{
		Argv: []string{filepath.Join(s.plugin, "bin", "hookd"), name}, Dir: a.dir, Env: s.environment(), Stdin: string(stdin),
	})
	if err != nil {
		return err
	}
	if result.Output == "" {
		s.print("(nothing)\n")
		return nil
	}
	var answer struct {
		Specific struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(result.Output), &answer); err != nil {
		return fmt.Errorf("the answer of hookd is no JSON: %w", err)
	}
	s.print(answer.Specific.Context + "\n")
	return nil
}

// onlyHandoff returns the id of the one handoff there is.
func (s *stage) onlyHandoff() (string, error) {
	o := order{
		Argv: []string{filepath.Join(s.plugin, "bin", "exchange"), "handoff", "list", "--json"}, Dir: s.root, Env: s.environment(),
	}
	result, err := o.carryOut()
	if err != nil {
		return "", err
	}
	var list struct {
		Handoffs []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(result.Output), &list); err != nil {
		return "", fmt.Errorf("the list is no JSON: %w", err)
	}
	if len(list.Handoffs) != 1 {
		return "", fmt.Errorf("%d handoffs stand in the list, not one", len(list.Handoffs))
	}
	return list.Handoffs[0].ID, nil
}

// print shows what a program printed, indented, with the temporary tree's own
// path shortened.
func (s *stage) print(text string) {
	text = strings.ReplaceAll(text, s.dir, "…")
	text = strings.ReplaceAll(text, s.plugin, "hookd/plugin")
	for line := range strings.Lines(text) {
		fmt.Print("  ", line)
	}
}

// shown writes a command as one would type it.
func shown(argv []string) string {
	var words []string
	for _, word := range argv {
		if strings.ContainsAny(word, " \n") {
			word = `"` + strings.ReplaceAll(word, "\n", `\n`) + `"`
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// said is what a scripted model answers, turn by turn.
var said = map[string][]string{
	"ann": {
		"I split it in two.\n\n<handoff>\nMake read() return an iterator, keep its tests green.\n</handoff>",
		"Good. Now the callers.\n\n<handoff>\nLet list.py use the iterator.\n</handoff>",
		"<done>The parser streams; both callers use it.</done>",
	},
	"bob": {
		"Done.\n\n<handoff>\nread() yields lines; 12 tests pass. Doubt: close() is never called.\n</handoff>",
		"Done.\n\n<handoff>\nlist.py iterates and closes; 14 tests pass.\n</handoff>",
	},
}

// pair plays a planner and a builder, whose models are scripted, until the goal
// is met. The hooks are the real ones.
func (s *stage) pair() error {
	s.say("Now two sessions work as planner and builder. ann asks bob; bob's person accepts.")
	ann, err := s.begin("ann", "cranes")
	if err != nil {
		return err
	}
	bob, err := s.begin("bob", "dock")
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"relay", "--session", "ann", "planner", "bob"},
		{"relay", "--session", "bob", "builder", "ann"},
		{"relay", "--session", "ann", "goal", "Make the parser stream"},
	} {
		if err := s.run(nil, s.root, args...); err != nil {
			return err
		}
	}
	s.say("From here on nobody copies text: each side is woken with what the other wrote.")
	for _, a := range []*actor{ann, bob, ann, bob, ann} {
		if err := s.turn(a); err != nil {
			return err
		}
	}
	s.say("The trail of the work.")
	for _, args := range [][]string{
		{"relay", "--session", "ann", "status", "--line"},
		{"relay", "--session", "ann", "log", "--markdown"},
	} {
		if err := s.run(nil, s.root, args...); err != nil {
			return err
		}
	}
	return nil
}

// turn wakes a session with what waits for it, and lets its model answer.
func (s *stage) turn(a *actor) error {
	result, err := s.relayHook(a, "file-changed", map[string]string{
		"hook_event_name": "FileChanged", "file_path": filepath.Join(s.state(), "bells", a.id), "event": "change",
	})
	if err != nil {
		return err
	}
	const wakes = 2
	if result.Code != wakes {
		return fmt.Errorf("%s was not woken: exit code %d, %s", a.name, result.Code, result.Output)
	}
	text := strings.TrimSpace(result.Output)
	fmt.Printf("%s reads:\n", a.name)
	s.print(text + "\n")
	prompt := fmt.Sprintf("prompt-%s-%d", a.name, a.turns)
	if _, err := s.relayHook(a, "user-prompt-submit", map[string]string{
		"hook_event_name": "UserPromptSubmit", "prompt": text, "prompt_id": prompt,
	}); err != nil {
		return err
	}
	if a.turns >= len(said[a.name]) {
		return fmt.Errorf("%s has nothing more to say", a.name)
	}
	answer := said[a.name][a.turns]
	a.turns++
	fmt.Printf("%s answers:\n", a.name)
	s.print(answer + "\n")
	_, err = s.relayHook(a, "stop", map[string]string{
		"hook_event_name": "Stop", "last_assistant_message": answer, "prompt_id": prompt,
	})
	return err
}

// relayHook runs a hook as the client of a session that a person sees.
func (s *stage) relayHook(a *actor, name string, payload map[string]string) (outcome, error) {
	payload["session_id"], payload["cwd"] = a.id, a.dir
	stdin, err := json.Marshal(payload)
	if err != nil {
		return outcome{}, err
	}
	env := append(s.environment(), "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_CODE_SESSION_ID="+a.id,
		fmt.Sprintf("CLAUDE_PID=%d", a.cmd.Process.Pid), "TMPDIR="+os.TempDir())
	return s.outcome(a, order{Argv: []string{filepath.Join(s.plugin, "bin", "hookd"), name}, Dir: a.dir, Env: env, Stdin: string(stdin)})
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/changeover/changeover/e2e/scripted"
)

// clients are the two agents that are played.
var clients = map[string]func(){"codex": scripted.Codex, "claude": scripted.Claude}

// pier is the repository in which baton is shown.
type pier struct {
	*stage
	// repo is the repository, scripts are what the agents are to do, programs is
	// where baton was built.
	repo, scripts, programs string
}

// newPier makes the repository, and puts the two agents where baton finds them.
func (s *stage) newPier() (*pier, error) {
	programs, err := filepath.Abs(programDir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(programs, "baton")); err != nil {
		return nil, fmt.Errorf("baton is not built, 'make build' does that: %w", err)
	}
	p := &pier{stage: s, repo: filepath.Join(s.dir, "pier"), scripts: filepath.Join(s.dir, "scripts"), programs: programs}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{p.repo, p.scripts, p.agents()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	for name := range clients {
		if err := os.Symlink(self, filepath.Join(p.agents(), name)); err != nil {
			return nil, err
		}
	}
	for name, content := range scripts() {
		if err := os.WriteFile(filepath.Join(p.scripts, name), []byte(content), 0o600); err != nil {
			return nil, err
		}
	}
	if err := p.commit(); err != nil {
		return nil, err
	}
	return p, nil
}

// commit makes the repository and its first commit.
func (p *pier) commit() error {
	for name, content := range map[string]string{"tide.py": tideBefore, ".gitignore": ".ai-session/\n"} {
		if err := os.WriteFile(filepath.Join(p.repo, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"add", "--all"},
		{"-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "--quiet", "--message", "Begin"},
	} {
		result, err := p.order("git", args...).carryOut()
		if err != nil {
			return err
		}
		if result.Code != 0 {
			return fmt.Errorf("git %s: %s", args[0], result.Output)
		}
	}
	return nil
}

func (p *pier) agents() string { return filepath.Join(p.dir, "agents") }

// order is a command in the repository. It finds the played agents and no other.
func (p *pier) order(program string, args ...string) order {
	path := strings.Join([]string{p.agents(), p.programs, os.Getenv("PATH")}, string(filepath.ListSeparator))
	return order{
		Argv: append([]string{program}, args...), Dir: p.repo,
		Env: []string{"HOME=" + p.home, "PATH=" + path, scripted.Variable + "=" + p.scripts, "TZ=UTC", "LANG=C.UTF-8"},
	}
}

// baton runs baton to its good end and returns what it printed.
func (p *pier) baton(args ...string) (string, error) {
	result, err := p.order(filepath.Join(p.programs, "baton"), args...).carryOut()
	if err == nil && result.Code != 0 {
		err = fmt.Errorf("baton %s ended with exit code %d", args[0], result.Code)
	}
	return result.Output, err
}

// scene is one thing that is shown: what a person reads first, the command, and
// what it must say. Of a long output only the first lines are shown.
type scene struct {
	title string
	args  []string
	texts []string
	lines int
}

// perform shows scenes in their order.
func (p *pier) perform(scenes ...scene) error {
	for _, sc := range scenes {
		if sc.title != "" {
			p.say(sc.title)
		}
		fmt.Printf("$ %s\n", shown(append([]string{"baton"}, sc.args...)))
		output, err := p.baton(sc.args...)
		p.print(beginning(output, sc.lines))
		if err != nil {
			return err
		}
		for _, text := range sc.texts {
			if !strings.Contains(output, text) {
				return fmt.Errorf("baton %s does not say %q", sc.args[0], text)
			}
		}
	}
	return nil
}

// beginning is a text up to a number of lines; all of it for 0.
func beginning(text string, most int) string {
	lines := strings.SplitAfter(text, "\n")
	if most == 0 || len(lines) <= most {
		return text
	}
	return strings.Join(lines[:most], "") + "…\n"
}

// handOver shows baton: a plan is made and carried out, the agent that does so
// meets a limit half-way, and the other one finishes.
func (s *stage) handOver() error {
	p, err := s.newPier()
	if err != nil {
		return err
	}
	if err := p.perform(
		scene{
			title: "One agent at a time now, in one repository. claude plans; its plan has to pass a gate.",
			args:  []string{"plan", task}, texts: []string{"plan: .ai-session/plan.md, 2 steps"},
		},
		scene{args: []string{"plan", "--check"}, texts: []string{"the plan passes"}},
		scene{
			title: "codex carries the plan out. It meets its usage limit half-way, and claude goes on from a handoff.",
			args:  []string{"execute"},
			texts: []string{"edit: update tide.py", "You’ve hit your usage limit", "claude goes on", "The table stands."},
		},
	); err != nil {
		return err
	}
	if err := p.wantHandedOver(); err != nil {
		return err
	}
	if err := p.perform(
		scene{
			title: "This is how the handoff begins that claude read.",
			args:  []string{"handoff", "show"}, texts: []string{"Use metres() in table()", "+def metres(feet):"}, lines: 18,
		},
		scene{
			title: "Why did codex not go on? Because the client itself said so, and here is where.",
			args:  []string{"explain", "--run", "2"},
			texts: []string{"class: usage_limit", "rule: codex-usage-limit", "at .ai-session/commands.log:", "decision: fallback, next claude"},
		},
		scene{
			title: "How does it stand, and was the plan kept to?",
			args:  []string{"status"}, texts: []string{"status: completed", "limits: codex: usage_limit", "handoffCount: 1"},
		},
		scene{args: []string{"review"}, texts: []string{"+ step 1 [done]", "+ step 2 [done]", "0 unplanned"}},
	); err != nil {
		return err
	}
	return p.compress()
}

// wantHandedOver fails unless both agents did their part, and each was told once.
func (p *pier) wantHandedOver() error {
	tide, err := os.ReadFile(filepath.Join(p.repo, "tide.py"))
	if err != nil {
		return err
	}
	if string(tide) != tideAfter {
		return fmt.Errorf("the two agents made of tide.py:\n%s", tide)
	}
	for run, begins := range map[string]string{
		"claude.1": "You are the planner", "codex.1": "You are the executor", "claude.2": "This is a handoff through relay-baton",
	} {
		prompt, err := os.ReadFile(filepath.Join(p.scripts, run+".prompt"))
		if err != nil {
			return fmt.Errorf("no prompt came to %s: %w", run, err)
		}
		if !strings.Contains(string(prompt), begins) {
			return fmt.Errorf("the prompt of %s does not say %q", run, begins)
		}
	}
	for _, run := range []string{"codex.2", "claude.3"} {
		if _, err := os.Stat(filepath.Join(p.scripts, run+".prompt")); !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s ran, which it should not have", run)
		}
	}
	return nil
}

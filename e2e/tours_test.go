package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/changeover/changeover/e2e/document"
)

// What the agents of the tour of baton do. The second one meets its limit.
const (
	tourPlan = "# relay-baton plan\n\n## Goal\nMetres.\n\n## Scope (in)\n- tide.py\n\n## Out of scope\n- charts\n\n## Approach\nConvert.\n\n" +
		"## Steps\n1. Convert in tide.py\n\n## Risks\n- none known\n\n## Verification\npython3 tide.py\n\n## Next step\n- Convert in tide.py\n"
	tourAgents = "-- agents/claude.1 --\ncopy plan.md .ai-session/plan.md\nsay The plan stands.\n" +
		"-- agents/codex.1 --\nsay I begin.\nwall usage +5400\n" +
		"-- agents/claude.2 --\nedit tide.py print(\"high water: 3.1 m\")\nsay The table prints metres.\n"
)

// The tours of both READMEs work as they stand there: what is typed into a shell
// goes to a shell, what is typed into a session to its hook or its shell. Sessions
// and agents are scripted; `make picture` does the same with the real clients.
func TestTours_WorkWhenPasted(t *testing.T) {
	stamp.Read(t)
	for _, page := range []string{"README.md", "README.es.md"} {
		t.Run(page, func(t *testing.T) {
			script, err := tourScript(page)
			if err != nil {
				t.Fatal(err)
			}
			dir, err := os.MkdirTemp(ground, "tours")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "tours.txtar"), []byte(script), 0o600); err != nil {
				t.Fatal(err)
			}
			testscript.Run(t, testscript.Params{
				Dir: dir, Setup: setupBaton, Cmds: scriptCommands(), WorkdirRoot: dir, RequireExplicitExec: true,
			})
		})
	}
}

// tourScript makes a script of the tours.
func tourScript(page string) (string, error) {
	readme, err := document.Read(filepath.Join("..", page))
	if err != nil {
		return "", err
	}
	// The tours are the sections with these places; the texts differ by language.
	var sections []string
	for _, b := range readme.Blocks {
		if len(sections) == 0 || sections[len(sections)-1] != b.Section {
			sections = append(sections, b.Section)
		}
	}
	const place = 2 // behind the two commands and the installation
	if len(sections) != place+4 {
		return "", fmt.Errorf("%s has blocks in %q, want the commands, the installation, a place and three tours", page, sections)
	}
	s := scribe{readme: readme, ids: map[string]string{}, dirs: map[string]string{}}
	s.line("env RELAY_STATE_DIR=$WORK/state")
	for _, section := range sections[place:] {
		if err := s.section(section); err != nil {
			return "", err
		}
	}
	s.say("-- agents/plan.md --\n" + tourPlan + tourAgents)
	return s.String(), nil
}

// scribe writes the script. It knows the sessions that were started.
type scribe struct {
	strings.Builder
	readme document.Document
	ids    map[string]string
	dirs   map[string]string
}

func (s *scribe) say(text string)                   { _, _ = s.WriteString(text) } // it takes everything
func (s *scribe) line(format string, values ...any) { s.say(fmt.Sprintf(format, values...) + "\n") }

func (s *scribe) section(name string) error {
	for _, b := range s.readme.Blocks {
		if b.Section != name {
			continue
		}
		lines := document.Document{Blocks: []document.Block{b}}.Typed(name, b.Language)
		if b.Language == "sh" {
			s.shell(lines)
			continue
		}
		for _, line := range lines {
			if err := s.typed(b.Language, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// shell gives lines to a shell, but for a session that is started.
func (s *scribe) shell(lines []string) {
	for i, line := range lines {
		where, name, starts := strings.Cut(line, " && claude -n ")
		if !starts {
			continue
		}
		s.pasted(lines[:i])
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", len(s.ids)+1)
		cwd := "$HOME/" + strings.TrimPrefix(where, "cd ~/")
		s.ids[name], s.dirs[name] = id, cwd
		s.line("session %s %s name=%s", id, cwd, name)
		s.line("as %s event session-start session_id=%s cwd=%s source=startup", id, id, cwd)
		s.shell(lines[i+1:])
		return
	}
	s.pasted(lines)
}

func (s *scribe) pasted(lines []string) {
	if len(lines) > 0 {
		// A person's shell does not stop at a fault; this one shows it.
		s.line("exec sh -euc '%s'", strings.ReplaceAll(strings.Join(lines, "; "), "'", "''"))
		for _, line := range lines {
			for command, says := range map[string]string{
				"baton status": "^status: completed$", "exchange show": "chart.svg", "exchange handoff list": "to charts, from plan",
			} {
				if strings.Contains(line, command) {
					s.line("stdout '%s'", says)
				}
			}
		}
	}
}

// typed is what a person types into a session: a command of relay's, a command for
// its shell, or a prompt, which has to bring the handoff.
func (s *scribe) typed(name, line string) error {
	id := s.ids[name]
	if id == "" {
		return fmt.Errorf("%q is typed into %s, which was not started", line, name)
	}
	if command, ok := strings.CutPrefix(line, "/relay "); ok {
		s.line("as %s event user-prompt-expansion session_id=%s command_name=changeover:relay 'command_args=%s'", id, id, command)
		s.line("stdout '^block: (relay: )?(asked build|linked with plan|the goal is on its way)'")
		return nil
	}
	if command, ok := strings.CutPrefix(line, "! "); ok {
		s.line("cd %s", s.dirs[name])
		s.line("as %s %s", id, strings.ReplaceAll(strings.ReplaceAll(command, "'", "''"), `"`, "'"))
		s.line("stdout '^(claimed as %s|posted .* to charts)'", name)
		return nil
	}
	s.line("as %s event user-prompt-submit session_id=%s cwd=%s prompt_id=p 'prompt=%s'", id, id, s.dirs[name], line)
	s.line("stdout '\\(open\\) from plan, to charts: '")
	return nil
}

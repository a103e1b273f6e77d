package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/clients/pinned"
	"github.com/changeover/changeover/e2e/document"
	"github.com/changeover/changeover/e2e/modelserver"
)

// anybody is the home directory that the pictures show.
const anybody = "/home/dev"

// projects are where the tours take place, below the home directory.
var projects = []string{"harbour", "harbour/tides", "harbour/charts"}

// stage is a home directory of its own, in which a person has a checkout of this
// repository, both clients and some projects.
type stage struct {
	out      io.Writer
	checkout string
	dir      string
	home     claude.Home
	actors   []*client
}

func newStage(checkout string, out io.Writer) (_ *stage, err error) {
	dir, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	s := &stage{out: out, checkout: checkout}
	if s.dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := s.furnish(); err != nil {
		return nil, errors.Join(err, s.strike())
	}
	return s, nil
}

func (s *stage) say(format string, values ...any) {
	_, _ = fmt.Fprintf(s.out, "-- "+format+"\n", values...)
}

// furnish lays out the home directory: the checkout's plugin, the programs, and
// what spares the clients their first questions.
func (s *stage) furnish() (err error) {
	for _, part := range []string{".claude-plugin", "hookd/plugin"} {
		if err := os.CopyFS(filepath.Join(s.dir, "changeover", part), os.DirFS(filepath.Join(s.checkout, part))); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "changeover/hookd/plugin/bin/relay")); err != nil {
		return fmt.Errorf("%w: run make picture, which builds it", err)
	}
	installation := pinned.In(s.checkout)
	claudeProgram, claudeErr := installation.Claude()
	codexProgram, codexErr := installation.Codex()
	if err := errors.Join(claudeErr, codexErr, os.MkdirAll(s.programs(), 0o755)); err != nil {
		return err
	}
	for name, program := range map[string]string{
		"claude": claudeProgram, "codex": codexProgram,
		"baton": filepath.Join(s.checkout, "bin", "baton"), "exchange": filepath.Join(s.checkout, "bin", "exchange"),
	} {
		if err := os.Symlink(program, filepath.Join(s.programs(), name)); err != nil {
			return err
		}
	}
	trusted := make([]string, 0, len(projects))
	for _, name := range projects {
		trusted = append(trusted, filepath.Join(s.dir, name))
	}
	s.home, err = claude.Prepare(claude.Setup{Dir: s.dir, Client: claudeProgram, Trusted: trusted})
	return err
}

// programs is where a person has the programs on the path.
func (s *stage) programs() string { return filepath.Join(s.dir, ".local", "bin") }

// settle makes the projects, as the README says.
func (s *stage) settle(ctx context.Context, tour document.Tour) error {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-euc", strings.Join(tour.Into("sh"), "\n"))
	cmd.Dir, cmd.Env = s.dir, s.home.Env()
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("make the projects: %w\n%s", err, output)
	}
	return nil
}

// command is the client in a directory below the home, with its model at that
// address.
func (s *stage) command(ctx context.Context, dir, model string, args ...string) *exec.Cmd {
	cmd := s.home.Command(ctx, filepath.Join(s.dir, dir), model, args...)
	cmd.Env = append(cmd.Env, "COLORTERM=truecolor")
	return cmd
}

// install installs the plugin as a person does.
func (s *stage) install(ctx context.Context) error {
	for _, args := range [][]string{
		{"plugin", "marketplace", "add", filepath.Join(s.dir, "changeover")},
		{"plugin", "install", "changeover@changeover"},
	} {
		output, err := s.command(ctx, "", "http://127.0.0.1:9", args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("claude %s: %w\n%s", strings.Join(args, " "), err, output)
		}
		s.say("claude %s", strings.ReplaceAll(strings.Join(args, " "), s.dir, "~"))
	}
	return nil
}

// start starts a session of that name and waits until it takes a prompt. Its model
// answers as it is told to, or by its script.
func (s *stage) start(ctx context.Context, name, dir string, answer modelserver.Responder) (*client, error) {
	c := &client{name: name, script: new(modelserver.Script), mark: "❯ "}
	if answer == nil {
		answer = c.script.Respond
	}
	var err error
	if c.server, err = modelserver.Start(ctx, answer, time.Now); err != nil {
		return nil, err
	}
	s.actors = append(s.actors, c)
	before := s.attached()
	// Without an account it would start in a mode that asks the vendor's server.
	cmd := s.command(ctx, dir, c.server.URL(), "-n", name, "--permission-mode", "default")
	if c.terminal, err = startTerminal(cmd, sessionRows); err != nil {
		return nil, err
	}
	s.say("claude -n %s", name)
	if err := c.shows(ctx, "❯"); err != nil {
		return nil, err
	}
	if err := c.until(ctx, "its attach", func(string) bool { return s.attached() > before }); err != nil {
		return nil, err
	}
	return c, nil
}

// actor is the session of that name, if it was started.
func (s *stage) actor(name string) *client {
	for _, c := range s.actors {
		if c.name == name {
			return c
		}
	}
	return nil
}

// attached counts the sessions whose mod runs.
func (s *stage) attached() int {
	found, err := filepath.Glob(filepath.Join(s.dir, ".local/state/relay/attached/*.json"))
	if err != nil {
		return 0
	}
	return len(found)
}

// strike ends the sessions and removes the home directory.
func (s *stage) strike() error {
	var faults []error
	for _, c := range s.actors {
		if c.terminal != nil {
			c.terminal.end()
		}
		faults = append(faults, c.server.Close())
	}
	return errors.Join(append(faults, os.RemoveAll(s.dir))...)
}

// scrubbed is a screen on which the home directory is that of anybody, without
// what stands below the prompt.
func (s *stage) scrubbed(screen [][]cell) [][]cell {
	for y, line := range slices.Backward(screen) {
		if isRule(line) {
			screen = screen[:y+1]
			break
		}
	}
	shown := make([][]cell, len(screen))
	for y, line := range screen {
		shown[y] = renamed(line, s.dir, anybody)
	}
	return shown
}

// private is what no picture may show: where and on which machine it was made.
func (s *stage) private() ([]string, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	return []string{s.dir, filepath.Base(s.dir), s.checkout, host, os.TempDir(), "127.0.0.1"}, nil
}

// names reports a picture that shows what it may not.
func names(picture []byte, private []string) error {
	for line := range bytes.Lines(picture) {
		for _, word := range private {
			if word != "" && bytes.Contains(line, []byte(word)) {
				return fmt.Errorf("the picture names %s: %s", word, line)
			}
		}
	}
	return nil
}

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
	"sync"
	"time"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/clients/pinned"
	"github.com/changeover/changeover/e2e/modelserver"
)

const (
	// project is where the sessions work, below the home directory.
	project = "src/tides"

	// anybody is the home directory that the pictures show.
	anybody = "/home/dev"
)

// stage is a home directory of its own, in which a person has a checkout of this
// repository and a project.
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

// furnish lays out the home directory: the checkout's plugin, the project, and
// what spares the client its first questions.
func (s *stage) furnish() (err error) {
	if err := os.MkdirAll(filepath.Join(s.dir, project), 0o755); err != nil {
		return err
	}
	for _, part := range []string{".claude-plugin", "hookd/plugin"} {
		if err := os.CopyFS(filepath.Join(s.dir, "changeover", part), os.DirFS(filepath.Join(s.checkout, part))); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "changeover/hookd/plugin/bin/relay")); err != nil {
		return fmt.Errorf("%w: run make picture, which builds it", err)
	}
	program, err := pinned.In(s.checkout).Claude()
	if err != nil {
		return err
	}
	s.home, err = claude.Prepare(claude.Setup{Dir: s.dir, Client: program, Trusted: []string{filepath.Join(s.dir, project)}})
	return err
}

// command is the client in the project, with its model at that address.
func (s *stage) command(ctx context.Context, model string, args ...string) *exec.Cmd {
	cmd := s.home.Command(ctx, filepath.Join(s.dir, project), model, args...)
	cmd.Env = append(cmd.Env, "COLORTERM=truecolor")
	return cmd
}

// install installs the plugin as a person does.
func (s *stage) install(ctx context.Context) error {
	for _, args := range [][]string{
		{"plugin", "marketplace", "add", filepath.Join(s.dir, "changeover")},
		{"plugin", "install", "changeover@changeover"},
	} {
		output, err := s.command(ctx, "http://127.0.0.1:9", args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("claude %s: %w\n%s", strings.Join(args, " "), err, output)
		}
		s.say("claude %s", strings.ReplaceAll(strings.Join(args, " "), s.dir, "~"))
	}
	return nil
}

// start starts a session of that name and waits until it takes a prompt.
func (s *stage) start(ctx context.Context, name string) (*client, error) {
	c := &client{name: name, script: new(modelserver.Script)}
	var err error
	if c.server, err = modelserver.Start(ctx, c.script.Respond, time.Now); err != nil {
		return nil, err
	}
	s.actors = append(s.actors, c)
	// Without an account it would start in a mode that asks the vendor's server.
	cmd := s.command(ctx, c.server.URL(), "-n", name, "--permission-mode", "default")
	if c.terminal, err = startTerminal(cmd); err != nil {
		return nil, err
	}
	s.say("claude -n %s", name)
	if err := c.shows(ctx, "❯"); err != nil {
		return nil, err
	}
	if err := c.until(ctx, "its attach", func(string) bool { return s.attached() == len(s.actors) }); err != nil {
		return nil, err
	}
	return c, nil
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
	for _, word := range private {
		if word != "" && bytes.Contains(picture, []byte(word)) {
			return fmt.Errorf("the picture names %s", word)
		}
	}
	return nil
}

// script has the models play three rounds. The builder's last report is kept back
// until release is called.
func script(planner, builder *client) (release func()) {
	on := func(c *client, cue, said string) { c.script.On(cue, modelserver.Say(modelserver.Text(said))) }
	handoff := func(said, text string) string { return said + "\n\n<handoff>" + text + "</handoff>" }
	on(planner, "[relay round 1 · from builder]", handoff("Two places, one function: a test first.", secondStep))
	on(planner, "[relay round 2 · from builder]", handoff("It fails for the right reason. Now the fix.", thirdStep))
	on(planner, "[relay round 3 · from builder]", "All good.\n\n<done>the table prints metres</done>")
	on(planner, goal, handoff("I look before I change anything.", firstStep))
	on(builder, "[relay round 1 · from planner]", handoff("I looked at both.", firstFound))
	on(builder, "[relay round 2 · from planner]", handoff("The test is written.", secondDone))
	hold := make(chan struct{})
	builder.script.On("[relay round 3 · from planner]", modelserver.Answer{
		Blocks: []modelserver.AnswerBlock{modelserver.Text(handoff("Done.", thirdDone))}, Hold: hold,
	})
	return sync.OnceFunc(func() { close(hold) })
}

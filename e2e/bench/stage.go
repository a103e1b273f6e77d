package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/changeover/changeover/e2e/clients/claude"
	"github.com/changeover/changeover/e2e/clients/pinned"
)

//go:embed all:floor
var floorFiles embed.FS

// The directories in which the clients work.
var repos = []string{"a", "b"}

// stage is a home for clients and the plugins that they run.
type stage struct {
	dir       string
	artifacts string
	home      claude.Home
	clients   []*client
	files     []*os.File
}

func newStage(dir string) (*stage, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	checkout, err := pinned.Checkout()
	if err != nil {
		return nil, err
	}
	program, err := pinned.In(checkout).Claude()
	if err != nil {
		return nil, err
	}
	s := &stage{dir: dir, artifacts: filepath.Join(checkout, "e2e", "artifacts", "bench-hop")}
	setup := claude.Setup{Dir: filepath.Join(dir, "home"), Client: program, Artifacts: s.artifacts}
	for _, name := range repos {
		if err := os.MkdirAll(s.repo(name), 0o755); err != nil {
			return nil, fmt.Errorf("make a directory to work in: %w", err)
		}
		setup.Trusted = append(setup.Trusted, s.repo(name))
	}
	s.home, err = claude.Prepare(setup)
	return s, err
}

func (s *stage) repo(name string) string { return filepath.Join(s.dir, "work", name) }

// floorPlugin lays down the plugin that only reports times, through the pipe that
// it reads and the one that it writes. Where a program is given, the client runs it
// as its hook at each turn's end and each prompt.
func (s *stage) floorPlugin(name, program, in, out string) (string, error) {
	source, err := fs.Sub(floorFiles, "floor")
	if err != nil {
		return "", err
	}
	to := filepath.Join(s.dir, name)
	if err := os.CopyFS(to, source); err != nil {
		return "", fmt.Errorf("lay down the floor's plugin: %w", err)
	}
	ends := fmt.Sprintf("export const IN = %q\nexport const OUT = %q\n", in, out)
	if err := os.WriteFile(filepath.Join(to, "hooks", "ends.ts"), []byte(ends), 0o644); err != nil {
		return "", fmt.Errorf("name the floor's pipes: %w", err)
	}
	if program == "" {
		return to, nil
	}
	hook := map[string]any{"type": "command", "command": program, "args": []string{"hook"}}
	entries := []any{map[string]any{"hooks": []any{hook}}}
	return to, editHooks(to, func(doc map[string]any) {
		doc["hooks"] = map[string]any{"Stop": entries, "UserPromptSubmit": entries}
	})
}

// plugin lays down a copy of the project's plugin with the programs in it; without
// its mod, if so wished.
func (s *stage) plugin(name string, built programs, mod bool) (string, error) {
	to := filepath.Join(s.dir, name)
	source := filepath.Join("..", "hookd", "plugin")
	for _, part := range []string{".claude-plugin", "commands", "hooks", "types"} {
		if err := os.CopyFS(filepath.Join(to, part), os.DirFS(filepath.Join(source, part))); err != nil {
			return "", fmt.Errorf("copy the plugin: %w", err)
		}
	}
	if err := os.CopyFS(filepath.Join(to, "bin"), os.DirFS(filepath.Dir(built.relay))); err != nil {
		return "", fmt.Errorf("copy the programs: %w", err)
	}
	if mod {
		return to, nil
	}
	return to, editHooks(to, func(doc map[string]any) { delete(doc, "modules") })
}

// editHooks changes what a plugin's hooks.json says.
func editHooks(plugin string, edit func(map[string]any)) error {
	file := filepath.Join(plugin, "hooks", "hooks.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the plugin's hooks: %w", err)
	}
	doc := map[string]any{}
	if err := json.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("read the plugin's hooks: %w", err)
	}
	edit(doc)
	if text, err = json.Marshal(doc); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// start starts a client with a plugin.
func (s *stage) start(ctx context.Context, label, repo, plugin string) (*client, error) {
	c, err := startClient(ctx, s.home, label, s.repo(repo), "--plugin-dir", plugin)
	if c != nil {
		s.clients = append(s.clients, c)
	}
	return c, err
}

// run runs a program of a plugin as a person does in a plain terminal.
func (s *stage) run(ctx context.Context, plugin, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(plugin, "bin", program), args...)
	cmd.Dir, cmd.Env = s.dir, s.home.Env()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, out)
	}
	return nil
}

// stateDir is where relay keeps its links here.
func (s *stage) stateDir() string {
	return filepath.Join(filepath.Dir(s.home.ConfigDir()), ".local", "state", "relay")
}

// attached waits until the mod of a client runs its attach.
func (s *stage) attached(ctx context.Context, c *client) error {
	file := filepath.Join(s.stateDir(), "attached", c.row.SessionID+".json")
	return c.await(ctx, "its attach", func() bool {
		_, err := os.Stat(file)
		return err == nil
	})
}

// end ends all clients, and saves what they saw where there was a fault.
func (s *stage) end(fault error) error {
	var errs []error
	if fault != nil {
		for _, c := range s.clients {
			errs = append(errs, c.keep())
		}
		state := filepath.Join(s.artifacts, "state")
		errs = append(errs, os.RemoveAll(state)) // of an earlier run
		if err := os.CopyFS(state, os.DirFS(s.stateDir())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		fmt.Fprintln(os.Stderr, "bench: what the clients saw is in", s.artifacts)
	}
	for _, c := range s.clients {
		c.end()
	}
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	s.clients, s.files = nil, nil
	return errors.Join(append(errs, fault)...)
}

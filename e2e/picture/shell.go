package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/changeover/changeover/e2e/clients/codex"
	"github.com/changeover/changeover/e2e/modelserver"
)

// shell starts a shell in the home directory. The agents that are started from it
// ask a model that answers so.
func (s *stage) shell(ctx context.Context, name string, answer modelserver.Responder) (*client, error) {
	c := &client{name: name, script: new(modelserver.Script), mark: "$ "}
	if answer == nil {
		answer = c.script.Respond
	}
	var err error
	if c.server, err = modelserver.Start(ctx, answer, time.Now); err != nil {
		return nil, err
	}
	s.actors = append(s.actors, c)
	// Codex complains of a home that lies where temporary files do.
	home, temporary := filepath.Join(s.dir, ".codex"), filepath.Join(s.dir, ".cache", "tmp")
	if err := errors.Join(os.MkdirAll(home, 0o700), os.MkdirAll(temporary, 0o700)); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(codex.Config(c.server.URL(), time.Minute)), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-i")
	cmd.Dir = s.dir
	// A person is logged in, and pays nothing by a key.
	cmd.Env = slices.DeleteFunc(s.command(ctx, "", c.server.URL()).Env, func(variable string) bool {
		return strings.HasPrefix(variable, "ANTHROPIC_API_KEY=") || strings.HasPrefix(variable, "PATH=") || strings.HasPrefix(variable, "PWD=")
	})
	cmd.Env = append(cmd.Env, "CLAUDE_CODE_OAUTH_TOKEN=dummy-0000", "MOCK_KEY=dummy", "TZ=UTC", "PS1="+c.mark, "ENV=",
		"TMPDIR="+temporary, "PATH="+s.programs()+":"+os.Getenv("PATH"))
	if c.terminal, err = startTerminal(cmd, shellRows); err != nil {
		return nil, err
	}
	if err := c.shows(ctx, c.mark); err != nil {
		return nil, err
	}
	return c, nil
}

// Package claude runs Claude Code for tests: in a home directory and an
// environment of its own, against a model server on the loopback interface.
package claude

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	dummyKey = "sk-ant-dummy-0000000000000000000000000000"
	// keyTail is the number of characters by which the client remembers a key
	// that the person has approved.
	keyTail = 20

	// nowhere is an address at which no model answers.
	nowhere = "http://127.0.0.1:9"
)

// Setup says what a home directory is made of.
type Setup struct {
	// Dir becomes the home directory.
	Dir string
	// Client is the path of the client's executable.
	Client string
	// Trusted lists the directories in which sessions may be started.
	Trusted []string
	// Artifacts is where sessions save what they saw when their test fails.
	Artifacts string
}

// Home is a home directory in which the client starts without a dialog.
type Home struct {
	dir       string
	client    string
	path      string
	artifacts string
}

// NewHome prepares a home directory; it fails the test when it cannot.
func NewHome(t testing.TB, setup Setup) Home {
	t.Helper()
	home, err := Prepare(setup)
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// Prepare prepares a home directory.
func Prepare(setup Setup) (Home, error) {
	if err := os.MkdirAll(setup.Dir, 0o700); err != nil {
		return Home{}, fmt.Errorf("make the client's home: %w", err)
	}
	projects := map[string]any{}
	for _, cwd := range setup.Trusted {
		projects[cwd] = map[string]any{"hasTrustDialogAccepted": true}
	}
	settings, err := json.Marshal(map[string]any{
		"hasCompletedOnboarding": true,
		"theme":                  "dark",
		"projects":               projects,
		"customApiKeyResponses": map[string][]string{
			"approved": {dummyKey[len(dummyKey)-keyTail:]},
			"rejected": {},
		},
	})
	if err != nil {
		return Home{}, fmt.Errorf("prepare the client's settings: %w", err)
	}
	if err := os.WriteFile(filepath.Join(setup.Dir, ".claude.json"), settings, 0o600); err != nil {
		return Home{}, fmt.Errorf("prepare the client's settings: %w", err)
	}
	path, err := searchPath()
	return Home{dir: setup.Dir, client: setup.Client, path: path, artifacts: setup.Artifacts}, err
}

// ConfigDir is the client's configuration directory.
func (h Home) ConfigDir() string { return filepath.Join(h.dir, ".claude") }

// Env is the whole environment of a program that is run in this home; nothing
// of the test's own environment is in it but the way to the system's tools.
func (h Home) Env() []string {
	return []string{
		"HOME=" + h.dir,
		"PATH=" + h.path,
		"TERM=xterm-256color",
		"LANG=C.UTF-8",
		"SHELL=/bin/sh",
	}
}

// clientEnv is the environment of the client with the model server at url.
func (h Home) clientEnv(url string) []string {
	return append(
		h.Env(),
		"ANTHROPIC_BASE_URL="+url,
		"ANTHROPIC_API_KEY="+dummyKey,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1",
		"DISABLE_TELEMETRY=1",
	)
}

// searchPath holds the system's directories and that of git. It leaves out
// the caller's, where an exchange of another build may lie.
func searchPath() (string, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return "", fmt.Errorf("find git: %w", err)
	}
	dirs := []string{"/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"}
	if dir := filepath.Dir(git); !slices.Contains(dirs, dir) {
		dirs = append(dirs, dir)
	}
	return strings.Join(dirs, string(filepath.ListSeparator)), nil
}

// Run runs the client without a terminal and without a model to ask, and
// returns its output; a status other than 0 fails the test.
func (h Home) Run(t testing.TB, cwd string, args ...string) string {
	t.Helper()
	output, err := h.command(t, cwd, nowhere, args...).CombinedOutput()
	t.Logf("$ claude %s\n%s", strings.Join(args, " "), output)
	if err != nil {
		t.Fatalf("claude %s: %v", strings.Join(args, " "), err)
	}
	return string(output)
}

func (h Home) command(t testing.TB, cwd, url string, args ...string) *exec.Cmd {
	t.Helper()
	return h.Command(t.Context(), cwd, url, args...)
}

// Command is the client in cwd, with the model server at url. It is killed when
// ctx ends.
func (h Home) Command(ctx context.Context, cwd, url string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, h.client, args...)
	cmd.Dir = cwd
	cmd.Env = append(h.clientEnv(url), "PWD="+cwd)
	return cmd
}

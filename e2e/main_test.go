// Package e2e_test runs the built programs as people, agents and clients do: scripts
// over a fake session registry and scripted agents, and what needs more than a
// script, such as several processes that write at once.
package e2e_test

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/changeover/changeover/e2e/fresh"
	"github.com/changeover/changeover/e2e/killing"
)

// ground is the directory of one test run: the binaries under test and the
// scripts' work directories. Everybody may pass through it.
var ground string

func TestMain(m *testing.M) {
	if play, ok := agents[filepath.Base(os.Args[0])]; ok {
		play()
	}
	syscall.Umask(0o022)
	// What the tests start takes a hang-up as usual, though this run be nohup's.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	testscript.Main(built{m}, map[string]func(){sessionProgram: sessionMain, moverProgram: moverMain})
}

// built runs the tests against binaries built for this run.
type built struct{ m *testing.M }

func (b built) Run() int {
	dir, err := openGround()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	ground = dir
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return stamp.Run(b.m)
}

// openGround makes the directory of this run where no directory above is a
// repository, marked, or an area: a codex sandbox that was killed leaves an
// empty .git in /tmp, and every script would find itself inside a repository.
func openGround() (string, error) {
	bases := []string{os.TempDir(), "/var/tmp", "/dev/shm"}
	for _, base := range bases {
		if !plain(base) {
			continue
		}
		if dir, err := os.MkdirTemp(base, "e2e-ground"); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("the scripts need a directory below which nothing counts as a repository: in each of %v or above it is a .git, a .claude or a CLAUDE.md, or it cannot be written; remove that or set TMPDIR", bases)
}

func plain(dir string) bool {
	for {
		for _, name := range []string{".git", ".claude", "CLAUDE.md"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return false
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

// racePrograms has the programs built with the race detector. Such a program takes a
// second to end unless its environment says otherwise, so that what is said of times
// does not hold.
const racePrograms = "E2E_RACE_PROGRAMS"

func build() error {
	if err := os.Chmod(ground, 0o755); err != nil {
		return err
	}
	for name, dir := range map[string]string{"baton": "baton-cli", "exchange": "exchange-cli", "relay": "relay-cli", "hookd": "hookd"} {
		if err := killing.Compile(filepath.Join("..", dir), filepath.Join(binDir(), name), os.Getenv(racePrograms) != ""); err != nil {
			return err
		}
	}
	return installAgents()
}

const stamp fresh.Stamp = "artifacts/built"

func binDir() string { return filepath.Join(ground, "installed", "bin") }

// TestExchange runs the scripts about the exchange.
func TestExchange(t *testing.T) {
	runScripts(t, filepath.Join("testdata", "exchange"), kit{setup: setup, commands: scriptCommands()})
}

// kit is what the scripts of one program have.
type kit struct {
	setup    func(*testscript.Env) error
	commands map[string]func(ts *testscript.TestScript, neg bool, args []string)
}

func runScripts(t *testing.T, dir string, k kit) {
	t.Helper()
	stamp.Read(t)
	root, err := os.MkdirTemp(ground, "work")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Setup:               k.setup,
		Cmds:                k.commands,
		Condition:           condition,
		WorkdirRoot:         root,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		ContinueOnError:     true,
	})
}

func condition(cond string) (bool, error) {
	if cond == "root" {
		return os.Geteuid() == 0, nil
	}
	return false, fmt.Errorf("unknown condition %s", cond)
}

// Package pinned names the versions of the agent clients that the tests drive
// and finds their executables in an installation.
package pinned

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	claudePackage = "@anthropic-ai/claude-code"
	claudeVersion = "2.1.332"
	codexPackage  = "@openai/codex"
	codexVersion  = "0.171.0"

	stampName = "installed.txt"
)

// ErrNoCheckout is the answer to a search for the checkout outside of one.
var ErrNoCheckout = errors.New("no go.work here or above")

// Packages lists what to install, each as npm takes it.
func Packages() []string {
	return []string{claudePackage + "@" + claudeVersion, codexPackage + "@" + codexVersion}
}

// Checkout finds the directory of go.work from the working directory upwards,
// or returns ErrNoCheckout.
func Checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the checkout: %w", err)
	}
	for {
		_, err := os.Stat(filepath.Join(dir, "go.work"))
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find the checkout: %w", err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", ErrNoCheckout
		}
		dir = parent
	}
}

// Installation is a directory with the clients' packages.
type Installation struct{ dir string }

// In names the installation of a checkout, which need not exist yet.
func In(checkout string) Installation {
	return Installation{dir: filepath.Join(checkout, ".cache", "clients")}
}

// At names the installation in dir.
func At(dir string) Installation { return Installation{dir: dir} }

// Dir is the directory of the installation.
func (i Installation) Dir() string { return i.dir }

// Current reports whether the installation is complete and holds the pinned
// versions for this platform. An error means that this could not be told.
func (i Installation) Current() (bool, error) {
	got, err := os.ReadFile(i.stamp())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read what is installed: %w", err)
	}
	if string(got) != stampText() {
		return false, nil
	}
	return i.Check() == nil, nil
}

// Check returns an error that names the executable that is missing, if one is.
func (i Installation) Check() error {
	_, claudeErr := i.Claude()
	_, codexErr := i.Codex()
	return errors.Join(claudeErr, codexErr)
}

// Stamp records that the installation is complete.
func (i Installation) Stamp() error {
	if err := os.WriteFile(i.stamp(), []byte(stampText()), 0o644); err != nil {
		return fmt.Errorf("record what is installed: %w", err)
	}
	return nil
}

// Claude is the path of Claude Code's native executable. The packages'
// install scripts, which would copy it elsewhere, need not have run.
func (i Installation) Claude() (string, error) {
	return i.find("@anthropic-ai/claude-code-" + platform() + "*/claude")
}

// Codex is the path of Codex's native executable.
func (i Installation) Codex() (string, error) {
	return i.find("@openai/codex-" + platform() + "*/vendor/*/bin/codex")
}

func (i Installation) find(pattern string) (string, error) {
	packages := filepath.Join(i.dir, "node_modules")
	found, err := fs.Glob(os.DirFS(packages), pattern)
	if err != nil {
		return "", fmt.Errorf("find %s in %s: %w", pattern, packages, err)
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%d files match %s in %s, want 1: run make test-clients, which installs the clients", len(found), pattern, packages)
	}
	return filepath.Join(packages, filepath.FromSlash(found[0])), nil
}

func (i Installation) stamp() string { return filepath.Join(i.dir, stampName) }

func stampText() string {
	return strings.Join(append(Packages(), platform()), "\n") + "\n"
}

// platform is the part of a native package's name that tells the platform.
func platform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}

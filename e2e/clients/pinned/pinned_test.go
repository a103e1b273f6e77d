package pinned_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/e2e/clients/pinned"
)

func TestPackages_NameExactVersions(t *testing.T) {
	is := is.New(t)
	is.Equal(pinned.Packages(), []string{"@anthropic-ai/claude-code@2.1.332", "@openai/codex@0.171.0"})
}

func TestInstallation_IsCurrentOnlyWithStampAndExecutables(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	installation := pinned.At(dir)
	current, err := installation.Current()
	is.NoErr(err)
	is.True(!current) // nothing there

	is.NoErr(installation.Stamp())
	current, err = installation.Current()
	is.NoErr(err)
	is.True(!current) // a stamp alone

	platform := runtime.GOOS + "-" + strings.ReplaceAll(runtime.GOARCH, "amd64", "x64")
	write(t, filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-"+platform, "claude"))
	write(t, filepath.Join(dir, "node_modules", "@openai", "codex-"+platform, "vendor", "any", "bin", "codex"))
	current, err = installation.Current()
	is.NoErr(err)
	is.True(current) // complete

	is.NoErr(os.WriteFile(filepath.Join(dir, "installed.txt"), []byte("other versions\n"), 0o600))
	current, err = installation.Current()
	is.NoErr(err)
	is.True(!current) // other versions
}

func TestCheckout_IsFoundFromBelowAndNotFromOutside(t *testing.T) {
	is := is.New(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	below := filepath.Join(root, "a", "b")
	is.NoErr(os.MkdirAll(below, 0o755))
	t.Chdir(below)
	_, err = pinned.Checkout()
	is.True(errors.Is(err, pinned.ErrNoCheckout))
	write(t, filepath.Join(root, "go.work"))
	got, err := pinned.Checkout()
	is.NoErr(err)
	is.Equal(got, root)
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
}

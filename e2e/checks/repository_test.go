// Package checks_test holds the repository to its own rules: what may import
// what, that generated code and format are current, and what tracked files
// must not name.
package checks_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// modulePrefix is what the import paths of all modules begin with.
const modulePrefix = "github.com/changeover/changeover/"

// modules returns the directories of all modules that go.work names.
func modules(t *testing.T) []string {
	t.Helper()
	var names []string
	for line := range strings.Lines(readFile(t, filepath.Join(repository(t), "go.work"))) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "./"); ok {
			names = append(names, name)
		}
	}
	if len(names) < 7 {
		t.Fatalf("go.work names %d modules: %v", len(names), names)
	}
	return names
}

// repository returns the directory that holds go.work.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.work above this package")
		}
		dir = filepath.Dir(dir)
	}
}

// readFile returns the content of a file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// goFiles returns the Go files below a directory of the repository, relative
// to the repository, in lexical order. Test data is passed over.
func goFiles(t *testing.T, dir string) []string {
	t.Helper()
	root := repository(t)
	var files []string
	err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		name, err := filepath.Rel(root, path)
		files = append(files, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// output runs a command in a directory and returns what it printed.
func output(t *testing.T, dir string, env []string, argv ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// tool returns the command line of a tool: as `make` installed it, else as the
// go command fetches it.
func tool(t *testing.T, name, version, path string) []string {
	t.Helper()
	installed := filepath.Join(repository(t), ".cache", "tools", name)
	_, err := os.Stat(installed + "-" + version)
	if err == nil {
		return []string{installed}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return []string{"go", "run", path + "@" + version}
}

// pin returns the version of a tool that the Makefile names.
func pin(t *testing.T, variable string) string {
	t.Helper()
	for line := range strings.Lines(readFile(t, filepath.Join(repository(t), "Makefile"))) {
		if version, ok := strings.CutPrefix(line, variable+" := "); ok {
			return strings.TrimSpace(version)
		}
	}
	t.Fatalf("the Makefile has no %s", variable)
	return ""
}

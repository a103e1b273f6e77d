package e2e_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// place is a temporary tree with a home of its own, for tests that are no
// script.
type place struct {
	t   *testing.T
	dir string
}

func newPlace(t *testing.T) place {
	t.Helper()
	stamp.Read(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{t: t, dir: dir}
	p.mkdir("home")
	return p
}

func (p place) path(name string) string { return filepath.Join(p.dir, name) }

func (p place) mkdir(name string) {
	p.t.Helper()
	if err := os.MkdirAll(p.path(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) write(name, text string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(name))
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// env is the whole environment of a command: nothing of the caller's client.
func (p place) env() []string {
	env := []string{
		"HOME=" + p.path("home"),
		"PATH=" + binDir() + string(os.PathListSeparator) + os.Getenv("PATH"),
	}
	if dir := os.Getenv("GOCOVERDIR"); dir != "" {
		env = append(env, "GOCOVERDIR="+dir)
	}
	return env
}

// exchange runs the CLI in a directory of the place and holds it to what is
// true of each command.
func (p place) exchange(dir string, args ...string) outcome {
	p.t.Helper()
	out := p.order(dir, append([]string{"exchange"}, args...)...).run()
	if out.Err != "" {
		p.t.Fatal(out.Err)
	}
	err := errors.Join(checkReport(out), checkPrinted(append([]string{"exchange"}, args...), out))
	if err != nil {
		p.t.Errorf("exchange %s: %v\nstdout: %s\nstderr: %s", strings.Join(args, " "), err, out.Stdout, out.Stderr)
	}
	return out
}

func (p place) order(dir string, argv ...string) order {
	return order{Argv: words(argv...), Dir: p.path(dir), Env: p.env()}
}

// names returns what a directory of the place holds.
func (p place) names(dir string) []string {
	p.t.Helper()
	entries, err := os.ReadDir(p.path(dir))
	if err != nil {
		p.t.Fatal(err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// lines returns the lines that begin with a prefix.
func lines(text []byte, prefix string) []string {
	var out []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, prefix) {
			out = append(out, strings.TrimSuffix(line, "\n"))
		}
	}
	return out
}

package checks_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// local matches what belongs to one machine: a place where this repository was
// worked on, or the host of a package registry. The pattern is put together
// from pieces so that this file does not match itself.
var local = regexp.MustCompile(strings.Join([]string{
	"(?:^|[^\\w.~$}>)/-])/(?:wo" + "rk|fa" + "rm)(?:/|\\b)",
	"/tmp/bash" + "_jobs",
	"pro" + "xy\\.golang\\.org",
	"su" + "m\\.golang\\.org",
	"regi" + "stry\\.(?:npmjs|yarnpkg)\\.(?:org|com)",
	"de" + "b\\.debian\\.org",
	"secu" + "rity\\.debian\\.org",
}, "|"))

// tracked returns the files of the repository that git tracks or would track.
func tracked(t *testing.T) []string {
	t.Helper()
	listed, err := output(t, repository(t), nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		t.Fatalf("git ls-files: %v\n%s", err, listed)
	}
	names := strings.FieldsFunc(listed, func(r rune) bool { return r == 0 })
	if len(names) < 20 {
		t.Fatalf("git knows only of %v", names)
	}
	return names
}

func TestTrackedFiles_NameNoMachine(t *testing.T) {
	for _, name := range tracked(t) {
		content, err := os.ReadFile(filepath.Join(repository(t), name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		number := 0
		for line := range strings.Lines(string(content)) {
			number++
			if found := local.FindString(line); found != "" {
				t.Errorf("%s:%d names %q", name, number, found)
			}
		}
	}
}

func TestTrackedFiles_HoldNothingBuilt(t *testing.T) {
	for _, name := range tracked(t) {
		for _, place := range []string{"bin/", "build/", "dist/", ".cache/", "hookd/plugin/bin/", "e2e/artifacts/"} {
			if strings.HasPrefix(name, place) {
				t.Errorf("git tracks %s", name)
			}
		}
	}
}

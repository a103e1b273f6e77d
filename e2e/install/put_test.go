package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// An installation that is killed half-way leaves old and new files. Both are its own.
func TestInstall_KnowsItsFilesWhereverItWasKilled(t *testing.T) {
	is := is.New(t)
	to := place{prefix: t.TempDir()}
	first := []item{{path: "bin/a", content: []byte("1"), mode: 0o755}, {path: "bin/b", content: []byte("1"), mode: 0o755}}
	plan, err := compare(first, manifest{}, to)
	is.NoErr(err)
	is.NoErr(plan.carryOut(to))
	old, found, err := readManifest(to)
	is.NoErr(err)
	is.True(found)
	is.Equal(old.dirs, []string{"bin", "share", "share/changeover"})

	second := []item{{path: "bin/a", content: []byte("2"), mode: 0o755}, {path: "bin/b", content: []byte("2"), mode: 0o755}}
	plan, err = compare(second, old, to)
	is.NoErr(err)
	during := plan.manifest(true)
	is.NoErr(os.WriteFile(to.at(manifestName), during.item().content, 0o600))
	is.NoErr(os.WriteFile(to.at("bin/a"), []byte("2"), 0o600)) // and there it was killed

	read, _, err := readManifest(to)
	is.NoErr(err)
	if diff := cmp.Diff(during.files, read.files); diff != "" {
		t.Error(diff)
	}
	third := []item{{path: "bin/a", content: []byte("3"), mode: 0o755}, {path: "bin/b", content: []byte("3"), mode: 0o755}}
	plan, err = compare(third, read, to)
	is.NoErr(err)
	is.Equal(plan.changed, nil) // nobody has changed a file
	is.NoErr(plan.carryOut(to))
	for _, name := range []string{"a", "b"} {
		text, err := os.ReadFile(filepath.Join(to.at("bin"), name))
		is.NoErr(err)
		is.Equal(string(text), "3")
	}
	read, _, err = readManifest(to)
	is.NoErr(err)
	is.Equal(len(read.files["bin/a"]), 1) // and the older sums are forgotten
}

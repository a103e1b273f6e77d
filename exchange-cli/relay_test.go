package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// program writes a shell script that stands in for a program.
func program(t *testing.T, path, script string) {
	t.Helper()
	is := is.New(t)
	is.NoErr(os.MkdirAll(filepath.Dir(path), 0o755))
	is.NoErr(os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
}

func TestRelay_IsTheOneBesideThenTheOneOnPath(t *testing.T) {
	is := is.New(t)
	here, path := t.TempDir(), t.TempDir()
	t.Setenv("PATH", path)
	relay := installedRelay(func() string { return filepath.Join(here, "exchange") })
	is.Equal(relay.find(), "")
	program(t, filepath.Join(path, "relay"), "exit 0")
	is.Equal(relay.find(), filepath.Join(path, "relay"))
	program(t, filepath.Join(here, "relay"), "exit 0")
	is.Equal(relay.find(), filepath.Join(here, "relay"))
	is.NoErr(os.Chmod(filepath.Join(here, "relay"), 0o644)) // nobody may run it
	is.Equal(relay.find(), filepath.Join(path, "relay"))
}

func TestRelay_SaysWhatItPrintedOnBothStreams(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "relay")
	program(t, path, `echo "$# $1"; echo oops >&2; exit 3`)
	said, err := runRelay(t.Context(), path, []string{"log; rm -rf x", "--session"})
	is.Equal(said, "2 log; rm -rf x\noops\n") // arguments are a list, not a line of a shell
	is.True(strings.Contains(err.Error(), "exit status 3"))
}

func TestRelay_IsCutShort(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "relay")
	program(t, path, `i=0; line=$(printf '%1000s' x); while [ $i -lt 1200 ]; do echo "$line"; i=$((i+1)); done`)
	said, err := runRelay(t.Context(), path, nil)
	is.NoErr(err)
	is.True(strings.HasSuffix(said, "\n… the rest is left out"))
	is.True(len(said) < relaySays+100)
}

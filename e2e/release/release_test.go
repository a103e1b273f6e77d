package main

import (
	"archive/tar"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

var day = time.Date(2026, 11, 30, 20, 59, 52, 0, time.UTC)

func TestRelease_SaysEachDifference(t *testing.T) {
	want := content{
		"bin/relay":          {mode: fs.ModeSymlink, link: "../share/changeover/plugin/bin/relay"},
		plugin + "bin/relay": {mode: 0o755},
		"share/man/relay.1":  {mode: 0o644, content: []byte("page")},
	}
	tests := []struct {
		name string
		got  content
		want string
	}{
		{"all the same", content{
			"bin/relay": want["bin/relay"], plugin + "bin/relay": {0o755, "", []byte("elf"), day}, "share/man/relay.1": {0o644, "", []byte("page"), day},
		}, ""},
		{"missing, and one too many", content{
			"bin/relay": want["bin/relay"], "more": {0o644, "", nil, day}, "share/man/relay.1": {0o644, "", []byte("page"), day},
		}, plugin + "bin/relay is missing\nmore does not belong there"},
		{"a program that nobody can start, of another day", content{
			"bin/relay": want["bin/relay"], plugin + "bin/relay": {0o644, "", []byte("elf"), day.Add(time.Hour)}, "share/man/relay.1": {0o644, "", []byte("page"), day},
		}, plugin + "bin/relay has mode -rw-r--r--, not -rwxr-xr-x\n" + plugin + "bin/relay is of 2026-11-30 21:59:52 +0000 UTC, not of 2026-11-30 20:59:52 +0000 UTC"},
		{"a link elsewhere, another text", content{
			"bin/relay": {mode: fs.ModeSymlink, link: "/relay"}, plugin + "bin/relay": {0o755, "", []byte("elf"), day}, "share/man/relay.1": {0o644, "", []byte("gape"), day},
		}, "bin/relay points to \"/relay\", not to \"../share/changeover/plugin/bin/relay\"\nshare/man/relay.1 holds something else"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			said := ""
			if err := (release{date: day}).differs(want, tt.got); err != nil {
				said = err.Error()
			}
			is.Equal(said, tt.want)
		})
	}
}

func TestBuilt_RefusesAProgramOfAnotherSystem(t *testing.T) {
	is := is.New(t)
	self, err := os.Executable()
	is.NoErr(err)
	program, err := os.ReadFile(self)
	is.NoErr(err)
	err = built(platform{"plan9", "386"}, content{"bin/relay": {mode: 0o755, content: program}})
	is.True(err != nil && strings.Contains(err.Error(), "bin/relay was built as"))
	err = built(platforms[0], content{"bin/relay": {mode: 0o755, content: []byte("#!/bin/sh\n")}})
	is.True(err != nil) // no Go program
	err = built(platforms[0], content{"bin/relay": {mode: 0o644}})
	is.Equal(err.Error(), "0 files can be executed, not 4")
}

func TestOfTar_RefusesWhatLiesOutside(t *testing.T) {
	is := is.New(t)
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	is.NoErr(w.WriteHeader(&tar.Header{Name: "./usr/bin/relay", Mode: 0o755, ModTime: day}))
	is.NoErr(w.WriteHeader(&tar.Header{Name: "./etc/passwd", Mode: 0o644}))
	is.NoErr(w.Close())
	_, err := ofTar(bytes.NewReader(packed.Bytes()), "usr/")
	is.Equal(err.Error(), "./etc/passwd lies outside of usr/")
}

func TestChecksums_AreThoseOfTheFiles(t *testing.T) {
	is := is.New(t)
	dist, again := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		is.NoErr(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	write(dist, "a.deb", "")
	write(dist, checksumsName, empty+"  a.deb\n")
	is.NoErr(checksums(dist, []string{"a.deb"}))
	is.True(checksums(dist, nil) != nil) // one that does not belong there
	write(dist, "a.deb", "changed")
	is.True(checksums(dist, []string{"a.deb"}) != nil)
	is.True(checksums(dist, []string{"a.deb", "b.deb"}) != nil)

	var out bytes.Buffer
	write(again, checksumsName, empty+"  a.deb\n")
	is.NoErr(same(dist, again, &out))
	is.Equal(out.String(), "1 files, the same bytes when built again\n")
	write(again, checksumsName, strings.Repeat("0", 64)+"  a.deb\n")
	err := same(dist, again, &out)
	is.Equal(err.Error(), "a.deb is another file when it is built again")
	write(again, checksumsName, "")
	is.True(same(dist, again, &out) != nil)
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"golang.org/x/sys/unix"

	"github.com/changeover/changeover/domain/session"
)

func TestLogger_WritesToARegularFileAlone(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	is.NoErr(os.WriteFile(at("old"), []byte("before\n"), 0o600))
	is.NoErr(os.WriteFile(at("target"), nil, 0o600))
	is.NoErr(os.Symlink(at("target"), at("link")))
	is.NoErr(os.Symlink(at("gone"), at("dangling")))
	is.NoErr(unix.Mkfifo(at("fifo"), 0o600)) // nobody reads it
	is.NoErr(unix.Mkfifo(at("read"), 0o600))
	reader, err := unix.Open(at("read"), unix.O_RDONLY|unix.O_NONBLOCK, 0)
	is.NoErr(err)
	defer func() { is.NoErr(unix.Close(reader)) }()
	for _, name := range []string{"old", "new", "link", "dangling", "fifo", "read"} {
		logger{path: at(name)}.answered(session.Event{Name: "Stop"}, "/w", answer{})
	}
	for name, want := range map[string]int{"old": 2, "new": 1, "target": 0} {
		data, err := os.ReadFile(at(name))
		is.NoErr(err)
		is.Equal(strings.Count(string(data), "\n"), want) // name
	}
	_, err = os.Lstat(at("gone"))
	is.True(os.IsNotExist(err))
	n, err := unix.Read(reader, make([]byte, 100))
	is.True(n <= 0 && err == nil) // nothing came through the FIFO
}

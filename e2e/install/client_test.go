package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// What a client has left running may hold its output for as long as it likes.
func TestRegistrar_DoesNotWaitForWhatTheClientLeft(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	client, left := filepath.Join(dir, "claude"), filepath.Join(dir, "left")
	is.NoErr(os.WriteFile(client, []byte("#!/bin/sh\nsleep 60 &\necho $! >left\necho '[{\"name\":\"changeover\",\"path\":\"/p\"}]'\n"), 0o700))
	begun := time.Now()
	known, err := registrar{marketplace: dir}.market(t.Context(), client)
	took := time.Since(begun)
	text, readErr := os.ReadFile(left)
	is.NoErr(readErr)
	pid, convErr := strconv.Atoi(strings.TrimSpace(string(text)))
	is.NoErr(convErr)
	is.NoErr(syscall.Kill(pid, syscall.SIGKILL))
	is.NoErr(err)
	is.Equal(known.Path, "/p")
	is.True(took < 30*time.Second)
}

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// A file that cannot be written is named, with what to do about it, and the next
// run goes on as if nothing had been.
func TestRun_SaysWhatToDoAboutAFileThatCannotBeWritten(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.fakeAgent("ok")
	s.must("init")
	is.NoErr(os.Remove(s.at(".ai-session/task.md")))
	is.NoErr(os.Mkdir(s.at(".ai-session/task.md"), 0o755))
	got := s.call("run", "mend it")
	is.Equal(got.code, 1)
	lines := strings.Split(strings.TrimSpace(got.notice), "\n")
	is.Equal(len(lines), 2)
	is.True(strings.HasPrefix(lines[0], "[relay-baton] publish "+s.at(".ai-session/task.md")+": "))
	is.True(strings.HasPrefix(lines[1], "[relay-baton] Mend what keeps that file from being read or written, and run the command again"))
	is.Equal(s.session()["status"], "initialized")

	is.NoErr(os.Remove(s.at(".ai-session/task.md")))
	s.must("run", "mend it")
	is.Equal(s.session()["status"], "completed")
}

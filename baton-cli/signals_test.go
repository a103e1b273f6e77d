package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// A shell cannot trap a signal that was ignored when it began.
func TestSignals_AgentsInheritNoIgnoredOne(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("trapping", "trap 'echo caught' PIPE\nkill -PIPE $$\necho end\n")
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "trapping", "args": []string{}}}})
	out, err := s.program("baton", "run", "t").Output()
	is.NoErr(err)
	is.Equal(string(out), "caught\nend\n")
}

func TestSignals_AReaderThatGoesAwayEndsNothing(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	s.client("talking", "for i in 1 2 3 4 5; do echo line $i; sleep 0.05; done\necho done > finished\n")
	s.configure(map[string]any{"agents": map[string]any{"codex": map[string]any{"command": "talking", "args": []string{}}}})
	cmd := s.program("baton", "run", "t")
	out, err := cmd.StdoutPipe()
	is.NoErr(err)
	is.NoErr(cmd.Start())
	is.NoErr(out.Close())
	is.NoErr(cmd.Wait())
	is.Equal(s.read("finished"), "done\n")
	is.True(strings.Contains(s.read(".ai-session/commands.log"), "[stdout] line 5\n"))
}

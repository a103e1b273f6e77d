package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
)

func TestProgram_ByItsOtherNameDoesTheSame(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	for _, args := range [][]string{{"status"}, {"help"}, {"version"}, {"nonsense"}} {
		own, errOwn := s.program("baton", args...).CombinedOutput()
		other, errOther := s.program("relay-baton", args...).CombinedOutput()
		is.Equal(string(other), string(own))
		is.Equal(errOther == nil, errOwn == nil)
	}
}

func TestProgram_VersionNamesIt(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	is.True(strings.HasPrefix(s.must("version").out, "baton "))
	is.Equal(s.must("--version").out, s.must("version").out)
}

func TestProgram_EveryCommandExplainsItself(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		if name := cmd.Name(); name == "help" || name == "completion" || cmd.HasParent() && cmd.Parent().Name() == "completion" {
			return // cobra's own
		}
		is := is.New(t)
		is.True(cmd.Short != "") // what every command has
		first, _, _ := strings.Cut(cmd.Short, " ")
		is.True(strings.ToUpper(first[:1]) == first[:1] && !strings.HasSuffix(first, "ing")) // it begins with a verb
		if cmd.Example == "" && cmd.Name() != "version" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	newScene(t)
	look(assemble(cobracli.Streams{Out: t.Output(), Err: t.Output(), In: strings.NewReader("")}))
}

func TestProgram_WrongUsage(t *testing.T) {
	tests := []struct {
		name string
		args []string
	}{
		{"no command", nil},
		{"unknown command", []string{"rnu"}},
		{"unknown flag", []string{"status", "--jsn"}},
		{"an argument too many", []string{"status", "x"}},
		{"a length of time that is none", []string{"run", "t", "--silence", "soon"}},
		{"no number", []string{"explain", "--run", "one"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := newScene(t).call(tt.args...)
			is.Equal(got.code, 2)
			is.Equal(got.out, "")
			is.True(strings.HasPrefix(got.notice, prefix))
		})
	}
}

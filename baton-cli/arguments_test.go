package main

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
)

// Whoever types too little or too much is told what in words, and what to type.
func TestArguments_TheMessageNamesWhatIsMissingAndWhatToType(t *testing.T) {
	tests := []struct {
		args string
		says string
	}{
		{"run", `the task is missing: say what is to be done, as in 'baton run "TASK"'`},
		{"run print the tide table", `the task is one argument, and 4 were given: put it in quotes, as in 'baton run "print the tide table"'`},
		{"run cost $HOME", `the task is one argument, and 2 were given: put it in quotes, as in 'baton run "TASK"'`},
		{"run --wait 5m draw", `the task is one argument, and 2 were given: put it in quotes, as in 'baton run "5m draw"'`},
		{"plan", `the task is missing: say what is to be planned, as in 'baton plan "TASK"'`},
		{"plan add a counter", `the task is one argument, and 3 were given: put it in quotes, as in 'baton plan "add a counter"'`},
		{"receipt done", `the number of the step is missing: type 'baton receipt done 1'`},
		{"receipt skip 1 2", `the number of the step is one argument, and 2 were given: type 'baton receipt skip 1'`},
		{"project add", `the directory of a repository is missing: type 'baton project add PATH'`},
		{"project switch", `the name or id of a project is missing: type 'baton project switch NAME'`},
		{"project remove", `the name or id of a project is missing: type 'baton project remove NAME'`},
		{"compress", `the file to shrink is missing: type 'baton compress FILE'`},
		{"login codex claude", `the agent to log in to is one argument, and 2 were given: type 'baton login all'`},
		{"handoff claude", `who goes on is named by a flag: type 'baton handoff --to claude'`},
		{"handoff histroy", `baton handoff has no command "histroy"; did you mean 'baton handoff history'?`},
		{"execute my.md", `baton execute takes no argument, and "my.md" was given: type 'baton execute', or 'baton execute --from my.md' where you meant that`},
		{"project list x", `baton project list takes no argument, and "x" was given: type 'baton project list'`},
		{"version x", `baton version takes no argument, and "x" was given: type 'baton version'`},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			got := s.call(strings.Fields(tt.args)...)
			is.Equal(got.code, 2)
			first, _, _ := strings.Cut(got.notice, "\n")
			is.Equal(first, prefix+tt.says)
			is.True(!s.has(".ai-session")) // nothing was written
		})
	}
}

// No command leaves the words to the library.
func TestArguments_EveryCommandHasWordsOfItsOwn(t *testing.T) {
	newScene(t)
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			look(sub)
		}
		if cmd.Args == nil {
			return // it takes its commands
		}
		for _, args := range [][]string{nil, {"a"}, {"a", "b"}} {
			err := cmd.Args(cmd, args)
			if err != nil && (strings.Contains(err.Error(), "arg(s)") || strings.Contains(err.Error(), "unknown command")) {
				t.Errorf("%s %v: %v", cmd.CommandPath(), args, err)
			}
		}
	}
	look(assemble(cobracli.Streams{Out: t.Output(), Err: t.Output(), In: strings.NewReader("")}))
}

func TestPlan_ByHandSaysToFillItInFirst(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	got := s.must("plan", "t", "--no-run")
	is.True(strings.Contains(got.notice, "still to do: "))
	is.True(strings.HasSuffix(got.notice, prefix+"fill .ai-session/plan.md in and look with 'baton plan --check'; when that passes, go on with 'baton execute'\n"))
	is.True(strings.HasSuffix(s.must("plan", "t", "--no-run").notice, prefix+"mend .ai-session/plan.md and look with 'baton plan --check'; when that passes, go on with 'baton execute'\n"))
	s.write(".ai-session/plan.md", goodPlan)
	is.True(strings.HasSuffix(s.must("plan", "t", "--no-run").notice, prefix+"go on with 'baton execute'\n"))

	s.planner("echo half > .ai-session/plan.md\n")
	is.True(strings.HasSuffix(s.must("plan", "t", "--force").notice,
		prefix+"go on with 'baton execute --force', or mend the plan until 'baton plan --check' passes it\n"))
}

// What is not there names the command that makes it.
func TestNext_WhatIsMissingNamesACommand(t *testing.T) {
	is := is.New(t)
	s := newScene(t)
	got := s.call("plan", "--check")
	is.Equal(got.code, 3)
	is.True(strings.Contains(got.notice, `'baton plan "TASK"'`))
	is.True(!strings.Contains(s.call("plan", "--check", "--json").notice, "baton plan"))
	got = s.call("handoff", "show")
	is.Equal(got.code, 2)
	is.True(strings.Contains(got.notice, "'baton handoff --to AGENT' writes one"))

	s.planner("true\n")
	got = s.call("plan", "t")
	is.Equal(got.code, 3)
	is.True(strings.Contains(got.notice, `run 'baton plan "TASK"' again`))
	is.Equal(s.session()["lastError"], "the plan does not pass its gate:   - claude wrote no plan") // what to do is no error
}

package main

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/cobracli/clitest"
)

// What cannot be done says what to type instead.
func TestRefusals_NameTheNextCommand(t *testing.T) {
	session := func(s *scene) { s.must("init") }
	tests := []struct {
		name    string
		prepare func(s *scene)
		args    []string
		code    int
	}{
		{"no command", nil, nil, 2},
		{"a command with a slip", nil, []string{"staus"}, 2},
		{"a flag with a slip", nil, []string{"status", "--jsn"}, 2},
		{"one argument too many", nil, []string{"status", "all"}, 2},
		{"run without a task", nil, []string{"run"}, 2},
		{"run of loose words", nil, []string{"run", "draw", "it"}, 2},
		{"run by nobody", nil, []string{"run", "x", "--primary", "nobody"}, 2},
		{"run under no diet", nil, []string{"run", "x", "--diet", "nosuch"}, 2},
		{"run with a broken configuration", func(s *scene) { s.write("relay-baton.config.json", `{"primaryAgent":1}`) }, []string{"run", "x"}, 2},
		{"run in another project", nil, []string{"run", "x", "--project", "nosuch"}, 2},
		{"run elsewhere", nil, []string{"run", "x", "--path", "nowhere"}, 2},
		{"run without the agent's program", func(s *scene) {
			s.write("relay-baton.config.json", `{"agents":{"codex":{"command":"no-such-program"}}}`)
		}, []string{"run", "x", "--no-fallback"}, 1},
		{"handoff to nobody", nil, []string{"handoff"}, 2},
		{"handoff without a session", nil, []string{"handoff", "--to", "claude"}, 1},
		{"show of no handoff", session, []string{"handoff", "show"}, 2},
		{"show of another file", session, []string{"handoff", "show", "--file", "x.md"}, 2},
		{"execute without a plan", session, []string{"execute"}, 2},
		{"check without a plan", session, []string{"plan", "--check"}, 3},
		{"plan of nothing", nil, []string{"plan"}, 2},
		{"review without a plan", session, []string{"review"}, 2},
		{"receipts without a plan", session, []string{"receipt", "list"}, 2},
		{"a step that is none", session, []string{"receipt", "done", "x"}, 2},
		{"explain without a run", session, []string{"explain"}, 2},
		{"compression without a session", nil, []string{"compress-context"}, 2},
		{"report of no compression", session, []string{"compress-context", "--diff"}, 0},
		{"a session that cannot be read", func(s *scene) { s.write(".ai-session/session.json", "{") }, []string{"run", "x"}, 2},
		{"compress without a file", nil, []string{"compress"}, 2},
		{"compress of no file", nil, []string{"compress", "no.md"}, 2},
		{"switch to no project", nil, []string{"project", "switch", "nosuch"}, 2},
		{"remove no project", nil, []string{"project", "remove", "nosuch"}, 2},
		{"add what is not there", nil, []string{"project", "add", "nowhere"}, 2},
		{"login of nobody", nil, []string{"login", "nobody"}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newScene(t)
			if tt.prepare != nil {
				tt.prepare(s)
			}
			got := s.call(tt.args...)
			is.Equal(got.code, tt.code)
			clitest.NamesNext(t, freshTree, clitest.Refusal{Name: tt.name, Said: got.out + got.notice})
		})
	}
}

// Outside a repository what helps is git's command.
func TestRefusals_OutsideARepository(t *testing.T) {
	for _, args := range [][]string{{"review"}, {"status"}, {"run", "x", "--no-fallback"}} {
		s := newGround(t)
		got := s.call(args...)
		clitest.NamesNext(t, freshTree, clitest.Refusal{Name: args[0], Said: got.notice, Elsewhere: "git init"})
	}
}

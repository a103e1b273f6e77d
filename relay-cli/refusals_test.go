package main

import (
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/cobracli/clitest"
)

// What cannot be done says what to type instead.
func TestRefusals_NameTheNextCommand(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
	}{
		{"no command", nil, 2},
		{"a command with a slip", []string{"staus"}, 2},
		{"a flag with a slip", []string{"status", "--jsn"}, 2},
		{"one argument too many", []string{"status", "all"}, 2},
		{"planner without a session", []string{"planner"}, 2},
		{"goal without words", []string{"goal"}, 2},
		{"a language that is none", []string{"builder", "a", "--lang", "xx"}, 2},
		{"rounds that are none", []string{"builder", "a", "--max-rounds", "0"}, 2},
		{"status outside a session", []string{"status"}, 1},
		{"pair outside a session", []string{"planner", "bob"}, 1},
		{"accept outside a session", []string{"accept"}, 1},
		{"goal outside a session", []string{"goal", "x"}, 1},
		{"an unknown session", []string{"status", "--session", "nobody"}, 1},
		{"an unknown session to pair", []string{"planner", "bob", "--session", "nobody"}, 1},
		{"an id that nobody has", []string{"status", "--session", "aaaa1111-0000-4000-8000-000000000001"}, 1},
		{"an unknown link", []string{"status", "--link", "nosuch"}, 1},
		{"a link that is no id", []string{"log", "--link", "../x"}, 1},
		{"no run here", []string{"status", "--last"}, 1},
		{"no run to take up", []string{"run", "--continue"}, 1},
		{"run without a goal", []string{"run"}, 2},
		{"run by nobody", []string{"run", "--planner", "nobody", "x"}, 2},
		{"why for nobody", []string{"doctor", "--why"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			t.Chdir(t.TempDir())
			code, stdout, stderr := call(t, tt.args...)
			is.Equal(code, tt.code)
			clitest.NamesNext(t, freshTree, clitest.Refusal{Name: tt.name, Said: stdout + stderr})
		})
	}
}

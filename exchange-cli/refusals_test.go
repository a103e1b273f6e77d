package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/cobracli/clitest"
)

// What cannot be done says what to type instead.
func TestRefusals_NameTheNextCommand(t *testing.T) {
	unmarked := func(t *testing.T, root string) {
		is.New(t).NoErr(os.Remove(filepath.Join(root, ".claude", "exchange.json")))
	}
	broken := func(t *testing.T, root string) {
		is.New(t).NoErr(os.WriteFile(filepath.Join(root, ".claude", "exchange.json"), []byte(`{"name":`), 0o600))
	}
	tests := []struct {
		name      string
		prepare   func(t *testing.T, root string)
		args      []string
		code      int
		elsewhere string
	}{
		{"no command", nil, nil, 2, ""},
		{"a command with a slip", nil, []string{"shwo"}, 2, ""},
		{"a flag with a slip", nil, []string{"show", "--jsn"}, 2, ""},
		{"one argument too many", nil, []string{"show", "all"}, 2, ""},
		{"show without a root", unmarked, []string{"show"}, 1, ""},
		{"list without a root", unmarked, []string{"handoff", "list"}, 1, ""},
		{"claim without a root", unmarked, []string{"claim", "x"}, 1, ""},
		{"post without a root", unmarked, []string{"handoff", "post", "--repo", ".", "--body", "b"}, 1, ""},
		{"tidy without a root", unmarked, []string{"tidy"}, 1, ""},
		{"migrate without a root", unmarked, []string{"migrate", "--step", "4"}, 1, ""},
		{"why without a root", unmarked, []string{"doctor", "--why"}, 1, ""},
		{"init over a marker that is none", broken, []string{"init", "."}, 1, ""},
		{"init below what is marked", nil, []string{"init", "below"}, 0, ""},
		{"init without a directory, below what is marked", nil, []string{"init"}, 1, ""},
		{"init of what is not there", nil, []string{"init", "nowhere"}, 1, ""},
		{"claim outside a session", nil, []string{"claim", "x"}, 1, ""},
		{"claim of a scope that is none", nil, []string{"claim", "--session", "s", "--repo", "/abs"}, 1, ""},
		{"drop of what is not there", nil, []string{"claim", "--drop", "--session", "s"}, 1, ""},
		{"drop with more", nil, []string{"claim", "--drop", "--focus", "x"}, 2, ""},
		{"post to nobody", nil, []string{"handoff", "post", "--body", "b"}, 1, ""},
		{"post of nothing", nil, []string{"handoff", "post", "--repo", ".", "--body", " "}, 1, ""},
		{"post with loose words", nil, []string{"handoff", "post", "words"}, 2, ""},
		{"show of no id", nil, []string{"handoff", "show"}, 2, ""},
		{"show of an unknown id", nil, []string{"handoff", "show", "h9"}, 1, ""},
		{"accept of an unknown id", nil, []string{"handoff", "accept", "h9"}, 1, ""},
		{"accept of an id that is none", nil, []string{"handoff", "accept", "h/9"}, 1, ""},
		{"restore of an unknown id", nil, []string{"handoff", "restore", "h9"}, 1, ""},
		{"resolve without a status", nil, []string{"handoff", "resolve", "h9", "--note", "n"}, 2, ""},
		{"why for nobody", nil, []string{"doctor", "--why", "--session", "a/b"}, 1, ""},
		{"migrate of no step", nil, []string{"migrate", "--step", "5"}, 2, ""},
		{"migrate without a step", nil, []string{"migrate"}, 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			root := rooted(t)
			is.NoErr(os.MkdirAll(filepath.Join(root, "below"), 0o755))
			if tt.prepare != nil {
				tt.prepare(t, root)
			}
			out, code := exchangeIn(root, tt.args...)
			is.Equal(code, tt.code)
			clitest.NamesNext(t, freshTree, clitest.Refusal{Name: tt.name, Said: out, Elsewhere: tt.elsewhere})
		})
	}
}

// A root in a root is made, and said to be one: the sessions in it see those around
// it no longer.
func TestInit_SaysThatItLiesInAnotherRoot(t *testing.T) {
	is := is.New(t)
	root := rooted(t)
	is.NoErr(os.MkdirAll(filepath.Join(root, "below"), 0o755))
	out, code := exchangeIn(root, "init", "below")
	is.Equal(code, 0)
	is.True(strings.Contains(out, "Marked "+filepath.Join(root, "below", ".claude", "exchange.json")))
	is.True(strings.Contains(out, "it lies in another root, "+root+":"))
	out, code = exchangeIn(root, "init")
	is.Equal(code, 1)
	is.True(strings.Contains(out, "Already in a marked root: "+root))
}

package clitest

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Refusal is a call that cannot be done, and what its answer has to name.
type Refusal struct {
	Name string
	// Said is all that the call printed.
	Said string
	// Elsewhere is the command of another program that helps, such as git init; empty
	// where one of the tree does.
	Elsewhere string
}

// NamesNext checks that the end of what was said names a command to type, which is
// there.
func NamesNext(t *testing.T, tree func() *cobra.Command, r Refusal) {
	t.Helper()
	if strings.TrimSpace(r.Said) == "" {
		t.Errorf("%s: nothing was said", r.Name)
		return
	}
	end := ending(r.Said)
	if r.Elsewhere != "" {
		if !strings.Contains(end, r.Elsewhere) {
			t.Errorf("%s: does not name %q\n%s", r.Name, r.Elsewhere, r.Said)
		}
		return
	}
	if _, named := Named(furnished(tree), end); !named {
		t.Errorf("%s: its end names no command to type\n%s", r.Name, r.Said)
	}
}

// ending is the last two lines.
func ending(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return strings.Join(lines[max(0, len(lines)-2):], "\n")
}

// Named is the last command of a tree that a text names, with its program before it.
func Named(root *cobra.Command, text string) (command string, named bool) {
	words := strings.Fields(text)
	for i, word := range words {
		if bare(word) != root.Name() {
			continue
		}
		cmd := root
		for _, next := range words[i+1:] {
			below := child(cmd, bare(next))
			if below == nil {
				break
			}
			cmd = below
		}
		if cmd != root || i+1 < len(words) && bare(words[i+1]) == "--help" {
			command, named = cmd.CommandPath(), true
		}
	}
	return command, named
}

func child(cmd *cobra.Command, name string) *cobra.Command {
	for _, sub := range cmd.Commands() {
		if sub.Name() == name {
			return sub
		}
	}
	return nil
}

// bare is a word without the marks that a sentence puts around it.
func bare(word string) string { return strings.Trim(word, "'\"`“”‘’.,;:()!?") }

package clitest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Line is one command as a person types it.
type Line struct {
	// Words are those of the program that the line calls.
	Words []string
	// Comment is what follows a #.
	Comment string
}

// errUnended reports a quote without its end.
var errUnended = errors.New("a quote does not end")

// Read takes a line apart as a shell does: quotes, a comment, redirections, which
// are no words, and the parts of a pipe. Only the part that calls the program counts;
// ok is false where none does.
func Read(line, program string) (read Line, ok bool, err error) {
	var parts [][]string
	var words []string
	var word strings.Builder
	var open bool // a word has begun
	var quote rune
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, open = r, true
		case r == '#' && !open:
			read.Comment = strings.TrimSpace(line[i+1:])
			return finished(read, append(parts, words), program)
		case r == '|':
			end()
			parts, words = append(parts, words), nil
		case r == ' ' || r == '\t':
			end()
		default:
			open = true
			word.WriteRune(r)
		}
	}
	if quote != 0 {
		return read, false, errUnended
	}
	end()
	return finished(read, append(parts, words), program)
}

func finished(read Line, parts [][]string, program string) (Line, bool, error) {
	for _, words := range parts {
		words = withoutRedirections(words)
		if len(words) > 0 && words[0] == program {
			read.Words = words[1:]
			return read, true, nil
		}
	}
	return read, false, nil
}

func withoutRedirections(words []string) []string {
	var kept []string
	for i := 0; i < len(words); i++ {
		if words[i] == "<" || words[i] == ">" {
			i++
			continue
		}
		kept = append(kept, words[i])
	}
	return kept
}

// Parse says whether a program would begin to run the words, and which command
// that is. Nothing is run. The tree is spent afterwards: its flags are set.
func Parse(root *cobra.Command, words []string) (*cobra.Command, error) {
	cmd, rest, err := root.Find(words)
	if err != nil {
		return nil, err
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return cmd, nil
		}
		return cmd, err
	}
	if asked(cmd, "help") || asked(cmd, "version") {
		return cmd, nil
	}
	if !cmd.Runnable() {
		return cmd, fmt.Errorf("%s only groups commands", cmd.CommandPath())
	}
	for _, check := range []func() error{
		func() error { return cmd.ValidateArgs(cmd.Flags().Args()) }, cmd.ValidateRequiredFlags, cmd.ValidateFlagGroups,
	} {
		if err := check(); err != nil {
			return cmd, err
		}
	}
	return cmd, nil
}

func asked(cmd *cobra.Command, flag string) bool {
	f := cmd.Flags().Lookup(flag)
	return f != nil && f.Value.Type() == "bool" && f.Value.String() == "true"
}

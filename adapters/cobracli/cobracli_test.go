package cobracli_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/matryer/is"
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/adapters/cobracli"
)

// tree is a small program with a grouping command and commands that end in
// each of the ways there are.
func tree() *cobra.Command {
	root := &cobra.Command{Use: "ship", Short: "Move boxes"}
	group := &cobra.Command{Use: "box", Short: "Handle boxes"}
	pack := &cobra.Command{
		Use:  "pack",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			switch args[0] {
			case "full":
				return errors.New("pack full: no room")
			case "said":
				return &cobracli.StatusError{Code: 3}
			case "odd":
				return cobracli.Usage(errors.New("odd: not a size"))
			}
			return nil
		},
	}
	pack.Flags().String("label", "", "what to write on it")
	must := &cobra.Command{Use: "must", RunE: func(*cobra.Command, []string) error { return nil }}
	must.Flags().String("body", "", "the text")
	if err := must.MarkFlagRequired("body"); err != nil {
		panic(err)
	}
	group.AddCommand(pack, must)
	root.AddCommand(group, cobracli.NewVersionCmd("ship 1"))
	return root
}

func TestExecute_ExitCodes(t *testing.T) {
	tests := []struct {
		name    string
		args    []string
		code    int
		out     string
		wantErr string
	}{
		{"done", []string{"box", "pack", "small"}, 0, "", ""},
		{"version", []string{"version"}, 0, "ship 1\n", ""},
		{"failed", []string{"box", "pack", "full"}, 1, "", "ship: pack full: no room\n"},
		{"said already", []string{"box", "pack", "said"}, 3, "", ""},
		{"usage found late", []string{"box", "pack", "odd"}, 2, "", "ship: odd: not a size\nRun 'ship box pack --help' for usage.\n"},
		{"no command", nil, 2, "", "ship: no command given\nRun 'ship --help' for usage.\n"},
		{"no command in a group", []string{"box"}, 2, "", "ship: no command given\nRun 'ship box --help' for usage.\n"},
		{"unknown command", []string{"pox"}, 2, "", "ship: unknown command \"pox\"; did you mean \"box\"?\nRun 'ship --help' for usage.\n"},
		{"unknown command in a group", []string{"box", "zz"}, 2, "", "ship: unknown command \"zz\"\nRun 'ship box --help' for usage.\n"},
		{"unknown flag", []string{"box", "pack", "--lable"}, 2, "", "ship: unknown flag: --lable; did you mean --label?\nRun 'ship box pack --help' for usage.\n"},
		{"unknown flag that is near none", []string{"box", "pack", "--colour"}, 2, "", "ship: unknown flag: --colour\nRun 'ship box pack --help' for usage.\n"},
		{"unknown short flag", []string{"box", "pack", "-l"}, 2, "", "ship: unknown shorthand flag: 'l' in -l\nRun 'ship box pack --help' for usage.\n"},
		{"wrong number of arguments", []string{"box", "pack"}, 2, "", "ship: accepts 1 arg(s), received 0\nRun 'ship box pack --help' for usage.\n"},
		{"missing flag", []string{"box", "must"}, 2, "", "ship: required flag(s) \"body\" not set\nRun 'ship box must --help' for usage.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var out, errs bytes.Buffer
			code := cobracli.Execute(t.Context(), tree(), tt.args, cobracli.Streams{Out: &out, Err: &errs})
			is.Equal(code, tt.code)             // exit code
			is.Equal(out.String(), tt.out)      // output
			is.Equal(errs.String(), tt.wantErr) // errors
		})
	}
}

func TestExecute_HelpIsNoMistake(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}, {"help", "box"}, {"box", "--help"}} {
		is := is.New(t)
		var out, errs bytes.Buffer
		is.Equal(cobracli.Execute(t.Context(), tree(), args, cobracli.Streams{Out: &out, Err: &errs}), 0)
		is.True(out.Len() > 0)
		is.Equal(errs.String(), "")
	}
}

func TestExecute_CompletionKnowsTheCommands(t *testing.T) {
	is := is.New(t)
	var out, errs bytes.Buffer
	code := cobracli.Execute(t.Context(), tree(), []string{"__complete", "box", ""}, cobracli.Streams{Out: &out, Err: &errs})
	is.Equal(code, 0)
	is.True(bytes.Contains(out.Bytes(), []byte("pack\n")))
}

func TestExecute_AnErrorIsShownClean(t *testing.T) {
	is := is.New(t)
	root := tree()
	root.Annotations = map[string]string{cobracli.Prefix: "[ship] "}
	var errs bytes.Buffer
	code := cobracli.Execute(t.Context(), root, []string{"box", "pack", "odd", "\x1b[2J"}, cobracli.Streams{Out: &errs, Err: &errs})
	is.Equal(code, 2)
	is.Equal(errs.String(), "[ship] accepts 1 arg(s), received 2\n[ship] Run 'ship box pack --help' for usage.\n")
	errs.Reset()
	is.Equal(cobracli.Execute(t.Context(), root, []string{"p\x1b[2Jx"}, cobracli.Streams{Out: &errs, Err: &errs}), 2)
	is.True(!bytes.ContainsRune(errs.Bytes(), 0x1b))
	errs.Reset()
	cobracli.Execute(t.Context(), root, []string{"box", "pack", "--\u009b2J"}, cobracli.Streams{Out: &errs, Err: &errs})
	is.Equal(errs.String(), "[ship] unknown flag: --2J\n[ship] Run 'ship box pack --help' for usage.\n")
}

package cobracli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// Furnish gives a tree what all programs have: help, completion, the manual's
// pages, and at the end of each help what to type next. Execute does it.
func Furnish(root *cobra.Command, args ...string) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	if root.HasAvailableSubCommands() && named(root, manual) == nil {
		root.AddCommand(newManualCmd())
	}
	explainCompletion(root)
	showNext(root)
}

func named(cmd *cobra.Command, name string) *cobra.Command {
	for _, sub := range cmd.Commands() {
		if sub.Name() == name {
			return sub
		}
	}
	return nil
}

// installed is where a shell looks for the completion of a program.
var installed = map[string]string{
	"bash":       "~/.local/share/bash-completion/completions/%s",
	"zsh":        "~/.zfunc/_%s",
	"fish":       "~/.config/fish/completions/%s.fish",
	"powershell": "%s.ps1",
}

// explainCompletion teaches what cobra's own commands leave out.
func explainCompletion(root *cobra.Command) {
	program := root.Name()
	if help := named(root, "help"); help != nil {
		help.Example = fmt.Sprintf("  %s help completion\n  %s help version", program, program)
		note(help, program+" --help")
	}
	completion := named(root, "completion")
	if completion == nil {
		return
	}
	completion.Example = fmt.Sprintf("  %s completion bash > "+installed["bash"], program, program)
	note(completion, program+" completion bash --help   # where the script goes")
	for _, shell := range completion.Commands() {
		file, known := installed[shell.Name()]
		if !known {
			continue
		}
		shell.Example = fmt.Sprintf("  %s completion %s > "+file, program, shell.Name(), program)
		note(shell, program+" --help   # in a new shell, where TAB completes it")
	}
}

package main

import (
	"github.com/spf13/cobra"

	"github.com/changeover/changeover/domain/exchange"
)

func newCodexHooksCmd(s *shared) *cobra.Command {
	return &cobra.Command{
		Use:   "codex-hooks",
		Short: "Print the hooks that make Codex run hookd",
		Long: "Print what goes into $CODEX_HOME/hooks.json (~/.codex/hooks.json), so that sessions\n" +
			"of Codex are told what those of Claude Code are. Nothing is written: where the\n" +
			"file has other hooks, put these beside them. Then start codex and trust the hooks\n" +
			"when it asks; exchange doctor says whether it does. After an update of the plugin\n" +
			"do both once more: the program lies elsewhere then.",
		Example: "  exchange codex-hooks\n  exchange codex-hooks > ~/.codex/hooks.json   # where there is none yet",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			hooks, err := exchange.CodexWirer{World: s.World}.Hooks()
			if err != nil {
				return s.refuse(err)
			}
			return s.write([]string{hooks})
		},
	}
}

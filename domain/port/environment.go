package port

import (
	"path"
	"strings"
)

// Environment is what a process inherits.
type Environment struct {
	// Lookup returns the value of a variable, empty where it is not set.
	Lookup func(string) string

	// Home is the home directory; empty where not known.
	Home string

	// Executable returns the real path of the running program; empty where
	// not known.
	Executable func() string
}

// ClientDir returns the configuration directory of Claude Code.
func (e Environment) ClientDir() string {
	if dir := e.Lookup("CLAUDE_CONFIG_DIR"); strings.TrimSpace(dir) != "" {
		return dir
	}
	return path.Join(e.Home, ".claude")
}

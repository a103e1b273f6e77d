package port

import (
	"errors"
	"path"
	"strings"
)

// Environment is what a process inherits.
type Environment struct {
	// Lookup returns the value of a variable, empty where it is not set.
	Lookup func(string) string

	// Home is the absolute path of the home directory; empty where not known.
	Home string

	// Executable returns the real path of the running program; empty where
	// not known.
	Executable func() string
}

// ErrNoHome reports that something lies in the home directory and nobody knows
// where that is.
var ErrNoHome = errors.New("home directory not known")

// ClientDir returns the configuration directory of Claude Code; empty where it
// would lie in a home directory that is not known.
func (e Environment) ClientDir() string {
	if dir := e.Lookup("CLAUDE_CONFIG_DIR"); strings.TrimSpace(dir) != "" {
		return dir
	}
	if e.Home == "" {
		return ""
	}
	return path.Join(e.Home, ".claude")
}

// CodexDir returns the home of Codex; empty where it would lie in a home directory
// that is not known.
func (e Environment) CodexDir() string {
	if dir := e.Lookup("CODEX_HOME"); strings.TrimSpace(dir) != "" {
		return dir
	}
	if e.Home == "" {
		return ""
	}
	return path.Join(e.Home, ".codex")
}

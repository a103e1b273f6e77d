// Package environ is what this process inherits: variables, the home directory
// and where its own program lies.
package environ

import (
	"os"
	"path/filepath"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
)

// New reads the environment of this process.
func New() port.Environment {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		home = "" // whoever needs it says so
	}
	return port.Environment{Lookup: os.Getenv, Home: home, Executable: executable}
}

// executable is the real path of this program; empty where the system does not
// tell.
func executable() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return name
	}
	return real
}

// Set provides the environment.
var Set = wire.NewSet(New)

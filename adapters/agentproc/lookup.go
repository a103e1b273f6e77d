package agentproc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/changeover/changeover/domain/port"
)

// lookUp returns the path of the executable that name means to a process in
// dir with the environment env. Entries of PATH that are not absolute are
// passed over: what they mean depends on where one stands.
func lookUp(name, dir string, env []string) (string, error) {
	if name == "" {
		return "", port.ErrNoExecutable
	}
	if strings.Contains(name, "/") {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		err := executable(path)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: %w", path, port.ErrNoExecutable)
		}
		return path, err
	}
	var refused error
	for _, entry := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(entry) {
			continue
		}
		path := filepath.Join(entry, name)
		err := executable(path)
		if err == nil {
			return path, nil
		}
		if errors.Is(err, fs.ErrPermission) && refused == nil {
			refused = err
		}
	}
	if refused != nil {
		return "", refused
	}
	return "", fmt.Errorf("%s is not on PATH: %w", name, port.ErrNoExecutable)
}

// executable returns nil for a regular file with an execute bit.
func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s is not executable: %w", path, fs.ErrPermission)
	}
	return nil
}

// variable returns the value that a process with the environment env sees: of
// several settings of one name, the last.
func variable(env []string, name string) string {
	value := ""
	for _, setting := range env {
		if k, v, ok := strings.Cut(setting, "="); ok && k == name {
			value = v
		}
	}
	return value
}

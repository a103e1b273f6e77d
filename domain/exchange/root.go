package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// RootVariable overrides every rule about roots.
const RootVariable = "CC_EXCHANGE_ROOT"

// Rule names how a root was found, or why there is none.
type Rule string

// The rules of root resolution.
const (
	RuleOverride        Rule = "override"
	RuleOverrideInvalid Rule = "override-invalid"
	RuleMarker          Rule = "marker"
	RuleCwdInvalid      Rule = "cwd-invalid"
	RuleUnreadable      Rule = "unreadable"
	RuleUnmarked        Rule = "unmarked"
)

// Resolution is the answer to "which root is this directory in".
type Resolution struct {
	// Root is the real path of the root; empty where there is none.
	Root string
	Rule Rule
	// Problem says what went wrong; empty where there is simply no root.
	Problem string
}

// Found reports that there is a root.
func (r Resolution) Found() bool { return r.Root != "" }

// places is the file system as the rules about directories need it.
type places interface {
	port.Stater
	port.PathResolver
}

// Locator resolves directories to roots.
type Locator struct {
	fs   places
	env  func(string) string
	home string
}

// NewLocator takes the environment's lookup and the home directory.
func NewLocator(files places, env func(string) string, home string) Locator {
	return Locator{fs: files, env: env, home: home}
}

// Resolve applies the override, else the walk from cwd.
func (l Locator) Resolve(cwd string) Resolution {
	override := strings.TrimSpace(l.env(RootVariable))
	if override == "" {
		return l.Walk(cwd)
	}
	real, err := l.directory(override)
	if err != nil {
		return Resolution{Rule: RuleOverrideInvalid, Problem: fmt.Sprintf(
			"%s is %s, which is no directory (%s): correct or unset it", RootVariable, text.Quote(override), reason(err))}
	}
	return Resolution{Root: real, Rule: RuleOverride}
}

// Walk looks for the innermost marker at or above cwd, ignoring the override.
func (l Locator) Walk(cwd string) Resolution {
	real, err := l.directory(cwd)
	if err != nil {
		return Resolution{Rule: RuleCwdInvalid, Problem: fmt.Sprintf(
			"the working directory %s is no directory (%s)", text.Quote(cwd), reason(err))}
	}
	for dir := real; ; dir = path.Dir(dir) {
		marked, err := isRegular(l.fs, MarkerPath(dir))
		if err != nil {
			return Resolution{Rule: RuleUnreadable, Problem: fmt.Sprintf(
				"could not look for a marker in %s: %s", text.Quote(dir), reason(err))}
		}
		if marked {
			return Resolution{Root: dir, Rule: RuleMarker}
		}
		if dir == path.Dir(dir) {
			return Resolution{Rule: RuleUnmarked}
		}
	}
}

// directory returns the real path of a directory, '~' expanded.
func (l Locator) directory(name string) (string, error) {
	name, err := l.expand(name)
	if err != nil {
		return "", err
	}
	real, err := l.fs.RealPath(name)
	if err != nil {
		return "", err
	}
	info, err := l.fs.Stat(real)
	if err != nil {
		return "", err
	}
	if !info.Mode.IsDir() {
		return "", errNoDirectory
	}
	return real, nil
}

var errNoDirectory = errors.New("not a directory")

// expand puts the home directory in the place of '~'.
func (l Locator) expand(name string) (string, error) {
	if name != "~" && !strings.HasPrefix(name, "~/") {
		return name, nil
	}
	if l.home == "" {
		return "", port.ErrNoHome
	}
	return path.Join(l.home, name[1:]), nil
}

// isRegular follows symbolic links. A missing file is no error.
func isRegular(files port.Stater, name string) (bool, error) {
	info, err := files.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return info.Mode.IsRegular(), nil
}

// exists does not follow a final symbolic link. A missing name is no error.
func exists(files port.Stater, name string) (bool, error) {
	_, err := files.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// reason returns the innermost text of an error about a path, which the line
// around it names already.
func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return text.Printable(err.Error())
}

// within reports that dir is root or lies below it.
func within(root, dir string) bool {
	return dir == root || root == "/" || strings.HasPrefix(dir, root+"/")
}

// relative returns dir below root, '.' for root itself.
func relative(root, dir string) string {
	if dir == root {
		return "."
	}
	return strings.TrimPrefix(strings.TrimPrefix(dir, root), "/")
}

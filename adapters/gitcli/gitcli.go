// Package gitcli asks the git program about a working tree. It only reads: no
// lock is taken, no hook and no helper program of the repository's is run.
package gitcli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/google/wire"

	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// Git implements port.Git.
type Git struct {
	program string
	environ []string
}

var _ port.Git = Git{}

// Set provides git.
var Set = wire.NewSet(New, wire.Bind(new(port.Git), new(Git)))

// New uses the git on the PATH of this process.
func New() Git { return Git{program: "git", environ: environment(os.Environ())} }

// ofCaller are the variables by which a git that runs this process, such as for
// a hook, names its own repository.
var ofCaller = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE",
	"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
}

func environment(environ []string) []string {
	kept := slices.DeleteFunc(slices.Clone(environ), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return slices.Contains(ofCaller, name)
	})
	return append(kept, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat",
		"GIT_ALLOW_PROTOCOL=none") // a partial clone would fetch what it lacks
}

// errorLimit bounds what is kept of git's error stream, in bytes.
const errorLimit = 4 << 10

// stream runs git in dir and copies what it prints.
func (g Git) stream(ctx context.Context, dir string, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, g.program, append([]string{
		"--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "core.hooksPath=/dev/null",
	}, args...)...)
	cmd.Dir, cmd.Env = dir, g.environ
	errs := &head{limit: errorLimit}
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w: install git and put it on PATH", port.ErrNoGit)
	case ctx.Err() != nil:
		return ctx.Err()
	case strings.Contains(errs.String(), "not a git repository"):
		return port.ErrNoRepository
	case strings.Contains(errs.String(), "must be run in a work tree"): // a bare one, or inside .git
		return fmt.Errorf("%w with a working tree", port.ErrNoRepository)
	case strings.Contains(errs.String(), "dubious ownership"):
		return fmt.Errorf("%s belongs to somebody else, and git does not look into it: 'git config --global --add safe.directory DIR' says that you trust DIR", dir)
	}
	return fmt.Errorf("git %s: %w", args[0], &failure{err: err, said: errs.String()})
}

// failure is a git that ended badly, with what it said.
type failure struct {
	err  error
	said string
}

// Error gives the first line of what git said.
func (f *failure) Error() string {
	if line := text.Printable(text.FirstLine(strings.TrimSpace(f.said))); line != "" {
		return line
	}
	return f.err.Error()
}

// Unwrap implements errors.Unwrap.
func (f *failure) Unwrap() error { return f.err }

// head keeps the beginning of what is written to it. The buffer is not embedded: its
// ReadFrom would take everything, past Write.
type head struct {
	kept  bytes.Buffer
	limit int
}

// Write implements io.Writer.
func (h *head) Write(p []byte) (int, error) {
	if room := h.limit - h.kept.Len(); room > 0 {
		_, _ = h.kept.Write(p[:min(room, len(p))]) // a buffer does not fail
	}
	return len(p), nil
}

// String returns what is kept.
func (h *head) String() string { return h.kept.String() }

func (g Git) output(ctx context.Context, dir string, args ...string) (string, error) {
	var out bytes.Buffer
	err := g.stream(ctx, dir, &out, args...)
	return out.String(), err
}

// asks runs a git command that answers by its exit code: 1 is no.
func (g Git) asks(ctx context.Context, dir string, args ...string) (bool, error) {
	_, err := g.output(ctx, dir, args...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, nil
	}
	return err == nil, err
}

// Top implements port.RepositoryFinder.
func (g Git) Top(ctx context.Context, dir string) (string, error) {
	if info, err := os.Stat(dir); err != nil {
		return "", err
	} else if !info.IsDir() {
		return "", &fs.PathError{Op: "look for a repository in", Path: dir, Err: port.ErrNoDirectory}
	}
	out, err := g.output(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	top := strings.TrimSuffix(out, "\n")
	if top == "" { // inside .git
		return "", port.ErrNoRepository
	}
	return top, nil
}

// Version implements port.RepositoryFinder.
func (g Git) Version(ctx context.Context) (string, error) {
	out, err := g.output(ctx, "", "--version")
	return strings.TrimSpace(out), err
}

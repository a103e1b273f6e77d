package gitcli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/port"
)

// errUnread reports output of git that is not in the form its manual gives.
var errUnread = errors.New("git answered in a form that is not known")

// paths returns the arguments that leave directories out.
func paths(without []string) []string {
	args := []string{"--", ":(top)"}
	for _, dir := range without {
		args = append(args, ":(top,exclude,literal)"+dir)
	}
	return args
}

// Status implements port.TreeReader.
func (g Git) Status(ctx context.Context, dir string, without ...string) (port.WorkTree, error) {
	out, err := g.output(ctx, dir, append([]string{
		"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none",
	}, paths(without)...)...)
	if err != nil {
		return port.WorkTree{}, err
	}
	return parseStatus(out)
}

// parseStatus reads git's second porcelain form.
func parseStatus(out string) (port.WorkTree, error) {
	var tree port.WorkTree
	for record := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		kind, rest, _ := strings.Cut(record, " ")
		switch kind {
		case "":
		case "#":
			key, value, _ := strings.Cut(rest, " ")
			switch {
			case key == "branch.oid" && value != "(initial)":
				tree.Head = value
			case key == "branch.head" && value != "(detached)":
				tree.Branch = value
			}
		case "?":
			tree.Changes = append(tree.Changes, port.Change{Path: rest, Staged: '?', Unstaged: '?'})
		case "1", "u":
			fields := map[string]int{"1": 8, "u": 10}[kind]
			parts := strings.SplitN(rest, " ", fields)
			if len(parts) < fields || len(parts[0]) != 2 {
				return tree, fmt.Errorf("read status %q: %w", record, errUnread)
			}
			tree.Changes = append(tree.Changes, port.Change{Path: parts[fields-1], Staged: parts[0][0], Unstaged: parts[0][1]})
		default:
			return tree, fmt.Errorf("read status %q: %w", record, errUnread)
		}
	}
	slices.SortFunc(tree.Changes, func(a, b port.Change) int { return cmp.Compare(a.Path, b.Path) })
	return tree, nil
}

// symlinkMode is how git marks a symbolic link.
const symlinkMode = "120000 "

// Files implements port.TreeReader.
func (g Git) Files(ctx context.Context, dir string, without ...string) ([]port.TreeFile, error) {
	tracked, err := g.output(ctx, dir, append([]string{"ls-files", "-z", "--stage"}, paths(without)...)...)
	if err != nil {
		return nil, err
	}
	others, err := g.output(ctx, dir, append([]string{"ls-files", "-z", "--others", "--exclude-standard"}, paths(without)...)...)
	if err != nil {
		return nil, err
	}
	var files []port.TreeFile
	for record := range strings.SplitSeq(strings.TrimSuffix(tracked, "\x00"), "\x00") {
		if mode, path, ok := strings.Cut(record, "\t"); ok {
			files = append(files, port.TreeFile{Path: path, Symlink: strings.HasPrefix(mode, symlinkMode)})
		}
	}
	for path := range strings.SplitSeq(strings.TrimSuffix(others, "\x00"), "\x00") {
		if path != "" {
			files = append(files, port.TreeFile{Path: path})
		}
	}
	slices.SortFunc(files, func(a, b port.TreeFile) int { return cmp.Compare(a.Path, b.Path) })
	return slices.CompactFunc(files, func(a, b port.TreeFile) bool { return a.Path == b.Path }), nil
}

// Ignores implements port.TreeReader.
func (g Git) Ignores(ctx context.Context, dir, path string) (bool, error) {
	return g.asks(ctx, dir, "check-ignore", "--quiet", "--", path)
}

// Tracks implements port.TreeReader.
func (g Git) Tracks(ctx context.Context, dir, path string) (bool, error) {
	out, err := g.output(ctx, dir, "ls-files", "-z", "--", ":(top,literal)"+path)
	return out != "", err
}

// diff are the arguments of a diff that looks the same whatever the person's
// settings are, and runs no program of the repository's.
func diff(base string, more ...string) []string {
	return append(append([]string{
		"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/",
		"--unified=3", "--inter-hunk-context=0", "-O/dev/null", "--no-relative", "--ignore-submodules=none", "--submodule=short",
	}, more...), base)
}

// Diff implements port.TreeDiffer.
func (g Git) Diff(ctx context.Context, dir, base string, out io.Writer, without ...string) error {
	base, err := g.base(ctx, dir, base)
	if err != nil {
		return err
	}
	return g.stream(ctx, dir, out, append(diff(base), paths(without)...)...)
}

// Changed implements port.TreeDiffer.
func (g Git) Changed(ctx context.Context, dir, base string, without ...string) ([]string, error) {
	base, err := g.base(ctx, dir, base)
	if err != nil {
		return nil, err
	}
	out, err := g.output(ctx, dir, append(diff(base, "--name-only", "-z"), paths(without)...)...)
	if err != nil || out == "" {
		return nil, err
	}
	names := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	slices.Sort(names)
	return names, nil
}

// base returns the object to compare with.
func (g Git) base(ctx context.Context, dir, base string) (string, error) {
	name := base
	if name == "" {
		name = "HEAD"
	}
	out, err := g.output(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	var exit *exec.ExitError
	switch {
	case err == nil:
		return strings.TrimSpace(out), nil
	case !errors.As(err, &exit):
		return "", err
	case base != "":
		return "", fmt.Errorf("%q: %w", base, port.ErrNoRevision)
	}
	out, err = g.output(ctx, dir, "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(out), err
}

package port

import (
	"context"
	"errors"
	"io"
)

var (
	// ErrNoGit reports that there is no git program to ask.
	ErrNoGit = errors.New("git not found")

	// ErrNoRepository reports a directory that lies in no working tree.
	ErrNoRepository = errors.New("not a git repository")

	// ErrNoDirectory reports a path that leads to something else.
	ErrNoDirectory = errors.New("not a directory")

	// ErrNoRevision reports a name that no commit has.
	ErrNoRevision = errors.New("no such revision")
)

// Change is one path that differs from HEAD, or that git does not track and
// does not ignore.
type Change struct {
	// Path is relative to the top of the working tree, with slashes.
	Path string

	// Staged and Unstaged are git's letters for the two differences, a dot for
	// none; both are question marks where git does not track the path.
	Staged, Unstaged byte
}

// Untracked reports a path that git does not track.
func (c Change) Untracked() bool { return c.Staged == '?' }

// WorkTree is the state of a working tree.
type WorkTree struct {
	// Branch is empty where HEAD is detached.
	Branch string
	// Head is the commit; empty where there is none yet.
	Head string
	// Changes are in byte order of their paths. A renamed file is one that was
	// added and one that was deleted.
	Changes []Change
}

// TreeFile is one file that git tracks, or does not ignore.
type TreeFile struct {
	Path    string
	Symlink bool
}

// RepositoryFinder finds the repository that a directory belongs to.
type RepositoryFinder interface {
	// Top returns the top of the working tree that dir lies in: ErrNoRepository
	// outside of one, ErrNoGit without git, fs.ErrNotExist for a missing dir,
	// ErrNoDirectory for a file.
	Top(ctx context.Context, dir string) (string, error)

	// Version returns what git says of itself: ErrNoGit without git.
	Version(ctx context.Context) (string, error)
}

// TreeReader reads the working tree whose top is dir. The directories named in
// without are left out everywhere. A failing git is an error, never an empty
// result.
type TreeReader interface {
	Status(ctx context.Context, dir string, without ...string) (WorkTree, error)

	// Files returns what is tracked, and what is neither tracked nor ignored, in
	// byte order. What was deleted from the working tree is among them.
	Files(ctx context.Context, dir string, without ...string) ([]TreeFile, error)

	// Ignores reports that git ignores a path of the working tree.
	Ignores(ctx context.Context, dir, path string) (bool, error)

	// Tracks reports that git tracks something at or below the path.
	Tracks(ctx context.Context, dir, path string) (bool, error)
}

// TreeDiffer compares the working tree whose top is dir with a commit.
type TreeDiffer interface {
	// Diff writes the unified diff from base to the working tree; an empty base
	// is HEAD, and the empty tree where there is no commit. Files that git does
	// not track are no part of it. ErrNoRevision for an unknown base.
	Diff(ctx context.Context, dir, base string, out io.Writer, without ...string) error

	// Changed returns the paths that such a diff names, in byte order.
	Changed(ctx context.Context, dir, base string, without ...string) ([]string, error)
}

// Git is every interface of this file at once, for assembly.
type Git interface {
	RepositoryFinder
	TreeReader
	TreeDiffer
}

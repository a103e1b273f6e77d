package exchange

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/port"
)

// gitFileLimit bounds the reading of a .git file and of a HEAD, in bytes.
const gitFileLimit = 64 << 10

// gitFiles is the file system as reading a repository's own files needs it.
type gitFiles interface {
	port.Stater
	port.FileReader
	port.PathResolver
}

// GitTrees reads what a directory's repository says of itself. It never starts
// git.
type GitTrees struct {
	fs gitFiles
}

// NewGitTrees reads through the given file system.
func NewGitTrees(files gitFiles) GitTrees { return GitTrees{fs: files} }

// Root returns the nearest of dir and its parents that holds an entry .git of
// any kind; empty where there is none.
func (g GitTrees) Root(dir string) string {
	for {
		if found, err := exists(g.fs, path.Join(dir, ".git")); err == nil && found {
			return dir
		}
		if dir == path.Dir(dir) {
			return ""
		}
		dir = path.Dir(dir)
	}
}

// Branch returns the branch checked out in the tree around dir; empty where
// HEAD is detached, unreadable or no text. It looks at the nearest .git alone.
func (g GitTrees) Branch(dir string) string {
	root := g.Root(dir)
	if root == "" {
		return ""
	}
	gitDir := path.Join(root, ".git")
	if target, ok := g.target(root); ok {
		gitDir = target
	}
	head, err := g.fs.ReadLinked(path.Join(gitDir, "HEAD"), gitFileLimit)
	if err != nil || !utf8.Valid(head) {
		return ""
	}
	branch, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	if !ok {
		return ""
	}
	return branch
}

// target returns the directory that a .git file names.
func (g GitTrees) target(root string) (string, bool) {
	data, err := g.fs.ReadLinked(path.Join(root, ".git"), gitFileLimit)
	if err != nil || !utf8.Valid(data) {
		return "", false
	}
	line, _, _ := strings.Cut(string(data), "\n")
	target, ok := strings.CutPrefix(line, "gitdir:")
	if !ok || strings.TrimSpace(target) == "" {
		return "", false
	}
	target = strings.TrimSpace(target)
	if !path.IsAbs(target) {
		target = path.Join(root, target)
	}
	real, err := g.fs.RealPath(target)
	if err != nil {
		return "", false
	}
	return real, true
}

// Repo returns the scope of the repository that a directory is in, relative to
// the exchange's root; '.' for the root itself. A worktree counts as its main
// repository. Empty where there is none, or where it lies outside the root.
func (g GitTrees) Repo(root, dir string) string {
	real, err := g.fs.RealPath(dir)
	if err != nil {
		return ""
	}
	tree := g.Root(real)
	if tree == "" {
		return ""
	}
	if target, ok := g.target(tree); ok {
		if main, ok := mainOfWorktree(target); ok {
			tree = main
		}
	}
	if !within(root, tree) {
		return ""
	}
	return relative(root, tree)
}

// mainOfWorktree takes <main>/.git/worktrees/<name> apart.
func mainOfWorktree(gitDir string) (string, bool) {
	worktrees := path.Dir(gitDir)
	dotGit := path.Dir(worktrees)
	if path.Base(worktrees) != "worktrees" || path.Base(dotGit) != ".git" {
		return "", false
	}
	return path.Dir(dotGit), true
}

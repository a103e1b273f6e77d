package exchange_test

import (
	"io/fs"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/domain/exchange"
)

// repositories is a root full of trees that git keeps in different ways.
func repositories() *files {
	f := newFiles()
	head := func(dir, content string) { f.file(dir+"/HEAD", content) }
	head("/r/plain/.git", "ref: refs/heads/main\n")
	f.dir("/r/plain/src/deep")
	head("/r/plain/.git/worktrees/wt", "ref: refs/heads/topic/x\n")
	head("/r/plain/.git/modules/sub", "ref: refs/heads/submain\n")
	f.file("/r/wt/.git", "gitdir: /r/plain/.git/worktrees/wt\n")
	f.dir("/r/wt/in")
	f.file("/out/wt/.git", "gitdir: /r/plain/.git/worktrees/wt\n")
	f.file("/r/relative/.git", "gitdir: ../plain/.git/worktrees/wt\n")
	f.file("/r/plain/sub/.git", "gitdir: ../.git/modules/sub\n")
	head("/srv/bare.git/worktrees/b", "ref: refs/heads/bare\n")
	f.file("/r/bare/.git", "gitdir: /srv/bare.git/worktrees/b\n")
	head("/out/main/.git/worktrees/o", "ref: refs/heads/o\n")
	f.file("/r/foreign/.git", "gitdir: /out/main/.git/worktrees/o\n")
	f.file("/r/plain/odd/.git", "what is this")
	f.file("/r/plain/gone/.git", "gitdir: /nowhere/.git/worktrees/x\n")
	f.file("/r/plain/empty/.git", "gitdir: \n")
	f.file("/r/plain/binary/.git", "gitdir: \xff\xfe\n")
	f.dir("/r/plain/headless/.git", "/r/area/notes", "/out/area")
	head("/r/detached/.git", "0123456789abcdef0123456789abcdef01234567\n")
	head("/r/tag/.git", "ref: refs/tags/v1\n")
	head("/r/broken/.git", "ref: refs/heads/m\xff\n")
	head("/r/unclosed/.git", "ref: refs/heads/no-newline")
	f.dir("/r/headdir/.git/HEAD")
	f.symlink("/link", "/r/plain/src")
	return f
}

func TestGitTrees_Root(t *testing.T) {
	tests := []struct{ dir, want string }{
		{"/r/plain", "/r/plain"},
		{"/r/plain/src/deep", "/r/plain"},
		{"/r/wt/in", "/r/wt"},             // a file is enough
		{"/r/plain/sub", "/r/plain/sub"},  // the nearest
		{"/r/plain/odd", "/r/plain/odd"},  // of any content
		{"/r/headdir/.git", "/r/headdir"}, // from inside
		{"/r/area/notes", ""},
	}
	for _, tt := range tests {
		t.Run(tt.dir, func(t *testing.T) {
			is := is.New(t)
			is.Equal(exchange.NewGitTrees(repositories()).Root(tt.dir), tt.want)
		})
	}
}

// Section 6.1 with D15: the nearest .git alone, a file followed to its HEAD.
func TestGitTrees_Branch(t *testing.T) {
	tests := []struct{ name, dir, want string }{
		{"plain", "/r/plain", "main"},
		{"from below", "/r/plain/src/deep", "main"},
		{"worktree", "/r/wt/in", "topic/x"},
		{"worktree, relative", "/r/relative", "topic/x"},
		{"submodule", "/r/plain/sub", "submain"},
		{"bare repository's worktree", "/r/bare", "bare"},
		{"no newline at the end", "/r/unclosed", "no-newline"},
		{"detached", "/r/detached", ""},
		{"a tag", "/r/tag", ""},
		{"no text", "/r/broken", ""},
		{"HEAD is a directory", "/r/headdir", ""},
		{"no HEAD: not the repository around it", "/r/plain/headless", ""},
		{"odd .git file: not the repository around it", "/r/plain/odd", ""},
		{"target gone: not the repository around it", "/r/plain/gone", ""},
		{"no repository", "/r/area", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(exchange.NewGitTrees(repositories()).Branch(tt.dir), tt.want)
		})
	}
}

func TestGitTrees_BranchOfWhatCannotBeRead(t *testing.T) {
	is := is.New(t)
	f := repositories()
	f.faults["/r/plain/.git/HEAD"] = fs.ErrPermission
	is.Equal(exchange.NewGitTrees(f).Branch("/r/plain"), "")
}

// Section 7.3.
func TestGitTrees_Repo(t *testing.T) {
	tests := []struct{ name, root, dir, want string }{
		{"plain", "/r", "/r/plain/src/deep", "plain"},
		{"the root itself", "/r/plain", "/r/plain/src", "."},
		{"two levels down", "/", "/r/plain", "r/plain"},
		{"worktree: its main repository", "/r", "/r/wt", "plain"},
		{"worktree outside the root: its main repository", "/r", "/out/wt", "plain"},
		{"worktree, relative", "/r", "/r/relative", "plain"},
		{"worktree of a repository outside", "/r", "/r/foreign", ""},
		{"submodule: the tree as found", "/r", "/r/plain/sub", "plain/sub"},
		{"bare repository's worktree: the tree as found", "/r", "/r/bare", "bare"},
		{"odd file: the tree as found", "/r", "/r/plain/odd", "plain/odd"},
		{"target gone: the tree as found", "/r", "/r/plain/gone", "plain/gone"},
		{"no target: the tree as found", "/r", "/r/plain/empty", "plain/empty"},
		{"no text: the tree as found", "/r", "/r/plain/binary", "plain/binary"},
		{"through a link", "/r", "/link", "plain"},
		{"no repository", "/r", "/r/area", ""},
		{"repository outside the root", "/r/area", "/r/plain", ""},
		{"repository above the root", "/r/plain/src", "/r/plain/src/deep", ""},
		{"a name that only begins like the root's", "/r/pl", "/r/plain", ""},
		{"no such directory", "/r", "/nowhere", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(exchange.NewGitTrees(repositories()).Repo(tt.root, tt.dir), tt.want)
		})
	}
}

package gitcli_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/adapters/gitcli"
	"github.com/changeover/changeover/domain/port"
)

// repository makes an empty repository.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "--quiet", "--initial-branch=main")
	git(t, dir, "config", "user.email", "dev@example.org")
	git(t, dir, "config", "user.name", "dev")
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

const session = ".ai-session"

// harbour is a repository with every kind of change.
func harbour(t *testing.T) string {
	t.Helper()
	dir := repository(t)
	put(t, dir, "kept.txt", "kept\n")
	put(t, dir, "edited.txt", "old\n")
	put(t, dir, "staged ü.txt", "old\n")
	put(t, dir, "gone.txt", "gone\n")
	put(t, dir, ".gitignore", "ignored/\n")
	put(t, dir, session+"/task.md", "tracked by mistake\n")
	if err := os.Symlink("kept.txt", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "--quiet", "-m", "first")
	put(t, dir, "edited.txt", "new\n")
	put(t, dir, "staged ü.txt", "new\n")
	git(t, dir, "add", "staged ü.txt")
	put(t, dir, "new dir/a\nb.txt", "x\n")
	put(t, dir, "ignored/c.txt", "x\n")
	put(t, dir, session+"/task.md", "changed\n")
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTop_FindsTheTopFromBelow(t *testing.T) {
	is := is.New(t)
	dir := repository(t)
	put(t, dir, "a/b/c.txt", "")
	top, err := gitcli.New().Top(t.Context(), filepath.Join(dir, "a", "b"))
	is.NoErr(err)
	is.Equal(top, dir)
}

func TestTop_SaysWhatIsMissing(t *testing.T) {
	is := is.New(t)
	_, err := gitcli.New().Top(t.Context(), t.TempDir())
	is.True(errors.Is(err, port.ErrNoRepository))
	_, err = gitcli.New().Top(t.Context(), filepath.Join(repository(t), ".git"))
	is.True(errors.Is(err, port.ErrNoRepository)) // inside of it, git knows no top
	bare := t.TempDir()
	git(t, bare, "init", "--quiet", "--bare")
	_, err = gitcli.New().Top(t.Context(), bare)
	is.True(errors.Is(err, port.ErrNoRepository))
	dir := repository(t)
	put(t, dir, "file", "")
	_, err = gitcli.New().Top(t.Context(), filepath.Join(dir, "file"))
	is.True(errors.Is(err, port.ErrNoDirectory))
	_, err = gitcli.New().Top(t.Context(), filepath.Join(dir, "missing"))
	is.True(errors.Is(err, fs.ErrNotExist))
	t.Setenv("PATH", t.TempDir())
	_, err = gitcli.New().Top(t.Context(), t.TempDir())
	is.True(errors.Is(err, port.ErrNoGit))
}

func TestTop_PassesOverTheCallersOwnRepository(t *testing.T) {
	is := is.New(t)
	dir := repository(t)
	t.Setenv("GIT_DIR", filepath.Join(repository(t), ".git"))
	t.Setenv("GIT_WORK_TREE", "/")
	top, err := gitcli.New().Top(t.Context(), dir)
	is.NoErr(err)
	is.Equal(top, dir)
}

func TestStatus_NamesEveryChange(t *testing.T) {
	is := is.New(t)
	tree, err := gitcli.New().Status(t.Context(), harbour(t), session)
	is.NoErr(err)
	is.Equal(tree.Branch, "main")
	is.Equal(len(tree.Head), 40)
	want := []port.Change{
		{Path: "edited.txt", Staged: '.', Unstaged: 'M'},
		{Path: "gone.txt", Staged: '.', Unstaged: 'D'},
		{Path: "new dir/a\nb.txt", Staged: '?', Unstaged: '?'},
		{Path: "staged ü.txt", Staged: 'M', Unstaged: '.'},
	}
	is.Equal(cmp.Diff(tree.Changes, want), "")
}

func TestStatus_OfAConflict(t *testing.T) {
	is := is.New(t)
	dir := repository(t)
	put(t, dir, "a.txt", "one\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "--quiet", "-m", "one")
	git(t, dir, "checkout", "--quiet", "-b", "other")
	put(t, dir, "a.txt", "two\n")
	git(t, dir, "commit", "--quiet", "-am", "two")
	git(t, dir, "checkout", "--quiet", "main")
	put(t, dir, "a.txt", "three\n")
	git(t, dir, "commit", "--quiet", "-am", "three")
	_ = exec.Command("git", "-C", dir, "merge", "other").Run() // it must fail
	tree, err := gitcli.New().Status(t.Context(), dir)
	is.NoErr(err)
	is.Equal(cmp.Diff(tree.Changes, []port.Change{{Path: "a.txt", Staged: 'U', Unstaged: 'U'}}), "")
}

func TestStatus_WithoutACommitAndDetached(t *testing.T) {
	is := is.New(t)
	dir := repository(t)
	put(t, dir, "a.txt", "one\n")
	tree, err := gitcli.New().Status(t.Context(), dir)
	is.NoErr(err)
	is.Equal(tree.Branch, "main")
	is.Equal(tree.Head, "")
	is.Equal(len(tree.Changes), 1)
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "--quiet", "-m", "one")
	git(t, dir, "checkout", "--quiet", "--detach")
	tree, err = gitcli.New().Status(t.Context(), dir)
	is.NoErr(err)
	is.Equal(tree.Branch, "")
	is.Equal(len(tree.Changes), 0)
}

func TestStatus_FailsWhereGitFails(t *testing.T) {
	is := is.New(t)
	dir := repository(t)
	put(t, dir, ".git/index", "no index at all")
	_, err := gitcli.New().Status(t.Context(), dir)
	is.True(err != nil)
	is.True(strings.HasPrefix(err.Error(), "git status: "))
}

func TestFiles_AreTheTrackedAndTheNotIgnored(t *testing.T) {
	is := is.New(t)
	files, err := gitcli.New().Files(t.Context(), harbour(t), session)
	is.NoErr(err)
	want := []port.TreeFile{
		{Path: ".gitignore"},
		{Path: "edited.txt"},
		{Path: "gone.txt"},
		{Path: "kept.txt"},
		{Path: "link", Symlink: true},
		{Path: "new dir/a\nb.txt"},
		{Path: "staged ü.txt"},
	}
	is.Equal(cmp.Diff(files, want), "")
}

func TestDiff_ComparesWithACommit(t *testing.T) {
	is := is.New(t)
	dir := harbour(t)
	var out strings.Builder
	is.NoErr(gitcli.New().Diff(t.Context(), dir, "", &out, session))
	is.True(strings.Contains(out.String(), "--- a/edited.txt\n+++ b/edited.txt\n@@ -1 +1 @@\n-old\n+new\n"))
	is.True(strings.Contains(out.String(), "+++ b/staged ü.txt\t\n"))
	is.True(!strings.Contains(out.String(), session))
	names, err := gitcli.New().Changed(t.Context(), dir, "HEAD", session)
	is.NoErr(err)
	is.Equal(names, []string{"edited.txt", "gone.txt", "staged ü.txt"})

	git(t, dir, "commit", "--quiet", "-am", "second")
	names, err = gitcli.New().Changed(t.Context(), dir, "HEAD", session)
	is.NoErr(err)
	is.Equal(len(names), 0)
	names, err = gitcli.New().Changed(t.Context(), dir, "HEAD~1", session)
	is.NoErr(err)
	is.Equal(len(names), 3)
}

func TestDiff_WithoutACommitComparesWithNothing(t *testing.T) {
	is := is.New(t)
	dir := repository(t)
	put(t, dir, "a.txt", "one\n")
	git(t, dir, "add", "-A")
	var out strings.Builder
	is.NoErr(gitcli.New().Diff(t.Context(), dir, "", &out))
	is.True(strings.Contains(out.String(), "+one\n"))
}

func TestDiff_RefusesAnUnknownBase(t *testing.T) {
	is := is.New(t)
	dir := harbour(t)
	for _, base := range []string{"nowhere", "--output=/tmp/x", "HEAD:kept.txt"} {
		_, err := gitcli.New().Changed(t.Context(), dir, base)
		is.True(errors.Is(err, port.ErrNoRevision))
	}
}

// What the person has set for their own eyes changes nothing.
func TestDiff_IsTheSameWhateverIsSet(t *testing.T) {
	is := is.New(t)
	dir := repository(t)
	put(t, dir, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	put(t, dir, "b.txt", "one\n")
	part := repository(t)
	put(t, part, "c.txt", "one\n")
	git(t, part, "add", "-A")
	git(t, part, "commit", "--quiet", "-m", "first")
	git(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part, "part")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "--quiet", "-m", "first")
	put(t, dir, "a.txt", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")
	put(t, dir, "b.txt", "two\n")
	put(t, dir, "part/c.txt", "two\n")
	order := filepath.Join(t.TempDir(), "order")
	is.NoErr(os.WriteFile(order, []byte("b.txt\n"), 0o600))

	diff := func() string {
		var out strings.Builder
		is.NoErr(gitcli.New().Diff(t.Context(), dir, "", &out))
		return out.String()
	}
	plain := diff()
	is.True(strings.Contains(plain, "diff --git a/part b/part\n"))
	for _, setting := range [][2]string{
		{"diff.context", "0"},
		{"diff.interHunkContext", "9"},
		{"diff.orderFile", order},
		{"diff.noprefix", "true"},
		{"diff.mnemonicPrefix", "true"},
		{"diff.renames", "copies"},
		{"diff.relative", "true"},
		{"diff.ignoreSubmodules", "all"},
		{"diff.submodule", "diff"},
		{"color.ui", "always"},
	} {
		git(t, dir, "config", setting[0], setting[1])
		is.Equal(diff(), plain) // the diff
		git(t, dir, "config", "--unset", setting[0])
	}
}

// A repository must not be able to run a program in whoever looks at it.
func TestGit_RunsNothingOfTheRepositorys(t *testing.T) {
	is := is.New(t)
	dir := harbour(t)
	trap := filepath.Join(dir, "trap.sh")
	put(t, dir, "trap.sh", "#!/bin/sh\ntouch '"+filepath.Join(dir, "sprung")+"'\ncat\n")
	is.NoErr(os.Chmod(trap, 0o755))
	git(t, dir, "config", "core.fsmonitor", trap)
	git(t, dir, "config", "diff.external", trap)
	git(t, dir, "config", "diff.trap.textconv", trap)
	put(t, dir, ".gitattributes", "*.txt diff=trap\n")
	var out strings.Builder
	is.NoErr(gitcli.New().Diff(t.Context(), dir, "", &out))
	_, err := gitcli.New().Status(t.Context(), dir)
	is.NoErr(err)
	_, err = gitcli.New().Files(t.Context(), dir)
	is.NoErr(err)
	_, err = os.Stat(filepath.Join(dir, "sprung"))
	is.True(os.IsNotExist(err))
}

func TestIgnoresAndTracks(t *testing.T) {
	is := is.New(t)
	dir := harbour(t)
	for path, want := range map[string]bool{"ignored/c.txt": true, "ignored/": true, "kept.txt": false, session + "/": false} {
		got, err := gitcli.New().Ignores(t.Context(), dir, path)
		is.NoErr(err)
		is.Equal(got, want)
	}
	for path, want := range map[string]bool{session: true, "ignored": false, "new dir": false} {
		got, err := gitcli.New().Tracks(t.Context(), dir, path)
		is.NoErr(err)
		is.Equal(got, want)
	}
}

// A git that prints without end is not kept in memory: of what it says the first 4 KiB count.
func TestGit_KeepsTheBeginningOfAComplaint(t *testing.T) {
	is := is.New(t)
	bin := t.TempDir()
	script := "#!/bin/sh\nhead -c 8192 /dev/zero | tr '\\0' x >&2\nexit 1\n"
	is.NoErr(os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	_, err := gitcli.New().Status(t.Context(), t.TempDir())
	is.True(err != nil)
	is.Equal(strings.Count(err.Error(), "x"), 4096)
}

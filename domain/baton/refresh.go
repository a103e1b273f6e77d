package baton

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/changeover/changeover/domain/baton/compact"
	"github.com/changeover/changeover/domain/port"
	"github.com/changeover/changeover/domain/text"
)

// How much of untracked files the diff takes in, in bytes.
const (
	untrackedLimit = 64 << 10
	untrackedTotal = 256 << 10
)

// Tree is the state of the repository, as a handoff tells it.
type Tree struct {
	port.WorkTree
	// Changed are the paths that differ from HEAD or are new, Files all paths
	// that are tracked or not ignored.
	Changed []string
	Files   []compact.RepoFile
	// Diff is the whole diff, RepoMap the map within its budget, State the
	// compact state.
	Diff, RepoMap, State string
}

// Refresh writes the artifacts that tell of the repository anew: the diff, the
// changed files, the map and the compact state.
func (w World) refresh(ctx context.Context, d Desk, budgets compact.Profile) (Tree, error) {
	tree, err := w.look(ctx, d)
	if err != nil {
		return tree, fmt.Errorf("look at the repository: %w", err)
	}
	tree.RepoMap, _ = compact.RepoMap(w.Cut, compact.Repository{
		Name: path.Base(d.Top()), Files: tree.Files, Changed: tree.Changed,
	}, budgets.MaxRepoMapChars)
	state, err := d.Text(StateFile)
	if err != nil {
		return tree, err
	}
	tree.State = compact.NewStateCompactor(w.Cut, budgets.MaxStateChars).Compact(state)
	for _, artifact := range []struct{ name, content string }{
		{DiffFile, tree.Diff},
		{ChangedFile, changedList(tree.Changed)},
		{RepoMapFile, tree.RepoMap},
		{CompactStateFile, tree.State},
	} {
		if err := d.Write(artifact.name, artifact.content); err != nil {
			return tree, err
		}
	}
	return tree, nil
}

// changedList is the content of changed-files.md.
func changedList(changed []string) string {
	if len(changed) == 0 {
		return "# Changed Files\n\n(none)\n"
	}
	var out strings.Builder
	out.WriteString("# Changed Files\n\n")
	for _, name := range changed {
		out.WriteString("- " + text.Readable(name) + "\n")
	}
	return out.String()
}

// look asks git about the working tree. The session directory is never a part of
// it.
func (w World) look(ctx context.Context, d Desk) (Tree, error) {
	var tree Tree
	var err error
	if tree.WorkTree, err = w.Git.Status(ctx, d.Top(), SessionDir); err != nil {
		return tree, err
	}
	files, err := w.Git.Files(ctx, d.Top(), SessionDir)
	if err != nil {
		return tree, err
	}
	for _, f := range files {
		tree.Files = append(tree.Files, compact.RepoFile{Path: f.Path, Symlink: f.Symlink})
	}
	for _, c := range tree.Changes {
		tree.Changed = append(tree.Changed, c.Path)
	}
	var diff bytes.Buffer
	if err := w.Git.Diff(ctx, d.Top(), "", &diff, SessionDir); err != nil {
		return tree, err
	}
	w.untracked(d, tree.Changes, &diff)
	tree.Diff = strings.ToValidUTF8(diff.String(), "\uFFFD")
	return tree, nil
}

// untracked adds text files that git does not track to a diff, as new ones.
func (w World) untracked(d Desk, changes []port.Change, diff *bytes.Buffer) {
	room := untrackedTotal
	for _, c := range changes {
		if !c.Untracked() {
			continue
		}
		data, err := d.files.ReadFile(path.Join(d.Top(), c.Path), untrackedLimit)
		if err != nil && !isNoFile(err) {
			w.Sink.Notice(fmt.Sprintf("warning: %s does not hold %s: %v", Artifact(DiffFile), text.Printable(c.Path), err))
		}
		if err != nil || len(data) > room || !isText(data) {
			continue // it is named among the changed files all the same
		}
		room -= len(data)
		writeNew(diff, c.Path, string(data))
	}
}

// isNoFile reports a path that holds no file of a size to be shown: it is gone, a link
// or a directory, or too large.
func isNoFile(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, port.ErrNotRegular) || errors.Is(err, port.ErrTooLarge)
}

// isText reports content that a diff can show.
func isText(data []byte) bool { return utf8.Valid(data) && !bytes.ContainsRune(data, 0) }

// writeNew writes a new file as git's diff would.
func writeNew(diff *bytes.Buffer, name, content string) {
	name = text.Readable(name)
	fmt.Fprintf(diff, "diff --git a/%s b/%s\nnew file mode 100644\n", name, name)
	if content == "" {
		return
	}
	lines := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
	fmt.Fprintf(diff, "--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n", name, len(lines))
	for _, line := range lines {
		diff.WriteString("+" + line + "\n")
	}
	if !strings.HasSuffix(content, "\n") {
		diff.WriteString("\\ No newline at end of file\n")
	}
}

// shortStatus words the state of the working tree as git's short form does.
func shortStatus(tree port.WorkTree) string {
	var out strings.Builder
	switch {
	case tree.Branch == "":
		out.WriteString("## HEAD (no branch)\n")
	case tree.Head == "":
		out.WriteString("## No commits yet on " + tree.Branch + "\n")
	default:
		out.WriteString("## " + tree.Branch + "\n")
	}
	for _, c := range tree.Changes {
		letters := strings.ReplaceAll(string([]byte{c.Staged, c.Unstaged}), ".", " ")
		out.WriteString(letters + " " + text.Readable(c.Path) + "\n")
	}
	return out.String()
}

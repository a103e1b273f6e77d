package compact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/baton/markdown"
	"github.com/changeover/changeover/domain/text"
)

const (
	// treeDepth is how many levels below the root the tree shows.
	treeDepth = 3
	// dirEntries and treeLines bound a directory and the whole tree.
	dirEntries = 100
	treeLines  = 1500
)

// treeLine is one line of the tree. Level counts from 1.
type treeLine struct {
	level int
	text  string
}

// tree is the lines that a map shows, and a count of those it does not.
type tree struct {
	lines []treeLine
	gone  int
}

// newTree lists the first levels of a repository, directories by their names in
// byte order.
func newTree(files []RepoFile) *tree {
	root := &node{}
	for _, f := range files {
		if names, _ := segments(f); names != nil {
			root.put(names, f)
		}
	}
	t := &tree{}
	root.list(1, &t.lines)
	if len(t.lines) > treeLines {
		t.gone = len(t.lines) - treeLines
		t.lines = t.lines[:treeLines]
	}
	return t
}

// node is an entry of the tree.
type node struct {
	name     string
	dir      bool
	symlink  bool
	children map[string]*node
}

// put adds the entries that lead to a file.
func (n *node) put(names []string, f RepoFile) {
	for level, name := range names[:min(len(names), treeDepth)] {
		child := n.children[name]
		if child == nil {
			child = &node{name: name}
			if n.children == nil {
				n.children = map[string]*node{}
			}
			n.children[name] = child
		}
		n = child
		last := level == len(names)-1
		n.dir = n.dir || !last || f.Dir && !f.Symlink
		n.symlink = n.symlink || last && f.Symlink
	}
}

// list appends what stands below a directory.
func (n *node) list(level int, lines *[]treeLine) {
	children := make([]*node, 0, len(n.children))
	for _, child := range n.children {
		children = append(children, child)
	}
	slices.SortFunc(children, func(a, b *node) int { return cmp.Compare(a.name, b.name) })
	indent := strings.Repeat("  ", level-1)
	for i, child := range children {
		if i == dirEntries {
			*lines = append(*lines, treeLine{level, fmt.Sprintf("%s… %d more", indent, len(children)-i)})
			return
		}
		*lines = append(*lines, treeLine{level, indent + child.label()})
		child.list(level+1, lines)
	}
}

func (n *node) label() string {
	name := text.Readable(n.name)
	switch {
	case n.symlink:
		return name + " (symlink)"
	case n.dir:
		return name + "/"
	}
	return name
}

// fence returns the tree in a fenced block.
func (t *tree) fence() string {
	var out strings.Builder
	for _, line := range t.lines {
		out.WriteString(line.text + "\n")
	}
	if t.gone > 0 {
		out.WriteString(t.rest())
	}
	return markdown.Fence("", out.String())
}

// rest counts the lines that are not shown.
func (t *tree) rest() string { return fmt.Sprintf("… %d more lines\n", t.gone) }

// shrink removes lines until the tree is shorter by that many characters: the
// deepest first, of equally deep ones the last first. The first level stays.
func (t *tree) shrink(over int) {
	if t.gone == 0 {
		over += Chars((&tree{gone: len(t.lines)}).rest())
	} else {
		over += len("9999") // the count may get longer
	}
	removed := make([]bool, len(t.lines))
	for level := treeDepth; level > 1; level-- {
		for n := len(t.lines) - 1; n >= 0 && over > 0; n-- {
			if t.lines[n].level != level {
				continue
			}
			removed[n] = true
			t.gone++
			over -= Chars(t.lines[n].text) + 1
		}
	}
	kept := t.lines[:0]
	for n, line := range t.lines {
		if !removed[n] {
			kept = append(kept, line)
		}
	}
	t.lines = kept
}

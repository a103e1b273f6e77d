package agent

import (
	"path"
	"strings"
)

// command adds a call of a shell.
func (e *Event) command(command, from string) {
	e.parts = append(e.parts, part{tag: TagTool, text: command, from: from, mark: "$ ", indent: "  "})
}

// ended adds how a tool call ended.
func (e *Event) ended(how string, fine bool, from string) {
	e.parts = append(e.parts, part{tag: TagTool, text: how, from: from, ends: true, fine: fine})
}

// relative returns a path as it is shown: from the root, where it lies under it.
func (d dialect) relative(name string) string {
	if d.root == "" {
		return name
	}
	root := path.Clean(d.root)
	if name == root {
		return "."
	}
	if root != "/" {
		root += "/"
	}
	if inside, ok := strings.CutPrefix(name, root); ok && inside != "" {
		return inside
	}
	return name
}

package compact

import (
	"fmt"
	"path"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

// mostRelevant is how many files are listed.
const mostRelevant = 60

// Why a file is relevant.
const (
	reasonChanged      = "changed"
	reasonNamed        = "named in the task"
	reasonProject      = "project file"
	reasonInstructions = "instructions"
)

// RelevantFile is a file that the next agent should look at.
type RelevantFile struct{ Path, Reason string }

// Relevant is the files that the next agent should look at first.
type Relevant struct {
	Files []RelevantFile
	// More counts the files that are not listed.
	More int
}

// Workspace is what relevant files are chosen from.
type Workspace struct {
	// Root is the repository's directory, so that a task may name a file by its
	// whole path; it may be empty.
	Root    string
	Changed []string
	Task    string
	// Exists tells whether a path, relative to the root, is a file inside it.
	Exists func(path string) bool
}

// SelectRelevant returns the files in order of their weight, each once: what
// changed, what the task names, what says how the project is built, and the
// instructions of agents.
func SelectRelevant(w Workspace) Relevant {
	var r Relevant
	seen := map[string]bool{}
	add := func(p, reason string) {
		if seen[p] {
			return
		}
		seen[p] = true
		if len(r.Files) == mostRelevant {
			r.More++
			return
		}
		r.Files = append(r.Files, RelevantFile{Path: p, Reason: reason})
	}
	exists := func(p string) bool { return !seen[p] && w.Exists(p) }
	for _, p := range w.Changed {
		add(p, reasonChanged)
	}
	for _, p := range Paths(w.Task) {
		if p, ok := w.inside(p); ok && exists(p) {
			add(p, reasonNamed)
		}
	}
	for _, p := range []string{
		"package.json", "pnpm-workspace.yaml", "tsconfig.json", "tsconfig.base.json", "vite.config.ts", "vite.config.js", "Dockerfile",
		"docker-compose.yml", "go.mod", "relay-baton.config.json",
	} {
		if exists(p) {
			add(p, reasonProject)
		}
	}
	for _, p := range []string{"AGENTS.md", "CLAUDE.md"} {
		if exists(p) {
			add(p, reasonInstructions)
		}
	}
	return r
}

// inside returns a path of a file as seen from the root; ok is false for a
// directory and for what leads out of it.
func (w Workspace) inside(p string) (relative string, ok bool) {
	if root := strings.TrimSuffix(w.Root, "/"); root != "" {
		p = strings.TrimPrefix(p, root+"/")
	}
	if strings.HasPrefix(p, "/") || strings.HasSuffix(p, "/") {
		return "", false
	}
	p = path.Clean(p)
	return p, p != ".." && !strings.HasPrefix(p, "../")
}

// String returns one line for each file, and one for those that are not listed.
func (r Relevant) String() string {
	var out strings.Builder
	for _, f := range r.Files {
		fmt.Fprintf(&out, "- %s — %s\n", text.Readable(f.Path), f.Reason)
	}
	if r.More > 0 {
		fmt.Fprintf(&out, "- and %d more\n", r.More)
	}
	return out.String()
}

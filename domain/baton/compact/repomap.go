package compact

import (
	"path"
	"slices"
	"strings"

	"github.com/changeover/changeover/domain/text"
)

// keyDepth is how deep key files are looked for.
const keyDepth = 4

// RepoFile is a file of a repository: a path relative to its root, with slashes.
type RepoFile struct {
	Path string
	// Dir: a directory, named for itself. Those that hold a listed file need
	// no entry.
	Dir bool
	// Symlink: shown as one, never followed.
	Symlink bool
}

// Repository is what a repo map is made of. In a git repository Files are those
// that are tracked, or neither tracked nor ignored.
type Repository struct {
	// Name is the name of the root directory.
	Name    string
	Files   []RepoFile
	Changed []string
}

// RepoMap returns the map of a repository in at most limit characters. The tree
// loses its deepest lines first; what is still too long is cut at its end.
func RepoMap(cutter text.Cutter, repo Repository, limit int) (result string, cut bool) {
	head := "# Repo Map\n\nRoot: " + text.Readable(repo.Name) + "\n\n## Directory Tree\n"
	tail := "\n\n## Key Files\n" + bulletList(keyFiles(repo.Files), "(none)")
	if len(repo.Changed) > 0 {
		tail += "\n## Changed Files\n" + bulletList(repo.Changed, "")
	}
	tree := newTree(repo.Files)
	whole := head + tree.fence() + tail
	if over := Chars(whole) - limit; over > 0 {
		tree.shrink(over)
		whole, cut = head+tree.fence()+tail, true
	}
	result, _ = Head(cutter, whole, limit)
	return result, cut
}

func bulletList(names []string, none string) string {
	if len(names) == 0 {
		return none + "\n"
	}
	var out strings.Builder
	for _, name := range names {
		out.WriteString("- " + text.Readable(name) + "\n")
	}
	return out.String()
}

// passedOver reports a name that no map shows: what is built, installed or the
// tools' own.
func passedOver(name string) bool {
	switch name {
	case ".git", "node_modules", "bin", "obj", "dist", "build", ".next", ".turbo", "coverage", ".ai-session":
		return true
	}
	return false
}

// segments returns the names that lead to a file, at most as many as anything
// here looks at; none for a file below a directory that is passed over. A plain
// file may be called like such a directory, but for .git, which is one in a
// linked working tree.
func segments(f RepoFile) (names []string, whole bool) {
	names = strings.SplitN(strings.Trim(f.Path, "/"), "/", keyDepth+1)
	whole = len(names) <= keyDepth
	for n, name := range names {
		file := whole && n == len(names)-1 && !f.Dir && !f.Symlink && name != ".git"
		if name == "" || passedOver(name) && !file {
			return nil, false
		}
	}
	return names, whole
}

// keyFiles returns the files that say what the repository is built with.
func keyFiles(files []RepoFile) []string {
	var keys []string
	for _, f := range files {
		names, whole := segments(f)
		if whole && !f.Dir && isKeyFile(names) {
			keys = append(keys, strings.Join(names, "/"))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func isKeyFile(names []string) bool {
	base := names[len(names)-1]
	if base == "Chart.yaml" {
		return len(names) > 1 && names[len(names)-2] == "helm"
	}
	for _, pattern := range []string{
		"package.json", "*.csproj", "*.sln", "vite.config.*", "tsconfig*.json", "appsettings*.json", "Dockerfile", "docker-compose.*",
		"AGENTS.md", "CLAUDE.md", "pnpm-workspace.yaml",
		"go.mod", "Cargo.toml", "pyproject.toml", "pom.xml", "build.gradle*", "Makefile", "Gemfile", "composer.json",
	} {
		if ok, err := path.Match(pattern, base); ok && err == nil {
			return true
		}
	}
	return false
}

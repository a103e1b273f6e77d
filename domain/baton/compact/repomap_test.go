package compact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
)

// repository returns one of these files.
func repository(paths ...string) compact.Repository {
	repo := compact.Repository{Name: "proj"}
	for _, p := range paths {
		repo.Files = append(repo.Files, compact.RepoFile{Path: p})
	}
	return repo
}

// tree returns the tree of a map.
func tree(repo compact.Repository) string {
	whole, _ := compact.RepoMap(cutter, repo, 1<<20)
	_, rest, _ := strings.Cut(whole, "```\n")
	body, _, _ := strings.Cut(rest, "```\n")
	return body
}

// Row 31.
func TestRepoMap_ShowsSourcesAndKeyFilesAlone(t *testing.T) {
	is := is.New(t)
	repo := repository("src/main.go", "go.mod", "node_modules/a/package.json", "web/node_modules/b.js", "dist/x.js", ".git/config", "web/app.ts",
		"web/package.json", ".env", "README.md")
	repo.Changed = []string{"src/main.go"}
	got, cut := compact.RepoMap(cutter, repo, 8000)
	is.True(!cut)
	is.Equal(cmp.Diff(`# Repo Map

Root: proj

## Directory Tree
`+"```"+`
.env
README.md
go.mod
src/
  main.go
web/
  app.ts
  package.json
`+"```"+`

## Key Files
- go.mod
- web/package.json

## Changed Files
- src/main.go
`, got), "")
}

func TestRepoMap_PassesOver(t *testing.T) {
	for _, name := range []string{".git", "node_modules", "bin", "obj", "dist", "build", ".next", ".turbo", "coverage", ".ai-session"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			repo := repository(name+"/a", "a/"+name+"/b", "a/b/c/"+name+"/package.json", "ok.go")
			repo.Files = append(repo.Files, compact.RepoFile{Path: name, Dir: true}, compact.RepoFile{Path: "a/" + name, Symlink: true})
			got, _ := compact.RepoMap(cutter, repo, 8000)
			is.Equal(tree(repo), "ok.go\n")
			is.True(!strings.Contains(got, "package.json"))
		})
	}
	is := is.New(t)
	is.Equal(tree(repository("build", "sub/.git", "binary/a.go")), "binary/\n  a.go\nbuild\n") // a file may be called so
}

func TestRepoMap_ShowsThreeLevelsInByteOrder(t *testing.T) {
	is := is.New(t)
	is.Equal(tree(repository("b", "a/b/c/d/e.go", "a/b/c.go", "B", "a.go", "ä", "a-b")), `B
a/
  b/
    c/
    c.go
a-b
a.go
b
ä
`)
}

func TestRepoMap_ShowsSymlinksAndDirectories(t *testing.T) {
	is := is.New(t)
	repo := repository("a.go")
	repo.Files = append(repo.Files, compact.RepoFile{Path: "link", Symlink: true, Dir: true}, compact.RepoFile{Path: "empty/", Dir: true})
	is.Equal(tree(repo), "a.go\nempty/\nlink (symlink)\n")
}

func TestRepoMap_BoundsDirectoriesAndTheTree(t *testing.T) {
	is := is.New(t)
	var paths []string
	for n := range 130 {
		paths = append(paths, fmt.Sprintf("a/%03d.go", n))
	}
	got := tree(repository(paths...))
	is.Equal(strings.Count(got, "\n"), 1+100+1)
	is.True(strings.HasSuffix(got, "  099.go\n  … 30 more\n"))

	paths = nil
	for n := range 20 * 90 {
		paths = append(paths, fmt.Sprintf("d%02d/%02d.go", n/90, n%90))
	}
	got = tree(repository(paths...))
	is.Equal(strings.Count(got, "\n"), 1500+1)
	is.True(strings.HasSuffix(got, fmt.Sprintf("\n… %d more lines\n", 20*91-1500)))
}

func TestRepoMap_FindsKeyFiles(t *testing.T) {
	keys := []string{
		"package.json", "a/App.csproj", "a/App.sln", "vite.config.ts", "tsconfig.json", "tsconfig.base.json", "appsettings.Dev.json", "Dockerfile",
		"docker-compose.yml", "x/helm/Chart.yaml", "helm/Chart.yaml", "AGENTS.md", "CLAUDE.md", "pnpm-workspace.yaml", "go.mod", "Cargo.toml",
		"pyproject.toml", "pom.xml", "build.gradle.kts", "build.gradle", "Makefile", "Gemfile", "composer.json", "a/b/c/go.mod",
	}
	others := []string{"a/b/c/d/go.mod", "Chart.yaml", "helm/x/Chart.yaml", "xpackage.json", "vite.config", "tsconfig.ts", "Dockerfile.dev"}
	is := is.New(t)
	got, _ := compact.RepoMap(cutter, repository(append(others, keys...)...), 8000)
	_, list, _ := strings.Cut(got, "## Key Files\n- ")
	listed := strings.Split(strings.TrimSpace(list), "\n- ")
	slices.Sort(keys)
	is.Equal(cmp.Diff(keys, listed), "")
	got, _ = compact.RepoMap(cutter, repository("a.go"), 8000)
	is.True(strings.HasSuffix(got, "## Key Files\n(none)\n"))
}

func TestRepoMap_LosesItsDeepestLinesFirst(t *testing.T) {
	is := is.New(t)
	repo := repository("a/b/c.go", "a/b/d.go", "a/e.go", "f.go", "go.mod")
	whole, _ := compact.RepoMap(cutter, repo, 8000)
	size := utf8.RuneCountInString(whole)
	tests := []struct {
		limit int
		tree  string
	}{
		{size, "a/\n  b/\n    c.go\n    d.go\n  e.go\nf.go\ngo.mod\n"},
		// 16 characters for the count: two of the deepest lines have 18.
		{size - 1, "a/\n  b/\n  e.go\nf.go\ngo.mod\n… 2 more lines\n"},
		{size - 4, "a/\n  b/\nf.go\ngo.mod\n… 3 more lines\n"},
		{size - 11, "a/\nf.go\ngo.mod\n… 4 more lines\n"},
	}
	for _, tt := range tests {
		got, cut := compact.RepoMap(cutter, repo, tt.limit)
		is.Equal(cut, tt.limit < size)
		is.True(utf8.RuneCountInString(got) <= tt.limit)
		is.Equal(got, strings.Replace(whole, "a/\n  b/\n    c.go\n    d.go\n  e.go\nf.go\ngo.mod\n", tt.tree, 1))
	}
	got, _ := compact.RepoMap(cutter, repo, 100) // then the end
	is.True(strings.HasSuffix(got, "\n"+marker))
	is.Equal(utf8.RuneCountInString(got), 100)
}

func TestRepoMap_CountsInTheRoomThatItHas(t *testing.T) {
	is := is.New(t)
	var paths []string
	for n := range 1599 {
		paths = append(paths, fmt.Sprintf("%02d/%02d", n/99, n%99))
	}
	whole, _ := compact.RepoMap(cutter, repository(paths...), 1<<20)
	gone := 1599 + 17 - 1500
	is.True(strings.Contains(whole, fmt.Sprintf("… %d more lines\n", gone)))
	// Without the lines until there are 1000 more, exactly, but for the longer count.
	limit := utf8.RuneCountInString(whole) - (1000-gone)*len("  00\n")
	got, _ := compact.RepoMap(cutter, repository(paths...), limit)
	is.True(strings.Contains(got, "… 1001 more lines\n"))
	is.True(!strings.Contains(got, marker))
}

func TestRepoMap_ShowsNamesAsOneLine(t *testing.T) {
	is := is.New(t)
	repo := repository("a\nb\x1b[1m.go", "```")
	repo.Name = "p\nq"
	got, _ := compact.RepoMap(cutter, repo, 8000)
	is.True(strings.Contains(got, "Root: pq\n"))
	is.True(strings.Contains(got, "\n````\n```\nab[1m.go\n````\n"))
}

func TestRepoMap_Properties(t *testing.T) {
	segment := rapid.SampledFrom([]string{"a", "b", "src", "bin", ".git", "go.mod", family, "ä", "long-name-of-a-file.go", "", "`"})
	rapid.Check(t, func(t *rapid.T) {
		repo := compact.Repository{Name: anyText().Draw(t, "name")}
		for range rapid.IntRange(0, 60).Draw(t, "files") {
			repo.Files = append(repo.Files, compact.RepoFile{
				Path:    strings.Join(rapid.SliceOfN(segment, 1, 6).Draw(t, "path"), "/"),
				Dir:     rapid.Bool().Draw(t, "dir"),
				Symlink: rapid.Bool().Draw(t, "symlink"),
			})
		}
		repo.Changed = rapid.SliceOfN(anyText(), 0, 3).Draw(t, "changed")
		limit := rapid.IntRange(0, 3000).Draw(t, "limit")
		got, cut := compact.RepoMap(cutter, repo, limit)
		if utf8.RuneCountInString(got) > limit || !utf8.ValidString(got) {
			t.Fatalf("limit %d: %q", limit, got)
		}
		whole, _ := compact.RepoMap(cutter, repo, 1<<20)
		if cut != (utf8.RuneCountInString(whole) > limit) || !cut && got != whole {
			t.Fatalf("cut %v: %q of %q", cut, got, whole)
		}
		slices.Reverse(repo.Files)
		if again, _ := compact.RepoMap(cutter, repo, limit); again != got {
			t.Fatal("the order of the files changed the map")
		}
	})
}

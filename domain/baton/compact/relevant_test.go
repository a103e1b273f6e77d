package compact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/baton/compact"
)

// among returns what tells whether a path is one of these.
func among(paths ...string) func(string) bool {
	return func(p string) bool { return slices.Contains(paths, p) }
}

func TestSelectRelevant_InOrderWithReasons(t *testing.T) {
	is := is.New(t)
	got := compact.SelectRelevant(compact.Workspace{
		Root:    "/home/dev/proj",
		Changed: []string{"src/b.go", "gone.go"},
		Task: "Fix src\\a.go, ./src/c.go. /home/dev/proj/src/d.go, ../out/e.go, /etc/passwd.txt, src/b.go, missing.go, docs/ and go.mod; " +
			"see src/a.go again",
		Exists: among("src/a.go", "src/b.go", "src/c.go", "src/d.go", "../out/e.go", "/etc/passwd.txt", "docs", "docs/", "go.mod",
			"vite.config.js", "package.json", "relay-baton.config.json", "CLAUDE.md", "AGENTS.md", "README.md"),
	})
	is.Equal(cmp.Diff(got, compact.Relevant{Files: []compact.RelevantFile{
		{Path: "src/b.go", Reason: "changed"},
		{Path: "gone.go", Reason: "changed"},
		{Path: "src/a.go", Reason: "named in the task"},
		{Path: "src/c.go", Reason: "named in the task"},
		{Path: "src/d.go", Reason: "named in the task"},
		{Path: "go.mod", Reason: "named in the task"},
		{Path: "package.json", Reason: "project file"},
		{Path: "vite.config.js", Reason: "project file"},
		{Path: "relay-baton.config.json", Reason: "project file"},
		{Path: "AGENTS.md", Reason: "instructions"},
		{Path: "CLAUDE.md", Reason: "instructions"},
	}}), "")
}

func TestSelectRelevant_KnowsTheProjectFiles(t *testing.T) {
	is := is.New(t)
	got := compact.SelectRelevant(compact.Workspace{Exists: func(string) bool { return true }})
	is.Equal(got.String(), `- package.json — project file
- pnpm-workspace.yaml — project file
- tsconfig.json — project file
- tsconfig.base.json — project file
- vite.config.ts — project file
- vite.config.js — project file
- Dockerfile — project file
- docker-compose.yml — project file
- go.mod — project file
- relay-baton.config.json — project file
- AGENTS.md — instructions
- CLAUDE.md — instructions
`)
}

func TestSelectRelevant_ListsSixtyAndCountsTheRest(t *testing.T) {
	is := is.New(t)
	var changed []string
	for n := range 70 {
		changed = append(changed, fmt.Sprintf("f%d.go", n), fmt.Sprintf("f%d.go", n))
	}
	got := compact.SelectRelevant(compact.Workspace{Changed: changed, Exists: among("go.mod")})
	is.Equal(len(got.Files), 60)
	is.Equal(got.More, 11)
	is.True(strings.HasSuffix(got.String(), "- f59.go — changed\n- and 11 more\n"))
	is.Equal(compact.Relevant{}.String(), "")
}

func TestPaths(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"Edit src/a.go.", []string{"src/a.go"}},
		{"`src/a.go`, (b_1-x.ts) \"c.md\"", []string{"src/a.go", "b_1-x.ts", "c.md"}},
		{`src\win\a.cs`, []string{"src/win/a.cs"}},
		{"./a.go and a.go", []string{"a.go"}},
		{"äö/ß.go", []string{"äö/ß.go"}},
		{".env and .gitignore", []string{".env"}}, // an extension has up to 8 characters
		{"a.12345678 a.123456789", []string{"a.12345678"}},
		{"src/ and src", []string{"src/"}},
		{"v1.2 or 3.4", []string{"v1.2"}},
		{"done...", nil},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			is := is.New(t)
			is.Equal(cmp.Diff(tt.want, compact.Paths(tt.in)), "")
		})
	}
}

func TestSelectRelevant_NeverLeavesTheRoot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		task := rapid.StringMatching(`([a-c./\\ ]{0,6}\.go ?){0,5}`).Draw(t, "task")
		compact.SelectRelevant(compact.Workspace{Task: task, Exists: func(p string) bool {
			if strings.HasPrefix(p, "/") || p == ".." || strings.HasPrefix(p, "../") || strings.Contains(p, "/../") {
				t.Fatalf("%q leads out", p)
			}
			return true
		}})
	})
}

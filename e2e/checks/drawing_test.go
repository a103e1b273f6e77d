package checks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

// drawnNode is a box of a drawing, such as `relay["domain/relay"]`: a directory with
// all below it that has no box of its own.
var drawnNode = regexp.MustCompile(`^\s*(\w+)\["([^"]+)"\]$`)

// drawnEdge is an arrow of a drawing.
var drawnEdge = regexp.MustCompile(`^\s*(\w+) --> (\w+)$`)

// The drawings in docs/architecture.md show who imports whom, and no more: each box
// is a directory, each arrow an import of the product's code.
func TestArchitecture_DrawsTheImports(t *testing.T) {
	is := is.New(t)
	file := filepath.Join(repository(t), "docs", "architecture.md")
	doc := readFile(t, file)
	parts := strings.Split(doc, "```mermaid\n")
	is.True(len(parts) > 2) // drawings
	for i, part := range parts[1:] {
		drawing, rest, ended := strings.Cut(part, "```\n")
		is.True(ended) // fence
		parts[i+1] = redrawn(t, drawing) + "```\n" + rest
	}
	want := strings.Join(parts, "```mermaid\n")
	if *update {
		is.NoErr(os.WriteFile(file, []byte(want), 0o644))
		return
	}
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Errorf("a drawing in docs/architecture.md is not what the code imports; go test ./checks -run Architecture -update draws it:\n%s", diff)
	}
}

// Every package of the domain stands in some drawing.
func TestArchitecture_DrawsAllOfTheDomain(t *testing.T) {
	drawn := map[string]bool{}
	for line := range strings.Lines(readFile(t, filepath.Join(repository(t), "docs", "architecture.md"))) {
		if found := drawnNode.FindStringSubmatch(strings.TrimRight(line, "\n")); found != nil {
			drawn[found[2]] = true
		}
	}
	for _, s := range product(t, "domain") {
		if dir := filepath.ToSlash(filepath.Dir(s.name)); !drawn[dir] {
			t.Errorf("docs/architecture.md has no box %q", dir)
			drawn[dir] = true
		}
	}
}

// redrawn is a drawing with its boxes, and the arrows that the imports make.
func redrawn(t *testing.T, drawing string) string {
	t.Helper()
	ids := map[string]string{} // by directory
	var kept, order []string
	for line := range strings.Lines(drawing) {
		line = strings.TrimRight(line, "\n")
		if drawnEdge.MatchString(line) {
			continue
		}
		kept = append(kept, line)
		if found := drawnNode.FindStringSubmatch(line); found != nil {
			if _, err := os.Stat(filepath.Join(repository(t), found[2])); err != nil {
				t.Errorf("the drawing has a box for %s: %v", found[2], err)
			}
			ids[found[2]] = found[1]
			order = append(order, found[2])
		}
	}
	if len(order) < 2 {
		t.Fatalf("a drawing without boxes:\n%s", drawing)
	}
	edges := importsAmong(t, order)
	for _, from := range order {
		for _, to := range order {
			if edges[from+" "+to] {
				kept = append(kept, fmt.Sprintf("  %s --> %s", ids[from], ids[to]))
			}
		}
	}
	return strings.Join(kept, "\n") + "\n"
}

// importsAmong tells which of some directories import which, as "from to".
func importsAmong(t *testing.T, dirs []string) map[string]bool {
	t.Helper()
	box := func(dir string) string {
		found := ""
		for _, d := range dirs {
			if within(dir, d) && len(d) > len(found) {
				found = d
			}
		}
		return found
	}
	edges := map[string]bool{}
	for _, module := range modules(t) {
		for _, s := range product(t, module) {
			from := box(filepath.ToSlash(filepath.Dir(s.name)))
			if from == "" || testSupport(s.pkg()) {
				continue
			}
			for _, imported := range s.imports {
				dir, ours := strings.CutPrefix(imported, modulePrefix)
				if to := box(dir); ours && to != "" && to != from {
					edges[from+" "+to] = true
				}
			}
		}
	}
	return edges
}

// The table of packages names directories that are there.
func TestArchitecture_TableNamesWhatIsThere(t *testing.T) {
	quoted := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(readFile(t, filepath.Join(repository(t), "docs", "architecture.md"))) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 || !strings.HasPrefix(line, "| `") {
			continue
		}
		base := ""
		for _, found := range quoted.FindAllStringSubmatch(cells[1], -1) {
			name := found[1]
			if !strings.Contains(name, "/") && base != "" && !slices.Contains(modules(t), name) {
				name = base + "/" + name
			}
			if strings.Contains(name, "/") {
				base = filepath.ToSlash(filepath.Dir(name))
			}
			if info, err := os.Stat(filepath.Join(repository(t), name)); err != nil || !info.IsDir() {
				t.Errorf("docs/architecture.md describes %s, which is no directory", name)
			}
		}
	}
}

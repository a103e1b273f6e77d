package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// find returns the fuzz tests of all modules that go.work names.
func find(root string) ([]*target, error) {
	work, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		return nil, err
	}
	var found []*target
	for line := range strings.Lines(string(work)) {
		module, ok := strings.CutPrefix(strings.TrimSpace(line), "./")
		if !ok {
			continue
		}
		err := filepath.WalkDir(filepath.Join(root, module), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() != "testdata" {
				return err
			}
			if d.IsDir() {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, "_test.go") {
				return nil
			}
			names, err := fuzzTests(path)
			for _, name := range names {
				dir, _ := filepath.Rel(filepath.Join(root, module), filepath.Dir(path)) // it lies below
				found = append(found, &target{module: module, dir: dir, name: name})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found, func(a, b *target) int { return cmp.Compare(a.String(), b.String()) })
	return found, nil
}

// fuzzTests returns the fuzz tests of a file.
func fuzzTests(path string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") {
			names = append(names, f.Name.Name)
		}
	}
	return names, nil
}

const (
	// longestKept is the length in bytes past which an input is not kept.
	longestKept = 2 << 10
)

// keepInteresting copies inputs that runs have found of interest from Go's cache into
// the corpus of each fuzz test: of those that are short the ones that come first by
// their names, so that another run keeps the same.
func keepInteresting(targets []*target, root string, most int) error {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("find Go's cache: %w", err)
	}
	cache := filepath.Join(strings.TrimSpace(string(out)), "fuzz")
	for _, t := range targets {
		modFile, err := os.ReadFile(filepath.Join(root, t.module, "go.mod"))
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(string(modFile), "\n")
		from := filepath.Join(cache, filepath.FromSlash(strings.TrimSpace(strings.TrimPrefix(first, "module "))), t.dir, t.name)
		if err := copyShort(from, filepath.Join(root, t.module, t.dir, "testdata", "fuzz", t.name), most); err != nil {
			return err
		}
	}
	return nil
}

func copyShort(from, to string, most int) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		if len(data) > longestKept || most == 0 {
			continue
		}
		most--
		if err := os.WriteFile(filepath.Join(to, e.Name()), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

package checks_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/changeover/changeover/e2e/reference"
)

// The page about everything that can be set is that of the code.
func TestConfiguration_IsTheCodes(t *testing.T) {
	is := is.New(t)
	data, err := os.ReadFile(filepath.Join(repository(t), "docs", "configuration.md"))
	is.NoErr(err)
	is.True(bytes.Equal(data, reference.Page())) // stale: run make generate
}

// variableName is what a text looks like that names a variable of the environment.
var variableName = regexp.MustCompile(`^[A-Z][A-Z0-9]*_[A-Z0-9_]+$|^(HOME|PATH|TZ|TMPDIR|CLAUDECODE)$`)

// passedOver are such texts that are read as no variable: those that git is run
// without, and what tests alone set.
func passedOver(name string) bool {
	for _, prefix := range []string{"GIT_", "CHANGEOVER_TEST_", "TORTURE_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "LC_ALL"
}

// Every variable that the programs read stands on the page, and none else.
func TestConfiguration_NamesEveryVariable(t *testing.T) {
	told, read := map[string]bool{}, map[string]bool{}
	for _, v := range reference.Variables() {
		told[v.Name] = true
	}
	for _, module := range []string{"domain", "adapters", "relay-cli", "baton-cli", "exchange-cli", "hookd"} {
		for name, file := range variablesIn(t, filepath.Join(repository(t), module)) {
			read[name] = true
			if !told[name] {
				t.Errorf("%s names the variable %s, and e2e/reference does not", file, name)
			}
		}
	}
	for name := range told {
		if !read[name] && !byTheSystem[name] {
			t.Errorf("e2e/reference names the variable %s, which no program reads", name)
		}
	}
}

// byTheSystem are variables that the standard library reads.
var byTheSystem = map[string]bool{"HOME": true, "PATH": true, "TZ": true, "TMPDIR": true}

// variablesIn are the variables that the sources of a module name, with a file of each.
func variablesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil && variableName.MatchString(text) && !passedOver(text) {
					found[text] = path
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

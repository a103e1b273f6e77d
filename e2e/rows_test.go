package e2e_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// pinned is how many rows each section of pinned behaviour has.
var pinned = map[string]int{
	"Roots": 21, "Config": 2, "Registry": 10, "Claims": 13, "Store": 9, "Handoffs": 24, "Hook": 25,
	"While a session runs": 12, "Doctor": 5, "Ledger and import": 18, "Unwiring": 6,
}

// stillOpen is what comes later: an item of the list of improvements, or a
// section.
var stillOpen = regexp.MustCompile(`^open (D\d+|section \d+)$`)

// The table of pinned behaviour is whole, and each row names tests that exist
// and are no other row's.
func TestRows(t *testing.T) {
	is := is.New(t)
	data, err := os.ReadFile(filepath.Join("testdata", "rows.tsv"))
	is.NoErr(err)
	tests, err := goTests("..")
	is.NoErr(err)
	counts, rows, named := map[string]int{}, map[string]bool{}, map[string]string{}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 || cells[0] == "" || cells[1] == "" || cells[2] == "" {
			t.Fatalf("not three cells: %q", line)
		}
		section, row := cells[0], cells[1]
		counts[section]++
		if rows[section+row] {
			t.Errorf("twice in the table: %s", row)
		}
		rows[section+row] = true
		if stillOpen.MatchString(cells[2]) {
			continue
		}
		for name := range strings.SplitSeq(cells[2], " | ") {
			if other, ok := named[name]; ok {
				t.Errorf("%s is the test of two rows:\n%s\n%s", name, other, row)
			}
			named[name] = row
			if why := missing(name, tests); why != "" {
				t.Errorf("%s: %s\n%s", name, why, row)
			}
		}
	}
	is.Equal(counts, pinned) // rows of each section
}

// missing says why a test of the table cannot be found: a phase of a script
// (dir/name.txtar: heading), or a Go test (TestName or TestName/case).
func missing(name string, tests map[string]bool) string {
	file, heading, ok := strings.Cut(name, ".txtar: ")
	if !ok {
		if !tests[name] {
			return "no Go test of that name"
		}
		return ""
	}
	data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(file)+".txtar"))
	if err != nil {
		return err.Error()
	}
	script, _, _ := strings.Cut(string(data), "\n-- ")
	if n := strings.Count("\n"+script+"\n", "\n# "+heading+"\n"); n != 1 {
		return "the script has no such phase, or several"
	}
	return ""
}

// goTests returns the Go tests below a directory, with the cases that their
// tables name in a literal.
func goTests(root string) (map[string]bool, error) {
	tests := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			tests[fn.Name.Name] = true
			ast.Inspect(fn, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					tests[fn.Name.Name+"/"+strings.Trim(lit.Value, "\"`")] = true
				}
				return true
			})
		}
		return nil
	})
	return tests, err
}

package checks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// leastWords is how much a package says of itself beside its name.
const leastWords = 4

// Every package says what lives there.
func TestPackages_SayWhatLivesThere(t *testing.T) {
	for _, module := range modules(t) {
		said, names := map[string]string{}, map[string]string{}
		for _, name := range goFiles(t, module) {
			dir := filepath.ToSlash(filepath.Dir(name))
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repository(t), name), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			names[dir] = strings.TrimSuffix(file.Name.Name, "_test")
			if doc := packageDoc(file); len(doc) > len(said[dir]) {
				said[dir] = doc
			}
		}
		for dir, name := range names {
			begins := []string{"Package " + name + " ", "Package " + name + "_test "}
			if name == "main" {
				program := programOf(dir)
				begins = []string{"Command " + program + " ", strings.ToUpper(program[:1]) + program[1:] + " "}
			}
			rest, named := said[dir], false
			for _, begin := range begins {
				if after, found := strings.CutPrefix(said[dir], begin); found {
					rest, named = after, true
				}
			}
			switch {
			case said[dir] == "":
				t.Errorf("%s has no doc comment that says what lives there", dir)
			case !named:
				t.Errorf("the doc comment of %s does not begin with %q: %.60s", dir, begins[0], said[dir])
			case len(strings.Fields(rest)) < leastWords:
				t.Errorf("the doc comment of %s says no more than its name: %s", dir, said[dir])
			}
		}
	}
}

// packageDoc is the doc comment of a file's package, on one line.
func packageDoc(file *ast.File) string {
	if file.Doc == nil {
		return ""
	}
	return strings.Join(strings.Fields(file.Doc.Text()), " ")
}

// programOf is what the program of a directory is called.
func programOf(dir string) string {
	return strings.TrimSuffix(filepath.Base(dir), "-cli")
}

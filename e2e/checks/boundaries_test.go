package checks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// domainImports is all that the domain may import beside itself. What is not
// here is added with a reason, never in passing.
var domainImports = []string{
	"bufio", "bytes", "cmp", "context", "crypto/sha256", "encoding/hex", "encoding/json", "errors", "fmt", "io",
	"io/fs", "iter", "maps", "math", "path", "regexp", "slices", "sort", "strconv", "strings", "sync", "time", "unicode",
	"unicode/utf16", "unicode/utf8",
}

// domainCalls are functions of allowed packages that reach for the world.
var domainCalls = map[string][]string{
	"time":    {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "LoadLocation"},
	"fmt":     {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
	"context": {"Background", "TODO"},
}

// source is one parsed Go file.
type source struct {
	name    string // relative to the repository
	file    *ast.File
	imports map[string]string // local name to path
}

// pkg returns the import path of the file's package.
func (s source) pkg() string { return modulePrefix + filepath.ToSlash(filepath.Dir(s.name)) }

// product parses the files of a module that end up in a program.
func product(t *testing.T, module string) []source {
	t.Helper()
	var sources []source
	for _, name := range goFiles(t, module) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		sources = append(sources, parse(t, name))
	}
	return sources
}

// parse reads one file.
func parse(t *testing.T, name string) source {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repository(t), name), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := source{name: name, file: file, imports: map[string]string{}}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		s.imports[local] = imported
	}
	return s
}

func TestDomain_ImportsTheAllowedStandardLibraryOnly(t *testing.T) {
	for _, s := range product(t, "domain") {
		for _, imported := range s.imports {
			if !within(imported, modulePrefix+"domain") && !slices.Contains(domainImports, imported) {
				t.Errorf("%s imports %s", s.name, imported)
			}
		}
	}
}

func TestDomain_TakesTheWorldFromItsPorts(t *testing.T) {
	for _, s := range product(t, "domain") {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if from, name, ok := s.selected(n); ok && slices.Contains(domainCalls[from], name) {
				t.Errorf("%s uses %s.%s", s.name, from, name)
			}
			if _, ok := n.(*ast.GoStmt); ok {
				t.Errorf("%s starts a goroutine", s.name)
			}
			return true
		})
	}
}

// selected returns the imported package and the name of a selector such as
// time.Now.
func (s source) selected(n ast.Node) (from, name string, ok bool) {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	local, ok := selector.X.(*ast.Ident)
	if !ok || s.imports[local.Name] == "" {
		return "", "", false
	}
	return s.imports[local.Name], selector.Sel.Name, true
}

func TestModules_DependInward(t *testing.T) {
	inward := map[string][]string{
		"domain":       {"domain"},
		"adapters":     {"domain", "adapters"},
		"relay-cli":    {"domain", "adapters", "relay-cli"},
		"baton-cli":    {"domain", "adapters", "baton-cli"},
		"exchange-cli": {"domain", "adapters", "exchange-cli"},
		"hookd":        {"domain", "adapters", "hookd"},
		"e2e":          {"domain", "adapters", "e2e"},
	}
	for _, module := range modules(t) {
		if inward[module] == nil {
			t.Errorf("module %s has no place in the order of modules", module)
		}
		for _, name := range goFiles(t, module) { // tests too
			for _, imported := range parse(t, name).imports {
				if target, ours := moduleOf(imported); ours && !slices.Contains(inward[module], target) {
					t.Errorf("%s imports %s", name, imported)
				}
			}
		}
	}
}

func TestAdapters_DoNotKnowEachOther(t *testing.T) {
	for _, s := range product(t, "adapters") {
		if testSupport(s.pkg()) || s.wireSets() {
			continue
		}
		for _, imported := range s.imports {
			if target, ours := moduleOf(imported); ours && target == "adapters" && adapter(imported) != adapter(s.pkg()) {
				t.Errorf("%s imports the adapter %s", s.name, imported)
			}
		}
	}
}

// wireSets reports whether the file declares provider sets and nothing else.
func (s source) wireSets() bool {
	for _, decl := range s.file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok || general.Tok != token.IMPORT && general.Tok != token.VAR {
			return false
		}
		for _, spec := range general.Specs {
			if value, ok := spec.(*ast.ValueSpec); ok && !s.allSets(value) {
				return false
			}
		}
	}
	return true
}

// allSets reports whether every value of a declaration is a call of
// wire.NewSet.
func (s source) allSets(spec *ast.ValueSpec) bool {
	for _, value := range spec.Values {
		call, ok := value.(*ast.CallExpr)
		if !ok {
			return false
		}
		if from, name, ok := s.selected(call.Fun); !ok || from != "github.com/google/wire" || name != "NewSet" {
			return false
		}
	}
	return len(spec.Values) > 0
}

func TestProducts_DoNotUseTestSupport(t *testing.T) {
	for _, module := range modules(t) {
		for _, s := range product(t, module) {
			if module == "e2e" || testSupport(s.pkg()) {
				continue
			}
			for _, imported := range s.imports {
				if _, ours := moduleOf(imported); ours && testSupport(imported) {
					t.Errorf("%s imports %s", s.name, imported)
				}
			}
		}
	}
}

func TestProducts_CompileNoRegexpAtStart(t *testing.T) {
	for _, module := range []string{"domain", "adapters", "hookd"} {
		for _, s := range product(t, module) {
			for _, decl := range s.file.Decls {
				general, ok := decl.(*ast.GenDecl)
				if !ok || general.Tok != token.VAR {
					continue
				}
				ast.Inspect(general, func(n ast.Node) bool {
					if _, inside := n.(*ast.FuncLit); inside {
						return false
					}
					if from, name, ok := s.selected(n); ok && from == "regexp" && strings.HasPrefix(name, "MustCompile") {
						t.Errorf("%s compiles a regular expression at start", s.name)
					}
					return true
				})
			}
		}
	}
}

func TestHookd_LinksNothingSlow(t *testing.T) {
	slow := []string{
		"net/http", "html/template", "text/template", "github.com/spf13/cobra", "github.com/spf13/pflag",
		"github.com/charmbracelet", "charm.land", "github.com/rs/zerolog", "github.com/santhosh-tekuri/jsonschema",
		"github.com/google/jsonschema-go", "github.com/invopop/jsonschema", "github.com/go-git", "github.com/tailscale/hujson",
		"regexp", modulePrefix + "domain/agent", modulePrefix + "domain/baton", // no hook runs an agent
	}
	listed, err := output(t, filepath.Join(repository(t), "hookd"), nil, "go", "list", "-deps", ".")
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, listed)
	}
	for dependency := range strings.FieldsSeq(listed) {
		for _, banned := range slow {
			if within(dependency, banned) || strings.Contains(dependency, "/jsonschema") {
				t.Errorf("hookd links %s", dependency)
				break
			}
		}
	}
}

// within reports whether an import path is the given one or below it.
func within(imported, parent string) bool {
	return imported == parent || strings.HasPrefix(imported, parent+"/")
}

// moduleOf returns the directory of the module that an import path of this
// repository belongs to.
func moduleOf(imported string) (module string, ours bool) {
	rest, ours := strings.CutPrefix(imported, modulePrefix)
	return strings.Split(rest, "/")[0], ours
}

// adapter returns the name of the adapter that a package of the module
// adapters is or belongs to.
func adapter(pkg string) string {
	return strings.Split(strings.TrimPrefix(pkg, modulePrefix+"adapters/"), "/")[0]
}

// testSupport reports whether a package is there for tests alone, which its
// name tells.
func testSupport(pkg string) bool { return strings.HasSuffix(pkg, "test") }

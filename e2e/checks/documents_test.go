package checks_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/changeover/changeover/e2e/document"
)

// documents are the files of markdown that people read, relative to the repository.
func documents(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, name := range tracked(t) {
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "testdata/") {
			names = append(names, name)
		}
	}
	if !slices.Contains(names, "README.md") {
		t.Fatalf("no README.md among %v", names)
	}
	return names
}

func read(t *testing.T, name string) document.Document {
	t.Helper()
	return document.Parse(readFile(t, filepath.Join(repository(t), name)))
}

func TestDocuments_LinkToWhatIsThere(t *testing.T) {
	root := repository(t)
	for _, name := range documents(t) {
		for _, link := range read(t, name).Links {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				t.Errorf("%s links to %s: only files of the repository are linked", name, link)
				continue
			}
			file, anchor, _ := strings.Cut(link, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s links to %s, which is not there", name, link)
				continue
			}
			if anchor != "" && !slices.ContainsFunc(read(t, target).Headings, func(h document.Heading) bool { return h.Anchor() == anchor }) {
				t.Errorf("%s links to %s, and there is no such heading", name, link)
			}
		}
	}
}

// named matches a path of this repository that stands in backquotes.
var named = regexp.MustCompile(`^\.?[A-Za-z0-9_][\w.*-]*(/[\w.*-]+)*/?$`)

// What CONTRIBUTING.md and the documents name of the repository is there. A path
// counts as one of the repository where its first part is.
func TestDocuments_NameFilesThatAreThere(t *testing.T) {
	root := repository(t)
	for _, name := range documents(t) {
		if name != "CONTRIBUTING.md" && name != "SECURITY.md" && !strings.HasPrefix(name, "docs/") {
			continue
		}
		found := 0
		for _, span := range read(t, name).Spans {
			first, rest, deep := strings.Cut(span, "/")
			if !named.MatchString(span) || !deep || rest == "" && !slices.Contains(modules(t), first) || !inRepository(t, first) {
				continue
			}
			found++
			matches, err := filepath.Glob(filepath.Join(root, strings.TrimSuffix(span, "/")))
			if err != nil || len(matches) == 0 {
				t.Errorf("%s names %s, which is not there", name, span)
			}
		}
		if name == "CONTRIBUTING.md" && found < 20 {
			t.Errorf("CONTRIBUTING.md names only %d files", found)
		}
	}
}

// inRepository reports whether a name is that of a tracked directory at the top.
func inRepository(t *testing.T, first string) bool {
	t.Helper()
	return slices.Contains(modules(t), first) || first == "docs" || first == ".ci"
}

// testName matches a test that a document names.
var testName = regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w*$`)

func TestContributing_NamesTestsThatExist(t *testing.T) {
	declared := map[string]bool{}
	for _, module := range modules(t) {
		for _, name := range goFiles(t, module) {
			if !strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, found := range regexp.MustCompile(`(?m)^func (Test\w+|Fuzz\w+)\(`).FindAllStringSubmatch(readFile(t, filepath.Join(repository(t), name)), -1) {
				declared[found[1]] = true
			}
		}
	}
	count := 0
	for _, span := range read(t, "CONTRIBUTING.md").Spans {
		if testName.MatchString(span) {
			count++
			if !declared[span] {
				t.Errorf("CONTRIBUTING.md names %s, which no file declares", span)
			}
		}
	}
	if count < 5 {
		t.Errorf("CONTRIBUTING.md names only %d tests", count)
	}
}

// The README says the same in both languages: as many headings of each level, the
// same blocks but for what a shell takes as a comment, the same links.
func TestReadme_IsTheSameInSpanish(t *testing.T) {
	is := is.New(t)
	english, spanish := read(t, "README.md"), read(t, "README.es.md")
	levels := func(d document.Document) (all []int) {
		for _, h := range d.Headings {
			all = append(all, h.Level)
		}
		return all
	}
	is.Equal(levels(english), levels(spanish)) // headings
	blocks := func(d document.Document) (all [][]string) {
		for i, b := range d.Blocks {
			all = append(all, append([]string{b.Language}, document.Document{Blocks: d.Blocks[i : i+1]}.Typed(b.Section, b.Language)...))
		}
		return all
	}
	if diff := cmp.Diff(blocks(english), blocks(spanish)); diff != "" {
		t.Errorf("the blocks of README.es.md are not those of README.md:\n%s", diff)
	}
	links := func(d document.Document) (all []string) {
		for _, l := range d.Links {
			if l != "README.md" && l != "README.es.md" {
				all = append(all, l)
			}
		}
		slices.Sort(all)
		return all
	}
	if diff := cmp.Diff(links(english), links(spanish)); diff != "" {
		t.Errorf("the links of README.es.md are not those of README.md:\n%s", diff)
	}
}

// mostLines is how long a README may be that is read before anything is tried.
const mostLines = 200

func TestReadme_IsShort(t *testing.T) {
	for _, name := range []string{"README.md", "README.es.md"} {
		if n := strings.Count(readFile(t, filepath.Join(repository(t), name)), "\n"); n > mostLines {
			t.Errorf("%s has %d lines, more than %d", name, n, mostLines)
		}
	}
}
